"""Functions give the same bytes in whatever floating-point environment they are called, and leave that as it was."""

import ctypes
import os

import numpy as np
import pytest

import orderlab
from conftest import ROOT
from orderlab import testing

_PATH = os.environ.get("ORDERLAB_TEST_FLOAT_ENVIRONMENTS",
                       str(ROOT / "build" / "release" / "tests" / "liborderlab_float_environments.so"))
if not os.path.exists(_PATH):
    pytest.skip("needs the library orderlab_float_environments", allow_module_level=True)
_LIBRARY = ctypes.PyDLL(_PATH)
_LIBRARY.float_environment_name.restype = ctypes.c_char_p


def _names():
    names = []
    while (name := _LIBRARY.float_environment_name(len(names))) is not None:
        names.append(name)
    return names


NAMES = _names()
DEFAULT = NAMES[0]
set_environment = _LIBRARY.set_float_environment
has_environment = _LIBRARY.has_float_environment


def called_in(environment, function):
    """What the function returns in an environment, and whether it left that as it was. No number is computed between."""
    set_environment(environment)
    try:
        result = function()
        kept = has_environment(environment)
    finally:
        set_environment(DEFAULT)
    return result, bool(kept)


TINY = np.array([1e-310, 2e-310, -3e-310, 5e-324, 0.1, 0.7, -0.3])
X = np.random.default_rng(1).random(300, dtype=np.float32)
WRONG = X[1:].sum()
SCORES = [0.781, 0.779, 0.790, 0.784], [0.795, 0.788, 0.801, 0.797]
ORDERS = np.array([sorted(range(40), key=lambda i: i + (i * k) % 9) for k in range(1, 9)])


def _document(result):
    return result.to_json(), str(result), result.to_dict()


def _failure(check):
    try:
        check()
    except AssertionError as error:
        return str(error)
    return "passed"


FUNCTIONS = {
    "sum": lambda: _document(orderlab.sum(TINY, "sequential")),
    "sum of subnormals": lambda: orderlab.sum(TINY[:2], "sequential").value,
    "value in a record": lambda: orderlab.sum(TINY[:2], "sequential").input.exact.value,
    "sample": lambda: _document(orderlab.sample(X, "warp", samples=50)),
    "sample, page": lambda: orderlab.sample(X, "warp", samples=50).to_html(),
    "sample, charts": lambda: orderlab.sample(X, "warp", samples=50).charts(),
    "values": lambda: orderlab.sample(TINY, "random", samples=50).values.tobytes(),
    "operation": lambda: orderlab.sample(X.reshape(30, 10), "random", axis=0, samples=5).elements.exact.tobytes(),
    "enumerate": lambda: orderlab.enumerate(TINY, "random").probabilities.tobytes(),
    "check": lambda: orderlab.check(3e-310, TINY[:2], "random").verdicts,
    "tolerance": lambda: orderlab.tolerance(X, "warp", coverage=0.9).kwargs,
    "worst": lambda: _document(orderlab.worst(TINY, "random")),
    "tree": lambda: orderlab.tree("warp", x=X[:20]).dot(),
    "explain": lambda: _document(orderlab.explain("index_add", shape=(100, 20), ratio=0.5)),
    "alternatives": lambda: _document(orderlab.alternatives("index_add", shape=(50, 20), ratio=0.5, samples=5)),
    "solve": lambda: _document(orderlab.solve("cg", "poisson2d(5)", samples=3)),
    "solve a matrix": lambda: _document(orderlab.solve("cg", np.diag([0.1, 0.3, 1e-3]), samples=2)),
    "train": lambda: _document(orderlab.train(nodes=200, seeds=2, orders=2, epochs=1)),
    "compare": lambda: _document(orderlab.compare(*SCORES, difference=0.01)),
    "fit": lambda: orderlab.fit(ORDERS).to_dict()["models"],  # its input is a temporary file
    "crosscheck": lambda: _document(orderlab.crosscheck(device="host", kernel="spa", n=100)),
    "probe": lambda: _document(orderlab.probe(in_turn, 16, dtype="float64")),
    "exact_sum": lambda: (str(orderlab.exact_sum(TINY)), float(orderlab.exact_sum(TINY)), orderlab.exact_sum(TINY).fraction),
    "exact_sum of products": lambda: orderlab.exact_sum(TINY, TINY).decimal(),
    "assert_explained": lambda: _failure(lambda: testing.assert_explained(WRONG, X, "random")),
    "assert_deterministic": lambda: _failure(lambda: testing.assert_deterministic(alternating(), X)),
    "array": lambda: orderlab.array.cumsum(X.reshape(30, 10), samples=2).to_json(),
}

SLOW = {"fit"}  # in one environment, which has all that the others have


def in_turn(x):
    """A box that does not depend on the environment that it is called in, and leaves another."""
    set_environment(DEFAULT)
    total = x[0]
    for one in x[1:]:
        total = total + one
    set_environment(in_turn.leaves)
    return total


in_turn.leaves = DEFAULT


def alternating():
    results = iter([np.float64(1e-310), np.float64(2e-310)])
    return lambda x: next(results)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_function_notices_its_environment(name):
    function = FUNCTIONS[name]
    expected = function()
    for environment in NAMES if name not in SLOW else NAMES[-1:]:
        in_turn.leaves = environment
        result, kept = called_in(environment, function)
        assert repr(result) == repr(expected), environment
        assert kept, environment


@pytest.mark.parametrize("environment", NAMES)
def test_callables_have_the_environment_of_their_caller(environment):
    seen = []

    def box(x):
        seen.append(has_environment(environment))
        return in_turn(x)

    in_turn.leaves = environment
    called_in(environment, lambda: orderlab.probe(box, 8, dtype="float64",
                                                 progress=lambda *news: seen.append(has_environment(environment))))
    assert len(seen) > 8 and all(seen)


@pytest.mark.parametrize("environment", NAMES)
def test_what_a_callable_makes_of_the_environment_stays_the_callers(environment):
    in_turn.leaves = environment  # as a library linked with -ffast-math does when it is imported
    set_environment(DEFAULT)
    found = orderlab.probe(in_turn, 16, dtype="float64")
    left = has_environment(environment)
    set_environment(DEFAULT)
    assert left
    assert found.order == "sequential"


@pytest.mark.parametrize("environment", NAMES)
def test_a_call_that_fails_leaves_the_environment(environment):
    def refused():
        try:
            orderlab.sum(TINY, "no such order")
        except orderlab.UsageError as error:
            return str(error)

    expected = refused()
    assert called_in(environment, refused) == (expected, True)
