"""Assertions for tests of sums. Arguments stand as in numpy.testing: what was computed first, then err_msg and verbose.

>>> import numpy as np
>>> from orderlab.testing import (assert_batch_invariant, assert_deterministic, assert_explained, assert_order,
...                               assert_sum_close)
>>> x = np.random.default_rng(1).random(10000, dtype=np.float32)
>>> assert_explained(np.sum(x), x, "numpy")              # the order of np.sum
>>> assert_sum_close(np.sum(x[::-1]), x, "random")       # within a tolerance that is computed
>>> assert_deterministic(np.sum, x, runs=20)
>>> assert_order(np.sum, "numpy")                        # in the bits of random inputs, and term by term
>>> assert_batch_invariant(lambda rows: rows.sum(axis=1), x.reshape(100, 100))
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np

from . import _arrays, _boxes
from ._batches import assert_batch_invariant
from ._closeness import assert_sum_close
from ._determinism import assert_deterministic
from ._explanation import explanation, judged, read_terms
from ._functions import host, probe

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

__all__ = ["assert_batch_invariant", "assert_deterministic", "assert_explained", "assert_order", "assert_program",
           "assert_sum_close"]


_F = TypeVar("_F", bound=Callable[..., Any])


def __dir__():
    return __all__


def assert_explained(actual: Any, x: Any, order: str | None, *, confidence: float = 0.999, err_msg: str = "",
                     verbose: bool = True, **options: Any) -> None:
    """Raises an AssertionError if summation order does not explain a result.

    Parameters
    ----------
    actual : number, text, array or list of them
        One result or several results of one sum, of any shape. With `axis` or `op` the array of outputs of one run, in
        the shape of the output: each is judged, with correction for their number. Numbers of a wider dtype must be
        exact in the format of the result. Texts are read as by orderlab.check: "0x1.8p+1", "bits:0x3dcccccd", decimals.
    x : array or path
        The terms: float64, float32, float16 or bfloat16, of any shape and any library.
    order : str or None
        A named order or an expression; orderlab.list("orders") has them. "any" tries all that are known. None for an
        `op` that adds in the order of its kernel.
    confidence : float
        Probability of not failing if order does explain all of `actual`. Between 0 and 1.
    err_msg : str
        Printed at the top of a failure.
    verbose : bool
        Whether a failure has the whole report of orderlab.check, or its conclusion only.
    **options
        All other keywords of orderlab.check: y (dot products), axis, op, index, accumulate, result, arrival, seed,
        against (then `actual` is a difference of two results), ...

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
    x = read_terms(x)
    check = judged(actual, x, order, confidence=confidence, **options)
    if not check.explained:
        raise AssertionError(explanation(check, x, order, err_msg=err_msg, verbose=verbose, **options))


@overload
def assert_order(f: str, *, sizes: int | Sequence[int] = ..., err_msg: str = ..., verbose: bool = ...,
                 **options: Any) -> Callable[[_F], _F]: ...


@overload
def assert_order(f: Callable[..., object] | str | Sequence[Any], order: str, *, sizes: int | Sequence[int] = ...,
                 dtype: DTypeLike = ..., err_msg: str = ..., verbose: bool = ..., **options: Any) -> None: ...


