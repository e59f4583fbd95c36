"""Three failing tests: what a failure looks like. Run by name: pytest reductions_with_bugs.py"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from orderlab.testing import assert_deterministic

Terms = NDArray[np.float32]
Explained = Callable[..., None]  # the fixture order_explained


def terms() -> Terms:
    return np.random.default_rng(1).random(10000, dtype=np.float32)


def sum_without_the_last(x: Terms) -> np.float32:
    """The loop ends one term early."""
    total = np.float32(0)
    for i in range(x.size - 1):
        total += x[i]
    return total


def test_a_term_is_left_out(order_explained: Explained) -> None:
    x = terms()
    order_explained(sum_without_the_last(x), x, order="sequential")


def test_the_order_is_another_one(order_explained: Explained) -> None:
    x = terms()
    order_explained(np.sum(x[::-1]), x, order="numpy")


def test_arrival_order_changes_bits() -> None:
    random = np.random.default_rng(4)
    assert_deterministic(lambda x: np.sum(random.permutation(x)), terms())
