"""orderlab.testing: what passes, what fails, and what a failure says."""

import doctest
import math
import shutil

import numpy as np
import pytest
from orderlab import _determinism

import orderlab
import orderlab.testing
from orderlab.testing import assert_deterministic, assert_explained, assert_order, assert_program, assert_sum_close

X = np.random.default_rng(1).random(2000, dtype=np.float32)
FEW = X[:6]


def failure(*args, **options):
    with pytest.raises(AssertionError) as caught:
        assert_explained(*args, **options)
    return str(caught.value)


def runs_that_give(*results):
    """A function that returns these results in turn, the last one from then on."""
    left = list(results)
    return lambda x: left.pop(0) if len(left) > 1 else left[0]


def deterministic_failure(f, x=FEW, **options):
    with pytest.raises(AssertionError) as caught:
        assert_deterministic(f, x, **options)
    return str(caught.value)


def test_the_examples_run():
    assert doctest.testmod(orderlab.testing).failed == 0


@pytest.mark.parametrize("actual", [np.sum(X), float(np.sum(X)), np.float64(np.sum(X)), np.array(np.sum(X)),
                                    [np.sum(X)], np.full((2, 1), np.sum(X)),
                                    f"bits:0x{np.sum(X).view(np.uint32):08x}"])
def test_one_result_is_taken_in_any_form(actual):
    assert_explained(actual, X, "numpy")


def test_a_sum_of_integers_may_be_an_integer():
    assert_explained(6, np.array([1.0, 2.0, 3.0]), "random")


def test_a_term_that_is_left_out_is_not_explained():
    text = failure(np.sum(X[1:]), X, "warp", err_msg="kernel 7")
    assert text.startswith("Not explained by order 'warp'\nkernel 7\n\nwarp = halving(32)")
    assert "impossible" in text and "NOT EXPLAINED" in text
    assert 'order="random" does not explain it either' in text
    assert "give accumulate= and result=" in text


def test_the_tolerance_of_a_failure_is_that_of_tolerance():
    limits = orderlab.tolerance(X, "warp").kwargs
    text = failure(np.sum(X[1:]), X, "warp")
    assert f"rtol={limits['rtol']!r}, atol={limits['atol']!r})" in text
    assert "(99.9 % of runs, confidence 95 %)" in text


def test_the_nearest_sampled_sum_is_the_end_of_the_range():
    check = orderlab.check(np.sum(X[1:]), X, "warp")
    text = failure(np.sum(X[1:]), X, "warp")
    steps = check["values"][0].distance_ulp
    assert f"): {check.range.min:.9g}, {steps} steps above it (nearest of 2000 sampled sums)" in text
    check = orderlab.check(np.float32(1e6), X, "warp")
    assert f"): {check.range.max:.9g}, " in failure(1e6, X, "warp")


def test_the_nearest_of_all_sums_comes_from_the_enumeration():
    every = orderlab.enumerate(FEW, "random").values
    above, below = np.float32(every[-1] + 1), np.float32(every[0] - 1)
    text = failure([above, below], FEW, "random")
    assert f"  {above:.9g} (0x{above.view(np.uint32):08x}): {every[-1]:.9g}, " in text
    assert f"  {below:.9g} (0x{below.view(np.uint32):08x}): {every[0]:.9g}, " in text
    assert f"(nearest of all {len(every)} possible sums)" in text
    assert 'order="random"' not in text


def test_the_nearest_of_a_fixed_order_is_its_result():
    value = orderlab.sum(FEW, "sequential").value
    text = failure(np.nextafter(np.float32(value), np.float32(9)), FEW, "sequential")
    assert f"{value:.9g}, 1 step below it (the one result of this order)" in text
    assert "(every run)" in text


def test_another_order_is_named_where_random_order_explains_the_value():
    assert np.sum(X[::-1]) != np.sum(X)
    assert 'order="random" explains it' in failure(np.sum(X[::-1]), X, "numpy")


def test_a_nan_has_no_nearest_value():
    assert "none; finite sums have no distance to it" in failure(np.float32(np.nan), FEW, "random")


