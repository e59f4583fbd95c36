"""Assertions for tests of sums. Arguments stand as in numpy.testing: what was computed first, then err_msg and verbose.

>>> import numpy as np
>>> from orderlab.testing import assert_deterministic, assert_explained
>>> x = np.random.default_rng(1).random(10000, dtype=np.float32)
>>> assert_explained(np.sum(x), x, "numpy")              # the order of np.sum
>>> assert_deterministic(np.sum, x, runs=20)
"""

import copy
import math
import os

import numpy as np

from . import _arrays, _calls, _functions
from ._errors import Error

__all__ = ["assert_deterministic", "assert_explained"]

_DTYPES = {"fp64": np.float64, "fp32": np.float32, "fp16": np.float16}
_UINTS = {2: np.uint16, 4: np.uint32, 8: np.uint64}
_MOST_TERMS = 100_000  # beyond it a failure does not compute a tolerance, which may take minutes in random order
_SHOWN = 5
_LARGEST_SHARE = 0.05  # of runs with other bits, which the default number of runs rules out


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


def judged(actual, x, order, **options):
    """orderlab.check of what a test computed: numbers are taken as they are, never rounded as decimals are."""
    return _functions.check(_results(actual, x, options), x, order, **options)


def _is_operation(options):
    return options.get("axis") is not None or (options.get("op") or "sum") != "sum"


def _results(actual, x, options):
    """`actual` as orderlab.check takes it. ValueError for numbers that are not exact in the format of the result."""
    if isinstance(actual, (str, os.PathLike)):
        return actual
    if isinstance(actual, (list, tuple)) and any(isinstance(one, str) for one in actual):
        return actual
    array = np.asarray(actual)
    if array.dtype.kind in "iu":
        array = array.astype(np.float64)
    dtype = _DTYPES.get(_result_format(x, options))
    if dtype is not None and array.dtype != dtype and array.dtype.name in _arrays.FLOATS:
        with np.errstate(over="ignore"):
            rounded = array.astype(dtype)
        lost = (rounded.astype(np.float64) != array.astype(np.float64)) & ~np.isnan(array)
        if np.any(lost):
            name = np.dtype(dtype).name
            raise ValueError(f"actual: {float(array[lost].flat[0])!r} of {array.dtype} is not exact in {name}, the "
                             f"format of the result; give accumulate=\"fp64\" if the sum is done in it, or convert "
                             f"actual with np.{name}")
        array = rounded
    return array if _is_operation(options) else array.reshape(-1)


def _result_format(x, options):
    for key in ("result", "accumulate", "format"):
        if options.get(key) is not None:
            return str(options[key]).split(":")[-1]
    if x is None or _arrays.is_path(x):
        return None
    return _arrays.FLOATS.get(np.asarray(x).dtype.name)


def explanation(check, x, order, *, err_msg="", verbose=True, **options):
    """The text of a failure."""
    report = str(check)
    named = f"order {order!r}" if isinstance(order, str) else "the order of its kernel"
    parts = [f"Not explained by {named}" + (f"\n{err_msg}" if err_msg else "")]
    parts.append(report if verbose else report.rpartition("\n\n")[2])
    if not _is_operation(options):
        parts.append(_nearest(check, x, order, options))
    parts += [_tolerance(check, x, order, options), _next(check, x, order, options)]
    return "\n\n".join(part for part in parts if part)


def _nearest(check, x, order, options):
    """The nearest explained value of each value that is not explained."""
    unexplained = [one for one in check["values"] if one.verdict != "explained"]
    lines = [f"  {_number(check, one.value)} ({one.bits}): {_nearest_of(check, one, x, order, options)}"
             for one in unexplained[:_SHOWN]]
    if len(unexplained) > _SHOWN:
        lines.append(f"  and {len(unexplained) - _SHOWN} more values")
    return "\n".join(["Nearest explained value:", *lines]) if lines else ""


def _nearest_of(check, one, x, order, options):
    if not math.isfinite(one.value):
        return "none; finite sums have no distance to it"
    if check.method == "sampling":
        low, high = check.range.min, check.range.max
        if low is None:
            return "none of the sampled sums is finite"
        near, known = min((low, high), key=lambda end: abs(end - one.value)), f"nearest of {check.samples} sampled sums"
    else:
        try:
            every = _functions.enumerate(x, order, **_options_of("enumerate", options)).values
        except (Error, ValueError):
            return f"{one.distance_ulp} ulp away"
        near = float(every[np.argmin(np.abs(every - one.value))])
        known = "the one result of this order" if len(every) == 1 else f"nearest of all {len(every)} possible sums"
    side = "below" if near < one.value else "above"
    steps = "" if one.distance_ulp is None else f", {one.distance_ulp} ulp {side} it"
    return f"{_number(check, near)}{steps} ({known})"


def _number(check, value):
    """With the digits that tell numbers of the result format apart."""
    digits = {"fp64": 17, "fp32": 9, "fp16": 5, "bf16": 4}[check.input.format.split(":")[-1]]
    return f"{value:.{digits}g}"


def _options_of(command, options):
    known = _calls.parameters(command).keys() | {"axis", "accumulate", "result"}
    return {key: value for key, value in options.items() if key in known and key not in ("samples", "values", "actual")}


def _terms(x):
    return 0 if x is None or _arrays.is_path(x) else np.size(x)


