"""Terms biased to trouble, exact in their format: each flavour is a function of a generator of randomness.

A flavour returns exactly n numbers; trouble is sought in the formats that partial sums and results have
too, not in that of the terms alone.
"""

import math


class Draw:
    """Draws single numbers for the three formats of a sum."""

    def __init__(self, random, formats):
        self.random = random
        self.terms = formats[0]
        self.formats = formats
        self.e_low = max(f.quantum_min for f in formats)
        self.e_min = max(f.e_min for f in formats)
        self.e_max = min(f.e_max for f in formats)
        self.precision = min(f.precision for f in formats)

    def number(self, e_low, e_high):
        """A number with an exponent in that range, often just representable or a tie in one of the formats."""
        random = self.random
        exponent = random.randint(e_low, e_high)
        target = random.choice(self.formats)
        x = math.ldexp(random.uniform(1, 2), exponent)
        if target.name != "fp80":  # which has every double
            x = target.round(x)
        if random.random() < 0.3:
            x += math.ldexp(random.choice((-1.0, 1.0)), exponent - target.precision)
        return self.exact(random.choice((-x, x)))

    def exact(self, x):
        return self.terms.round(x)


def near(draw, n):
    return [draw.number(-2, 6) for _ in range(n)]


def positive(draw, n):
    return [abs(draw.number(-1, 1)) for _ in range(n)]


def wide(draw, n):
    return [draw.number(draw.e_low, draw.e_max - 1) for _ in range(n)]


def medium(draw, n):
    spread = 2 * draw.precision
    return [draw.number(-min(spread, -draw.e_min), min(spread, draw.e_max - 1)) for _ in range(n)]


def subnormal(draw, n):
    """Around the smallest normal number of one of the formats, down to its smallest subnormal."""
    f = draw.random.choice(draw.formats)
    return [draw.number(f.quantum_min, f.e_min + 2) for _ in range(n)]


def huge(draw, n):
    """Some of the sums overflow, depending on the order."""
    return [draw.number(draw.e_max - draw.random.choice((1, 3, 9)), draw.e_max) for _ in range(n)]


def underflowing(draw, n):
    """Small multiples of a quarter of the smallest normal number: sums are often subnormal."""
    quarter = draw.random.choice(draw.formats).smallest_normal / 4
    return [draw.exact(draw.random.choice((-8, -5, -4, -3, -1, 1, 2, 3, 4, 6, 7)) * quarter) for _ in range(n)]


def overflowing(draw, n):
    """The largest number of a format and what decides whether a sum beside it overflows."""
    f = draw.random.choice(draw.formats)
    half = math.ldexp(1.0, f.e_max - f.precision)
    steps = (half, half, half / 2, half * (1 - 2.0 ** (1 - draw.terms.precision)), -half, -8 * half)
    terms = [draw.exact(draw.random.choice(steps)) for _ in range(n)]
    terms[draw.random.randrange(n)] = draw.exact(f.largest)
    sign = draw.random.choice((-1.0, 1.0))
    return [sign * x for x in terms]


def cancelling(draw, n):
    """Pairs of opposite numbers, shuffled, among small ones."""
    top = draw.random.choice((10, 30, draw.e_max - 1))
    pairs = [draw.number(4, max(4, min(top, draw.e_max - 1))) for _ in range(n // 3)]
    terms = pairs + [-x for x in pairs]
    terms += [draw.number(-3, 1) for _ in range(n - len(terms))]
    draw.random.shuffle(terms)
    return terms


def ties(draw, n):
    """Small multiples of half an ulp of the first term."""
    exponent = draw.random.choice(draw.formats).precision
    first = draw.exact(math.ldexp(1.0, min(exponent, draw.e_max - 3)))
    steps = [draw.exact(draw.random.choice((-3.0, -1.0, 1.0, 1.0, 2.0, 3.0, 0.5, -0.5))) for _ in range(n)]
    steps[draw.random.choice((0, 0, n - 1, n // 2))] = first
    return steps


def zeros(draw, n):
    """Signed zeros, negative ones only half of the time, or with rare numbers among them."""
    choices = draw.random.choice(((-0.0,), (-0.0,), (-0.0, 0.0), (-0.0,) * 20 + (1.0, -1.0, draw.terms.smallest)))
    return [draw.random.choice(choices) for _ in range(n)]


def special(draw, n):
    terms = near(draw, n)
    for _ in range(draw.random.randint(1, 3)):
        terms[draw.random.randrange(n)] = draw.random.choice((math.inf, math.inf, -math.inf, math.nan))
    return terms


# Flavours and how often they are drawn; overflow and NaN hide every other difference, so they are rare.
FLAVOURS = {
    near: 5, positive: 3, wide: 2, medium: 5, subnormal: 2, underflowing: 2, huge: 0.7, overflowing: 0.7,
    cancelling: 5, ties: 4, zeros: 1, special: 0.7,
}  # fmt: skip


def draw_terms(random, n, formats, flavour=None):
    flavour = flavour or random.choices(list(FLAVOURS), FLAVOURS.values())[0]
    return flavour(Draw(random, formats), n)


def factor_terms(random, n, formats):
    """Second factors: mostly of ordinary size, so that the products keep the flavour of the first."""
    draw = Draw(random, formats)
    flavour = random.choice((near, positive, ties, signs, signs, subnormal, huge))
    return flavour(draw, n)


def signs(draw, n):
    """Powers of two and their neighbours; opposite products are common."""
    neighbour = 1 + 2.0 ** (1 - draw.terms.precision)
    return [draw.random.choice((-1.0, 1.0, -1.0, 1.0, 0.5, 2.0, neighbour, -neighbour)) for _ in range(n)]


def write_text(path, terms):
    """One number a line, as hex floats (or inf, -inf, nan), so that nothing is rounded on the way."""
    with open(path, "w") as file:
        file.writelines(x.hex() + "\n" for x in terms)
