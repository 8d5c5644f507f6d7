"""Results of runs, each kept for as long as every file and folder it read is as it was."""

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Result:
    """What a run gave."""

    value: dict[str, Any]
    output: str  # what it printed
    inputs: dict[str, str]  # path from content/, or a whole path -> its digest when it was read


class Cache:
    """A folder of results, which may be emptied at any time. Paths start at `content`."""

    def __init__(self, folder: Path, content: Path):
        self.folder, self._content = folder, content

    def get(self, asked: str) -> Result | None:
        """The result of a run that was asked for in these words, if it would be the same now."""
        try:
            result = Result(**json.loads(self._path(asked).read_text(encoding="utf-8")))
            fresh = all(self.digest(name) == digest for name, digest in result.inputs.items())
        except (OSError, ValueError, TypeError, AttributeError):  # none, or not one of ours
            return None
        return result if fresh else None

    def put(self, asked: str, result: Result, started: int) -> None:
        """Keep a result, unless something it read has changed since `started` (ns)."""
        if any(_changed(self._content / name) > started for name in result.inputs):
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self._path(asked)
        draft = path.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(vars(result)), encoding="utf-8")
        draft.replace(path)

    def digests(self, names: Iterable[str]) -> dict[str, str]:
        """Each path with its digest now."""
        return {name: self.digest(name) for name in names}

    def digest(self, name: str) -> str:
        """Of a file's bytes, or of the names in a folder; "" for what is not there."""
        path = self._content / name
        if path.is_dir():
            names = sorted(child.name for child in path.iterdir() if child.name != "__pycache__")
            return hashlib.sha256("\0".join(names).encode()).hexdigest()
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""

    def _path(self, asked: str) -> Path:
        return self.folder / f"{hashlib.sha256(asked.encode()).hexdigest()}.json"


@lru_cache
def version_of(library: str) -> str:
    """The version that is installed: it makes the results, too."""
    return version(library)


def _changed(path: Path) -> int:
    return path.stat().st_mtime_ns if path.exists() else 0
