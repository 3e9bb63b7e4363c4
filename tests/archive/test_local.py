"""Worker processes: the same rows as without them, and no run lost when one dies."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from archive_doubles import WordSettings, make_run, mixed, write_lines

from claimx.archive import LocalEngine, Settings, score
from claimx.errors import ModelError


def shards(folder: Path) -> list[bytes]:
    return [p.read_bytes() for p in sorted((folder / "receipts").iterdir())]


def workers_of(pid: int) -> list[int]:
    """Worker processes of a process, read off /proc."""
    out = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                if parent == pid and b"spawn_main" in (entry / "cmdline").read_bytes():
                    out.append(int(entry.name))
            except (OSError, ValueError):
                continue
    return out


def catches_ctrl_c(pid: int) -> bool:
    """Whether Python has taken over SIGINT in a process: from then on Ctrl-C would be a traceback."""
    caught = re.search(r"SigCgt:\s*(\w+)", Path(f"/proc/{pid}/status").read_text())
    return bool(caught and int(caught[1], 16) & 1 << (signal.SIGINT - 1))


def test_processes_give_the_rows_of_one_and_a_poisonous_run_costs_itself_alone(
    scored: Callable[..., Any], tmp_path: Path
) -> None:
    rows = mixed(40)
    rows[25] = {"id": "poison", "reply": "POISON"}
    outcome = score([rows], tmp_path / "local", engine=LocalEngine(WordSettings(), workers=2), shard_runs=10)
    assert outcome.summary["rejected"] == {"crash": 1}
    assert outcome.summary["runs"] == 39
    rows[25] = {"id": "poison", "reply": "RAISE"}  # what raises is left out likewise, without a process
    assert shards(scored(rows, shard_runs=10).folder) == shards(outcome.folder)


def test_a_worker_that_is_killed_costs_nothing(scored: Callable[..., Any], tmp_path: Path) -> None:
    killed = []

    def on_progress(progress: Any) -> None:
        if progress.runs >= 128 and not killed:
            killed.append(workers_of(os.getpid())[0])
            os.kill(killed[0], signal.SIGKILL)

    engine = LocalEngine(WordSettings(pause=0.001), workers=1)
    outcome = score([mixed(700)], tmp_path / "local", engine=engine, shard_runs=200, on_progress=on_progress)
    assert killed
    assert outcome.summary["rejected"] == {}
    assert shards(outcome.folder) == shards(scored(mixed(700), shard_runs=200).folder)


def test_a_faulty_model_is_told_once_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    with pytest.raises(ModelError, match=r"model has no config\.json"):
        score([[make_run(1)]], tmp_path / "out", engine=LocalEngine(Settings(str(tmp_path / "model")), workers=1))


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from archive_doubles import WordSettings, mixed\n"
        "from claimx.archive import LocalEngine, score\n"
        "if __name__ == '__main__':\n"
        f"    score([mixed(100000)], {str(tmp_path / 'o')!r}, engine=LocalEngine(WordSettings(pause=0.01), workers=1))\n"
    )
    script = tmp_path / "long.py"
    script.write_text(code)
    parent = subprocess.Popen([sys.executable, str(script)])
    try:
        deadline = time.monotonic() + 60
        while not (found := workers_of(parent.pid)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert found
    finally:
        parent.kill()
        parent.wait()
    deadline = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() for pid in found) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(Path(f"/proc/{pid}").exists() for pid in found)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stop_while_the_workers_start_ends_with_one_sentence(
    number: int, code: int, tiny_model: Path, tmp_path: Path
) -> None:
    archive = write_lines(tmp_path / "a.jsonl", mixed(20))
    command = [
        sys.executable,
        "-m",
        "claimx",
        "score",
        archive,
        "--out",
        tmp_path / "o",
        "--workers",
        "2",
        "--model",
        tiny_model,
    ]
    # A shell that starts tests in the background has them ignore Ctrl-C, and so would the workers.
    parent = subprocess.Popen(
        [str(c) for c in command], stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not any(map(catches_ctrl_c, workers_of(parent.pid))) and time.monotonic() < deadline:
        time.sleep(0.01)
    if number == signal.SIGINT:
        os.killpg(parent.pid, number)  # as a terminal does: to all processes at once
    else:
        parent.send_signal(number)
    _, told = parent.communicate(timeout=60)
    assert parent.returncode == code
    assert told.count("\n") == 1, told
    assert "--resume goes on from there" in told


def test_memory_holds_a_bounded_number_of_chunks(tmp_path: Path) -> None:
    drawn = 0
    ahead = []
    lock = threading.Lock()

    def rows() -> Any:
        nonlocal drawn
        for n in range(6000):
            with lock:
                drawn += 1
            yield make_run(n)

    def on_progress(progress: Any) -> None:
        ahead.append(drawn - progress.runs)

    engine = LocalEngine(WordSettings(), workers=1)
    score([rows()], tmp_path / "out", engine=engine, shard_runs=500, on_progress=on_progress)
    assert max(ahead) <= 1500
