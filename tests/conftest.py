"""The real site, built once however many processes test it; the lessons' programs on the path."""

import fcntl
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from engine.build import build

PROJECT = Path(__file__).resolve().parents[1]
CACHE = PROJECT / "build/cache"

# As a downloaded copy would have them.
for folder in sorted((PROJECT / "content").glob("*/code")):
    sys.path.insert(0, str(folder))

# A slow machine is no fault of the code, and the same commit must give the same verdict.
settings.register_profile("ours", deadline=None, derandomize=True, database=None)
settings.load_profile("ours")


@pytest.fixture(scope="session")
def real_site():
    """The site of content/. One process at a time fills the cache; the others find it full."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return build(PROJECT / "content", PROJECT / "templates", CACHE)
