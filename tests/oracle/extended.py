"""fp80, x87's extended precision, as a format of accumulators: fractions rounded to 64 significant bits.

No sum of products of doubles underflows or overflows there, so exponents have no bounds here.
"""

import math
from fractions import Fraction


class Wide:
    """A number of fp80: a fraction that is not 0, or a float that is 0, inf or NaN."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __abs__(self):
        return Wide(abs(self.value))

    def __neg__(self):
        return Wide(-self.value)

    def __eq__(self, other):
        return self.value == value_of(other)

    def __lt__(self, other):
        return self.value < value_of(other)

    def __gt__(self, other):
        return self.value > value_of(other)

    __hash__ = None


def value_of(number):
    return number.value if isinstance(number, Wide) else number


def rounded(fraction):
    """A fraction, not 0, whose denominator is a power of two, rounded to 64 bits, ties to even."""
    numerator, scale = abs(fraction.numerator), fraction.denominator.bit_length() - 1
    shift = numerator.bit_length() - 64
    if shift > 0:
        quotient, rest = divmod(numerator, 1 << shift)
        half = 1 << (shift - 1)
        quotient += rest > half or (rest == half and quotient & 1)
        numerator = quotient << shift
    return Fraction(-numerator if fraction < 0 else numerator, 1 << scale)


class ExtendedFormat:
    """What formats.py says of a format; bounds of exponents are those of fp64, as they are of terms and results."""

    def __init__(self, fp64):
        self.name = "fp80"
        self.width = 80
        self.precision = 64
        for bound in ("e_min", "e_max", "quantum_min", "smallest", "smallest_normal", "largest"):
            setattr(self, bound, getattr(fp64, bound))

    def __repr__(self):
        return self.name

    def round(self, value):
        """A number of any format, which fp80 has too."""
        if isinstance(value, Wide):
            return value
        return Wide(value if value == 0 or not math.isfinite(value) else Fraction(value))

    def add(self, a, b):
        a, b = self.round(a).value, self.round(b).value
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            total = a + b
            return Wide(rounded(total) if total else 0.0)
        if isinstance(a, Fraction) or isinstance(b, Fraction):
            fraction, other = (a, b) if isinstance(a, Fraction) else (b, a)
            return Wide(fraction if other == 0 else other)
        return Wide(a + b)

    def subtract(self, a, b):
        return self.add(a, -self.round(b))

    def product(self, x, y):
        if x == 0.0 or y == 0.0 or not (math.isfinite(x) and math.isfinite(y)):
            return Wide(x * y)
        return Wide(rounded(Fraction(x) * Fraction(y)))