def test_many_values_are_shown_in_part():
    text = failure(np.arange(10, 20, dtype=np.float32), FEW, "random")
    assert "and 5 more values" in text and text.count("possible sums)") == 5


def test_without_verbose_a_failure_has_the_conclusion_only():
    text = failure(1.0, FEW, "random", verbose=False)
    assert "NOT EXPLAINED" in text and "exact sum" not in text.split("Nearest")[0]


def test_outputs_are_judged_element_by_element():
    m = X.reshape(50, 40)
    actual = m.sum(axis=0)
    assert_explained(actual, m, "random", axis=0)
    assert_explained(np.float64(actual), m, "random", axis=0)
    actual[3] -= m[0, 3]
    text = failure(actual, m, "random", axis=0)
    assert "[3]" in text and "nearest reachable" in text and "np.testing.assert_allclose(" in text


def test_dot_products_take_y():
    y = X[::-1].copy()
    dot = np.float32(0)
    for a, b in zip(X, y):
        dot += a * b
    assert_explained(dot, X, "sequential", y=y)
    limits = orderlab.tolerance(X, "sequential", y=y).kwargs
    assert f"rtol={limits['rtol']!r}, " in failure(dot * 2, X, "sequential", y=y)


def test_a_number_that_the_result_format_cannot_hold_is_an_error():
    with pytest.raises(ValueError, match='not exact in float32.*accumulate="fp64"'):
        assert_explained(float(np.sum(X)) + 1e-9, X, "random")
    with pytest.raises(ValueError, match="not exact in float32"):
        assert_explained(np.full(40, 0.1), X.reshape(50, 40), "random", axis=0)
    assert_explained(np.sum(X, dtype=np.float64), X, "random", accumulate="fp64")


def test_wrong_arguments_are_no_failures_of_the_test():
    with pytest.raises(ValueError, match="no such stage"):
        assert_explained(1.0, FEW, "nonsense")
    with pytest.raises(TypeError, match="bogus"):
        assert_explained(1.0, FEW, "random", bogus=1)


def test_beyond_many_terms_the_text_has_the_call_for_the_tolerance():
    x = np.ones(100_001, dtype=np.float32)
    assert "orderlab.tolerance(x, 'warp', seed=3).kwargs" in failure(1.0, x, "warp", seed=3)


# assert_deterministic


@pytest.mark.parametrize("confidence, runs", [(0.95, 59), (0.99, 90), (0.999, 135)])
def test_the_default_number_of_runs_rules_out_five_percent(confidence, runs):
    calls = []
    assert_deterministic(lambda x: calls.append(1) or 0.0, FEW, confidence=confidence)
    assert len(calls) == runs
    assert 0.95**runs <= 1 - confidence < 0.95**(runs - 1)


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.6, 0.9])
def test_the_probability_of_agreement_is_the_largest_of_all_distributions(share):
    random = np.random.default_rng(1)
    for runs in (2, 5, 20):
        bound = _determinism._agree(share, runs)
        for trial in range(200):
            p = random.dirichlet(np.full(random.integers(2, 30), 0.3))
            if p.max() <= 1 - share:
                assert math.fsum(p**runs) <= bound * (1 + 1e-12)


def test_each_run_gets_its_own_copy():
    def zeroed(x):
        total = np.sum(x)
        x[:] = 0
        return total

    x = X.copy()
    assert_deterministic(zeroed, x, runs=3)
    assert np.array_equal(x, X)
    assert_deterministic(lambda lists: lists[0].pop(), [[1.0, 2.0]], runs=2)


def test_a_result_that_is_overwritten_later_is_kept():
    buffer, calls = np.zeros(2), []

    def filled(x):
        calls.append(1)
        buffer[:] = len(calls)
        return buffer

    assert "run 2 of 3" in deterministic_failure(filled, runs=3)


