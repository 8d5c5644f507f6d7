"""Expressions evaluated: each `{{ ... }}` of a lesson becomes what it shows, or a finding."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

from jinja2 import Environment, StrictUndefined, TemplateError, nodes

from engine import facts as filters
from engine.course import Lesson
from engine.elements import fact_html
from engine.facts import Fact, Namespace, NotAFact
from engine.findings import Finding, Refused, nearest, position
from engine.sources import NotFound
from engine.stamps import Expression
from engine.words import Claim, Shown, WordFault, Words

MOST_KEPT = 10_000  # expressions, in one process
FILTERS = {
    "digits": filters.with_digits,
    "bare": filters.bare,
    "about": filters.about,
    "words": filters.words,
    "capital": filters.capital,
}


@dataclass(frozen=True)
class HeldClaim:
    """A claim that holds, and how far it is from failing."""

    path: str
    text: str
    code: str
    margin: float | None  # a share of the larger number; None if it is not about an order


class Prose:
    """Evaluates the expressions of one lesson. Remembers the facts they used."""

    def __init__(self, lesson: Lesson, facts: Mapping[str, Fact], words: Words):
        self.lesson, self.facts, self.words = lesson, facts, words
        self.used_facts: set[str] = set()
        self.claims: list[HeldClaim] = []
        self.names_of: dict[int, set[str]] = {}  # expression index -> the facts it says
        self._names: dict[str, Any] = dict(words.table())
        for head in {name.split(".")[0] for name in facts} - self._names.keys():
            self._names[head] = getattr(Namespace(facts), head)

    def show(self, expression: Expression) -> Shown:
        """What the expression puts on the page. Raises Refused with what is wrong."""
        try:
            shown = self._shown(expression.code)
            names = _dotted_names(expression.code)
            self.names_of[expression.index] = {name for name in names if name in self.facts}
            return shown
        except WordFault as fault:
            # What it meant to quote is not "quoted nowhere" as well.
            self.used_facts |= {name for name in self.facts if name in expression.code}
            raise Refused(
                [self.finding(expression.offset, fault.rule, fault.what, fault.fix)]
            ) from None

    def finding(self, offset: int, rule: str, what: str, fix: str) -> Finding:
        """A finding at a place of the lesson's text."""
        return Finding(self.lesson.path, *position(self.lesson.text, offset), rule, what, fix)

    def _shown(self, code: str) -> Shown:
        try:
            names = _dotted_names(code)
            self.used_facts.update(name for name in names if name in self.facts)
            for name in self.unknown(code):
                known = [*self.facts, *self.words.table()]
                raise WordFault("unknown-fact", f'"{name}" is not a fact', nearest(name, known))
            evaluate = _compiled(code)
            with filters.margins() as margins:
                value = evaluate(self._names)
            if isinstance(value, Fact):
                return Shown(value.text, fact_html(value), value.kind)
        except (WordFault, Refused):
            raise
        except NotAFact as error:
            raise WordFault("bad-fact", str(error), "use another filter or another fact") from None
        except NotFound as error:
            what, _, fix = str(error).partition("; ")
            raise WordFault("not-in-code", what, fix) from None
        except SyntaxError as error:
            what = f"{error.filename}:{error.lineno} is not Python: {error.msg}"
            raise WordFault("program-failed", what, "mend that line") from None
        except TemplateError as error:
            what = str(error.message).rstrip(".")
            fix = f"the filters are {', '.join(FILTERS)}" if "filter" in what else "mend it"
            raise WordFault("expression", f"{{{{ {code} }}}}: {what}", fix) from None
        except TypeError as error:
            if "unsupported operand" in str(error):
                fix = "measure the result in facts.py and quote that"
                raise WordFault("arithmetic", "prose does no arithmetic", fix) from None
            what = f"{{{{ {code} }}}}: {error}".replace("Words.", "")
            raise WordFault("expression", what, "give what the word or filter asks for") from None
        except Exception as error:  # an author's mistake, whatever it is, is a finding
            what = f"{{{{ {code} }}}}: {type(error).__name__}: {error}"
            raise WordFault("expression", what, "give what the word or filter asks for") from None
        if isinstance(value, Claim):
            return self._claimed(value, code, names, margins)
        if isinstance(value, Shown):
            return value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            raise WordFault("bare-number", f"{code} is a typed number", "name the fact it is")
        fix = f"quote a fact, or use {', '.join(self.words.table())}"
        raise WordFault("expression", f"{{{{ {code} }}}} puts nothing on the page", fix)

    def unknown(self, code: str) -> list[str]:
        """The names in an expression that nothing has."""
        names = _dotted_names(code)
        return [name for name in names if name not in self.facts and name not in self._names]

    def _claimed(self, claim: Claim, code: str, names: list[str], margins: list[float]) -> Shown:
        facts = [name for name in names if name in self.facts]
        if not facts:
            what = f'the claim "{claim.text}" names no fact, so nothing could make it false'
            raise WordFault("false-claim", what, "compare facts in its condition")
        if claim.holds:
            margin = min(margins, default=None)
            self.claims.append(HeldClaim(self.lesson.path, claim.text, code, margin))
            return Shown(claim.text, escape(claim.text), "claim")
        values = [f"{name} is {self.facts[name].value}" for name in facts]
        what = f'the claim "{claim.text}" is false: {", ".join(values)}'
        raise WordFault("false-claim", what, "change the words, or find out what moved the number")


JINJA = Environment(undefined=StrictUndefined)
JINJA.filters, JINJA.globals, JINJA.tests = FILTERS, {}, {}


@lru_cache(MOST_KEPT)
def _compiled(code: str) -> Callable[[Mapping[str, Any]], Any]:
    """An expression ready to be evaluated; to compile it takes longer than all the rest."""
    return JINJA.compile_expression(code, undefined_to_none=False)


@lru_cache(MOST_KEPT)
def _dotted_names(code: str) -> list[str]:
    """The names an expression says, each as long as it goes: "heavy.ttft_p99", "claim"."""
    names: set[str] = set()

    def visit(node: nodes.Node) -> None:
        dotted = _dotted(node)
        if dotted:
            names.add(dotted)
        else:
            for child in node.iter_child_nodes():
                visit(child)

    visit(JINJA.parse("{{" + code + "}}"))
    return sorted(names)


def _dotted(node: nodes.Node) -> str:
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Getattr):
        inner = _dotted(node.node)
        return f"{inner}.{node.attr}" if inner else ""
    return ""
