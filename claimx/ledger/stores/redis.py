"""Rows in Redis, for as long as they are of use: a conversation expires some time after its last row."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from claimx.errors import LedgerError, MissingExtraError
from claimx.ledger.row import Row

#: Seconds: thirty days.
TTL = 30 * 24 * 60 * 60
#: Seconds until a silent server counts as gone.
PATIENCE = 5


class RedisStore:
    """Keeps each conversation as a Redis list that expires `ttl` seconds after its last row.

    A row is added in a transaction that fails if the list has changed since its last row was read. Redis keeps what
    its own persistence settings say: where evidence must outlive the server, set `appendonly yes` or use a database.
    """

    def __init__(self, url: str, *, ttl: int = TTL, prefix: str = "claimx") -> None:
        if ttl < 1:
            raise LedgerError(f"ttl is {ttl}, expected a number of seconds")
        self._redis = _redis()
        try:
            self.client = self._redis.Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)
        except ValueError as e:
            raise LedgerError(f"not a Redis URL ({e}): expected redis://host:6379/0") from e
        self.ttl = ttl
        self._prefix = prefix

    def append(self, conversation: str, seal: Callable[[Row | None], Row]) -> Row:
        key = self._key(conversation)
        tried: Row | None = None
        with self._mapped():
            # First the index, so that no conversation can be there without being listed.
            index, now = f"{self._prefix}:conversations", time.time()
            self.client.zadd(index, {conversation: now + self.ttl})
            self.client.zremrangebyscore(index, 0, now - 1)
            while True:
                with self.client.pipeline() as pipe:
                    try:
                        pipe.watch(key)
                        if tried is not None and self._holds(pipe, key, tried):
                            return tried
                        last = pipe.lindex(key, -1)
                        tried = seal(Row.from_json(last) if last is not None else None)
                        pipe.multi()
                        pipe.rpush(key, tried.to_json())
                        pipe.expire(key, self.ttl)
                        pipe.execute()
                        return tried
                    except self._redis.WatchError:
                        continue  # another writer was faster, or the answer was lost: `_holds` tells

    def read(self, conversation: str) -> list[Row]:
        with self._mapped():
            return [Row.from_json(line) for line in self.client.lrange(self._key(conversation), 0, -1)]

    def conversations(self) -> list[str]:
        index = f"{self._prefix}:conversations"
        with self._mapped():
            names = sorted(n.decode() for n in self.client.zrangebyscore(index, time.time(), "+inf"))
            return [n for n in names if self.client.exists(self._key(n))]

    def close(self) -> None:
        self.client.close()

    def _key(self, conversation: str) -> str:
        return f"{self._prefix}:{{{conversation}}}:rows"

    def _holds(self, pipe: Any, key: str, row: Row) -> bool:
        found = pipe.lindex(key, row.seq - 1)
        return found is not None and Row.from_json(found).digest == row.digest

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        try:
            yield
        except self._redis.RedisError as e:
            raise LedgerError(f"Redis: {e}") from e


def _redis() -> Any:
    try:
        import redis
    except ImportError as e:
        raise MissingExtraError("redis", "redis") from e
    return redis
