"""Tests of three reductions, as a project that uses NumPy may have them: pytest test_reductions.py"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from orderlab.testing import assert_deterministic

Terms = NDArray[np.float32]
Explained = Callable[..., None]  # the fixture order_explained
Tolerance = Callable[..., Any]  # the fixture order_tolerance


@pytest.fixture
def x() -> Terms:
    return np.random.default_rng(1).random(10000, dtype=np.float32)


def sum_by_loop(x: Terms) -> np.float32:
    """Left to right, in float32."""
    total = np.float32(0)
    for term in x:
        total += term
    return total


def test_the_sum_has_the_bits_of_numpys_order(x: Terms, order_explained: Explained) -> None:
    order_explained(np.sum(x), x, order="numpy")


def test_numpy_and_the_loop_differ_by_order_alone(x: Terms, order_explained: Explained) -> None:
    """The two sums differ, so a comparison of bits fails. Each is what its own order gives."""
    assert np.sum(x) != sum_by_loop(x)
    order_explained(sum_by_loop(x), x, order="sequential")
    order_explained([np.sum(x), sum_by_loop(x), np.sum(x[::-1])], x, order="random")


def test_the_sum_is_near_the_exact_one(x: Terms, order_tolerance: Tolerance) -> None:
    exact = np.sum(x, dtype=np.float64)
    np.testing.assert_allclose(np.float64(sum_by_loop(x)), exact, **order_tolerance(x, order="sequential"))


def test_a_dot_product_by_a_loop(x: Terms, order_explained: Explained, order_tolerance: Tolerance) -> None:
    y = np.random.default_rng(2).normal(size=x.size).astype(np.float32)
    dot = sum_by_loop(x * y)
    order_explained(dot, x, order="sequential", y=y)
    tolerance = order_tolerance(x, order="sequential", y=y)
    assert float(dot) == pytest.approx(np.dot(np.float64(x), np.float64(y)), rel=tolerance.rtol, abs=tolerance.atol)


def scatter_in_random_order(x: Terms, index: NDArray[np.int64], outputs: int, random: np.random.Generator) -> Terms:
    """What parallel atomics do: terms arrive in any order."""
    arrived = random.permutation(x.size)
    totals = np.zeros(outputs, dtype=x.dtype)
    np.add.at(totals, index[arrived], x[arrived])
    return totals


def test_a_scatter_in_random_order(x: Terms, order_explained: Explained) -> None:
    """Ten checks at confidence 0.9999 fail together with probability at most 0.001 if order explains all outputs."""
    index = np.random.default_rng(3).integers(0, 10, x.size)
    totals = scatter_in_random_order(x, index, 10, np.random.default_rng(4))
    exact = [np.sum(x[index == output], dtype=np.float64) for output in range(10)]
    assert np.any(totals != np.array(exact, np.float32))
    for output, total in enumerate(totals):
        order_explained(total, x[index == output], order="random", confidence=0.9999)


def test_a_sum_on_one_thread_gives_the_same_bits_in_every_run(x: Terms) -> None:
    assert_deterministic(np.sum, x)
