"""Publishing: a whole site or none, and never into what somebody else made."""

import os
import stat
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from engine.findings import USAGE, Refused
from engine.publish import publish, refuse_foreign

SITE = {
    "index.html": b"<h1>one</h1>",
    "a/b/deep.css": b"x",
    "a/empty.txt": b"",
    "z.svg": bytes(range(256)),
}


def tree(folder: Path) -> dict[str, object]:
    """Everything below a folder: bytes of files, targets of links, None for folders."""
    found = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = path.readlink()
        else:
            found[name] = path.read_bytes() if path.is_file() else None
    return found


def shown(out: Path) -> dict[str, bytes]:
    """The files that a reader of `out` finds."""
    return {name: content for name, content in tree(out.resolve()).items() if content is not None}


def versions(out: Path) -> list[Path]:
    return [path for path in out.parent.iterdir() if path.name.startswith(f".{out.name}.")]


def numbered(number: int) -> dict[str, bytes]:
    """A site whose every file says the same number."""
    return {f"page{page}.html": f"{number}".encode() * 2000 for page in range(8)}


# -- what is published


def test_the_folder_shows_exactly_the_files(tmp_path):
    publish(SITE, tmp_path / "site")
    assert shown(tmp_path / "site") == SITE


def test_the_second_time_replaces_the_first_and_leaves_nothing_of_it(tmp_path):
    out = tmp_path / "site"
    publish(SITE, out)
    publish({"index.html": b"two", "new/a.txt": b"n"}, out)
    assert shown(out) == {"index.html": b"two", "new/a.txt": b"n"}


def test_folders_on_the_way_are_made(tmp_path):
    publish(SITE, tmp_path / "not" / "there" / "site")
    assert shown(tmp_path / "not" / "there" / "site") == SITE


def test_an_empty_folder_may_be_used(tmp_path):
    (tmp_path / "site").mkdir()
    publish(SITE, tmp_path / "site")
    assert shown(tmp_path / "site") == SITE


def test_the_folder_may_be_named_from_where_one_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    publish(SITE, Path("site"))
    publish(SITE, Path("build/site"))
    assert shown(tmp_path / "site") == shown(tmp_path / "build" / "site") == SITE


def test_the_whole_can_be_moved_elsewhere(tmp_path):
    publish(SITE, tmp_path / "here" / "site")
    (tmp_path / "here").rename(tmp_path / "there")
    assert shown(tmp_path / "there" / "site") == SITE


@pytest.mark.parametrize("mask", [0o000, 0o077, 0o177], ids=oct)
def test_everybody_may_read_a_site_whatever_the_umask(tmp_path, mask):
    before = os.umask(mask)
    try:
        publish(SITE, tmp_path / "site")
    finally:
        os.umask(before)
    folder = (tmp_path / "site").resolve()
    modes = {
        stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.rglob("*")] if path.is_dir()
    }
    assert modes == {0o755}
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()} == {
        0o644
    }


# -- versions


def test_only_the_new_version_and_the_one_before_are_kept(tmp_path):
    out = tmp_path / "site"
    for number in range(5):
        publish(numbered(number), out)
    assert shown(out) == numbered(4)
    (before,) = [path for path in versions(out) if path != out.resolve()]
    assert tree(before) == numbered(3)


def test_a_clock_that_runs_backwards_loses_no_version(tmp_path):
    out = tmp_path / "site"
    for number in range(4):
        publish(numbered(number), out)
        for path in versions(out):
            os.utime(path, (4e9, 4e9))  # long after the next one is made
    assert shown(out) == numbered(3)
    assert sorted(len(tree(path)) for path in versions(out)) == [8, 8]


@pytest.mark.parametrize("name", ["site", "site[1]", "s*", "build.site", "-x", "ü"])
def test_old_versions_go_whatever_the_folder_is_called(tmp_path, name):
    for number in range(4):
        publish(numbered(number), tmp_path / name)
    assert len(list(tmp_path.iterdir())) == 3
    assert shown(tmp_path / name) == numbered(3)


class CutShort(Mapping):
    """Files of which the last one never comes."""

    def __init__(self, files: dict[str, bytes]):
        self._files = files

    def __getitem__(self, name: str) -> bytes:
        return self._files[name]

    def __len__(self) -> int:
        return len(self._files)

    def __iter__(self) -> Iterator[str]:
        yield from self._files
        raise KeyboardInterrupt


def test_a_run_that_is_cut_short_leaves_the_last_site_and_the_next_sweeps_up(tmp_path):
    out = tmp_path / "site"
    publish(numbered(0), out)
    publish(numbered(1), out)
    with pytest.raises(KeyboardInterrupt):
        publish(CutShort(numbered(2)), out)
    assert shown(out) == numbered(1)
    publish(numbered(3), out)
    assert shown(out) == numbered(3)
    (before,) = [path for path in versions(out) if path != out.resolve()]
    assert tree(before) == numbered(1)


def test_what_cannot_be_written_is_refused_and_nothing_is_left_of_it(tmp_path):
    out = tmp_path / "site"
    publish(SITE, out)
    before = tree(tmp_path)
    with pytest.raises(Refused) as refused:
        publish({"a": b"a file", "a/b": b"and a folder"}, out)
    assert refused.value.code == USAGE
    assert tree(tmp_path) == before


