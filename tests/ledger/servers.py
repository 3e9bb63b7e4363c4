"""Real PostgreSQL and Redis servers for the tests: temporary instances on free ports of the loopback."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path


def find(program: str) -> str | None:
    """Path of a server's program, None when it isn't installed. Debian keeps PostgreSQL's out of PATH."""
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((str(h / program) for h in homes if (h / program).is_file()), None) or shutil.which(program)


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@contextlib.contextmanager
def running(command: list[str], *, user: str | None = None, ready: list[str]) -> Iterator[None]:
    """A server's process, from when `ready` succeeds until the end of the block."""
    server = subprocess.Popen(command, user=user, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/")
    try:
        for _ in range(200):
            if server.poll() is not None:
                assert server.stdout is not None
                raise RuntimeError(
                    f"{command[0]} ended at once: {server.stdout.read().decode(errors='replace')[-2000:]}"
                )
            if subprocess.run(ready, capture_output=True, check=False).returncode == 0:
                break
            time.sleep(0.05)
        else:
            raise RuntimeError(f"{command[0]} did not come up")
        yield
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        if server.stdout is not None:
            server.stdout.close()


@contextlib.contextmanager
def postgresql() -> Iterator[str]:
    """A server with an empty data folder; yields its URL."""
    # It refuses to run as root, and its user must be able to reach the folder.
    user = server_user() if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="claimx-pg-"))
    port = free_port()
    try:
        if user is not None:
            shutil.chown(folder, user)
        data = str(folder / "data")
        initdb = [find("initdb") or "initdb", "-D", data, "-A", "trust", "-U", "claimx", "-E", "UTF8", "--no-sync"]
        subprocess.run(initdb, user=user, check=True, capture_output=True, cwd="/")
        options = ["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=40"]
        command = [find("postgres") or "postgres", "-D", data, "-p", str(port), "-k", str(folder), *options]
        ready = [find("pg_isready") or "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]
        with running(command, user=user, ready=ready):
            yield f"postgresql://claimx@127.0.0.1:{port}/postgres"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def redis() -> Iterator[str]:
    """A server that keeps nothing on disk; yields its URL."""
    port = free_port()
    command = [find("redis-server") or "redis-server", "--port", str(port), "--bind", "127.0.0.1"]
    ready = [find("redis-cli") or "redis-cli", "-p", str(port), "ping"]
    with running([*command, "--save", "", "--appendonly", "no", "--dir", tempfile.gettempdir()], ready=ready):
        yield f"redis://127.0.0.1:{port}/0"


def server_user() -> str:
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise RuntimeError("no user to run PostgreSQL as")
