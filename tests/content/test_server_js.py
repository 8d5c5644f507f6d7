"""The widget's port against the Python, beyond the cases that every build compares."""

import ast
import json
import random
import re
import runpy
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from py_mini_racer import MiniRacer

from tests.content.test_programs import workloads
from tiny_server import bottleneck, pages_for, report, serve

LESSON = Path(__file__).resolve().parents[2] / "content/build-a-tiny-model-server"
PORT = LESSON / "widget/server.js"
WIDGET = SimpleNamespace(**runpy.run_path(str(LESSON / "widget.py"), run_name="widget"))
CHATS = WIDGET.in_order(0)
LONGEST = max(map(pages_for, map(sum, zip(CHATS["prompts"], CHATS["replies"]))))
SERVED = """
function served(workload, rate, pages, limit) {
  const run = serve(workload, rate, pages, limit);
  const metrics = report(workload, rate, run);
  return [...run, metrics, bottleneck(metrics)];
}
"""


def fact(value):
    return SimpleNamespace(value=value)


@pytest.fixture(scope="module")
def data():
    heavy = SimpleNamespace(rate=fact(40), pages=fact(240), limit=fact(16))
    card = SimpleNamespace(pages=fact(25_720))
    return WIDGET.page(SimpleNamespace(heavy=heavy, longest_chat=fact(LONGEST), card=card))


@pytest.fixture(scope="module")
def port(data):
    with MiniRacer() as engine:
        engine.eval(f"var DATA = {json.dumps(data)}; 0")
        engine.eval(f"{PORT.read_text(encoding='utf-8')}{SERVED}; 0")

        def call(name, *arguments):
            given = ", ".join(map(json.dumps, arguments))
            return json.loads(engine.eval(f"JSON.stringify({name}({given}))"))

        yield call


def plain(value):
    """As JSON has it: tuples are lists."""
    return json.loads(json.dumps(value))


@pytest.mark.slow
@settings(max_examples=500)
@given(
    rate=st.floats(0.05, 500) | st.integers(1, 60),
    pages=st.integers(LONGEST, 1500),
    limit=st.integers(1, 80),
    order=st.integers(0, 5),
)
def test_any_setting_gives_the_same_report_and_sentence(port, rate, pages, limit, order):
    assert port("summary", rate, pages, limit, order) == WIDGET.summary(rate, pages, limit, order)


@given(
    workload=workloads,
    rate=st.floats(0.01, 100),
    pages=st.integers(5, 60),
    limit=st.integers(1, 12),
)
def test_any_chats_are_served_the_same_step_by_step(port, workload, rate, pages, limit):
    run = serve(workload, rate, pages, limit)
    metrics = report(workload, rate, run)
    first, last, steps = run
    steps = [step._asdict() for step in steps]
    expected = plain([first, last, steps, metrics, bottleneck(metrics)])
    assert port("served", workload, rate, pages, limit) == expected


@pytest.mark.parametrize("wrong", [(0, 240, 16), (40, 0, 16), (40, 240, 0), (40, LONGEST - 1, 16)])
def test_what_cannot_be_served_is_refused_in_the_same_words(port, wrong):
    with pytest.raises(ValueError) as refused:
        serve(CHATS, *wrong)
    with pytest.raises(Exception, match=re.escape(f"RangeError: {refused.value}")):
        port("served", CHATS, *wrong)


@pytest.mark.parametrize("wrong", [{"prompts": [0, 3]}, {"replies": [3, 0]}])
def test_a_chat_without_tokens_is_refused_in_the_same_words(port, wrong):
    workload = {"gaps": [0.0, 1.0], "prompts": [5, 5], "replies": [5, 5], **wrong}
    with pytest.raises(ValueError) as refused:
        serve(workload, 1, 9, 1)
    with pytest.raises(Exception, match=re.escape(f"RangeError: {refused.value}")):
        port("served", workload, 1, 9, 1)


@pytest.mark.parametrize(("chats", "pages"), [(3, 1), (2500, 40)])
def test_the_smallest_cache_and_a_long_line_are_served_the_same(port, chats, pages):
    rng = random.Random(chats)
    workload = {
        "gaps": [rng.random() for _ in range(chats)],
        "prompts": [rng.randrange(1, 12) for _ in range(chats)],
        "replies": [rng.randrange(1, 4) for _ in range(chats)],
    }
    run = serve(workload, 500, pages, 8)
    first, last, steps, *_ = port("served", workload, 500, pages, 8)
    assert (first, last, steps) == (run[0], run[1], plain([step._asdict() for step in run[2]]))


ties = st.builds(lambda odd, power: odd / 2**power, st.integers(-(2**40), 2**40), st.integers(0, 6))


@settings(max_examples=500)
@given(value=ties | st.floats(-1e15, 1e15), digits=st.integers(0, 6))
@example(value=0.5, digits=0)
@example(value=9.995, digits=2)
@example(value=-0.001, digits=2)
def test_numbers_are_printed_as_exact_decimals_are(port, value, digits):
    exact = Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN)
    exact = exact if exact else abs(exact)  # no minus before zeros
    assert (
        port("format_number", value, digits) == f"{exact:,f}" == WIDGET.format_number(value, digits)
    )


def test_the_sentence_says_what_the_prose_says(port, data):
    first = data["first"]
    said = port("summary", *(first[name] for name in ("rate", "pages", "limit", "order")))
    prose = {
        expression: text
        for expression, text, _ in map(
            json.loads, (LESSON / "numbers.lock").read_text(encoding="utf-8").splitlines()
        )
    }
    numbers = re.findall(r"[\d.]+\u00a0s", said["sentence"])
    assert numbers == [prose["heavy.cache_full_at"], prose["heavy.ttft_p99"]]


def test_each_constant_of_the_server_is_in_the_port(port):
    source = (LESSON / "code/tiny_server.py").read_text(encoding="utf-8")
    named = {
        node.targets[0].id
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    }
    assert named <= port("constants").keys()


def test_functions_stand_in_the_order_of_the_program():
    source = (LESSON / "code/tiny_server.py").read_text(encoding="utf-8")
    named = re.findall(r"^(?:def|class|    def) (\w+)", source, re.MULTILINE)
    script = re.sub(r"\bconstructor\b", "__init__", PORT.read_text(encoding="utf-8"))
    defined = re.findall(
        r"^ *(?:function\*? |class )?(\w+)(?:\([^)]*\))? \{$", script, re.MULTILINE
    )
    assert [name for name in defined if name in named][: len(named) - 1] == named[:-1]


def test_the_port_is_small():
    assert len(PORT.read_bytes()) < 15_000
