"""The number formats fp64, fp32, fp16 and bf16, in pure Python, independent of the C++ sources; fp80: extended.py.

A number of any format is a Python float that holds it exactly. Here are bits <-> value, rounding to
nearest even, and correctly rounded add, subtract, product and fma; no orders.
"""

import math

from extended import ExtendedFormat, Wide


class Format:
    """An IEEE binary format with `precision` significand bits (the hidden one included).

    Every operation expects operands that the format holds and returns such a number; a NaN result is
    any NaN, and `bits` makes it canonical.
    """

    def __init__(self, name, width, precision):
        exponent_bits = width - precision
        self.name = name
        self.width = width
        self.precision = precision
        self.e_max = 2 ** (exponent_bits - 1) - 1
        self.e_min = 1 - self.e_max
        self.quantum_min = self.e_min - precision + 1  # the smallest subnormal is 2^quantum_min
        self.smallest = math.ldexp(1.0, self.quantum_min)
        self.smallest_normal = math.ldexp(1.0, self.e_min)
        self.largest = math.ldexp(2.0**precision - 1.0, self.e_max - precision + 1)
        self.is_double = precision == 53
        self._magic = {}

    def __repr__(self):
        return self.name

    # Bits.

    def bits(self, value):
        """The bit pattern of a number of this format, NaN canonical."""
        fraction_bits = self.precision - 1
        exponent_ones = (2 * self.e_max + 1) << fraction_bits
        if value != value:
            return exponent_ones | 1 << (fraction_bits - 1)
        sign = (math.copysign(1.0, value) < 0) << (self.width - 1)
        magnitude = abs(value)
        if magnitude == math.inf:
            return sign | exponent_ones
        if magnitude < self.smallest_normal:
            return sign | _integer(math.ldexp(magnitude, -self.e_min), fraction_bits)
        exponent = math.frexp(magnitude)[1] - 1
        significand = _integer(math.ldexp(magnitude, -exponent), fraction_bits)
        return sign | (exponent - self.e_min + 1) << fraction_bits | significand

    def value(self, bits):
        """The number with this bit pattern."""
        fraction_bits = self.precision - 1
        fraction = bits & ((1 << fraction_bits) - 1)
        biased = bits >> fraction_bits & (2 * self.e_max + 1)
        sign = -1.0 if bits >> (self.width - 1) else 1.0
        if biased == 2 * self.e_max + 1:
            return math.nan if fraction else sign * math.inf
        if biased:
            return sign * math.ldexp(fraction | 1 << fraction_bits, biased - 1 + self.quantum_min)
        return sign * math.ldexp(fraction, self.quantum_min)

    def hex(self, value):
        """The bit pattern as results are printed: 0x and all the digits of the format."""
        return f"0x{self.bits(value):0{self.width // 4}x}"

    # Rounding.

    def round(self, value):
        """A double, or a number of fp80, rounded to this format, to nearest, ties to even; the sign of zero stays."""
        if isinstance(value, Wide):
            if isinstance(value.value, float):
                return value.value
            return self.round_exact(value.value.numerator, value.value.denominator.bit_length() - 1)
        if self.is_double or value - value != 0.0:
            return value
        exponent = math.frexp(value)[1]
        if exponent > self.e_max + 1:
            return math.copysign(math.inf, value)
        # Adding and taking away 1.5 * 2^52 quanta rounds to a whole number of quanta, ties to even.
        magic = self._magic.get(exponent)
        if magic is None:
            quantum = max(exponent - self.precision, self.quantum_min)
            magic = self._magic[exponent] = math.ldexp(1.5, 52 + quantum)
        rounded = (value + magic) - magic
        if rounded == 0.0:
            return math.copysign(0.0, value)
        if abs(rounded) > self.largest:
            return math.copysign(math.inf, rounded)
        return rounded

    def round_exact(self, numerator, scale):
        """numerator / 2^scale, which is not zero, rounded once; if it vanishes it keeps its sign."""
        magnitude = abs(numerator)
        sign = -1.0 if numerator < 0 else 1.0
        exponent = magnitude.bit_length() - 1 - scale
        quantum = max(exponent - self.precision + 1, self.quantum_min)
        shift = quantum + scale
        if shift <= 0:
            quanta = magnitude << -shift
        else:
            quanta, rest = divmod(magnitude, 1 << shift)
            half = 1 << (shift - 1)
            quanta += rest > half or (rest == half and quanta & 1)
        if quanta.bit_length() + quantum > self.e_max + 1:
            return sign * math.inf
        return sign * math.ldexp(quanta, quantum)

    # Arithmetic.

    def add(self, a, b):
        """fl(a + b). Via double this rounds once in effect, since 53 >= 2 * 24 + 2 (Figueroa 1995)."""
        return a + b if self.is_double else self.round(a + b)

    def subtract(self, a, b):
        return a - b if self.is_double else self.round(a - b)

    def product(self, x, y):
        """x * y rounded once to this format; x and y are any doubles."""
        if x == 0.0 or y == 0.0 or not (math.isfinite(x) and math.isfinite(y)):
            return x * y  # exact
        (m, j), (n, k) = _dyadic(x), _dyadic(y)
        return self.round_exact(m * n, j + k)

    def fma(self, x, y, s):
        """x * y + s rounded once to this format; x and y are any doubles, s is of this format."""
        if x == 0.0 or y == 0.0 or not (math.isfinite(x) and math.isfinite(y)):
            return x * y + s  # x * y is exact, and so is the sum
        if not math.isfinite(s):
            return s
        (m, j), (n, k), (p, l) = _dyadic(x), _dyadic(y), _dyadic(s)
        scale = max(j + k, l)
        total = (m * n << scale - j - k) + (p << scale - l)
        return self.round_exact(total, scale) if total else 0.0  # what cancels is +0.0

    def flush(self, value):
        """Subnormals become zeros of the same sign."""
        return math.copysign(0.0, value) if abs(value) < self.smallest_normal else value


class Stored:
    """Additions in one format, each sum rounded to a narrower one after that. Nothing else can be done in it."""

    def __init__(self, add, store):
        self.name = f"{add.name} stored as {store.name}"
        self.width = add.width
        self._add = add
        self._store = store

    def round(self, value):
        return self._store.round(value)

    def add(self, a, b):
        return self._store.round(self._add.add(a, b))


def _integer(fraction, bits):
    """The `bits` bits after the binary point of a double in [0, 2), which has no more of them."""
    scaled = math.ldexp(fraction % 1.0, bits)
    assert scaled == int(scaled), "the number is not one of this format"
    return int(scaled)


def _dyadic(x):
    """Integers n and k with x = n / 2^k."""
    numerator, denominator = x.as_integer_ratio()
    return numerator, denominator.bit_length() - 1


FP64 = Format("fp64", 64, 53)
FP32 = Format("fp32", 32, 24)
FP16 = Format("fp16", 16, 11)
BF16 = Format("bf16", 16, 8)
FORMATS = {f.name: f for f in (FP64, FP32, FP16, BF16)}
FP80 = ExtendedFormat(FP64)


def parse_formats(text):
    """`TERMS[:ACCUMULATE[:RESULT]]` as three formats; what is left out is as what stands before it."""
    parts = [FP80 if name == "fp80" and i == 1 else FORMATS[name] for i, name in enumerate(text.split(":"))]
    if parts[-1] is FP80:
        parts.append(parts[0])
    if len(parts) > 3:
        raise ValueError(f"--format {text}: more than three formats")
    return tuple(parts + [parts[-1]] * (3 - len(parts)))
