"""Types: examples under mypy --strict, with the stubs that the build makes."""

import subprocess
import sys
from pathlib import Path

import orderlab
import pytest
from conftest import ROOT

PACKAGE = Path(orderlab.__file__).parents[1]
EXAMPLES = sorted((ROOT / "src/python/examples").glob("*.py"))
RIGHT = """
import numpy as np
import orderlab
from orderlab import strategies
from orderlab.testing import assert_order

x = np.ones(9)
s = orderlab.sample(x, "warp", samples=5, threads=1)
assert isinstance(s, orderlab.results.Sample)
n: int = s.samples
orderlab.check(9.0, x, "warp", ftz="either")
t = orderlab.tolerance(x, "warp")
rtol: float = t.rtol
np.testing.assert_allclose(1.0, 1.0, **t.kwargs)


@assert_order("numpy", sizes=(1, 2))
def total(y: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
    return float(np.sum(y))
"""
WRONG = ["orderlab.sample(1.0, samples=[])", "orderlab.sample(np.ones(3), order=3)", "orderlab.sample(self=np.ones(3))",
         "orderlab.sum(np.ones(3), 'warp', 3)", "orderlab.sum(object(), 'warp')",
         "orderlab.check(1.0, np.ones(3), 'warp', ftz='maybe')",
         "orderlab.check(1.0, np.ones(3), 'warp', strict='yes')", "orderlab.tree('warp', 3).heights"]


def mypy(files):
    """What mypy says. What it keeps of NumPy and of the package stays in the build folder."""
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--no-error-summary", "--cache-dir",
               str(PACKAGE / ".mypy_cache"), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, env={"MYPYPATH": str(PACKAGE), "PATH": "/usr/bin:/bin"})


def test_examples_are_typed_and_wrong_calls_are_found(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "right.py").write_text(RIGHT)
    (tmp_path / "wrong.py").write_text("import numpy as np\nimport orderlab\n" + "\n".join(WRONG) + "\n")
    done = mypy([tmp_path / "right.py", tmp_path / "wrong.py", *EXAMPLES])
    lines = [line for line in done.stdout.splitlines() if ": error: " in line]
    found = {int(line.split(":")[1]) for line in lines if Path(line.partition(":")[0]).name == "wrong.py"}
    assert found == {3 + i for i in range(len(WRONG))}, done.stdout + done.stderr
    assert [line for line in lines if "wrong.py:" not in line] == []
