"""A mapping path -> bytes becomes a folder, all or nothing.

The files go into a new folder beside `out`, and `out` is a symbolic link that is swung to it in
one step: a reader sees the old site or the new one, and never a half of each.
"""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from engine.findings import USAGE, Finding, Refused

KEPT = 2  # versions: the new one, and the one a reader may still be loading from


def publish(files: Mapping[str, bytes], out: Path) -> None:
    """Make `out` show exactly `files`. Raises Refused, with nothing touched, if it is not ours."""
    refuse_foreign(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    folder.chmod(0o755)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
        path.write_bytes(content)
        path.chmod(0o644)
    link = folder.with_name(folder.name + ".link")
    link.symlink_to(folder.name, target_is_directory=True)
    if out.is_dir() and not out.is_symlink():
        out.rmdir()
    os.replace(link, out)
    for old in sorted(_versions(out), key=lambda path: path.stat().st_mtime_ns)[:-KEPT]:
        shutil.rmtree(old)


def refuse_foreign(out: Path) -> None:
    """Raise Refused unless `out` is free, empty, or a site published here before."""
    if out.is_symlink():
        if out.readlink().name.startswith(f".{out.name}."):
            return
    elif not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    what = "is there already, and this program did not make it"
    raise Refused([Finding(str(out), 1, 1, "output", what, "name another --out, or move it")], USAGE)


def _versions(out: Path) -> list[Path]:
    """The folders made for `out`, those of a run that was cut short included."""
    made = out.parent.glob(f".{out.name}.*")
    return [path for path in made if path.is_dir() and not path.is_symlink()]
