"""A room imports strictly lower rooms; heavy packages are imported inside functions only."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent
RANK = {
    "_version": 0, "types": 0, "errors": 0, "models": 0, "data": 0, "verb_families": 0, "verb_senses": 0, "verbs": 1, "values": 1, "extract": 2, "ledger": 2, "match": 3, "guard": 3,
    "records": 3, "oddities": 3, "dropin": 4, "completion": 4, "checker": 4, "annotate": 5, "redact": 5, "adapters": 4, "archive": 5, "integrations": 6, "report": 6, "hooks": 6, "testing": 6, "pytest_plugin": 7, "cli": 7, "__main__": 8, "training": 9, "__init__": 9,
}  # fmt: skip
HEAVY = {
    "torch", "transformers", "datasets", "ray", "langchain_core", "openai", "anthropic", "redis", "sqlalchemy", "psycopg", "cryptography",
    "langgraph", "agents", "pydantic_ai", "pydantic", "mcp", "crewai", "opentelemetry",
}  # fmt: skip
ONLY_EXTRACT = {"spacy", "onnxruntime", "tokenizers"}


def modules() -> list[tuple[str, Path, ast.Module]]:
    out = []
    for path in sorted((ROOT / "claimx").rglob("*.py")):
        room = path.relative_to(ROOT / "claimx").parts[0].removesuffix(".py")
        out.append((room, path, ast.parse(path.read_text(encoding="utf-8"))))
    return out


def imported(tree: ast.AST) -> list[tuple[str, bool]]:
    """Names of imported modules, and whether the import stands at the top of its module."""
    top = {id(n) for n in getattr(tree, "body", [])}
    out = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            out += [(a.name, id(node) in top) for a in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "claimx" else [f"claimx.{a.name}" for a in node.names]
            out += [(n, id(node) in top) for n in names]
    return out


def test_rooms_import_strictly_lower_rooms() -> None:
    wrong = []
    for room, path, tree in modules():
        for name, at_top in imported(tree):
            if not name.startswith("claimx.") or not at_top:
                continue
            other = name.split(".")[1]
            if other != room and RANK[other] >= RANK[room]:
                wrong.append(f"{path.name}: {room} imports {other}")
    assert not wrong


def test_heavy_packages_are_imported_inside_functions_only() -> None:
    wrong = [
        f"{path.name} imports {name}"
        for room, path, tree in modules()
        for name, at_top in imported(tree)
        if at_top and name.split(".")[0] in HEAVY
    ]
    assert not wrong


def test_only_extract_knows_spacy_and_onnx() -> None:
    wrong = [
        f"{path.name} imports {name}"
        for room, path, tree in modules()
        for name, _ in imported(tree)
        if name.split(".")[0] in ONLY_EXTRACT and room != "extract"
    ]
    assert not wrong