def test_a_failure_names_run_element_bits_and_ulps():
    a = np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32)
    b = a.copy()
    b[0, 1] = np.nextafter(np.float32(2), np.float32(3))
    b[1, 1] = np.float32(4) - np.float32(2**-19)
    text = deterministic_failure(runs_that_give((0, a), (0, a), (0, b)), err_msg="kernel 7", runs=10)
    assert text.splitlines()[:4] == [
        "kernel 7", "run 3 of 10 gave other bits than run 1",
        "output 1[0, 1]: 0x40000000 (2) in run 1, 0x40000001 (2.00000024) in run 3: 1 ulp apart",
        "2 of 4 numbers differ, by at most 8 ulp (output 1[1, 1])"]
    assert "10 equal runs would mean: with confidence 99 %, at most 37 % of runs give other bits." in text
    assert "assert_explained" in text


def test_signs_of_zeros_differ_and_nans_do_not():
    assert "zeros of different sign" in deterministic_failure(runs_that_give(0.0, -0.0))
    other_nan = np.array([0x7FC00001], dtype=np.uint32).view(np.float32)
    assert_deterministic(runs_that_give(np.array([np.nan], dtype=np.float32), other_nan, -other_nan), FEW)
    assert "one of them is not finite" in deterministic_failure(runs_that_give(1.0, np.nan))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble, np.complex64, np.int8, np.bool_])
def test_all_dtypes_are_compared(dtype):
    a = np.array([0, 1], dtype=dtype)
    assert_deterministic(lambda x: a, FEW, runs=2)
    assert "run 2" in deterministic_failure(runs_that_give(a, a[::-1].copy()))


def test_ulps_count_across_zero():
    tiny = np.float64(5e-324)
    assert ": 2 ulp apart" in deterministic_failure(runs_that_give(-tiny, tiny))


def test_shapes_dtypes_and_counts_differ():
    assert "shape (2,) in run 1" in deterministic_failure(runs_that_give(np.zeros(2), np.zeros(3)))
    assert "float32 of shape" in deterministic_failure(runs_that_give(np.zeros(2), np.zeros(2, dtype=np.float32)))
    assert "1 outputs in run 1, 2 in run 2" in deterministic_failure(runs_that_give((1.0,), (1.0, 1.0)))


def test_wrong_arguments_of_assert_deterministic():
    for options, error in [({"runs": 1}, ValueError), ({"runs": 2.5}, TypeError), ({"confidence": 1}, ValueError)]:
        with pytest.raises(error):
            assert_deterministic(np.sum, FEW, **options)
    with pytest.raises(TypeError, match="f returned NoneType"):
        assert_deterministic(lambda x: None, FEW)
    with pytest.raises(TypeError, match="callable"):
        assert_deterministic(1.0, FEW)


def order_failure(*args, **options):
    with pytest.raises(AssertionError) as caught:
        assert_order(*args, **options)
    return str(caught.value)


def total(x):
    return np.cumsum(x)[-1]


def test_an_order_is_that_of_all_sizes():
    assert_order(np.sum, "numpy")
    assert_order(total, "sequential", dtype=np.float64, sizes=[1, 100])
    assert_order(total, "sequential", sizes=7, offsets=range(2), repeats=2)
    assert_order(lambda x: total(x) if x.size < 40 else np.sum(x), "sequential", sizes=(31, 2))
    text = order_failure(lambda x: total(x) if x.size < 40 else np.sum(x), "sequential", err_msg="kernel 7")
    assert text.startswith("Not added in order 'sequential'\nkernel 7\n\n")
    assert "1000       0        -" in text and "named: numpy" in text
    assert "not sequential (n = 1000, offset 0): terms 0 and 1 meet in a subtree of" in text


def test_a_function_in_another_order_fails_with_its_order():
    text = order_failure(total, "reverse | seq", sizes=32)
    assert "named: sequential" in text and "terms" in text.split("not reverse | seq: ")[1]
    assert "certified" in text and "certified" not in order_failure(total, "reverse | seq", sizes=32, verbose=False)
    for f in (np.mean, lambda x: math.fsum(x.tolist()), lambda x: total(np.sort(x))):
        assert "not sequential" in order_failure(f, "sequential", sizes=[32])


