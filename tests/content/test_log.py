"""The widget's reader of request logs: cases/log/*.toml, and what holds for every log."""

import csv
import io
import json
import tomllib
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import accumulate, count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from py_mini_racer import MiniRacer

HERE = Path(__file__).resolve().parent
WIDGET = HERE.parents[1] / "content/build-a-tiny-model-server/widget"
CASES = [
    case
    for file in sorted((HERE / "cases/log").glob("*.toml"))
    for case in tomllib.loads(file.read_text(encoding="utf-8"))["log"]
]
READ = """
function read(text) {
  const [reading, shares] = [parse_log(text), []];
  let trip = reading.next();
  for (; !trip.done; trip = reading.next()) shares.push(trip.value);
  const { workload, rate } = trip.value;
  return { ...trip.value, shares, sends: workload ? send_times(workload.gaps, rate) : [] };
}
"""
TICK = Fraction(1, 10**7)  # the last digit of a time in the Azure traces
START = datetime(2023, 11, 16, 23, 59, 58)


@pytest.fixture(scope="module")
def read():
    scripts = [(WIDGET / name).read_text(encoding="utf-8") for name in ("server.js", "log.js")]
    with MiniRacer() as engine:
        engine.eval("\n".join([*scripts, READ, "0"]))
        yield lambda text: json.loads(engine.eval(f"JSON.stringify(read({json.dumps(text)}))"))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_log_is_read_as_its_case_says(read, case):
    got = read(case["text"])
    workload = None
    if "rate" in case:
        workload = {name: case[name] for name in ("gaps", "prompts", "replies")}
        workload["gaps"] = pytest.approx(workload["gaps"], rel=1e-9)
    assert [f"{wrong['line']}: {wrong['why']}" for wrong in got["problems"]] == case.get(
        "problems", []
    )
    assert got["workload"] == workload
    assert got["rate"] == (pytest.approx(case["rate"], rel=1e-9) if workload else None)


a_request = st.tuples(st.integers(0, 10**10), st.integers(1, 10**6), st.integers(1, 10**6))
requests = st.lists(a_request, min_size=2, max_size=30).filter(
    lambda drawn: any(wait for wait, _, _ in drawn[1:])
)
layouts = st.fixed_dictionaries(
    {
        "names": st.sampled_from(
            [
                ("TIMESTAMP", "ContextTokens", "GeneratedTokens"),
                ("Timestamp", "Request tokens", "Response tokens"),
                ("arrival", "prompt", "reply"),
                ("arrival_time", "prompt_tokens", "reply_tokens"),
            ]
        ),
        "order": st.permutations(range(4)),
        "newline": st.sampled_from(["\n", "\r\n", "\r"]),
        "quoting": st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
        "dates": st.booleans(),
        "mark": st.sampled_from(["", "\ufeff"]),
        "note": st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), max_size=9),
    }
)


def time_text(ticks, dates):
    seconds, rest = divmod(ticks, 10**7)
    if not dates:
        return f"{seconds}.{rest:07}"
    return f"{START + timedelta(seconds=seconds):%Y-%m-%d %H:%M:%S}.{rest:07}"


def written(times, sizes, layout):
    """The log as a CSV file, with a column of notes that is nobody's business."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator=layout["newline"], quoting=layout["quoting"])
    rows = [(*layout["names"], "note")]
    rows += [
        (time_text(ticks, layout["dates"]), *size, layout["note"])
        for ticks, size in zip(times, sizes)
    ]
    writer.writerows([row[place] for place in layout["order"]] for row in rows)
    return layout["mark"] + text.getvalue()


@given(requests, layouts)
@settings(max_examples=200, deadline=None)
def test_a_log_reads_as_what_was_written(read, drawn, layout):
    times = list(accumulate(wait for wait, _, _ in drawn))
    sizes = [size for _, *size in drawn]
    got = read(written(times, sizes, layout))
    assert got["problems"] == []
    assert [list(size) for size in zip(got["workload"]["prompts"], got["workload"]["replies"])] == (
        sizes
    )
    exact = [float((ticks - times[0]) * TICK) for ticks in times]
    assert got["sends"] == pytest.approx(exact, rel=1e-9, abs=0)
    assert got["rate"] == pytest.approx((len(times) - 1) / exact[-1], rel=1e-9)


scraps = st.lists(
    st.sampled_from([*'\n\r",0123456789.eE+-:TZ \ufeff', "time", "prompt", "reply", "\n1,2,3"]),
    max_size=60,
).map("".join)


@given(st.one_of(st.text(), scraps, scraps.map("time,prompt,reply\n{}".format)))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_told(read, text):
    got = read(text)
    lines = len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    assert all(1 <= wrong["line"] <= lines and wrong["why"] for wrong in got["problems"])
    assert got["workload"] or got["problems"]
    assert got["skipped"] <= len(got["problems"])
    if got["workload"]:
        assert {len(column) for column in got["workload"].values()} == {got["rows"]}
        assert got["sends"] == sorted(got["sends"])


@given(st.integers(2, 40), st.lists(st.sampled_from(["x,1,1", "1,0,1", "1", "0.5,1,1"])))
@settings(max_examples=50, deadline=None)
def test_a_wrong_row_harms_no_other(read, rows, wrong):
    good = [f"{row},{row},{row}" for row in range(1, rows + 1)]
    mixed = [line for pair in zip(good, wrong) for line in pair] + good[len(wrong) :]
    got = read("\n".join(["time,prompt,reply", *mixed]))
    assert got["workload"] == read("\n".join(["time,prompt,reply", *good]))["workload"]
    assert [line["line"] for line in got["problems"]] == [
        number for number, line in zip(count(2), mixed) if line in wrong
    ]


def test_a_long_log_is_read_in_slices(read):
    got = read("time,prompt,reply\n" + "".join(f"{row},1,1\n" for row in range(2_600)))
    assert (got["rows"], got["skipped"], got["rate"]) == (2_600, 0, 1)
    assert len(got["shares"]) == 5
    assert got["shares"] == sorted(got["shares"])
    assert 0 < got["shares"][0] < got["shares"][-1] <= 1
