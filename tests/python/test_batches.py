"""assert_batch_invariant: what fails, what a failure says, what it refuses."""

import numpy as np
import pytest

from orderlab.testing import assert_batch_invariant

ROWS = np.random.default_rng(3).standard_normal((20, 96)).astype(np.float32)


def in_turn(rows):
    return np.cumsum(rows, axis=1)[:, -1]


def split_if_few(rows):
    """Four sums of each row, which are added then, where there are fewer than four rows."""
    parts = 4 if len(rows) < 4 else 1
    return in_turn(np.ascontiguousarray(np.cumsum(rows.reshape(len(rows), parts, -1), axis=2)[:, :, -1]))


def failure(*arguments, **options):
    with pytest.raises(AssertionError) as failed:
        assert_batch_invariant(*arguments, **options)
    return str(failed.value)


def test_rows_that_are_added_alike_pass():
    assert_batch_invariant(in_turn, ROWS)  # 64 rows a batch: more than there are
    assert_batch_invariant(lambda rows: (rows * 2, rows.sum(axis=1)), ROWS, batches=(3, 7, 20))
    assert_batch_invariant(split_if_few, ROWS, batches=(4, 5, 20))


def test_a_failure_names_the_batch_size_the_bits_and_both_orders():
    text = failure(split_if_few, ROWS, batches=(1, 3, 8), err_msg="kernel 7").splitlines()
    assert text[:2] == ["kernel 7", "batch size 8 gives other bits than batch size 1"]
    assert text[2].startswith("the result[") and "with batch size 1, 0x" in text[2] and "with batch size 8: " in text[2]
    assert text[-1].startswith("Batch size 1 adds a row of 96 terms as ")
    assert text[-1].endswith(", batch size 8 as sequential.") and text[-1].count("sequential") == 1


def test_outputs_that_are_no_sums_have_no_orders():
    def scaled(rows):
        return rows * np.float32(1 + 2.0**-20 * (len(rows) > 2))
    text = failure(scaled, ROWS, batches=(1, 3))
    assert "adds a row of" not in text
    assert "of 1920 numbers differ" in text


def test_a_function_that_refuses_other_rows_fails_with_its_difference():
    def particular(rows):
        if np.abs(rows).max() > 10:
            raise RuntimeError("not these rows")
        return split_if_few(rows)
    assert "batch size 8 gives other bits" in failure(particular, ROWS, batches=(1, 8))
    two = failure(lambda rows: (in_turn(rows),) * (1 + (len(rows) > 1)), ROWS, batches=(1, 8))
    assert "1 outputs with batch size 1, 2 with batch size 8" in two


def test_with_an_order_other_bits_are_judged():
    assert_batch_invariant(split_if_few, ROWS, batches=(1, 8), order="random")
    def wrong(rows):
        return in_turn(rows) + np.float32(1e-3) * (len(rows) > 2)
    text = failure(wrong, ROWS, batches=(1, 8), order="random", verbose=False)
    assert text.startswith("Not explained by order 'random'")
    assert "row 0" in text


def test_wrong_arguments():
    with pytest.raises(TypeError, match="f: must be callable, not int"):
        assert_batch_invariant(3, ROWS)
    for batches in [(1,), (1, 1), (0, 2), (1.5, 2), (True, 2)]:
        with pytest.raises(ValueError, match="batches: "):
            assert_batch_invariant(in_turn, ROWS, batches=batches)
    with pytest.raises(ValueError, match="rows: has no dimension"):
        assert_batch_invariant(in_turn, np.float32(3))
    with pytest.raises(ValueError, match="confidence=2: must lie"):
        assert_batch_invariant(in_turn, ROWS, order="random", confidence=2)
    with pytest.raises(ValueError, match="rows: is empty"):
        assert_batch_invariant(in_turn, np.zeros((0, 3)))
    with pytest.raises(ValueError, match="its first dimension must be 8"):
        assert_batch_invariant(np.sum, ROWS, batches=(8, 1))
    with pytest.raises(TypeError, match="accumulate: only with `order`"):
        assert_batch_invariant(in_turn, ROWS, accumulate="fp64")
    with pytest.raises(ValueError, match="one sum for each row"):
        assert_batch_invariant(lambda rows: rows, ROWS, order="random")
