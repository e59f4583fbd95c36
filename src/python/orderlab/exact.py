"""Exact sums of floating-point numbers."""

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arrays, _core
from ._environment import computes

if TYPE_CHECKING:
    from fractions import Fraction

_DIGITS = 2800  # enough for a sum of products of doubles: at most 2^2111, 636 before the point, and 2148 behind it


class Exact:
    """An exact sum."""

    __slots__ = ("_value",)

    def __init__(self, value):
        object.__setattr__(self, "_value", value)

    def __setattr__(self, name, value):
        raise AttributeError(f"Exact is frozen: {name} cannot be set")

    @property
    def finite(self) -> bool:
        """Whether no term, or product, is infinite or NaN."""
        return self._value.finite

    def round(self, format: Any = "fp64") -> float:
        """The sum rounded once to `format` (fp64, fp32, fp16, bf16 or a dtype of these names), as a float."""
        return self._value.value(_arrays.format_name(format))

    def bits(self, format: Any = "fp64") -> int:
        """The bit pattern of round(format)."""
        return self._value.bits(_arrays.format_name(format))

    @property
    @computes
    def fraction(self) -> "Fraction":
        """The sum without rounding, as a fractions.Fraction. OverflowError or ValueError for inf and NaN, as of float."""
        from fractions import Fraction  # here, as all that takes long to import and is seldom used

        if not self.finite:
            return Fraction(float(self))
        return Fraction(self._value.decimal(_DIGITS))

    def decimal(self, digits: int = 40) -> str:
        """The sum in decimal, rounded to that many significant digits."""
        return self._value.decimal(operator.index(digits))

    def __float__(self) -> float:
        return self.round("fp64")

    def __eq__(self, other):
        if not isinstance(other, Exact):
            return NotImplemented
        return self.decimal(_DIGITS) == other.decimal(_DIGITS)

    def __hash__(self):
        return hash(self.decimal(_DIGITS))

    def __reduce__(self):
        return _exact_of, (self.decimal(_DIGITS),)

    def __repr__(self):
        return f"Exact({self.decimal(20)})"


def _exact_of(text):
    return Exact(_core.exact_value(text))


Exact.__module__ = "orderlab"


@computes
def exact_sum(x: Any, y: Any = None) -> Exact:
    """The sum of x, or of the products x * y, without any rounding.

    Parameters
    ----------
    x, y : array of float64, float32, float16 or bfloat16
        Of any shape; y has the size and the dtype of x.

    Returns
    -------
    Exact
        round(format), bits(format), fraction, decimal(digits).

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> s = orderlab.exact_sum(np.array([1e16, 1.0, -1e16]))
    >>> s.round(), s.fraction
    (1.0, Fraction(1, 1))
    """
    x, format = _arrays.numbers("x", x)
    if y is not None:
        y, other = _arrays.numbers("y", y)
        if other != format:
            raise TypeError(f"y: holds {other} numbers where x holds {format}; convert one of them with .astype")
    return Exact(_core.exact_sum(x, format, y))
