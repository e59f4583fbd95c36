"""The pytest plugin, in sessions of their own."""

import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as tree

import pytest

import orderlab

PACKAGE = str(pathlib.Path(orderlab.__file__).parents[1])
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "src" / "python" / "examples"
PLUGIN = ["-p", "no:orderlab", "-p", "orderlab.pytest_plugin"]  # whether or not orderlab is installed
HEAD = "import numpy as np\nx = np.random.default_rng(1).random(2000, dtype=np.float32)\n"


def environment():
    path = os.pathsep.join([PACKAGE, os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "100"}


@pytest.fixture
def session(tmp_path):
    def run(body, *flags, plugin=PLUGIN, conftest=""):
        (tmp_path / "test_inner.py").write_text(HEAD + body)
        (tmp_path / "conftest.py").write_text(conftest)
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *plugin, *flags, str(tmp_path)]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment())

    return run


FAILS = "def test_sum(order_explained):\n    order_explained(np.sum(x[1:]), x, order='warp', err_msg='kernel 7')\n"
PASSES = "def test_sum(order_explained):\n    order_explained(np.sum(x), x, order='numpy')\n"


def test_a_failure_has_the_report_of_check_under_a_heading(session):
    done = session(FAILS)
    assert done.returncode == 1
    assert "- orderlab check -" in done.stdout
    heading = done.stdout.index("- orderlab check -")
    assert "kernel 7" in done.stdout[:heading] and "Nearest explained value" in done.stdout[:heading]
    assert "warp = halving(32)" in done.stdout[heading:]
    assert "pytest_plugin.py" not in done.stdout  # no frames of the plugin
    assert "- orderlab check -" in session(FAILS, "-q").stdout


def test_a_pass_has_no_section(session):
    done = session(PASSES, "-rA")
    assert done.returncode == 0 and "orderlab check" not in done.stdout


def properties(path):
    return [(one.get("name"), one.get("value")) for one in tree.parse(path).iter("property")]


def test_junit_has_verdict_and_p(session, tmp_path):
    session(FAILS, f"--junitxml={tmp_path}/fails.xml")
    assert properties(tmp_path / "fails.xml") == [("orderlab_verdict", "impossible"), ("orderlab_p", "0")]
    session(PASSES, f"--junitxml={tmp_path}/passes.xml")
    assert properties(tmp_path / "passes.xml") == [("orderlab_verdict", "explained"), ("orderlab_p", "1")]


def test_a_tolerance_is_a_dictionary_with_attributes(session):
    done = session("""
import pytest, orderlab
def test_tolerance(order_tolerance):
    t = order_tolerance(x, order="warp")
    assert t == orderlab.tolerance(x, "warp").kwargs
    assert t.rtol == t["rtol"] and t.atol == t["atol"] and t.result.samples > 1000
    exact = np.sum(x, dtype=np.float64)
    np.testing.assert_allclose(np.float64(np.sum(x)), exact, **t)
    assert np.sum(x) == pytest.approx(exact, rel=t.rtol, abs=t.atol)
""")
    assert done.returncode == 0, done.stdout


def test_results_are_computed_once_for_each_content(session):
    done = session("""
import orderlab, pytest
from orderlab import _functions
calls = []

@pytest.fixture(autouse=True)
def counted(monkeypatch):
    for name in ("tolerance", "check"):
        def count(*args, own=getattr(_functions, name), name=name, **options):
            calls.append(name)
            return own(*args, **options)
        monkeypatch.setattr(_functions, name, count)

def test_first(order_tolerance, order_explained):
    a = order_tolerance(x, order="warp")
    order_explained(np.sum(x), x, order="numpy")
    assert calls == ["tolerance", "check"]

def test_second(order_tolerance, order_explained):
    assert order_tolerance(x.copy(), order="warp", threads=1) == order_tolerance(x, "warp")
    order_explained(np.sum(x), x.copy(), "numpy")
    assert calls == ["tolerance", "check"]

def test_other_contents(order_tolerance, order_explained):
    del calls[:]
    y = x.copy()
    y[0] = -y[0]
    for args, options in [((y, "warp"), {}), ((x, "spa"), {}), ((x.astype(np.float64), "warp"), {}),
                          ((x.reshape(2, -1), "warp"), {}), ((x, "warp"), {"seed": 2}),
                          ((x, "warp"), {"coverage": 0.99})]:
        order_tolerance(*args, **options)
    assert calls == ["tolerance"] * 6
    ones = np.ones(100, dtype="<f4")  # the same bytes in two dtypes
    order_tolerance(ones, order="warp"), order_tolerance(ones.view(">f4"), order="warp")
    assert calls == ["tolerance"] * 8
""")
    assert done.returncode == 0, done.stdout


