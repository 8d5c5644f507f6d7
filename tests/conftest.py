"""The real site, built once however many processes test it."""

import fcntl
from pathlib import Path

import pytest

from engine.build import build

PROJECT = Path(__file__).resolve().parents[1]
CACHE = PROJECT / "build/cache"


@pytest.fixture(scope="session")
def real_site():
    """The site of content/. One process at a time fills the cache; the others find it full."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return build(PROJECT / "content", PROJECT / "templates", CACHE)