def assert_order(f: Any, order: str | None = None, *, sizes: Any = (1, 2, 31, 32, 33, 1000),
                 dtype: DTypeLike = "float32", err_msg: str = "", verbose: bool = True, **options: Any) -> Any:
    """Raises an AssertionError if a function does not add in an order. `@assert_order(order)` decorates the function:
    the first call with terms of each dtype checks it, by about 2000 calls of the function with arrays of the same
    library, and raises the error.

    For every size it compares the bits of 64 random inputs, and shows the tree of additions node by node, in n - 1 calls;
    orderlab.probe finds the order that f has. All of it takes about 2000 calls of f. The precision of the additions may be
    any: the order of float32 terms is the same in float64.

    Parameters
    ----------
    f : callable, str, list or tuple
        The black box, as orderlab.probe takes it: most often a function f(x) of an array that returns its sum.
    order : str
        A named order or an expression; orderlab.list("orders") has them. For a random order all sums of f have to be
        sums that it can give.
    sizes : int or list of them
        Numbers of terms.
    dtype : dtype or str
        Of the terms: float64, float32, float16, or bfloat16 of ml_dtypes.
    err_msg : str
        Printed at the top of a failure.
    verbose : bool
        Whether a failure has the whole report of orderlab.probe, or its conclusion only.
    **options
        All other keywords of orderlab.probe: offsets, dot, axis, repeats, box_threads, ...

    Raises
    ------
    AssertionError
        If f adds in another order. The text has the order that was found, and the first two terms that f adds elsewhere
        than `order` says.
    TypeError, ValueError
        If the arguments are wrong, or f returns no number. What f raises is raised as it is.

    Examples
    --------
    >>> import numpy as np
    >>> from orderlab.testing import assert_order
    >>> assert_order(np.sum, "numpy")
    >>> assert_order(lambda x: np.cumsum(x)[-1], "sequential")
    >>> @assert_order("pairwise", sizes=(1, 2, 3, 100))
    ... def total(x):
    ...     while len(x) > 1:
    ...         middle = (len(x) + 1) // 2
    ...         return total.__wrapped__(x[:middle]) + total.__wrapped__(x[middle:])
    ...     return x[0]
    >>> total(np.array([1.0, 2.0, 3.0]))
    6.0
    >>> assert_order(lambda x: np.cumsum(x)[-1], "numpy", sizes=32, verbose=False)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    AssertionError: Not added in order 'numpy'
    <BLANKLINE>
    named: sequential
    not numpy: terms 0 and 8 meet in a subtree of 9 terms; ...
    """
    __tracebackhide__ = True
    if order is None and isinstance(f, str):
        return _keeps_order(f, dict(sizes=sizes, err_msg=err_msg, verbose=verbose, **options))
    if not isinstance(order, str):
        raise TypeError(f"order: must be a text, a named order or an expression, not {order!r}")
    sizes = [*sizes] if np.iterable(sizes) else [sizes]
    if not sizes:
        raise ValueError("sizes: is empty; give at least one number of terms")
    found = probe(f, sizes[0], sizes=sizes[1:], dtype=dtype, expect=order, **options)
    if not found.as_expected:
        text = str(found)
        head = f"Not added in order {order!r}" + (f"\n{err_msg}" if err_msg else "")
        raise AssertionError(f"{head}\n\n{text if verbose else text.rpartition(chr(10) * 2)[2]}")


def assert_program(files: Any, *, runs: int = 1, leaks: bool = True, err_msg: str = "", verbose: bool = True,
                   **options: Any) -> None:
    """Raises an AssertionError if a CUDA program has a bug, or if its numbers vary.

    The program is compiled by g++ or clang++ and runs on a simulated GPU, which checks every access of kernels. No GPU and
    no CUDA toolkit are needed.

    Parameters
    ----------
    files : path or list of paths
        The sources of one program.
    runs : int
        Number of runs, each with another order of thread blocks, atomics and streams. With 2 or more, numbers that the
        program prints or copies back must be the same in all of them.
    leaks : bool
        Whether device memory that is never freed is a failure, too.
    err_msg : str
        Printed at the top of a failure.
    verbose : bool
        Whether a failure has the whole report of orderlab.host, or its findings only.
    **options
        All other keywords of orderlab.host: args (of the program), include, define, check, gpus, warp_sync, ...

    Raises
    ------
    AssertionError
        If something is found, numbers vary, or the program crashes or ends with another status than 0.
    TypeError, ValueError
        If the arguments are wrong, or the program does not compile.
    """
    __tracebackhide__ = True
    found = host(files, runs=runs, **options)
    allowed = {"same_value", "unchecked", "note"} | (set() if leaks else {"leak"})
    findings = [f"{one.place}: {one.text}" if one.place else one.text
                for one in found.findings if one.kind not in allowed]
    findings += [f"{one.what} varies" for one in found.varying]
    if found.crashed or found.exit_status not in (0, None):
        findings.append(f"the program: {found.ending}")
    if findings:
        head = "The program has a bug" + (f"\n{err_msg}" if err_msg else "")
        raise AssertionError(head + "\n\n" + (str(found) if verbose else "\n".join(findings)))


def _keeps_order(order, options):
    """The decorator. What it has seen fail is checked again at the next call."""

    def decorated(f):
        seen = set()

        @functools.wraps(f)
        def checked(x, *args, **kwargs):
            __tracebackhide__ = True
            dtype = _arrays.format_of(x)
            if dtype not in seen:
                called = _boxes.in_numpy(lambda terms: f(terms, *args, **kwargs), x)
                assert_order(called, order, dtype=dtype, **options)
                seen.add(dtype)
            return f(x, *args, **kwargs)

        return checked

    return decorated
