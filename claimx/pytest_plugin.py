"""The pytest plugin that claimx registers: fixtures for tests of agents. Nothing is loaded before a test asks for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from claimx.checker import Checker
    from claimx.types import Receipt


@pytest.fixture(scope="session")
def claimx_checker() -> Checker:
    """A checker over the shipped model. Override it in a conftest.py for options of your own."""
    from claimx.testing import default_checker

    return default_checker()


@pytest.fixture
def assert_supported(claimx_checker: Checker) -> Callable[..., Receipt]:
    """`claimx.testing.assert_supported` with the session's checker."""
    from claimx import testing

    def check(run: Any, **options: Any) -> Receipt:
        __tracebackhide__ = True
        return testing.assert_supported(run, **{"checker": claimx_checker, **options})

    return check
