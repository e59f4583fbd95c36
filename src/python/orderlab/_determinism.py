"""assert_deterministic: runs compared as bits."""

import copy
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _arrays
from ._environment import computes

_UINTS = {2: np.uint16, 4: np.uint32, 8: np.uint64}
_LARGEST_SHARE = 0.05  # share of runs with other bits that the default number of runs rules out


def assert_deterministic(f: Callable[[Any], object], x: Any, *, runs: int | None = None, confidence: float = 0.99,
                         err_msg: str = "", verbose: bool = True) -> None:
    """Calls f(x) several times and raises an AssertionError if a run gives other bits than the first.

    Success is a statistical statement about runs like these, in one process on one machine. By default 90 equal runs:
    with confidence 99 %, at most 5 % of runs give other bits. It holds for independent runs; differences that come in
    bursts, or only on another machine, need runs there.

    Parameters
    ----------
    f : callable
        Takes a copy of x. Returns a number, an array, or a tuple or list of them, of any dtype but object.
    x : array, or anything that copy.deepcopy copies
        The argument. Every run gets its own copy of the same memory layout, so f may change it.
    runs : int
        Number of calls, 2 or more. Default: the fewest that rule out, with this confidence, that more than 5 % of runs
        give other bits: 59 for 0.95, 90 for 0.99, 135 for 0.999.
    confidence : float
        Of that statement. Between 0 and 1.
    err_msg : str
        Printed at the top of a failure.
    verbose : bool
        Whether a failure says what success would have meant, and what to do next.

    Raises
    ------
    AssertionError
        At the first run that differs: its number, the element, both bit patterns, the difference in ulps.
    TypeError, ValueError
        If f is not callable or returns something without bits; if runs or confidence is out of range.

    Notes
    -----
    Results are compared as bits, so -0.0 and +0.0 differ. A NaN equals every NaN in its place: IEEE 754 does not say
    which of two NaNs an operation returns. Other shapes and dtypes are differences too.

    Examples
    --------
    >>> import numpy as np
    >>> from orderlab.testing import assert_deterministic
    >>> x = np.random.default_rng(1).random(1000, dtype=np.float32)
    >>> assert_deterministic(np.sum, x)
    >>> calls = iter(range(100))
    >>> def third_run_differs(x):
    ...     return np.sum(x) if next(calls) != 2 else np.nextafter(np.sum(x), np.float32(0))
    >>> assert_deterministic(third_run_differs, x, verbose=False)
    Traceback (most recent call last):
        ...
    AssertionError: run 3 of 90 gave other bits than run 1
    the result: 0x43fb1a86 (502.207214) in run 1, 0x43fb1a85 (502.207184) in run 3: 1 ulp apart
    """
    __tracebackhide__ = True
    if not callable(f):
        raise TypeError(f"f: must be callable, not {type(f).__name__}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence={confidence}: must lie between 0 and 1, both excluded, such as 0.99")
    if runs is None:
        runs = _runs_for(confidence)
    elif isinstance(runs, bool) or not isinstance(runs, (int, np.integer)):
        raise TypeError(f"runs: must be a whole number, not {runs!r}")
    elif runs < 2:
        raise ValueError(f"runs={runs}: must be 2 or more; one run has nothing to be compared with")
    first = None
    for run in range(1, runs + 1):
        outputs = outputs_of(f(_copy(x)))
        if first is None:
            first = outputs
            continue
        text = difference(first, outputs, ("in run 1", f"in run {run}"))
        if text:
            head = [err_msg] if err_msg else []
            tail = _meaning(runs, confidence) if verbose else []
            head.append(f"run {run} of {runs} gave other bits than run 1")
            raise AssertionError("\n".join([*head, text, *tail]))


def _copy(x):
    return x.copy(order="K") if isinstance(x, np.ndarray) else copy.deepcopy(x)


def _agree(share, runs):
    """The largest probability that `runs` runs all agree if no bits have a probability above 1 - share: that of as few
    different bits as possible, since a sum of powers is convex."""
    largest = 1 - share
    full = math.floor(1 / largest)
    return full * largest**runs + max(0.0, 1 - full * largest)**runs


@computes
def _runs_for(confidence):
    runs = 2
    while _agree(_LARGEST_SHARE, runs) > 1 - confidence:
        runs += 1
    return runs


def _share_for(runs, confidence):
    """The largest share of runs with other bits that is not ruled out."""
    low, high = 0.0, 1.0 - 1e-9
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _agree(middle, runs) > 1 - confidence else (low, middle)
    return high


