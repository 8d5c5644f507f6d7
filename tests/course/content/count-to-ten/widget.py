"""What the widget's page is given, and what its port of the program must give back."""

from counting import LAST, total

SCRIPTS = ("counting.js", "views.js", "page.js")
PARITY = {"constants": [[]], "total": [[last] for last in range(1, 30)]}
DETAIL = {"total": "sums"}


def page(facts):
    return {"first": {"last": facts.last.value}, "most": facts.sum.hundred.value}


def constants():
    return {"LAST": LAST}


def sums(last):
    """The sum after each number."""
    return [total(number) for number in range(1, last + 1)]
