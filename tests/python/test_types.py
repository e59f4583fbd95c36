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
n: int = s.samples
orderlab.check(9.0, x, "warp", ftz="either")
t = orderlab.tolerance(x, "warp")
rtol: float = t.rtol
np.testing.assert_allclose(1.0, 1.0, **t.kwargs)


@assert_order("numpy", sizes=(1, 2))
def total(y: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
    return float(np.sum(y))
"""
# Types of results that depend on what is given.
TYPES = {
    "orderlab.sample(x, 'warp')": "Sample", "orderlab.sample(x, ['warp', 'ao'])": "Sample | SampledOrders",
    "orderlab.sample('a.csv::x', 'warp', by='shop')": "Groups", "orderlab.sample(x, 'warp', axis=0)": "OperationSample",
    "orderlab.sample(x, 'warp', axis='all')": "Sample", "orderlab.sample(op='cumsum', n=9)": "OperationSample",
    "orderlab.enumerate('a.csv::x', 'random', by='shop')": "Groups", "orderlab.enumerate(x, 'random')": "Enumeration",
    "orderlab.sum(x, 'warp').value": "float", "orderlab.sum(x, 'numpy', axis=0)": "OperationSum",
    "orderlab.tolerance('a.csv::x', 'warp', by='shop')": "Groups", "orderlab.tolerance(x)": "Tolerance",
    "orderlab.check('b.csv::x', 'a.csv::x', 'warp', by='shop')": "Groups", "orderlab.check(9.0, x, 'any')": "OrderCheck",
    "orderlab.check(9.0, x, 'warp')": "Check", "orderlab.check(9.0, x, order='any')": "OrderCheck",
    "orderlab.check(9.0, x, 'warp', against='numpy')": "DifferenceCheck", "orderlab.infer('tiny')": "ModelRuns",
    "orderlab.infer(logprobs='a.jsonl', noise=1)": "Flips", "orderlab.solve('cg', 'poisson2d(9)')": "Solve",
    "orderlab.train(seeds=2, shard='1/2', db='a')": "str", "orderlab.fit('orders.csv')": "Fit",
    "orderlab.probe(np.sum, fused=True)": "FusedProbe", "orderlab.probe(np.sum)": "Probe",
    "orderlab.merge(['a', 'b'], 'c')": "str",
}
WRONG = ["orderlab.sample(1.0, samples=[])", "orderlab.sample(np.ones(3), order=3)", "orderlab.sample(self=np.ones(3))",
         "orderlab.sum(np.ones(3), 'warp', 3)", "orderlab.sum(object(), 'warp')",
         "orderlab.check(1.0, np.ones(3), 'warp', ftz='maybe')",
         "orderlab.check(1.0, np.ones(3), 'warp', strict='yes')", "orderlab.tree('warp', 3).heights"]


def _short(kind):
    """"Union[orderlab.results.Sample, ...]" as "Sample | ..."."""
    return " | ".join(one.rpartition(".")[2] for one in kind.removeprefix("Union[").rstrip("]").split(", "))


def mypy(files):
    """What mypy says. What it keeps of NumPy and of the package stays in the build folder."""
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--no-error-summary", "--cache-dir",
               str(PACKAGE / ".mypy_cache"), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, env={"MYPYPATH": str(PACKAGE), "PATH": "/usr/bin:/bin"})


def test_examples_are_typed_and_wrong_calls_are_found(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "right.py").write_text(RIGHT)
    (tmp_path / "revealed.py").write_text("import numpy as np\nimport orderlab\nx = np.ones(9)\n" +
                                       "".join(f"reveal_type({call})\n" for call in TYPES))
    (tmp_path / "wrong.py").write_text("import numpy as np\nimport orderlab\n" + "\n".join(WRONG) + "\n")
    done = mypy([tmp_path / "right.py", tmp_path / "wrong.py", tmp_path / "revealed.py", *EXAMPLES])
    revealed = [line.split('"')[1] for line in done.stdout.splitlines() if "Revealed type" in line]
    assert [_short(kind) for kind in revealed] == [*TYPES.values()], done.stdout
    lines = [line for line in done.stdout.splitlines() if ": error: " in line]
    found = {int(line.split(":")[1]) for line in lines if Path(line.partition(":")[0]).name == "wrong.py"}
    assert found == {3 + i for i in range(len(WRONG))}, done.stdout + done.stderr
    assert [line for line in lines if "wrong.py:" not in line] == []