@computes
def _meaning(runs, confidence):
    share = _share_for(runs, confidence)
    return [f"{runs} equal runs would mean: with confidence {100 * confidence:.4g} %, at most {100 * share:.2g} % of "
            "runs give other bits.",
            "What to do next: orderlab.testing.assert_explained(results, x, order) tells whether order explains the "
            "difference; orderlab.tolerance(x, order, against=\"run\") gives the tolerance between two runs."]


def outputs_of(result):
    """What f returned as a list of (name, array), copied."""
    several = isinstance(result, (tuple, list))
    named = [(f"output {i}", one) for i, one in enumerate(result)] if several else [("the result", result)]
    outputs = []
    for name, one in named:
        array = np.array(one)
        if array.dtype == object:
            raise TypeError(f"f returned {type(one).__name__} ({name}); it must return numbers or arrays of NumPy, or "
                            "a tuple of them")
        outputs.append((name, array))
    return outputs


@computes
def difference(first, outputs, where):
    """The first difference as a text; empty if there is none. `where` says of both what they are, such as "in run 1"."""
    if len(first) != len(outputs):
        return f"{len(first)} outputs {where[0]}, {len(outputs)} {where[1]}"
    for (name, a), (_, b) in zip(first, outputs):
        if a.dtype != b.dtype or a.shape != b.shape:
            return f"{name}: {a.dtype} of shape {a.shape} {where[0]}, {b.dtype} of shape {b.shape} {where[1]}"
        text = _difference_of(name, a, b, where)
        if text:
            return text
    return ""


def _difference_of(name, a, b, where):
    part = [""]
    if a.dtype.kind == "c":
        part = [".real", ".imag"]
        a, b = (np.stack([one.real, one.imag], axis=-1) for one in (a, b))
    different = _different(a, b)
    places = np.argwhere(different)
    if not len(places):
        return ""
    ulps = _ulps(a, b)
    place = tuple(places[0])
    text = f"{_place(name, place, part)}: {_bits(a[place])} {where[0]}, {_bits(b[place])} {where[1]}"
    text += _apart(ulps, place)
    if a.size == 1:
        return text
    text += f"\n{len(places)} of {a.size} numbers differ"
    if ulps is not None:
        most = np.unravel_index(np.argmax(np.where(different, ulps, -1)), a.shape)
        if ulps[most] >= 0:
            text += f", by at most {ulps[most]:.0f} ulp ({_place(name, most, part)})"
    return text


def _place(name, place, part):
    if len(part) == 2:
        place, end = place[:-1], part[place[-1]]
    else:
        end = ""
    return name + (f"[{', '.join(map(str, place))}]" if place else "") + end


def _is_float(array):
    return (array.dtype.kind == "f" or _arrays.is_bfloat16(array)) and array.dtype.itemsize in _UINTS


def _different(a, b):
    if _is_float(a):
        uint = _UINTS[a.dtype.itemsize]
        bits = a.reshape(-1).view(uint) != b.reshape(-1).view(uint)
        return bits.reshape(a.shape) & ~(np.isnan(a) & np.isnan(b))
    if a.dtype.kind == "f":  # long doubles have bytes without meaning
        return ((a != b) | (np.signbit(a) != np.signbit(b))) & ~(np.isnan(a) & np.isnan(b))
    return a != b


def _ulps(a, b):
    """Numbers of floats between; -1 where one of them is not finite. None where the dtype has no ulps."""
    if not _is_float(a):
        return None
    places = []
    for one in (a, b):
        uint = _UINTS[one.dtype.itemsize]
        bits = one.reshape(-1).view(uint)
        sign = uint(1 << (8 * one.dtype.itemsize - 1))
        size = (bits & ~sign).astype(object)
        places.append(np.where(bits & sign, -size, size))
    finite = np.isfinite(a).reshape(-1) & np.isfinite(b).reshape(-1)
    return np.where(finite, abs(places[0] - places[1]), -1).reshape(a.shape)


def _apart(ulps, place):
    if ulps is None:
        return ""
    if ulps[place] < 0:
        return ": one of them is not finite"
    return f": {ulps[place]} ulp apart" if ulps[place] else ": zeros of different sign, 0 ulp apart"


def _bits(one):
    if not _is_float(one):
        return repr(one.item())
    bits = int(one.view(_UINTS[one.dtype.itemsize]))
    digits = {"float64": 17, "float32": 9, "float16": 5, "bfloat16": 4}[one.dtype.name]
    return f"0x{bits:0{2 * one.dtype.itemsize}x} ({float(one):.{digits}g})"