def test_two_runs_at_once_leave_a_whole_site(tmp_path):
    out = tmp_path / "site"
    failures = []

    def publish_often(first: int) -> None:
        try:
            for number in range(first, first + 10):
                publish(numbered(number), out)
        except BaseException as error:  # reported below
            failures.append(error)

    runs = [threading.Thread(target=publish_often, args=(first,)) for first in (100, 200)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert failures == []
    assert shown(out) in (numbered(109), numbered(209))
    assert len(versions(out)) == 2


# -- readers


class Reader(threading.Thread):
    """Goes into `out` and reads every file, again and again; counts how often it came out."""

    def __init__(self, out: Path):
        super().__init__(daemon=True)
        self.out, self.passes, self.seen = out, 0, set()
        self.step, self.done = threading.Condition(), False
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.done:
                self._pass()
                with self.step:
                    self.passes += 1
                    self.step.notify_all()
        except BaseException as error:  # reported by the test
            self.failure = error
            with self.step:
                self.step.notify_all()

    def _pass(self) -> None:
        folder = os.open(self.out, os.O_RDONLY | os.O_DIRECTORY)
        try:
            pages = set()
            for name in numbered(0):
                page = os.open(name, os.O_RDONLY, dir_fd=folder)
                pages.add(os.read(page, 100_000))
                os.close(page)
                assert (self.out / name).stat().st_size > 0  # by its path, too
            assert len(pages) == 1, "pages of two sites in one"
            self.seen |= pages
        finally:
            os.close(folder)

    def wait_for_a_pass(self) -> None:
        """Until one more pass is over: no pass then sees more than one swap."""
        with self.step:
            before = self.passes
            self.step.wait_for(lambda: self.passes > before or self.failure, timeout=30)


def test_a_reader_finds_a_whole_site_at_every_moment(tmp_path):
    out = tmp_path / "site"
    publish(numbered(0), out)
    reader = Reader(out)
    reader.start()
    for number in range(1, 60):
        publish(numbered(number), out)
        reader.wait_for_a_pass()
    reader.done = True
    reader.join(timeout=30)
    assert reader.failure is None
    assert len(reader.seen) > 10  # it did read while sites came and went


# -- what is not ours


def foreign_folder(out: Path) -> None:
    out.mkdir()
    (out / "thesis.txt").write_text("years of work")


def foreign_hidden_file(out: Path) -> None:
    out.mkdir()
    (out / ".git").mkdir()


def foreign_file(out: Path) -> None:
    out.write_text("a file")


def foreign_link(out: Path) -> None:
    (out.parent / "home").mkdir()
    out.symlink_to("home", target_is_directory=True)


def foreign_link_to_nothing(out: Path) -> None:
    out.symlink_to("nowhere")


def foreign_link_with_a_name_like_ours(out: Path) -> None:
    (out.parent / f".{out.name}.d").mkdir()
    out.symlink_to(f".{out.name}.d")


def link_to_a_site_elsewhere(out: Path) -> None:
    publish(SITE, out.parent / "elsewhere" / out.name)
    out.symlink_to(Path("elsewhere") / (out.parent / "elsewhere" / out.name).readlink())


def folder_below_a_file(out: Path) -> None:
    out.parent.rmdir()
    out.parent.write_text("a file")


@pytest.mark.parametrize(
    "make",
    [
        foreign_folder,
        foreign_hidden_file,
        foreign_file,
        foreign_link,
        foreign_link_to_nothing,
        foreign_link_with_a_name_like_ours,
        link_to_a_site_elsewhere,
        folder_below_a_file,
    ],
)
def test_what_somebody_else_made_is_refused_and_not_touched(tmp_path, make):
    out = tmp_path / "build" / "site"
    out.parent.mkdir()
    make(out)
    before = tree(tmp_path)
    with pytest.raises(Refused) as refused:
        publish(SITE, out)
    assert refused.value.code == USAGE
    assert [(found.path, found.rule) for found in refused.value.findings] == [(str(out), "output")]
    assert tree(tmp_path) == before


@pytest.mark.parametrize("out", ["/", "..", "."])
def test_folders_that_everything_is_in_are_refused(tmp_path, monkeypatch, out):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").touch()
    monkeypatch.chdir(tmp_path / "in")
    with pytest.raises(Refused):
        refuse_foreign(Path(out))


def test_our_own_site_is_not_foreign(tmp_path):
    publish(SITE, tmp_path / "site")
    refuse_foreign(tmp_path / "site")
    refuse_foreign(tmp_path / "free")


def test_neighbours_with_similar_names_are_left_alone(tmp_path):
    publish(SITE, tmp_path / "site.old")
    for name in (".site.settings", ".site.built-by-hand", ".sites"):
        (tmp_path / name).mkdir()
    (tmp_path / ".site.built-abcdefgh").write_text("a file")
    before = tree(tmp_path)
    for number in range(4):
        publish(numbered(number), tmp_path / "site")
    assert before.items() <= tree(tmp_path).items()
    assert shown(tmp_path / "site.old") == SITE
