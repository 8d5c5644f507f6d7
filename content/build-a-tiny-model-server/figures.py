"""The lesson's figures, drawn from the same runs as its numbers."""

from pathlib import Path

from show_numbers import CHATS, SETTINGS
from tiny_server import serve

from engine.figures import FIRST, INK, MUTED, RULE, SECOND, SMALL, THIRD, chart, drawing


def kitchen(facts, steps):
    """The server as a restaurant kitchen"""
    return drawing(Path(__file__).parent / "kitchen.svg", steps=steps)


def cache_fills(facts, steps):
    """The cache fills, then the queue grows"""
    end = facts.cachefig.seconds.value
    run = [step for step in serve(CHATS, *SETTINGS["heavy"])[2] if step.start <= end]
    times = [step.start for step in run]
    figure, (top, bottom) = chart(height=400, rows=2, ratios=[3, 2])
    figure.subplots_adjust(left=0.1, right=0.97, top=0.93, bottom=0.11, hspace=0.3)

    ceiling, full = facts.heavy.pages.value, facts.heavy.cache_full_at
    top.set_title("pages of the cache")
    top.axhline(ceiling, color=INK, linewidth=1, linestyle=(0, (4, 3)))
    top.text(end, ceiling + 5, f"all {facts.heavy.pages.text} pages", ha="right", color=INK)
    top.step(times, [step.held + step.owed for step in run], where="post", color=FIRST)
    top.step(times, [step.held for step in run], where="post", color=FIRST, alpha=0.45)
    top.text(1.0, 60, "promised (dark) and held (pale)", color=FIRST)
    top.set_ylim(0, ceiling * 1.18)
    bottom.set_title("chats in the queue")
    bottom.step(times, [step.queue for step in run], where="post", color=SECOND)
    bottom.text(
        end * 0.99,
        facts.cachefig.queue.value + 2,
        facts.cachefig.queue.text,
        ha="right",
        color=SECOND,
    )
    bottom.set_ylim(0, facts.cachefig.queue.value * 1.3)
    bottom.set_xlabel("seconds since the first chat was sent")
    for axes in (top, bottom):
        axes.axvline(full.value, color=MUTED, linewidth=1)
        axes.set_xlim(0, end)
    bottom.text(full.value + 0.04, facts.cachefig.queue.value, f"full at {full.text}", color=INK)
    return figure


def two_waits(facts, steps):
    """Overload multiplies the wait for the first token and hardly touches the gaps"""
    figure, panels = chart(height=270, columns=2)
    figure.subplots_adjust(left=0.03, right=0.99, top=0.78, bottom=0.2, wspace=0.12)
    rates = [facts.light.rate.text, facts.heavy.rate.text]
    waits = ("first token (TTFT)", facts.light.ttft_p99, facts.heavy.ttft_p99)
    gaps = ("between tokens (TBT)", facts.light.tbt_p99, facts.heavy.tbt_p99)
    for axes, (title, *values), color in zip(panels, (waits, gaps), (FIRST, SECOND)):
        _bars(axes, rates, values, [color, color])
        axes.set_title(f"wait for the\n{title}, p99" if color == FIRST else f"gap\n{title}, p99")
        axes.set_xlabel("chats a second")
    return figure


def wall_moves(facts, steps):
    """More pages help until the batch limit binds"""
    figure, axes = chart(height=290)
    figure.subplots_adjust(left=0.02, right=0.98, top=0.88, bottom=0.24)
    runs = [facts.heavy, facts.more, facts.most, facts.wide]
    colors = {"cache": FIRST, "batch": SECOND, "both": THIRD}
    labels = [
        f"{run.pages.text} pages\nlimit {run.limit.text}\nwall: {run.wall.text}" for run in runs
    ]
    _bars(axes, labels, [run.ttft_p99 for run in runs], [colors[run.wall.value] for run in runs])
    axes.set_title(f"p99 wait for the first token, {facts.heavy.rate.text} chats a second")
    return figure


def _bars(axes, labels, facts, colors):
    """One bar a fact, with the fact's own text on top of it."""
    heights = [fact.value for fact in facts]
    axes.bar(labels, heights, color=colors, width=0.62)
    for place, fact in enumerate(facts):
        axes.text(place, fact.value + max(heights) * 0.02, fact.text, ha="center", color=INK)
    axes.set_ylim(0, max(heights) * 1.12)
    axes.yaxis.set_visible(False)
    axes.spines["left"].set_visible(False)
    axes.spines["bottom"].set_color(RULE)
    axes.tick_params(axis="x", length=0, labelsize=SMALL)