def test_an_order_may_be_in_any_precision():
    assert_order(lambda x: np.float32(total(x.astype(np.float64))), "sequential", sizes=[33])


@pytest.mark.parametrize("order, options, error, says", [
    (3, {}, TypeError, "order: must be a text"),
    ("wrap", {}, ValueError, "did you mean"),
    ("warp", dict(sizes=()), ValueError, "sizes: is empty"),
    ("warp", dict(sizes=[0]), ValueError, "n=0"),
    ("warp", dict(dtype="int8"), ValueError, "dtype=int8"),
    ("warp", dict(expect="seq"), TypeError, "expect"),
])
def test_wrong_arguments_of_assert_order_are_errors(order, options, error, says):
    with pytest.raises(error, match=says):
        assert_order(total, order, **options)


def test_what_the_function_raises_is_no_failure_of_the_order():
    with pytest.raises(ZeroDivisionError):
        assert_order(lambda x: 1 / 0, "sequential")


PROGRAM = """#include <stdio.h>
__global__ void add(const float* x, float* sum) { atomicAdd(sum, x[blockIdx.x]); }
int main(int argc, char** argv) {
  float h[100], *d_x, *d_sum;
  for (int i = 0; i < 100; i++) h[i] = argc > 1 ? i : 1.0f / (i + 1);
  cudaMalloc(&d_x, sizeof h);
  cudaMalloc(&d_sum, sizeof(float));
#ifndef UNSET
  cudaMemset(d_sum, 0, sizeof(float));
#endif
  cudaMemcpy(d_x, h, sizeof h, cudaMemcpyHostToDevice);
  add<<<100, 1>>>(d_x, d_sum);
  cudaMemcpy(h, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.9g\\n", h[0]);
  cudaFree(d_x);
}
"""


EQUAL = """#ifndef VALUE
#define VALUE 1
#endif
__global__ void mark(int* x) { *x = VALUE; }
int main() {
  int *d_x, h_x;
  cudaMalloc(&d_x, 4);
  mark<<<1, 64>>>(d_x);
  cudaMemcpy(&h_x, d_x, 4, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
}
"""


