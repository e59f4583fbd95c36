"""Sums of numpy arrays, each in a form that has its own loop: functions for `orderlab probe --python`."""

import fractions
import functools
import math
import operator

import numpy


def strided_view(x):
    pairs = numpy.zeros(2 * x.size, x.dtype)
    pairs[::2] = x
    return pairs[::2].sum()


def reversed_view(x):
    return x[::-1].sum()


def fortran_order(x):
    """Two dimensions, as close to a square as n allows, columns first."""
    rows = max(d for d in range(1, math.isqrt(x.size) + 1) if x.size % d == 0)
    return x.reshape((rows, -1), order="F").sum()


def cumsum_last(x):
    return numpy.cumsum(x)[-1]


def accumulate_last(x):
    return numpy.add.accumulate(x)[-1]


def reduceat(x):
    return numpy.add.reduceat(x, [0])[0]


def add_at(x):
    total = numpy.zeros(1, x.dtype)
    numpy.add.at(total, numpy.zeros(x.size, int), x)
    return total[0]


def bincount(x):
    return numpy.bincount(numpy.zeros(x.size, int), weights=x)[0]


def fp64_accumulator(x):
    return x.sum(dtype=numpy.float64)


def masked(x):
    return numpy.sum(x, where=numpy.ones(x.size, bool))


def einsum(x):
    return numpy.einsum("i->", x)


def einsum_dot(x, y):
    return numpy.einsum("i,i->", x, y)


def polyval_at_1(x):
    """Horner's rule: x[0] * 1 + x[1], and so on."""
    return numpy.polyval(x, x.dtype.type(1))


def mean_times_n(x):
    """Rounds twice more than a sum."""
    return numpy.mean(x) * x.dtype.type(x.size)


def mean(x):
    return x.mean()


def reduce_floats(x):
    return functools.reduce(operator.add, x.tolist())


def fractions_sum(x):
    return float(sum(map(fractions.Fraction, x.tolist())))
