"""What summation order does to floating-point results.

The functions are the commands of the program `orderlab`, with arrays in place of files and a keyword for every flag:

>>> import numpy as np, orderlab
>>> x = np.random.default_rng(1).random(10000, dtype=np.float32)
>>> s = orderlab.sample(x, "warp", samples=200)          # how far does this sum move?
>>> orderlab.check(s.values[0], x, "warp").explained     # order, or a bug?
True
>>> t = orderlab.tolerance(x, "warp")                    # which tolerance should a test use?
>>> np.testing.assert_allclose(s.values, s.input.exact.value, **t.kwargs)

print(result) gives the text of the command line, result.to_json() its JSON.
"""

import importlib as _importlib


def _in_subinterpreter():
    """Whether Python says so."""
    for name in ("_interpreters", "_xxsubinterpreters"):  # Python 3.13 and newer; older ones
        try:
            interpreters = _importlib.import_module(name)
        except ImportError:
            continue
        return interpreters.get_current() != interpreters.get_main()
    return False


if _in_subinterpreter():
    raise ImportError("orderlab: cannot be imported in a subinterpreter; use the main interpreter, of mod_wsgi by "
                      "WSGIApplicationGroup %{GLOBAL}")

_MODULES = {
    "_errors": ("DeviceError", "Error", "InputError", "OrderlabWarning", "UnsupportedError", "UsageError"),
    "_functions": ("alternatives", "arrivals", "check", "compare", "crosscheck", "enumerate", "explain", "export", "fit", "host", "infer", "list",
                   "merge", "probe", "report", "sample", "solve", "sum", "sweep", "tolerance", "train", "tree", "verify", "worst"),
    "_record": ("ConfidenceInterval", "Record", "Result", "schema"),
    "_surveys": ("OrderTable", "probe_table"),
    "exact": ("Exact", "exact_sum"),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}
_CORE = {"__version__": "version", "bits_version": "bits_version"}  # equal bits_version: one seed gives equal results
_SUBMODULES = ("array", "results", "strategies", "testing")

_BUILTINS = {"enumerate", "list", "sum"}  # which `import *` leaves as they are
__all__ = sorted({*_HOMES, *_SUBMODULES, "bits_version"} - _BUILTINS)


def __getattr__(name):
    """Names are imported when they are first used: a session of pytest that does not use the plugin imports no NumPy."""
    if name in _SUBMODULES:
        return _importlib.import_module(f".{name}", __name__)
    if name in _CORE:
        value = getattr(_importlib.import_module("._core", __name__), _CORE[name])
    elif name in _HOMES:
        value = getattr(_importlib.import_module(f".{_HOMES[name]}", __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    own = {name for name in globals() if name.startswith("__")}
    return sorted({*own, *__all__, *_BUILTINS, "__version__"})
