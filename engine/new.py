"""A first lesson to start from: a program, its facts, a figure, a test, and a text that quotes them."""

import re
from datetime import date
from pathlib import Path

from engine.course import read_text
from engine.findings import USAGE, Finding, Refused
from engine.load import SLUG, load

PLACES = ("lesson.md", "facts.py", "figures.py", "code/folding.py")


def new_lesson(content: Path, templates: Path, slug: str, title: str) -> list[Path]:
    """Write the lesson and list it in course.toml; returns the files. Never overwrites one."""
    if not SLUG.fullmatch(slug):
        what, fix = f'"{slug}" is no slug', "use small letters and digits, joined by hyphens"
        raise Refused([Finding(slug, 1, 1, "usage", what, fix)], USAGE)
    course = load(content)
    test = content.parent / "tests/content" / f"test_{slug.replace('-', '_')}.py"
    files = {content / slug / place: templates / "new" / place for place in PLACES}
    files[test] = templates / "new/test.py"
    taken = [path for path in files if path.exists()]
    if slug in course.entries or taken:
        path = str(taken[0] if taken else content / "course.toml")
        fix = "choose another slug, or write into what is there"
        raise Refused([Finding(path, 1, 1, "usage", f'"{slug}" is there already', fix)], USAGE)
    if any(char.isnumeric() for char in title or slug):
        what, fix = "the title would hold a typed number", "give it in words: --title"
        raise Refused([Finding(slug, 1, 1, "usage", what, fix)], USAGE)
    title = title or slug.replace("-", " ").capitalize()
    words = {"TITLE": title.replace('"', "'"), "DATE": date.today().isoformat()}
    for path, template in files.items():
        text = re.sub("|".join(words), lambda match: words[match[0]], read_text(template))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    number = max((entry.number for entry in course.entries.values()), default=0) + 1
    with (content / "course.toml").open("a", encoding="utf-8") as listed:
        entry = f'number = {number}\nslug = "{slug}"\ntitle = "{words["TITLE"]}"\n'
        listed.write(f"\n[[lessons]]\n{entry}")
    return [*files, content / "course.toml"]
