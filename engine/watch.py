"""What the preview watches: the digests of all that a site is made from, and a hint to look again.

Digests decide: a touch or the same bytes again are no change. The operating system's news only
says when to look, and a look now and then makes up for news that got lost.
"""

import hashlib
import os
import re
import stat
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

# Documented; `watchfiles.watch` would not tell when it has begun to listen.
from watchfiles._rust_notify import RustNotify

# Hidden files, what editors keep beside a file while it is edited, and what Python leaves.
IGNORED = re.compile(
    r"\..*|.*~|#.*#|.*\.(?:sw[a-z]|bak|orig|tmp|pyc)|4913|.*___jb_\w+___|__pycache__"
)
EMPTY = hashlib.sha256(b"").hexdigest()
QUIET, MOST_QUIET = 10, 500  # ms without news, and ms of news without an end
HEARTBEAT, LOOK = 1000, 100  # ms from look to look: with news, and without
MANY = 5  # files that nobody saves one by one


@dataclass(frozen=True)
class Tree:
    """All that a site is made from, as it was at one moment."""

    files: dict[str, str]  # path -> digest
    folders: dict[str, int]  # path -> the number that tells it from one that took its place

    def is_like(self, other: "Tree | None") -> bool:
        """Whether a site made from it is the same; a folder may have taken another's place."""
        if other is None:
            return False
        return self.files == other.files and self.folders.keys() == other.folders.keys()

    def unsettled(self, since: "Tree") -> bool:
        """Whether this may be the middle of something: files gone, emptied, or many at once."""
        changed = {name for name, digest in self.files.items() if since.files.get(name) != digest}
        gone = since.files.keys() - self.files.keys()
        emptied = any(self.files[name] == EMPTY and name in since.files for name in changed)
        return bool(gone) or emptied or len(changed) > MANY


def tree(content: Path, templates: Path, but: Path) -> Tree:
    """What there is now in content/, templates/ and the project's documents, except in `but`."""
    project = content.absolute().parent
    files = {str(path): _digest(path) for path in project.glob("*.md")}
    folders = {str(project): _identity(project)}
    for root in (content.absolute(), templates.absolute()):
        for folder, inside, names in os.walk(root):
            folders[folder] = _identity(Path(folder))
            inside[:] = [
                name for name in inside
                if not IGNORED.fullmatch(name) and Path(folder, name) != but.absolute()
            ]  # fmt: skip
            for name in names:
                if not IGNORED.fullmatch(name):
                    path = Path(folder, name)
                    files[str(path)] = _digest(path)
    return Tree({name: digest for name, digest in files.items() if digest}, folders)


def _digest(path: Path) -> str:
    """Of a file's bytes; what cannot be read has a digest too; "" for what is no file (any more)."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # to read a pipe would wait for ever
            return ""
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        return ""
    except OSError as error:
        return str(error.errno)


def _identity(folder: Path) -> int:
    try:
        return folder.stat().st_ino
    except OSError:
        return 0


class Watch:
    """Listens to a set of folders, each by itself; another one takes its place when they change."""

    def __init__(self) -> None:
        self._folders: dict[str, int] = {}
        self._ear: tuple[RustNotify | None, threading.Event] = (None, threading.Event())
        self._closed = False

    def arm(self, folders: dict[str, int]) -> bool:
        """Listen to these from now on; True if they are others, or others of the same name."""
        if folders == self._folders:
            return False
        self._folders, notify = folders, None
        with suppress(Exception):  # a folder went away, or the system can watch no more
            there = [folder for folder in folders if Path(folder).is_dir()]
            notify = RustNotify(there, False, False, 0, False, True)
        before, self._ear = self._ear, (notify, threading.Event())
        before[1].set()  # whoever waits goes on with the new one
        return True

    def wait(self) -> None:
        """Return when something may have changed, or after HEARTBEAT. Blocks, so call in a thread."""
        notify, stop = self._ear
        if self._closed:
            return
        if notify:
            notify.watch(MOST_QUIET, QUIET, HEARTBEAT, stop)
        else:  # then a look must do
            stop.wait(LOOK / 1000)

    def close(self) -> None:
        """End a `wait`, and every one to come."""
        self._closed = True
        self._ear[1].set()
