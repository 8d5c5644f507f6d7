"""What is the same for every mutant, done once: these functions see nothing but their arguments."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

from pygments import highlight

import engine.build
import engine.check_numbers
import engine.check_widget
import engine.course_checks
import engine.coverage
import engine.documents
import engine.elements
import engine.prose
from engine.course import Vocabulary
from engine.coverage import account
from engine.markup import parse
from engine.number_words import number_words
from engine.numerals import numerals
from engine.script_text import script_pieces


def once(known: dict, key: Any, make: Callable[[], Any]) -> Any:
    """What is known under this key, made if it is not."""
    if key not in known:
        known[key] = make()
    return known[key]


class Compiling(engine.prose.Environment):
    """Compiles an expression of the prose once, and not for each of a thousand mutants."""

    @cache  # noqa: B019  (one environment serves all)
    def _compiled(self, code: str):
        return super().compile_expression(code, undefined_to_none=False)

    def compile_expression(self, source: str, undefined_to_none: bool = True):
        return self._compiled(source)

    @cache  # noqa: B019
    def parse(self, *arguments):
        return super().parse(*arguments)


ENVIRONMENT = Compiling(undefined=engine.prose.StrictUndefined)
known: dict[tuple, Any] = {}


def _highlight(code: str, lexer: Any, formatter: Any) -> str:
    return once(known, ("highlight", code), lambda: highlight(code, lexer, formatter))


def _numerals(text: str, vocabulary: Vocabulary) -> list:
    key = "numerals", text, vocabulary.regex
    return once(known, key, lambda: [*numerals(text, vocabulary)])


def _account(path: str, page: str, vocabulary: Vocabulary, quoted: Iterable[str] = ()):
    key = "account", path, page, vocabulary.regex, frozenset(quoted)
    return once(known, key, lambda: account(path, page, vocabulary, quoted))


@cache
def _number_words(text: str) -> list:
    return [*number_words(text)]


@cache
def _script_pieces(script: str) -> list:
    return [*script_pieces(script)]


@cache
def _parsed(text: str, typed: type) -> list:
    return parse(text, typed)


PLACES = (
    (engine.prose, "Environment", lambda **_: ENVIRONMENT),
    (engine.elements, "highlight", _highlight),
    (engine.documents, "parse", _parsed),
    (engine.build, "account", _account),
    (engine.check_widget, "script_pieces", _script_pieces),
    (engine.course_checks, "script_pieces", _script_pieces),
    (engine.check_numbers, "number_words", _number_words),
    (engine.check_widget, "number_words", _number_words),
    (engine.documents, "number_words", _number_words),
    (engine.check_numbers, "numerals", _numerals),
    (engine.check_widget, "numerals", _numerals),
    (engine.course_checks, "numerals", _numerals),
    (engine.documents, "numerals", _numerals),
    (engine.coverage, "numerals", _numerals),
)


@contextmanager
def once_for_all() -> Iterator[None]:
    """Expressions, excerpts, documents, texts and numbers that have been met before."""
    with ExitStack() as stack:
        for module, name, replacement in PLACES:
            stack.enter_context(patch.object(module, name, replacement))
        yield
