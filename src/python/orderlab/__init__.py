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

from . import _core, array, results
from ._errors import DeviceError, Error, InputError, OrderlabWarning, UnsupportedError, UsageError
from ._functions import (alternatives, check, compare, crosscheck, enumerate, explain, export, fit, list, merge, report,
                         sample, solve, sum, sweep, tolerance, train, tree, verify, worst)
from ._record import ConfidenceInterval, Record, Result, schema
from .exact import Exact, exact_sum

__version__ = _core.version
bits_version = _core.bits_version
"""The version of drawn bits: results of one seed are equal while it is."""

__all__ = ["ConfidenceInterval", "DeviceError", "Error", "Exact", "InputError", "OrderlabWarning", "Record", "Result",
           "UnsupportedError", "UsageError", "alternatives", "array", "bits_version", "check", "compare", "crosscheck",
           "enumerate", "exact_sum", "explain", "export", "fit", "list", "merge", "report", "results", "sample", "schema", "solve", "sum",
           "sweep", "tolerance", "train", "tree", "verify", "worst"]
