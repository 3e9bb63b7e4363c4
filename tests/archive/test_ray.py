"""The Ray engine on a real cluster of this machine: the same rows, also when a worker is killed."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from archive_doubles import mixed, write_lines

pytestmark = [
    pytest.mark.ray,
    pytest.mark.skipif(
        importlib.util.find_spec("ray") is None, reason="Ray is not installed: pip install 'claimx[ray]'"
    ),
]

# Ray runs in a process of its own: its threads and its warnings are none of pytest's.
SCRIPT = """
import os, sys
sys.path.insert(0, sys.argv[1])
os.environ["PYTHONPATH"] = sys.argv[1]
from archive_doubles import WordSettings
from claimx.archive import score
from claimx.archive.on_ray import RayEngine
engine = RayEngine(WordSettings(pause=0.004), workers=2, wave=2)
print(os.getpid(), flush=True)
def on_progress(progress):
    print("progress", progress.runs, flush=True)
outcome = score([sys.argv[2]], sys.argv[3], engine=engine, shard_runs=700, on_progress=on_progress)
import ray
assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
print("runs", outcome.summary["runs"], outcome.summary["rejected"], flush=True)
"""


def ray_workers(root: int) -> list[int]:
    """The processes of the cluster that `root` started which hold an actor of ours."""
    parents, names = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                names[int(entry.name)] = (entry / "cmdline").read_bytes()
            except (OSError, ValueError):
                continue

    def below(pid: int) -> bool:
        while pid in parents:
            if pid == root:
                return True
            pid = parents[pid]
        return False

    return [pid for pid, name in names.items() if name.startswith(b"ray::MapWorker") and below(pid)]


def test_a_cluster_gives_the_rows_of_one_process_though_a_worker_is_killed(
    scored: Callable[..., Any], tmp_path: Path
) -> None:
    rows = [{**r, "reply": f"{r['reply']} ({n})"} for n, r in enumerate(mixed(2500))]
    archive = write_lines(tmp_path / "a.jsonl", rows)
    script = tmp_path / "session.py"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(Path(__file__).parent), str(archive), str(tmp_path / "ray")]
    killed = None
    said = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as session:
        assert session.stdout is not None
        for line in session.stdout:
            said.append(line)
            if killed is None and line.startswith("progress"):
                deadline = time.monotonic() + 20
                while not (workers := ray_workers(session.pid)) and time.monotonic() < deadline:
                    time.sleep(0.05)
                assert workers, "no worker of the cluster was found"
                killed = workers[0]
                os.kill(killed, signal.SIGKILL)
    assert session.returncode == 0, "".join(said[-40:])
    assert killed is not None
    assert "runs 2500 {}" in said[-1]
    alone = scored(archive, shard_runs=700).folder
    for part in sorted((alone / "receipts").iterdir()):
        assert (tmp_path / "ray" / "receipts" / part.name).read_bytes() == part.read_bytes()


def test_a_run_that_kills_its_actor_is_given_up_and_costs_no_other(tmp_path: Path) -> None:
    rows = [*mixed(70), {"id": "poison", "reply": "POISON"}, *mixed(100)[70:]]
    archive = write_lines(tmp_path / "a.jsonl", rows)
    script = tmp_path / "session.py"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(Path(__file__).parent), str(archive), str(tmp_path / "ray")]
    said = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False).stdout
    assert "runs 100 {'crash': 1}" in said
    assert '"id": "poison"' in (tmp_path / "ray" / "rejected.jsonl").read_text()
