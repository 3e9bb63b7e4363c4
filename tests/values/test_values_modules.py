"""The examples in the docstrings hold, and importing the room stays cheap."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import claimx.values

MODULES = ["claimx.values", *(f"claimx.values.{m.name}" for m in pkgutil.iter_modules(claimx.values.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted > 0
    assert found.failed == 0


def test_importing_and_reading_loads_no_heavy_library() -> None:
    code = (
        "import sys; from claimx.values import normalise; "
        "texts = dict(MONEY='$64', DATE='5 May', CONTACT='a@b.example', PERSON='Bob'); "
        "[normalise(k, t) for k, t in texts.items()]; "
        "print(sorted({'dateparser', 'phonenumbers', 'spacy', 'torch', 'onnxruntime', 'numpy'} & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-Ic", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_importing_takes_less_than_a_tenth_of_a_second() -> None:
    code = (
        "import decimal, dataclasses, datetime, urllib.parse, time, claimx.types; t = time.process_time(); "
        "import claimx.values; print(time.process_time() - t)"
    )
    best = min(
        float(subprocess.run([sys.executable, "-Ic", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    )
    assert best < 0.1
