"""Where a drawing goes: into a notebook, whoever hosts it, or back as HTML."""

from __future__ import annotations

import subprocess
import sys

import pytest

SHELLS = """
import sys, types
from claimx.report.notebook import _in_notebook
class ZMQInteractiveShell: pass
class Shell(ZMQInteractiveShell): pass  # Colab's
class TerminalInteractiveShell: pass
module = types.ModuleType("IPython")
module.get_ipython = lambda: {shell}
sys.modules["IPython"] = module
print(_in_notebook())
"""


@pytest.mark.parametrize(
    ("shell", "shown"),
    [("ZMQInteractiveShell()", True), ("Shell()", True), ("TerminalInteractiveShell()", False), ("None", False)],
)
def test_a_notebook_is_known_by_its_kernel_whoever_hosts_it(shell: str, shown: bool) -> None:
    code = SHELLS.replace("{shell}", shell)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(shown)
