"""The grid of settings on which the lesson's claims are tried: each with six orders of the chats."""

from itertools import product

from tiny_server import LESSON_CHATS, first_chats, serve

from chats import shuffled

RATES = (10, 20, 30, 40)
PAGES = (120, 240, 480, 960)
LIMITS = (8, 16, 24, 32)
ORDERS = range(6)  # 0 is the order in which the chats were drawn


def in_order(order):
    """The lesson's chats, their sizes shuffled; the times between sends stay as they are."""
    return shuffled(first_chats(LESSON_CHATS), order)


def all_runs():
    """Serve every setting in every order: (rate, pages, limit, order) and what `serve` returns."""
    workloads = {order: in_order(order) for order in ORDERS}
    for rate, pages, limit, order in product(RATES, PAGES, LIMITS, ORDERS):
        yield (rate, pages, limit, order), serve(workloads[order], rate, pages, limit)
