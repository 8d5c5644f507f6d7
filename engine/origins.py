"""Where the numbers of a page come from: the table at its end, for readers who want to check."""

from dataclasses import dataclass

from engine.draft import Draft


@dataclass(frozen=True)
class Origin:
    """A fact of the page."""

    name: str
    shown: list[str]  # each way in which the page prints it
    value: str  # unrounded
    place: str  # path:line that measured it, or that cites it


def origins(draft: Draft) -> list[Origin]:
    """Every fact that the text or a figure shows, in the order of the text."""
    shown: dict[str, list[str]] = {}
    for index in sorted(draft.prose.names_of):
        names = sorted(draft.prose.names_of[index])
        for name in names if draft.shown[index].kind in ("computed", "cited") else ():
            itself = draft.lesson.expressions[index].code.startswith(name)
            text = draft.shown[index].text if itself else draft.prose.facts[name].text
            shown.setdefault(name, []).append(text)
    for name in sorted(draft.facts_in_figures - shown.keys()):
        if not isinstance(draft.facts[name].value, bool):
            shown[name] = [draft.facts[name].text]
    return [
        Origin(name, list(dict.fromkeys(texts)), str(fact.value), fact.origin)
        for name, texts in shown.items()
        for fact in [draft.prose.facts[name]]
    ]
