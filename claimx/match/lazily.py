"""An attribute that is worked out at first use and kept: like `functools.cached_property`, without its lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):
    """Two threads may both work a value out; it is the same value, and either is kept.

    >>> class Box:
    ...     @lazy
    ...     def size(self):
    ...         return 3
    >>> box = Box()
    >>> box.size, box.__dict__
    (3, {'size': 3})
    """

    def __init__(self, work: Callable[[Any], T]) -> None:
        self.work = work
        self.name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[T]: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> lazy[T] | T:
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.work(instance)
        return value
