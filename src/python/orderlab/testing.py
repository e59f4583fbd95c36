"""Assertions for tests of sums. Arguments stand as in numpy.testing: what was computed first, then err_msg and verbose.

>>> import numpy as np
>>> from orderlab.testing import assert_deterministic, assert_explained
>>> x = np.random.default_rng(1).random(10000, dtype=np.float32)
>>> assert_explained(np.sum(x), x, "numpy")              # the order of np.sum
>>> assert_deterministic(np.sum, x, runs=20)
"""

from ._determinism import assert_deterministic
from ._explanation import explanation, judged

__all__ = ["assert_deterministic", "assert_explained"]


def assert_explained(actual, x, order, *, confidence=0.999, err_msg="", verbose=True, **options):
    """Raises an AssertionError if summation order does not explain a result.

    Parameters
    ----------
    actual : number, text, array or list of them
        One result or several results of one sum, of any shape. With `axis` or `op` the array of outputs of one run, in
        the shape of the output: each is judged, with correction for their number. Numbers of a wider dtype must be
        exact in the format of the result. Texts are read as by orderlab.check: "0x1.8p+1", "bits:0x3dcccccd", decimals.
    x : array or path
        The terms: float64, float32, float16, or bfloat16 of ml_dtypes, of any shape.
    order : str or None
        A named order or an expression; orderlab.list("orders") has them. None for an `op` that adds in the order of its
        kernel.
    confidence : float
        Probability of not failing if order does explain all of `actual`. Between 0 and 1.
    err_msg : str
        Printed at the top of a failure.
    verbose : bool
        Whether a failure has the whole report of orderlab.check, or its conclusion only.
    **options
        All other keywords of orderlab.check: y (dot products), axis, op, index, accumulate, result, arrival, seed, ...

    Raises
    ------
    AssertionError
        If order does not explain `actual`. The text has the report of orderlab.check, the nearest explained values, a
        tolerance that results of this order pass, and what to do next. The last two need further samples, so a failure
        takes about five times as long as a success; beyond 100000 terms the text has the call for the tolerance only.
    TypeError, ValueError
        If the arguments are wrong: an unknown order, a shape that the operation does not give, a number that is not
        exact in the format of the result, such as a sum computed in float64 of float32 terms without accumulate="fp64".

    Notes
    -----
    Success does not prove that there is no bug: one that moves the sum by less than the order does is not detected.

    Examples
    --------
    >>> import numpy as np
    >>> from orderlab.testing import assert_explained
    >>> x = np.random.default_rng(1).random(10000, dtype=np.float32)
    >>> assert_explained(np.sum(x), x, "numpy")
    >>> assert_explained(np.sum(x[::-1]), x, "random")
    >>> m = x.reshape(100, 100)
    >>> assert_explained(m.sum(axis=0), m, "random", axis=0)
    >>> assert_explained(np.sum(x[1:]), x, "random", verbose=False)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    AssertionError: Not explained by order 'random'
    ...
    """
    __tracebackhide__ = True
    check = judged(actual, x, order, confidence=confidence, **options)
    if not check.explained:
        raise AssertionError(explanation(check, x, order, err_msg=err_msg, verbose=verbose, **options))