@pytest.mark.skipif(not shutil.which("g++") and not shutil.which("clang++"), reason="no compiler")
def test_a_program_fails_at_faults_leaks_and_numbers_that_vary(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    source = tmp_path / "add.cu"
    source.write_text(PROGRAM)
    assert_program(source, leaks=False)
    assert_program(source, leaks=False, runs=3, args=["whole"])
    with pytest.raises(AssertionError, match="The program has a bug\nkernel 7\n\n.*never freed: device array d_sum"):
        assert_program(source, err_msg="kernel 7")
    with pytest.raises(AssertionError, match="line 1 of the output.* varies over 5 runs"):
        assert_program(source, leaks=False, runs=5)
    with pytest.raises(AssertionError, match="^The program has a bug\n\nadd.cu:2: kernel add, .*which nothing has written"):
        assert_program([source], define="UNSET", verbose=False)
    source.write_text(EQUAL)
    assert_program(source)
    with pytest.raises(AssertionError, match="add.cu:4: kernel mark, .*with no barrier"):
        assert_program(source, define="VALUE=threadIdx.x/32", verbose=False)


def test_any_order_is_explained_or_not():
    assert_explained(np.sum(X), X, "any")
    text = failure(1.0, X, "any", err_msg="kernel 7")
    assert text.startswith("Not explained by any known order\nkernel 7\n\n")
    assert "What to do next" in text and "A tolerance" not in text


def test_a_difference_of_two_orders_is_explained_or_not():
    difference = abs(orderlab.sum(X, "numpy").value - orderlab.sum(X, "sequential").value)
    assert_explained(difference, X, "numpy", against="sequential")
    text = failure(np.array([0.0, 1.0]), X, "numpy", against="sequential")
    assert text.startswith("Not explained by orders 'numpy' and 'sequential'\n\n")
    assert "against sequential (every run)" in text


def not_close(*args, **options):
    with pytest.raises(AssertionError) as caught:
        assert_sum_close(*args, **options)
    return str(caught.value)


def test_a_sum_is_close_within_a_tolerance_that_is_computed_once(monkeypatch):
    calls = []
    own = orderlab._functions.tolerance
    monkeypatch.setattr(orderlab._functions, "tolerance", lambda *args, **more: calls.append(0) or own(*args, **more))
    x = X[:777]
    for terms in (x, x.copy(), x.astype(">f4")):
        assert_sum_close(np.sum(x[::-1]), terms, "random")
    assert len(calls) == 1
    assert_sum_close(np.sum(x), x, "random", seed=2)
    assert len(calls) == 2
    limits = own(x, "random").kwargs
    text = not_close(np.sum(x) + np.float32(0.5), x, "random", err_msg="kernel 7")
    assert text.startswith("Not close to the exact sum for order 'random'\nkernel 7\nactual ")
    assert f"rtol={limits['rtol']!r}, atol={limits['atol']!r} (99.9 % of runs, confidence 95 %, by " in text
    assert len(calls) == 2


def test_the_tolerance_is_the_limit():
    limits = orderlab.tolerance(X, "warp").kwargs
    exact = orderlab.exact_sum(X).round()
    for sign in (1, -1):
        assert_sum_close(exact * (1 + sign * 0.99 * limits["rtol"]), X, "warp")
        assert "1.01 times" in not_close(exact * (1 + sign * 1.01 * limits["rtol"]), X, "warp")
    assert_sum_close(6, np.array([1.0, 2.0, 3.0]), "sequential")


def test_sums_along_an_axis_and_of_products_are_close():
    m = X.reshape(50, 40)
    assert_sum_close(m.sum(axis=0), m, "random", axis=0)
    sums = m.sum(axis=0)
    sums[3] += 1
    assert " at [3], exact sum " in not_close(sums, m, "random", axis=0)
    with pytest.raises(ValueError, match="shape"):
        assert_sum_close(sums[1:], m, "random", axis=0)
    dot = np.float32(0)
    for a, b in zip(X, X[::-1]):
        dot += a * b
    assert_sum_close(dot, X, "sequential", y=X[::-1].copy())
    assert "of 2 results" in not_close([dot, 2 * dot], X, "sequential", y=X[::-1].copy())


@pytest.mark.parametrize("option", [dict(against="run"), dict(inputs=5), dict(outputs=5), dict(n=5),
                                    dict(dist="normal(0,1)")], ids=str)
def test_options_of_other_comparisons_are_refused(option):
    with pytest.raises(TypeError, match=f"{[*option][0]}: is not of assert_sum_close"):
        assert_sum_close(np.sum(X), X, "random", **option)


def test_a_limit_of_zero_gives_no_warning(recwarn):
    x = np.ones(4, np.float32)
    assert "inf times" in not_close(5, x, "sequential")
    assert not recwarn.list


def test_a_text_that_names_a_file_is_not_kept(tmp_path, monkeypatch):
    from orderlab import _contents

    def key(**options):
        return _contents.key_of("tolerance", (X,), options)

    monkeypatch.chdir(tmp_path)
    for name in ("ranks.txt", "two (1), parts.txt"):
        text = f"trace('{name}')"
        assert key(order=text) is not None  # no such file: an error, which is not kept
        (tmp_path / name).write_text("0\n1\n")
        assert key(order=text) is None and key(order="shuffle", arrival=f"{text}") is None
    (tmp_path / "a.npz").write_bytes(b"")
    assert key(order="random", y="a.npz::x") is None
    first = key(order="random", y="ranks.txt")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "ranks.txt").write_text("0\n1\n")
    monkeypatch.chdir(tmp_path / "other")
    assert first is not None and key(order="random", y="ranks.txt") != first


