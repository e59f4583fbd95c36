"""The package works in the main interpreter alone, and says so in others."""

import subprocess
import sys
from pathlib import Path

import orderlab
import pytest

pytest.importorskip("_xxsubinterpreters")

PACKAGE = str(Path(orderlab.__file__).parent)
IMPORTED = "import orderlab"
# The compiled module without the package, which looks first.
MODULE = f"""
import sys, types
sys.modules["orderlab"] = types.ModuleType("orderlab")
sys.modules["orderlab"].__path__ = [{PACKAGE!r}]
import orderlab._core
"""
SCRIPT = """
import sys, _xxsubinterpreters as interpreters
code, first = sys.argv[1], sys.argv[2] == "first"
def compute():
    import orderlab
    assert orderlab.sum([1.0, 2.0], "seq").input.exact.value == 3
if not first:
    compute()
for _ in range(2):
    try:
        interpreters.run_string(interpreters.create(), code)
        print("imported")
    except interpreters.RunFailedError as error:
        print(error)
compute()
"""


@pytest.mark.parametrize("when", ["first", "later"])
@pytest.mark.parametrize("code", [IMPORTED, MODULE], ids=["package", "module"])
def test_a_subinterpreter_is_refused_and_the_main_one_works(code, when):
    done = subprocess.run([sys.executable, "-B", "-c", SCRIPT, code, when], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2, lines
    for line in lines:
        assert "ImportError" in line and "orderlab: cannot be imported in a subinterpreter" in line


def test_the_module_can_be_imported_again():
    script = """
import sys, orderlab
before = orderlab.sum([1.0, 2.0], "seq").input.exact.value
for name in [name for name in sys.modules if name.startswith("orderlab")]:
    del sys.modules[name]
import orderlab
assert orderlab.sum([1.0, 2.0], "seq").input.exact.value == before
"""
    subprocess.run([sys.executable, "-B", "-c", script], check=True, timeout=60)
