"""`python -m engine`: the same as the installed command `lesson`."""

import sys

from engine.cli import main

sys.exit(main())
