"""Arguments, printing of findings, exit codes."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path

from engine import author, commands
from engine.findings import CLEAN, USAGE, Finding, Refused
from engine.formats import DATA, FORMATS, summary
from engine.overlay import CUSTOM, EDITORS
from engine.runner import SECONDS

STOPPED = 130  # as shells report an interrupt


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 clean, 1 findings, 2 usage, 3 lesson code failed."""
    options = _parser().parse_args(arguments)
    try:
        for name in ("--content", "--templates", "DIR"):
            folder = getattr(options, name.strip("-").lower(), None)
            if folder and not folder.is_dir():
                what, fix = f"{name} is not a folder", "run from the project's folder, or name it"
                raise Refused([Finding(str(folder), 1, 1, "usage", what, fix)], USAGE)
        with redirect_stdout(sys.stderr if options.form in DATA else sys.stdout):
            code = options.command(options)
    except Refused as refused:
        _tell(refused.findings, options.form)
        if getattr(options, "summary", None):
            options.summary.write_text(summary(refused.findings, []), encoding="utf-8")
        return refused.code
    except BrokenPipeError:  # whoever reads this has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLEAN
    except OSError as error:
        what, fix = f"cannot be used: {error.strerror}", "name another folder"
        _tell([Finding(str(error.filename), 1, 1, "output", what, fix)], options.form)
        return USAGE
    except KeyboardInterrupt:
        print("stopped; nothing was published", file=sys.stderr)
        return STOPPED
    if options.form in DATA:
        print(FORMATS[options.form]([]), end="")
    return code or CLEAN


def _tell(findings: list[Finding], form: str) -> None:
    """Print the findings: for people on the error stream, for programs on the output."""
    if form != "text":
        print(FORMATS[form](findings), end="")
    if form not in DATA:
        print(FORMATS["text"](findings), end="", file=sys.stderr)
    count = len(findings)
    print(f"{count} finding{'s' * (count != 1)}; nothing was published", file=sys.stderr)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError("must be a positive number")
    return seconds


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port < 1 << 16:
        raise argparse.ArgumentTypeError("is no port")
    return port


def _editor(text: str) -> str:
    if text not in EDITORS and not CUSTOM.fullmatch(text):
        names = ", ".join(EDITORS)
        raise argparse.ArgumentTypeError(f"must be one of {names}, or a link with {{path}}")
    return text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lesson", description="Lessons that cannot lie.")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(
        name: str, command: Callable[[argparse.Namespace], int | None]
    ) -> argparse.ArgumentParser:
        sub = subparsers.add_parser(name, help=command.__doc__, description=command.__doc__)
        sub.set_defaults(command=command, name=name, form="text")
        _folder(sub, "--content", Path("content"), "what people read")
        return sub

    for name, command in (("build", commands.build_site), ("check", commands.check_site)):
        sub = _run_options(add(name, command), from_scratch=name == "check")
        about = "how to print findings (default: text)"
        sub.add_argument("--format", dest="form", choices=FORMATS, default="text", help=about)
    sub.add_argument("--summary", type=Path, metavar="FILE", help="a summary as Markdown")
    sub = _run_options(add("serve", commands.serve_site))
    about = "default: 8000; 0 takes one that is free"
    sub.add_argument("--port", type=_port, metavar="N", default=8000, help=about)
    sub.add_argument("--host", default="127.0.0.1", help="an address of this machine")
    about = "let others see it: needed for a --host that is not this machine alone"
    sub.add_argument("--expose", action="store_true", help=about)
    about = f"what opens a finding: {', '.join(EDITORS)}, or a link with {{path}} {{line}} {{col}}"
    sub.add_argument("--editor", type=_editor, default="vscode", help=f"{about} (default: vscode)")
    sub = _run_options(add("facts", commands.list_facts))
    about = "names of facts, with * and ? (default: all)"
    sub.add_argument("pattern", nargs="?", default="*", help=about)
    sub.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    _run_options(add("claims", commands.list_claims))
    sub = _run_options(add("explain", commands.explain_number))
    sub.add_argument("text", help='a number as it is printed ("3.49"), or a fact\'s name')
    sub = _run_options(add("accept", commands.accept_numbers))
    about = "expressions to accept, with * and ? (default: all)"
    sub.add_argument("pattern", nargs="?", default="*", help=about)
    sub = add("diff", commands.show_diff)
    sub.add_argument("revision", help="a commit to compare with")
    forms = ("text", "json", "markdown")
    sub.add_argument("--format", choices=forms, default="text", help="default: text")
    sub = _run_options(add("new", commands.write_new))
    sub.add_argument("slug", help="the lesson's folder and address: small-letters-and-hyphens")
    sub.add_argument("--title", default="", help="default: made of the slug")
    sub = _limits(add("fix", author.fix_findings), Path("build/cache"))
    sub.add_argument("--yes", action="store_true", help="do not ask")
    about = "files or folders of the course to mend (default: all)"
    sub.add_argument("paths", nargs="*", type=Path, metavar="PATH", help=about)
    sub = _limits(add("lsp", author.serve_editor), Path("build/cache"))
    sub.set_defaults(content=None)  # where the editor works
    sub.add_argument("--stdio", action="store_true", help="what editors say; it is always so")
    sub = add("verify", commands.verify_site)
    sub.add_argument("dir", type=Path, metavar="DIR", help="the site, as it was published")
    return parser


def _run_options(
    sub: argparse.ArgumentParser, from_scratch: bool = False
) -> argparse.ArgumentParser:
    """The options of a command that runs lesson code."""
    _folder(sub, "--templates", Path("templates"), "page frames")
    if sub.get_default("name") == "build":
        _folder(sub, "--out", Path("build/site"), "the site")
    elif sub.get_default("name") != "serve":
        _folder(sub, "--out", None, "a copy of the report")
    return _limits(sub, None if from_scratch else Path("build/cache"))


def _limits(sub: argparse.ArgumentParser, cache: Path | None) -> argparse.ArgumentParser:
    """Where results of lesson code are kept, and how long it may run."""
    _folder(sub, "--cache", cache, "results of earlier runs")
    about = f"time a lesson's program may run (default: {SECONDS})"
    sub.add_argument("--quiet", action="store_true", help="tell nothing but findings and results")
    sub.add_argument("--seconds", type=_seconds, metavar="N", default=SECONDS, help=about)
    return sub


def _folder(sub: argparse.ArgumentParser, flag: str, default: Path | None, about: str) -> None:
    about = f"{about} (default: {default or 'none'})"
    sub.add_argument(flag, type=Path, metavar="DIR", default=default, help=about)
