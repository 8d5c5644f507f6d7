"""How long things take, each beside a reference that is measured in the same run."""