def test_results_are_kept_up_to_so_many_bytes(monkeypatch):
    from orderlab import _contents

    monkeypatch.setattr(_contents, "_MOST_BYTES", 100)
    kept = _contents.Kept()
    for key in b"abc":
        kept.get(key, lambda: np.zeros(5))
    assert [kept.get(key, lambda: np.zeros(5))[1] for key in (b"c"[0], b"b"[0], b"a"[0])] == [True, True, False]
    assert not kept.get(0, lambda: np.zeros(13))[1] and not kept.get(0, lambda: np.zeros(13))[1]  # too large by itself
    assert _contents.bytes_of(orderlab.tolerance(X, "warp")) > 1000
    rows = X.reshape(50, 40)
    assert _contents.bytes_of(orderlab.sum(rows, "numpy", axis=0)) > 40 * 8


def test_sums_along_an_axis_have_the_coverage_that_was_asked_for():
    m = X.reshape(50, 40)
    sums = m.sum(axis=0)
    sums[3] += 1
    text = not_close(sums, m, "random", axis=0, coverage=0.9, confidence=0.99)
    assert "(90 % of runs, confidence 99 %" in text
    assert_sum_close(np.sum(m), m, "random", axis="all")


def test_a_decorated_function_is_checked_once_for_each_dtype():
    calls = []

    @assert_order("sequential", sizes=(1, 2, 9))
    def total(x):
        calls.append(len(x))
        return np.cumsum(x)[-1]

    assert total(np.ones(5)) == 5 and len(calls) > 10
    del calls[:]
    assert total(np.ones(6)) == 6 and calls == [6]
    assert total(np.ones(5, np.float32)) == 5 and len(calls) > 10
    wrong = assert_order("sequential", sizes=33)(np.sum)
    for _ in range(2):
        with pytest.raises(AssertionError, match="Not added in order 'sequential'"):
            wrong(np.ones(5))


def test_functions_get_arrays_of_the_library_of_their_terms(monkeypatch):
    import sys
    import types

    class Array(np.ndarray):
        pass

    Array.__module__ = "jaxlib.array"
    narrow = types.SimpleNamespace(asarray=lambda x: np.asarray(x, np.float32).view(Array))
    monkeypatch.setitem(sys.modules, "jax", types.SimpleNamespace(numpy=narrow))
    monkeypatch.setitem(sys.modules, "jax.numpy", narrow)
    seen = set()

    @assert_order("sequential", sizes=(1, 2))
    def total(x):
        seen.add(type(x))
        return np.cumsum(x)[-1]

    assert total(np.ones(2, np.float32).view(Array)) == 2 and seen == {Array}
    with pytest.raises(orderlab.UnsupportedError, match="jax_enable_x64"):
        total(np.ones(2).view(Array))


def test_strategies_give_terms_of_their_kind():
    hypothesis = pytest.importorskip("hypothesis")
    from orderlab import strategies

    seen = set()
    fixed = hypothesis.settings(max_examples=12, derandomize=True, database=None, deadline=None)

    def drawn(kind, dtype):
        @fixed
        @hypothesis.given(strategies.terms(dtype, max_size=20, kinds=[kind]))
        def check(x):
            assert x.dtype == dtype and 1 <= x.size <= 20 and np.isfinite(x).all()
            for order in (x, x[::-1]):
                assert np.isfinite(np.cumsum(order)[-1])
            seen.add((kind, x.tobytes()))
            if kind == "subnormal":
                assert (abs(x) < np.finfo(dtype).tiny).all()
            if kind == "zeros":
                assert not x.any()
            if kind == "equal":
                assert len(set(x.tolist())) == 1

        check()

    for kind in strategies.KINDS:
        for dtype in ("float16", "float32", "float64"):
            drawn(kind, np.dtype(dtype))
    assert {kind for kind, _ in seen} == set(strategies.KINDS) and len(seen) > 60
    for size in (16, 40, 100):  # sums of float16 would overflow with 1 / eps

        @fixed
        @hypothesis.given(strategies.terms("float16", min_size=size, max_size=size, kinds=["one large"]))
        def check(x):
            assert len(x) == size and np.isfinite(np.cumsum(x)).all() and abs(x).max() > 100

        check()
    with pytest.raises(ValueError, match="kinds"):
        strategies.terms(kinds=["odd"])
    with pytest.raises(ValueError, match="dtype"):
        strategies.terms("int32")
