"""The stores that every test of the protocol runs against; servers are started when first asked for."""

from __future__ import annotations

import importlib.util
import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from claimx.ledger import HmacKey, Keyring, Ledger, MemoryStore, Store, open_store

servers_file = Path(__file__).with_name("servers.py")
spec = importlib.util.spec_from_file_location("claimx_test_servers", servers_file)
assert spec is not None
assert spec.loader is not None
servers = importlib.util.module_from_spec(spec)
spec.loader.exec_module(servers)


def needed(*programs: str) -> None:
    """Skip where a server isn't installed; on CI that is a failure."""
    missing = [p for p in programs if servers.find(p) is None]
    if missing:
        reason = f"not installed: {', '.join(missing)} (Debian: apt-get install postgresql redis-server)"
        if os.environ.get("CI", "").lower() in ("1", "true", "yes"):
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    needed("postgres", "initdb", "pg_isready")
    with servers.postgresql() as url:
        yield url


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    needed("redis-server", "redis-cli")
    with servers.redis() as url:
        yield url


#: Stores that outlive a process, by the name of what keeps them.
SHARED = [
    "jsonl",
    "sqlite",
    pytest.param("postgresql", marks=pytest.mark.server),
    pytest.param("redis", marks=pytest.mark.server),
]


def address_of(kind: str, request: pytest.FixtureRequest) -> str:
    match kind:
        case "memory":
            return "memory:"
        case "jsonl" | "sqlite":
            return str(request.getfixturevalue("tmp_path") / f"ledger.{ {'jsonl': 'jsonl', 'sqlite': 'db'}[kind] }")
        case _:
            return str(request.getfixturevalue(f"{kind}_url"))


@pytest.fixture(params=SHARED)
def shared_address(request: pytest.FixtureRequest) -> str:
    """Address of a store that several processes can open."""
    return address_of(request.param, request)


@pytest.fixture(params=["memory", *SHARED])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    opened = open_store(address_of(request.param, request))
    yield opened
    opened.close()


@pytest.fixture
def conversation() -> str:
    """A name that no other test has used: the servers are shared."""
    return f"conv_{uuid.uuid4().hex[:10]}"


@pytest.fixture
def ring() -> Keyring:
    return Keyring.of(HmacKey("k1", b"0123456789abcdef" * 2))


@pytest.fixture
def errors() -> list[Exception]:
    return []


@pytest.fixture
def ledger(ring: Keyring, errors: list[Exception]) -> Ledger:
    """A signed ledger in memory."""
    return Ledger(MemoryStore(), conversation="conv_1", signer=ring, on_error=errors.append)


@pytest.fixture
def make_ledger(ring: Keyring, errors: list[Exception]) -> Callable[..., Ledger]:
    def make(**options: object) -> Ledger:
        return Ledger(**{"conversation": "conv_1", "signer": ring, "on_error": errors.append, **options})  # type: ignore[arg-type]

    return make
