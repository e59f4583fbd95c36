"""Strategies of Hypothesis for terms that are hard to add. Needs the package hypothesis.

>>> import numpy as np, orderlab
>>> from hypothesis import given, settings
>>> from orderlab import strategies
>>> @settings(max_examples=20, derandomize=True, database=None)
... @given(strategies.terms("float32", max_size=40))
... def test_sequential(x):
...     with np.errstate(all="ignore"):
...         total = np.float32(0)
...         for term in x:
...             total += term
...     orderlab.testing.assert_explained(total, x, "sequential")
>>> test_sequential()
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

__all__ = ["KINDS", "terms"]

KINDS = ("any", "wide", "cancelling", "subnormal", "zeros", "ties", "one large", "equal")
"""any: any finite numbers; wide: exponents over the whole range; cancelling: pairs that cancel, beside small numbers;
subnormal: numbers without a leading one; zeros: +0 and -0; ties: halves of a unit in the last place; one large: small
numbers that a large one swallows; equal: the same number again and again."""

_BITS = {"float16": 16, "float32": 32, "float64": 64}


def __dir__():
    return __all__


def terms(dtype: DTypeLike = "float32", *, min_size: int = 1, max_size: int = 100, kinds: Sequence[str] = KINDS,
          overflow: bool = False) -> Any:
    """A strategy of arrays with one dimension.

    Parameters
    ----------
    dtype : dtype or str
        float16, float32 or float64.
    min_size, max_size : int
        Number of terms.
    kinds : list of str
        Those of KINDS that are drawn.
    overflow : bool
        Whether sums may overflow. Without it no order of the terms gives inf.
    """
    from hypothesis import strategies as st

    dtype = np.dtype(dtype)
    if dtype.name not in _BITS:
        raise ValueError(f"dtype={dtype}: must be float16, float32 or float64")
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown or not kinds:
        raise ValueError(f"kinds={kinds!r}: must be some of {', '.join(KINDS)}")
    if not 1 <= min_size <= max_size:
        raise ValueError(f"min_size={min_size}, max_size={max_size}: must be at least 1, and not above each other")

    @st.composite
    def drawn(draw):
        kind = draw(st.sampled_from(kinds))
        size = draw(st.integers(min_size, max_size))
        return np.array(draw(_numbers(st, kind, size, dtype, overflow)), dtype=dtype)

    return drawn()


def _numbers(st, kind, size, dtype, overflow):
    """A strategy of `size` numbers of a kind."""
    info, width = np.finfo(dtype), _BITS[dtype.name]
    most = float(info.max) if overflow else 2.0 ** (info.maxexp - 2 - size.bit_length())
    unit = float(info.eps)

    def floats(low, high):
        return st.floats(low, high, width=width, allow_nan=False, allow_infinity=False)

    def many(one, count=size):
        return st.lists(one, min_size=count, max_size=count)

    signed = floats(-most, most)
    least, top = int(info.minexp), int(np.log2(most)) - 1
    wide = st.builds(lambda sign, exponent, part: sign * (1 + part * unit) * 2.0**exponent, st.sampled_from((-1, 1)),
                     st.integers(least, top), st.integers(0, 2**int(info.nmant) - 1))
    if kind == "any":
        return many(signed)
    if kind == "wide":
        return many(wide)
    if kind == "cancelling":
        halves = st.tuples(many(wide, size // 2), many(floats(-1, 1), size - 2 * (size // 2)))
        return halves.flatmap(lambda two: st.permutations([*two[0], *(-one for one in two[0]), *two[1]]))
    if kind == "subnormal":
        tiny = float(info.smallest_subnormal)
        return many(st.integers(-2**int(info.nmant) + 1, 2**int(info.nmant) - 1).map(lambda part: part * tiny))
    if kind == "zeros":
        return many(st.sampled_from((0.0, -0.0)))
    if kind == "ties":
        return many(st.sampled_from((1.0, -1.0, unit / 2, -unit / 2, unit, 1 + unit, 1.5 * unit)))
    if kind == "one large":
        large = st.sampled_from([min(one, most) * sign for one in (1 / unit, 2 / unit) for sign in (1, -1)])
        return st.tuples(large, many(floats(-1, 1), size - 1)).flatmap(
            lambda two: st.permutations([two[0], *two[1]]))
    return signed.map(lambda one: [one] * size)
