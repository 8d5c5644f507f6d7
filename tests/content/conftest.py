"""Puts the lessons' code folders on the path, as a downloaded copy would have them."""

import sys
from pathlib import Path

CONTENT = Path(__file__).resolve().parents[2] / "content"
for folder in sorted(CONTENT.glob("*/code")):
    sys.path.insert(0, str(folder))
