"""Prints one heavy run of the tiny server, then the clipboard of three runs beside each other."""

from tiny_server import LESSON_CHATS, bottleneck, first_chats, pages_for, report, send_times, serve

LIGHT, HEAVY = 10, 40  # chats a second
PAGES, LIMIT = 240, 16
MORE_PAGES = 480  # your turn: change this number, run again, compare the last block


def chat_lines(workload, rate, count):
    """The first `count` chats: when each is sent and what it brings."""
    yield "chat  sent s  prompt  reply  pages"
    sends = send_times(workload["gaps"], rate)
    for chat, (prompt, reply) in enumerate(zip(workload["prompts"][:count], workload["replies"])):
        pages = pages_for(prompt + reply)
        yield f"{chat:4}{sends[chat]:8.3f}{prompt:8}{reply:7}{pages:7}"


def step_lines(steps, numbers):
    """The steps with these numbers, counted from 1, as the clipboard has them."""
    yield "step  start s  took ms  chats  new  queue  held  owed  left  blocked by"
    for number in numbers:
        step = steps[number - 1]
        left = PAGES - step.held - step.owed
        yield (
            f"{number:4}{step.start:9.3f}{step.seconds * 1000:9.1f}{step.chats:7}{step.joined:5}"
            f"{step.queue:7}{step.held:6}{step.owed:6}{left:6}  {' and '.join(step.blocked)}"
        ).rstrip()


def clipboard_lines(workload, settings):
    """One line a run: both waits, the longest queue, the most pages held, the wall."""
    yield "chats/s  pages  TTFT p50 s  p99 s  TBT p50 ms  p99 ms  queue  most held  wall"
    for rate, pages in settings:
        got = report(workload, rate, serve(workload, rate, pages, LIMIT))
        yield (
            f"{rate:7}{pages:7}{got['ttft_p50']:12.3f}{got['ttft_p99']:7.3f}"
            f"{got['tbt_p50'] * 1000:12.1f}{got['tbt_p99'] * 1000:8.1f}"
            f"{got['queue_max']:7}{got['pages_max']:11}  {bottleneck(got)}"
        )


def main():
    workload = first_chats(LESSON_CHATS)
    steps = serve(workload, HEAVY, PAGES, LIMIT)[2]
    full = [number for number, step in enumerate(steps, 1) if "cache" in step.blocked]
    around = range(full[0] - 1, full[0] + 3) if full else ()  # it may never fill
    settings = [(LIGHT, PAGES), (HEAVY, PAGES), (HEAVY, MORE_PAGES)]
    blocks = {
        f"the first chats, sent at {HEAVY} a second": chat_lines(workload, HEAVY, 4),
        "the first steps": step_lines(steps, range(1, 6)),
        "the cache fills": step_lines(steps, around),
        f"the clipboard, at most {LIMIT} chats a step": clipboard_lines(workload, settings),
    }
    print("\n\n".join("\n".join([f"-- {title}", *lines]) for title, lines in blocks.items()))


if __name__ == "__main__":
    main()
