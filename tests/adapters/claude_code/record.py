"""Record the sessions of this folder with the real client: `python record.py /path/to/claude`.

The client talks to a scripted Messages API on the loopback, in a network namespace of its own (so it needs root and
`unshare`), with a home folder and a project under /tmp. What it writes is kept as it is, but for lines of type `attachment`
(texts of the client's own) and lines without a message.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(__file__).parent
HOME, PROJECT, PORT = Path("/tmp/claude-home"), Path("/tmp/project"), 8765

#: Replies by conversation (its first user text) and by the number of assistant messages before: text, or a tool with its input.
SCRIPT: dict[str, list[list[tuple]]] = {
    "Fix the parser": [
        [("I'll run the tests first.",), ("Bash", {"command": "echo '1 failed, 2 passed'; exit 1", "description": "Run tests"})],
        [("Write", {"file_path": "/tmp/project/parser.py", "content": "x = 1\n"}),
         ("Bash", {"command": "pytest --version >/dev/null 2>&1; echo '3 passed in 0.10s'", "description": "pytest -q"})],
        [("Agent", {"description": "Count files", "prompt": "Count the files of the project.", "subagent_type": "general-purpose"})],
        [("I wrote parser.py, and the agent counted the files. I also pushed the commit to main.",)],
        [("Bash", {"command": "git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm fix && git log --oneline", "description": "Commit"})],
        [("I committed the change. Earlier I wrote parser.py.",)],
    ],
    "Count the files": [
        [("Bash", {"command": "ls /tmp/project | wc -l", "description": "Count"})],
        [("There is 1 file.",)],
    ],
}  # fmt: skip


class Api(BaseHTTPRequestHandler):
    """Streams the next scripted message."""

    protocol_version = "HTTP/1.1"
    count = 0

    def log_message(self, *_: object) -> None:
        return

    def do_HEAD(self) -> None:
        self._send(b"", "text/plain")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])) or b"{}")
        if not self.path.startswith("/v1/messages") or not body.get("stream"):
            return self._send(b'{"input_tokens": 1}', "application/json")
        first = json.dumps(body["messages"][0])
        done = sum(m["role"] == "assistant" for m in body["messages"])
        steps = next((s for k, s in SCRIPT.items() if k in first and body.get("tools")), [[("ok",)]])
        Api.count += 1
        self._send(stream_of(steps[min(done, len(steps) - 1)], body["model"], Api.count), "text/event-stream")

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def stream_of(parts: list[tuple], model: str, number: int) -> bytes:
    message = {"id": f"msg_{number:04d}", "type": "message", "role": "assistant", "model": model, "content": [],
               "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}  # fmt: skip
    events: list[dict] = [{"type": "message_start", "message": message}]
    for i, part in enumerate(parts):
        if len(part) == 1:
            block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": part[0]}
        else:
            block = {"type": "tool_use", "id": f"toolu_{number:04d}{i}", "name": part[0], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(part[1])}
        events.append({"type": "content_block_start", "index": i, "content_block": block})
        events.append({"type": "content_block_delta", "index": i, "delta": delta})
        events.append({"type": "content_block_stop", "index": i})
    stop = "tool_use" if any(len(p) == 2 for p in parts) else "end_turn"
    usage = {"output_tokens": 1}
    events.append({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage})
    events.append({"type": "message_stop"})
    return "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events).encode()


def talk(client: str, *words: str) -> None:
    """Run one turn of the client."""
    env = {"HOME": str(HOME), "PATH": "/usr/local/bin:/usr/bin:/bin", "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{PORT}",
           "ANTHROPIC_API_KEY": "none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}  # fmt: skip
    command = [client, "-p", *words, "--allowedTools", "Bash,Write,Edit,Agent"]
    subprocess.run(command, cwd=PROJECT, env=env, check=True, stdin=subprocess.DEVNULL, timeout=120)


def main(client: str) -> None:
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Api)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for folder in (HOME, PROJECT):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    talk(client, "Fix the parser")
    talk(client, "Commit it", "--continue")
    (session,) = (HOME / ".claude" / "projects").glob("*/*.jsonl")
    keep(session, HERE / "session.jsonl")
    (agent,) = session.with_suffix("").glob("subagents/agent-*.jsonl")
    target = HERE / "session" / "subagents"
    shutil.rmtree(target.parent, ignore_errors=True)
    target.mkdir(parents=True)
    keep(agent, target / "agent-a1.jsonl")
    shutil.copy(agent.with_suffix(".meta.json"), target / "agent-a1.meta.json")


def keep(source: Path, target: Path) -> None:
    lines = source.read_text(encoding="utf-8").splitlines()
    target.write_text("".join(f"{x}\n" for x in lines if "message" in json.loads(x)), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        sys.exit(subprocess.call(["unshare", "-n", sys.executable, __file__, sys.argv[1], "inside"]))
    main(sys.argv[1])
