"""What a failing assertion says: the check's report, the nearest explained value, a tolerance, what to do next."""

import math
import os

import numpy as np

from . import _arrays, _calls, _functions, _requests, results
from ._environment import computes
from ._errors import Error

_DTYPES = {"fp64": np.float64, "fp32": np.float32, "fp16": np.float16}
_MOST_TERMS = 100_000  # beyond it a failure does not compute a tolerance, which may take minutes in random order
_SHOWN = 5


@computes
def judged(actual, x, order, **options):
    """orderlab.check of what a test computed: numbers are taken as they are, never rounded as decimals are."""
    return _functions.check(_results(actual, x, options), x, order, **options)


def read_terms(x):
    """`x` as all further calls take it: read once; paths and None stay."""
    return x if x is None or _arrays.is_path(x) else _arrays.numbers("x", x)


def _results(actual, x, options):
    """`actual` as orderlab.check takes it. ValueError for numbers that are not exact in the format of the result."""
    if isinstance(actual, (str, os.PathLike)):
        return actual
    if isinstance(actual, (list, tuple)) and any(isinstance(one, str) for one in actual):
        return actual
    array, format = _arrays.as_numpy("actual", actual)
    if format is not None:  # numbers that NumPy has no dtype for
        return actual
    if options.get("against") is not None:  # differences, which no format has to hold
        return [float(one) for one in array.reshape(-1)]
    if array.dtype.kind in "iu":
        array = _arrays.exact_floats("actual", array)
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
    return array if _requests.is_operation(options) else array.reshape(-1)


def _result_format(x, options):
    for key in ("result", "accumulate", "format"):
        if options.get(key) is not None:
            return _arrays.format_name(options[key]).split(":")[-1]
    return _arrays.format_of(x)


@computes
def explanation(check, x, order, *, err_msg="", verbose=True, **options):
    """The text of a failure."""
    x = read_terms(x)
    report = str(check)
    parts = [f"Not explained by {_named(check, order, options)}" + (f"\n{err_msg}" if err_msg else "")]
    parts.append(report if verbose else report.rpartition("\n\n")[2])
    if isinstance(check, results.Check):
        parts.append(_nearest(check, x, order, options))
    if not isinstance(check, results.OrderCheck):
        parts.append(_tolerance(check, x, order, options))
    parts.append(_next(check, x, order, options))
    return "\n\n".join(part for part in parts if part)


def _named(check, order, options):
    if isinstance(check, results.OrderCheck):
        return "any known order"
    if isinstance(check, results.DifferenceCheck):
        return f"orders {order!r} and {options['against']!r}"
    return f"order {order!r}" if isinstance(order, str) else "the order of its kernel"


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
            return f"{_steps(one.distance_ulp)} away"
        near = float(every[np.argmin(np.abs(every - one.value))])
        known = "the one result of this order" if len(every) == 1 else f"nearest of all {len(every)} possible sums"
    side = "below" if near < one.value else "above"
    steps = "" if one.distance_ulp is None else f", {_steps(one.distance_ulp)} {side} it"
    return f"{_number(check, near)}{steps} ({known})"


def _steps(count):
    """How many numbers of the format farther; ulps are those of the exact sum, by which errors are measured."""
    return "1 step" if count == 1 else f"{count} steps"


def _number(check, value):
    """With the digits that tell numbers of the result format apart, whole ones below 10^9 to the last."""
    digits = {"fp64": 17, "fp32": 9, "fp16": 5, "bf16": 4, "e8m13": 6}[check.input.format.split(":")[-1]]
    if math.isfinite(value) and value == math.trunc(value) and 10**digits <= abs(value) < 10**9:
        return f"{value:.0f}"
    return f"{value:.{digits}g}"


def _options_of(command, options):
    known = _calls.parameters(command).keys() | {"axis", "accumulate", "result"}
    return {key: value for key, value in options.items() if key in known and key not in ("samples", "values", "actual")}


def _terms(x):
    return x.array.size if isinstance(x, _arrays.Given) else 0


def _tolerance(check, x, order, options):
    """A line to paste."""
    if _terms(x) > _MOST_TERMS:
        known = _options_of("tolerance", options)
        keywords = "".join(f", {key}={_as_written(key, value)}" for key, value in known.items())
        return f"A tolerance that results of this order pass:\n  orderlab.tolerance(x, {order!r}{keywords}).kwargs"
    try:
        found = _functions.tolerance(x, order, **_options_of("tolerance", options))
        limits = found.kwargs
    except (Error, ValueError) as error:
        return f"No tolerance for this order: {error}"
    which = "every run" if _fixed(check) else coverage_text(found)
    keywords = ", ".join(f"{key}={value!r}" for key, value in limits.items())
    other = options["against"] if isinstance(check, results.DifferenceCheck) else "the exact sum"
    return "\n".join([f"A tolerance that results of this order pass on these terms, against {other} ({which}):",
                      f"  np.testing.assert_allclose(np.float64(actual), np.float64(desired), {keywords})",
                      *_excess(check, limits, options)])


def _as_written(key, value):
    """An option in a call that the reader pastes; an array by the name of its keyword."""
    if isinstance(value, (str, bool, int, float)):
        return repr(value)
    return repr(_arrays.format_name(value)) if isinstance(value, (np.dtype, type)) else key


def _fixed(check):
    return "order" in check and check.order.guarantee != "not_guaranteed"


def coverage_text(found):
    """Of how many runs a tolerance holds."""
    limit = found.tolerance.rtol
    one_limit = isinstance(limit, float)  # an operation's
    coverage, confidence = (found.coverage, found.config.confidence) if one_limit else (limit.coverage, limit.confidence)
    share = f"{100 * coverage:.4g} % of runs"
    return share if confidence == 1 else f"{share}, confidence {100 * confidence:.4g} %"


def _excess(check, limits, options):
    """How many times the tolerance the farthest value is."""
    if not isinstance(check, results.Check):
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
    if isinstance(check, results.OrderCheck):
        lines.append("Look for a term that is left out, added twice or stale, for other terms than the code adds, or "
                     "for partial sums in another format.")
    elif "impossible" in verdicts:
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
    if not isinstance(check, results.Check) or check.order.expression == "shuffle | seq":
        return
    if not 0 < _terms(x) <= _MOST_TERMS:
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
