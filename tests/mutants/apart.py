"""Work done in a fork of this process, which may change, break or hang it as it likes."""

import json
import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any


def apart(work: Callable[[], Any], seconds: float) -> Any:
    """What `work` returns, as JSON says it; None if it computes for longer than `seconds`.

    Computing is what counts, so a busy machine gives the same answer; one that sleeps has longer.
    """
    reader, writer = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.setsid()
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        try:
            os.write(writer, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writer)
    try:
        ready, _, _ = select.select([reader], [], [], 10 * seconds)
        said = b""
        while ready and (part := os.read(reader, 65536)):
            said += part
        return json.loads(said) if said else None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reader)
