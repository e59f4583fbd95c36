"""Tests of three reductions, as a project that uses NumPy may have them: pytest test_reductions.py"""

import numpy as np
import pytest

from orderlab.testing import assert_deterministic


@pytest.fixture
def x():
    return np.random.default_rng(1).random(10000, dtype=np.float32)


def sum_by_loop(x):
    """Left to right, in float32."""
    total = np.float32(0)
    for term in x:
        total += term
    return total


def test_the_sum_has_the_bits_of_numpys_order(x, order_explained):
    order_explained(np.sum(x), x, order="numpy")


def test_numpy_and_the_loop_differ_by_order_alone(x, order_explained):
    """The two sums differ, so a comparison of bits fails. Each is what its own order gives."""
    assert np.sum(x) != sum_by_loop(x)
    order_explained(sum_by_loop(x), x, order="sequential")
    order_explained([np.sum(x), sum_by_loop(x), np.sum(x[::-1])], x, order="random")


def test_the_sum_is_near_the_exact_one(x, order_tolerance):
    exact = np.sum(x, dtype=np.float64)
    np.testing.assert_allclose(np.float64(sum_by_loop(x)), exact, **order_tolerance(x, order="sequential"))


def test_a_dot_product_by_a_loop(x, order_explained, order_tolerance):
    y = np.random.default_rng(2).normal(size=x.size).astype(np.float32)
    dot = sum_by_loop(x * y)
    order_explained(dot, x, order="sequential", y=y)
    tolerance = order_tolerance(x, order="sequential", y=y)
    assert float(dot) == pytest.approx(np.dot(np.float64(x), np.float64(y)), rel=tolerance.rtol, abs=tolerance.atol)


def scatter_in_random_order(x, index, outputs, random):
    """What parallel atomics do: terms arrive in any order."""
    arrived = random.permutation(x.size)
    totals = np.zeros(outputs, dtype=x.dtype)
    np.add.at(totals, index[arrived], x[arrived])
    return totals


def test_a_scatter_in_random_order(x, order_explained):
    """Ten checks at confidence 0.9999 fail together with probability at most 0.001 if order explains all outputs."""
    index = np.random.default_rng(3).integers(0, 10, x.size)
    totals = scatter_in_random_order(x, index, 10, np.random.default_rng(4))
    exact = [np.sum(x[index == output], dtype=np.float64) for output in range(10)]
    assert np.any(totals != np.float32(exact))
    for output, total in enumerate(totals):
        order_explained(total, x[index == output], order="random", confidence=0.9999)


def test_a_sum_on_one_thread_gives_the_same_bits_in_every_run(x):
    assert_deterministic(np.sum, x)
