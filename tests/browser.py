"""Finds a Chromium for the tests, or installs one, or says exactly what is missing."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find() -> str | None:
    """The path of a browser: $CHROMIUM, one on the PATH, or the one that playwright installed."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named if Path(named).exists() else None
    on_path = next(filter(None, map(shutil.which, NAMES)), None)
    if on_path:
        return on_path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


def installers() -> Iterator[list[str]]:
    """Commands that may bring a browser, best first."""
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    debian = "ID=debian" in Path("/etc/os-release").read_text(encoding="utf-8").split("\n")
    if shutil.which("apt-get") and debian:  # elsewhere the package may be an empty shell of a snap
        yield [
            *sudo,
            "sh",
            "-c",
            "apt-get update -q && apt-get install -qy chromium fonts-dejavu-core",
        ]
    yield [
        sys.executable,
        "-m",
        "playwright",
        "install",
        *(["--with-deps"] if not sudo else []),
        "chromium",
    ]


def main() -> int:
    for command in installers() if not find() else ():
        print("no Chromium yet; trying:", " ".join(command))
        if subprocess.run(command, check=False).returncode == 0 and find():
            break
    if find():
        return 0
    print(
        "The tests need Chromium. Install it (Debian: apt-get install chromium), or set CHROMIUM."
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
