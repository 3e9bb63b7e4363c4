"""`kill -9` at random moments, then --resume: the output is that of a run nobody disturbed."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from archive_doubles import mixed, write_lines

MOMENTS = 10
SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from archive_doubles import Here, Words
from claimx.archive import score
score([sys.argv[2]], sys.argv[3], engine=Here(Words(pause=0.0015)), shard_runs=60, resume=True)
"""


def content(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_ten_kills_at_random_moments_leave_the_output_of_an_undisturbed_run(
    scored: Callable[..., Any], tmp_path: Path
) -> None:
    rows: list[Any] = [{**r, "reply": f"{r['reply']} ({n})"} for n, r in enumerate(mixed(1500))]
    rows[700:700] = ["{torn", rows[3]]
    archive = write_lines(tmp_path / "a.jsonl", rows)
    whole = scored(archive, shard_runs=60, out="whole").folder
    script = tmp_path / "session.py"
    script.write_text(SCRIPT)
    out = tmp_path / "out"
    command = [sys.executable, str(script), str(Path(__file__).parent), str(archive), str(out)]
    rng = random.Random(11)
    manifest = out / "manifest.jsonl"
    killed = 0
    for _ in range(MOMENTS):
        lines = manifest.read_bytes().count(b"\n") if manifest.exists() else 0
        with subprocess.Popen(command) as session:
            # Let it get on with one more shard or two, then strike somewhere in the next.
            wanted = lines + rng.randint(0, 2)
            while session.poll() is None and (manifest.read_bytes().count(b"\n") if manifest.exists() else 0) < wanted:
                time.sleep(0.002)
            time.sleep(rng.random() * 0.15)
            killed += session.poll() is None
            session.kill()
    assert killed == MOMENTS
    assert not (out / "summary.json").exists()
    subprocess.run(command, check=True)
    assert content(out) == content(whole)