def test_options_reach_the_checks(session):
    body = """
def test_options(order_explained, order_tolerance, monkeypatch):
    import orderlab
    from orderlab import testing
    seen = []
    def judged(*args, own=testing.judged, **options):
        seen.append(options)
        return own(*args, **options)
    monkeypatch.setattr(testing, "judged", judged)
    order_explained(np.sum(x), x, "numpy")
    order_explained(np.sum(x), x, "numpy", confidence=0.9, seed=1)
    assert seen == [{"confidence": 0.99, "seed": 7}, {"confidence": 0.9, "seed": 1}]
    assert order_tolerance(x, "warp").result.config.seed == 7
"""
    done = session(body, "--orderlab-confidence=0.99", "--orderlab-seed=7")
    assert done.returncode == 0, done.stdout
    assert session("""
def test_coverage(order_tolerance):
    assert order_tolerance(x, "warp").result.config.coverage == 0.9
""", "--orderlab-coverage=0.9").returncode == 0
    for flag in ("--orderlab-coverage=2", "--orderlab-confidence=1", "--orderlab-confidence=high", "--orderlab-seed=-1", "--orderlab-seed=1.5"):
        done = session(body, flag)
        assert done.returncode == 4 and flag.split("=")[0] in done.stderr


def test_the_header_has_both_versions(session):
    line = f"orderlab {orderlab.__version__}, bits version {orderlab.bits_version}"
    assert line in session("def test_one(): pass\n").stdout
    assert line not in session("def test_one(): pass\n", "-q").stdout


def test_wrong_arguments_are_reported(session):
    done = session("def test_order(order_tolerance):\n    order_tolerance(x, order='nonsense')\n")
    assert "no such stage" in done.stdout


def numpy_comes_with_the_package():
    code = "import sys, orderlab; sys.exit('numpy' in sys.modules)"
    return subprocess.run([sys.executable, "-c", code], env=environment()).returncode != 0


@pytest.mark.skipif(numpy_comes_with_the_package(), reason="import orderlab imports NumPy")
def test_a_session_that_does_not_use_it_needs_no_numpy(tmp_path):
    (tmp_path / "test_inner.py").write_text("import sys\ndef test_one():\n    assert 'numpy' not in sys.modules\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *PLUGIN, str(tmp_path)]
    assert subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True).returncode == 0
    blocked = ("import sys; sys.modules['numpy'] = None; sys.modules['orderlab._core'] = None; import pytest; "
               "sys.exit(pytest.main())")
    (tmp_path / "test_inner.py").write_text("def test_one(): pass\n")
    done = subprocess.run([sys.executable, "-c", blocked, *command[3:]], cwd=tmp_path, env=environment(),
                          capture_output=True, text=True)
    assert done.returncode == 0 and "orderlab: cannot be imported" in done.stdout, done.stdout + done.stderr


def test_the_example_suite_passes_and_finds_its_bugs():
    def run(name):
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *PLUGIN, str(EXAMPLES / name)]
        return subprocess.run(command, capture_output=True, text=True, env=environment())

    assert "6 passed" in run("test_reductions.py").stdout
    bugs = run("reductions_with_bugs.py").stdout
    assert "3 failed" in bugs
    assert 'order="random" does not explain it either' in bugs  # the term that is left out
    assert 'order="random" explains it' in bugs  # the other order
    assert "gave other bits than run 1" in bugs


def test_a_difference_and_any_order_are_checked_too(session):
    done = session("""
def test_any(order_explained):
    order_explained(np.sum(x), x, "any")

def test_difference(order_explained):
    order_explained(0.0, x, "numpy", against="numpy")

def test_not_any(order_explained):
    order_explained(1.0, x, "any")

def test_no_difference(order_explained):
    order_explained(1.0, x, "numpy", against="sequential")
""")
    assert "2 failed, 2 passed" in done.stdout and "KeyError" not in done.stdout, done.stdout
    assert "Not explained by any known order" in done.stdout
    assert "Not explained by orders 'numpy' and 'sequential'" in done.stdout


SUMMARY = """
import pytest
@pytest.mark.parametrize("i", range(4))
def test_sums(i, order_explained, order_tolerance, sum_close):
    order_explained(np.sum(x[i:]), x, order="numpy")
    order_tolerance(x, order="numpy")
    sum_close(np.sum(x), x, "numpy")
"""


def test_the_session_ends_with_a_line_on_what_was_found(session):
    line = "orderlab: 4 results checked (1 explained, 3 impossible), 2 tolerances\n"
    assert line in session(SUMMARY).stdout
    failed = session("def test_far(sum_close):\n    sum_close(np.sum(x) + 1, x, 'numpy')\n")
    assert "Not close to the exact sum" in failed.stdout and "orderlab: 1 tolerances\n" in failed.stdout
    assert "\norderlab: " not in session("def test_one(): pass\n", "-q").stdout
    pytest.importorskip("xdist")
    assert line in session(SUMMARY, "-p", "xdist", "-n", "2").stdout
