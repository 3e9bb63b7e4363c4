"""One checker with the shipped model for the tests of live integrations."""

from __future__ import annotations

import pytest

from claimx import Checker
from claimx.extract import Extractor


@pytest.fixture(scope="session")
def checker() -> Checker:
    return Checker(Extractor())
