"""Processes of their own for tests that kill or fork: started on a piece of work, waited for by their exit code."""

from __future__ import annotations

import os
import signal
import traceback
import warnings
from collections.abc import Callable


def child(work: Callable[[], object]) -> int:
    """Start a process of its own that does some work; return its id."""
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # newer Pythons warn of threads, which the work doesn't touch
        pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        signal.alarm(60)
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def ended(pid: int) -> int:
    """Wait for a process; return its exit code, negative for the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