def _tolerance(check, x, order, options):
    """A line to paste."""
    if _terms(x) > _MOST_TERMS:
        simple = {key: value for key, value in options.items() if isinstance(value, (str, int, float))}
        keywords = "".join(f", {key}={value!r}" for key, value in simple.items())
        return f"A tolerance that results of this order pass:\n  orderlab.tolerance(x, {order!r}{keywords}).kwargs"
    try:
        found = _functions.tolerance(x, order, **_options_of("tolerance", options))
        limits = found.kwargs
    except (Error, ValueError) as error:
        return f"No tolerance for this order: {error}"
    which = "every run" if _fixed(check) else _coverage(found)
    keywords = ", ".join(f"{key}={value!r}" for key, value in limits.items())
    return "\n".join([f"A tolerance that results of this order pass on these terms, against the exact sum ({which}):",
                      f"  np.testing.assert_allclose(np.float64(actual), np.float64(desired), {keywords})",
                      *_excess(check, limits, options)])


def _fixed(check):
    return "order" in check and check.order.guarantee != "not_guaranteed"


def _coverage(found):
    limit = found.tolerance.rtol
    if isinstance(limit, float):  # of an operation
        return "99.9 % of runs, confidence 95 %"  # the defaults: no option of check changes them
    share = f"{100 * limit.coverage:.4g} % of runs"
    return share if limit.confidence == 1 else f"{share}, confidence {100 * limit.confidence:.4g} %"


def _excess(check, limits, options):
    """How many times the tolerance the farthest value is."""
    if _is_operation(options):
        return
    exact = float(check.input.exact.value)
    allowed = limits["atol"] + limits["rtol"] * abs(exact)
    errors = [abs(one.value - exact) for one in check["values"] if one.verdict != "explained"]
    if errors and math.isfinite(max(errors)) and allowed > 0:
        ratio = max(errors) / allowed
        yield f"  desired is {exact!r} here; the largest difference is {ratio:.3g} times what that allows"


def _next(check, x, order, options):
    lines = []
    verdicts = {one.verdict for one in check["values"]} if "values" in check else {check.verdict}
    if "impossible" in verdicts:
        lines.append("No run of this order gives an impossible value. Look for a term that is left out, added twice or "
                     "stale, or for a missing barrier. A tolerance that passes it would hide that.")
    elif "unlikely" in verdicts:
        lines.append("Run the code again and give all results as a list: several are judged jointly. Look for a race "
                     "or a term that is left out.")
    else:
        lines.append("Each value alone is explained; their frequencies are not. The runs may arrive in another way: "
                     "give the arrival that orderlab.fit finds in recordings.")
    lines += _in_random_order(check, x, order, options)
    format = _result_format(x, options)
    if format is not None:
        lines.append(f"If the code adds in another format than {format}, give accumulate= and result=.")
    return "\n".join(["What to do next:", *(f"  - {line}" for line in lines)])


def _in_random_order(check, x, order, options):
    """Whether the order is to blame."""
    if _is_operation(options) or check.order.expression == "shuffle | seq" or not 0 < _terms(x) <= _MOST_TERMS:
        return
    values = [f"bits:{one.bits}" for one in check["values"] for _ in range(one.given)]
    known = {key: value for key, value in options.items() if key not in ("arrival", "samples")}
    try:
        explained = _functions.check(values, x, "random", **known).explained
    except (Error, ValueError):
        return
    if explained:
        yield "order=\"random\" explains it: the code may add in another order than the one given."
    else:
        yield "order=\"random\" does not explain it either."


def assert_deterministic(f, x, *, runs=None, confidence=0.99, err_msg="", verbose=True):
    """Calls f(x) several times and raises an AssertionError if a run gives other bits than the first.

    Success is a statistical statement about runs like these, in one process on one machine. By default 90 equal runs:
    with confidence 99 %, at most 5 % of runs give other bits. It holds for independent runs; differences that come in
    bursts, or only on another machine, need runs there.

    Parameters
    ----------
    f : callable
        Takes a copy of x. Returns a number, an array, or a tuple or list of them, of any dtype but object.
    x : array, or anything that copy.deepcopy copies
        The argument. Every run gets its own copy, so f may change it, and its address in memory differs between runs.
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
        outputs = _outputs(f(_copy(x)))
        if first is None:
            first = outputs
            continue
        difference = _difference(first, outputs, run)
        if difference:
            head = [err_msg] if err_msg else []
            tail = _meaning(runs, confidence) if verbose else []
            head.append(f"run {run} of {runs} gave other bits than run 1")
            raise AssertionError("\n".join([*head, difference, *tail]))


def _copy(x):
    return x.copy() if isinstance(x, np.ndarray) else copy.deepcopy(x)


def _agree(share, runs):
    """The largest probability that `runs` runs all agree if no bits have a probability above 1 - share: that of as few
    different bits as possible, since a sum of powers is convex."""
    largest = 1 - share
    full = math.floor(1 / largest)
    return full * largest**runs + max(0.0, 1 - full * largest)**runs


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


def _meaning(runs, confidence):
    share = _share_for(runs, confidence)
    return [f"{runs} equal runs would mean: with confidence {100 * confidence:.4g} %, at most {100 * share:.2g} % of "
            "runs give other bits.",
            "What to do next: orderlab.testing.assert_explained(results, x, order) tells whether order explains the "
            "difference; orderlab.tolerance(x, order, against=\"run\") gives the tolerance between two runs."]


def _outputs(result):
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


def _difference(first, outputs, run):
    """The first difference as a text; empty if there is none."""
    if len(first) != len(outputs):
        return f"{len(first)} outputs in run 1, {len(outputs)} in run {run}"
    for (name, a), (_, b) in zip(first, outputs):
        if a.dtype != b.dtype or a.shape != b.shape:
            return f"{name}: {a.dtype} of shape {a.shape} in run 1, {b.dtype} of shape {b.shape} in run {run}"
        text = _difference_of(name, a, b, run)
        if text:
            return text
    return ""


def _difference_of(name, a, b, run):
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
    text = f"{_place(name, place, part)}: {_bits(a[place])} in run 1, {_bits(b[place])} in run {run}"
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
