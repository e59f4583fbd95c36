"""assert_sum_close: a comparison with the exact sum, within a tolerance that is computed for the order."""

from typing import Any

import numpy as np

from . import _arrays, _contents, _explanation, _functions, _requests
from ._environment import computes

_REFUSED = ("against", "against_format", "inputs", "outputs", "n", "dist")  # not about given terms and their exact sum
kept = _contents.Kept()  # tolerances, checks and exact sums of this process


def tolerance_of(x, order, options):
    """orderlab.tolerance, once for each content of all that decides it, and whether it was computed before."""
    x = _explanation.read_terms(x)
    key = _contents.key_of("tolerance", (x,), {"order": order, **options})
    return kept.get(key, lambda: _functions.tolerance(x, order, **options))


@computes
def assert_sum_close(actual: Any, terms: Any, order: str = "random", *, coverage: float = 0.999,
                     confidence: float = 0.95, err_msg: str = "", verbose: bool = True, **options: Any) -> None:
    """Raises an AssertionError if a sum is farther from the exact one than the order moves it.

    The tolerance is that of orderlab.tolerance for these terms; it is computed once in a process for the content of all
    that decides it. Numbers are compared as float64.

    Parameters
    ----------
    actual : number or array
        One result or several results of one sum. Each is compared with the same limit: K results of correct runs are
        all within it with probability coverage^K or more, so many results ask for a coverage of p^(1/K). With `axis`
        the array of sums, in the shape of the output.
    terms : array or path
        The terms, of any library: float64, float32, float16 or bfloat16.
    order : str
        A named order or an expression; orderlab.list("orders") has them.
    coverage : float
        Share of runs that the tolerance covers. Between 0 and 1.
    confidence : float
        Probability that it covers so many. Between 0 and 1.
    err_msg : str
        Printed at the top of a failure.
    verbose : bool
        Whether a failure has the whole report of orderlab.tolerance.
    **options
        Other keywords of orderlab.tolerance: y (dot products), axis, accumulate, result, arrival, seed, ... Those that
        say which other number a sum is compared with, or draw the terms, are refused: against, inputs, outputs, n, dist.

    Raises
    ------
    TypeError
        For an option that is refused.
    AssertionError
        The text has the result that is farthest off, the tolerance, and how it was computed.
    UnsupportedError
        If there is no tolerance: inf or NaN is more frequent than the coverage allows.

    Examples
    --------
    >>> import numpy as np
    >>> from orderlab.testing import assert_sum_close
    >>> x = np.random.default_rng(1).random(10000, dtype=np.float32)
    >>> assert_sum_close(np.sum(x), x, "numpy")
    >>> assert_sum_close(x.reshape(100, 100).sum(axis=0), x.reshape(100, 100), "sequential", axis=0)
    >>> assert_sum_close(np.sum(x[1:]), x, "random", verbose=False)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    AssertionError: Not close to the exact sum for order 'random'
    actual 5...
    """
    __tracebackhide__ = True
    options.update(coverage=coverage, confidence=confidence)
    _, text = compared(actual, terms, order, options, err_msg, verbose)
    if text:
        raise AssertionError(text)


@computes
def compared(actual, terms, order, options, err_msg, verbose):
    """The tolerance, and the text of a failure; empty where all results are within it."""
    for name in _REFUSED:
        if name in options:
            raise TypeError(f"{name}: is not of assert_sum_close, which compares sums of the given terms with the exact "
                            "sum; use orderlab.tolerance for others")
    x = _explanation.read_terms(terms)
    found, _ = tolerance_of(x, order, options)
    text = difference_from_exact(actual, x, order, found, options)
    if text:
        head = f"Not close to the exact sum for order {order!r}" + (f"\n{err_msg}" if err_msg else "")
        text = f"{head}\n{text}" + (f"\n\n{found}" if verbose else "")
    return found, text


def difference_from_exact(actual, x, order, found, options):
    """The result that is farthest beyond the tolerance; empty where all are within it."""
    desired = _exact_of(x, order, found, options)
    actual = [actual] if isinstance(actual, int) else actual
    actual = np.asarray(_arrays.results("actual", actual).floats(), np.float64)
    if desired.ndim and actual.shape != desired.shape:
        raise ValueError(f"actual: has shape {actual.shape}; the sums have {desired.shape}")
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        allowed = found.atol + found.rtol * np.abs(desired)
        error = np.abs(actual - desired)
        within = (error <= allowed) | (actual == desired) | (np.isnan(actual) & np.isnan(desired))
        times = np.where(within, 0, np.where(np.isfinite(error), error, np.inf) / allowed)
    if within.all():
        return ""
    worst = np.unravel_index(np.argmax(np.where(within, -1, times)), times.shape)
    place = f" at {list(map(int, worst))}" if times.size > 1 else ""
    exact, limit = (np.broadcast_to(one, times.shape)[worst] for one in (desired, allowed))
    level = "" if found.samples is None else f", by {found.samples} samples"
    return (f"actual {float(actual[worst])!r}{place}, exact sum {float(exact)!r}: difference {error[worst]:.3g}, "
            f"{times[worst]:.3g} times the {limit:.3g} that are allowed\n"
            f"{np.count_nonzero(~within)} of {times.size} results are beyond rtol={found.rtol!r}, atol={found.atol!r} "
            f"({_explanation.coverage_text(found)}{level})")


def _exact_of(x, order, found, options):
    if not _requests.is_operation(options):
        return np.asarray(found.input.exact.value, np.float64)
    known = _explanation._options_of("sample", options)
    key = _contents.key_of("exact", (x,), {"order": order, **known})
    return kept.get(key, lambda: _functions.sample(x, order, samples=1, **known).elements.exact)[0]
