"""A mapping path -> bytes becomes a folder, all or nothing.

The files go into a new folder beside `out`, and `out` is a symbolic link that is swung to it in
one step: a reader sees the old site or the new one, and never a half of each. The folder before
stays until the next time, for a reader who is still loading from it.
"""

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from engine.findings import USAGE, Finding, Refused


def publish(files: Mapping[str, bytes], out: Path) -> None:
    """Make `out` show exactly `files`. Raises Refused, with nothing touched, if it cannot."""
    refuse_foreign(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with _alone_in(out.parent):
            before = out.readlink().name if out.is_symlink() else ""
            folder = Path(tempfile.mkdtemp(prefix=_prefix(out), dir=out.parent))
            try:
                _write(files, folder)
                _swing(out, folder)
            except OSError:
                shutil.rmtree(folder)
                raise
            for old in out.parent.iterdir():
                # a folder that a run left behind when it was cut short is one of these
                if _is_version(old.name, out) and old.name not in (before, folder.name):
                    shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        what = f"cannot be written: {error.strerror}"
        raise _refused(out, what, "make room for it, or name another --out") from None


def refuse_foreign(out: Path) -> None:
    """Raise Refused unless `out` is free, empty, or a site published here before."""
    # Looked at first: another run may publish here meanwhile, and then it is a link of ours.
    free = not out.exists() or (out.is_dir() and not any(out.iterdir()))
    if out.is_symlink():
        if _is_version(str(out.readlink()), out):
            return
    elif free:
        return
    what = "is there already, and this program did not make it"
    raise _refused(out, what, "name another --out, or move it")


def _write(files: Mapping[str, bytes], folder: Path) -> None:
    """Whatever the umask says, everybody may read a site."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o644)
        for parent in path.parents[: len(Path(name).parts)]:
            parent.chmod(0o755)


def _swing(out: Path, folder: Path) -> None:
    """Make `out` a link to `folder`, in one step."""
    link = folder / ".link"
    link.symlink_to(folder.name, target_is_directory=True)
    if out.is_dir() and not out.is_symlink():
        out.rmdir()
    link.replace(out)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Wait until no other process publishes into `folder`."""
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _prefix(out: Path) -> str:
    return f".{out.name}.built-"


def _is_version(name: str, out: Path) -> bool:
    """Whether `name` is one that this program gives to a folder made for `out`."""
    return re.fullmatch(re.escape(_prefix(out)) + "[a-z0-9_]{8}", name) is not None


def _refused(out: Path, what: str, fix: str) -> Refused:
    return Refused([Finding(str(out), 1, 1, "output", what, fix)], USAGE)
