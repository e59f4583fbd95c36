"""Arrays of every kind: what is taken, and how it is refused."""

import gc

import numpy as np
import orderlab
import pytest
from conftest import SANITIZED

X = np.random.default_rng(3).normal(size=(6, 5)).astype(np.float32)


@pytest.mark.parametrize(
    "x, error, says",
    [
        (np.array([1, 2, 3]), TypeError, "holds int64"),
        ([True, False], TypeError, "holds bool"),
        (np.array([True, False]), TypeError, "holds bool"),
        (np.array([1j]), TypeError, "holds complex128"),
        (np.ones(3, dtype=np.longdouble), TypeError, "holds"),
        (np.array([1.0, None]), TypeError, "Python objects"),
        (np.array(["a"]), TypeError, "holds <U1"),
        (np.zeros(2, dtype=[("a", "f4")]), TypeError, "convert it"),
        (np.array(["2020-01-01"], dtype="M8[D]"), TypeError, "datetime64"),
        (np.ma.masked_array([1.0, 2.0], [True, False]), TypeError, "masked array"),
        ([[1.0], [1.0, 2.0]], ValueError, "not an array of numbers"),
        (3.5, ValueError, "one number"),
        (np.float32(3.5), ValueError, "one number"),
        (np.array(3.5), ValueError, "one number"),
        ([], ValueError, "is empty"),
        (np.zeros((3, 0)), ValueError, "shape (3, 0)"),
        (object(), TypeError, "Python objects"),
        (None, ValueError, "no terms"),
        ("no_such_file.npy", ValueError, "no_such_file.npy"),
    ],
    ids=str,
)
def test_what_are_no_terms_is_refused(x, error, says):
    for call in (orderlab.sample, orderlab.enumerate, orderlab.tolerance, orderlab.worst):
        with pytest.raises(error) as raised:
            call(x, "random")
        assert says in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize("index, error, says", [
    (np.ones(6), TypeError, "integers"), (np.full(6, 2**63, np.uint64), ValueError, "2^63"),
    (np.arange(7), ValueError, "7"), (np.full(6, -1), ValueError, "-1"), (np.array([[[0]]]), ValueError, "index"),
], ids=str)
def test_what_is_no_index_is_refused(index, error, says):
    with pytest.raises(error) as raised:
        orderlab.array.index_add(X, index, samples=2)
    assert says in str(raised.value)


def same(one, other):
    assert one.to_json() == other.to_json()


def test_views_and_byte_orders_give_what_their_values_give():
    plain = orderlab.sample(X.ravel().copy(), "warp", samples=20)
    same(plain, orderlab.sample(X, "warp", samples=20))
    same(plain, orderlab.sample(X.astype(">f4"), "warp", samples=20))
    read_only = X.copy()
    read_only.flags.writeable = False
    same(plain, orderlab.sample(read_only, "warp", samples=20))
    wide = np.zeros(60, dtype=np.float32)
    wide[::2] = X.ravel()
    same(plain, orderlab.sample(wide[::2], "warp", samples=20))
    backward = orderlab.sample(X.ravel()[::-1], "sequential")
    same(backward, orderlab.sample(X.ravel()[::-1].copy(), "sequential"))
    raw = np.zeros(X.nbytes + 1, dtype=np.uint8)
    unaligned = raw[1:].view(np.float32)
    unaligned[:] = X.ravel()
    same(plain, orderlab.sample(unaligned, "warp", samples=20))
    fortran = np.asfortranarray(X)
    same(orderlab.sample(X, "warp", axis=0, samples=5), orderlab.sample(fortran, "warp", axis=0, samples=5))
    same(orderlab.sample(X, "warp", axis=-2, samples=5), orderlab.sample(X, "warp", axis=0, samples=5))


def test_a_nan_has_one_hash_whatever_its_payload():
    payload = np.array([0x7FC00000, 0x7FC00001, 0xFFC00000], dtype=np.uint32)
    hashes = {orderlab.sum(np.array([1.0, nan], dtype=np.float32), "sequential").input.hash
              for nan in payload.view(np.float32)}
    assert len(hashes) == 1


def test_formats_of_numpy_names():
    x = X.ravel()
    same(orderlab.sum(x, "sequential", format="fp16"), orderlab.sum(x, "sequential", format=np.float16))
    same(orderlab.sum(x, "sequential", accumulate=np.float64), orderlab.sum(x, "sequential", format="fp32:fp64"))
    with pytest.raises(ValueError, match="leave out accumulate"):
        orderlab.sum(x, "sequential", format="fp32:fp64", accumulate="fp64")


unlike_itself = pytest.mark.skipif(SANITIZED, reason="the sanitizer keeps memory")


@unlike_itself
def test_terms_are_not_copied():
    x = np.ones(4_000_000)
    orderlab.sum(x[:1000], "sequential")
    before = resident()
    orderlab.sum(x, "sequential", threads=1)
    assert resident() - before < x.nbytes / 2


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


@unlike_itself
def test_memory_stays_flat_over_many_calls():
    x = np.ones(100)

    def call(times):
        for _ in range(times):
            orderlab.sample(x, "warp", samples=2, threads=1).to_json()
            with pytest.raises(ValueError):
                orderlab.sample(x, "wrap", samples=2)

    call(300)
    gc.collect()
    before = resident()
    call(1000)
    gc.collect()
    assert resident() - before < 2_000_000  # a leak of one small result a call would be more


def test_elements_have_the_shape_of_the_output():
    random = np.random.default_rng(1)
    index = random.integers(0, 3, 600)
    sample = orderlab.array.index_add(random.normal(size=(600, 4)).astype(np.float32), index, samples=30,
                                      keep_results=True)
    elements = sample.elements
    assert elements.different.shape == (3, 4) == elements.least.shape and sample.results.shape == (30, 3, 4)
    rows = [line.split(",") for line in sample.to_csv().splitlines()]
    column = next(c for c, title in enumerate(rows[0]) if title == "different")
    assert [int(row[column + len(row) - len(rows[0])]) for row in rows[1:]] == elements.different.ravel().tolist()
    assert (sample.results.min(axis=0) >= elements.least).all()
    with pytest.raises(ValueError, match="keep_results"):
        orderlab.array.index_add(np.ones(5), np.zeros(5, int), samples=2).results


def test_a_number_is_exact_and_a_text_is_what_was_printed():
    x = np.full(10, 0.3, np.float32)  # in turn 2.9999998
    assert not orderlab.check(3.0, x, "sequential").explained
    assert not orderlab.check(3, x, "sequential").explained
    assert orderlab.check("3.0000", x, "sequential").explained
    assert orderlab.check(np.float32(2.9999998), x, "sequential").explained


def shared(x, **options):
    """The result of an order of `x`, and whether its memory is used as it lies."""
    from orderlab import _arrays

    given = _arrays.numbers("x", x)
    return orderlab.sum(x, "sequential", **options), given.array


class DLPack:
    """What JAX and CuPy share of their arrays; NumPy's own memory here, on a device that can be given."""

    def __init__(self, array, device=1):
        self._array, self._device = array, device

    def __dlpack__(self, stream=None):
        return self._array.__dlpack__()

    def __dlpack_device__(self):
        return self._device, 0


class Interface:
    """Memory that is told by __array_interface__."""

    def __init__(self, array):
        self._array, self.__array_interface__ = array, array.__array_interface__


class CuPy(DLPack):
    """An array of a GPU: it refuses to become one of NumPy, and copies by get()."""

    __cuda_array_interface__ = {}

    def __init__(self, array):
        super().__init__(array, device=2)

    def __array__(self, dtype=None):
        raise TypeError("implicit conversion to a NumPy array is not allowed")

    def get(self):
        return self._array.copy()


class JAX(DLPack):
    """An array that NumPy's asarray copies from the GPU."""

    def __init__(self, array):
        super().__init__(array, device=2)

    def __array__(self, dtype=None):
        return self._array.copy()


class Polars:
    """A column that counts its missing values."""

    def __init__(self, array, missing=0):
        self._array, self._missing = array, missing

    def null_count(self):
        return self._missing

    def __array__(self, dtype=None):
        return self._array


@pytest.mark.parametrize("wrap", [DLPack, Interface, memoryview, Polars], ids=lambda wrap: wrap.__name__)
def test_memory_of_another_library_is_used_where_it_lies(wrap):
    x = X.ravel().copy()
    result, array = shared(wrap(x))
    assert result == orderlab.sum(x, "sequential") and np.shares_memory(array, x)


@pytest.mark.parametrize("wrap", [CuPy, JAX], ids=lambda wrap: wrap.__name__)
def test_an_array_of_a_gpu_is_copied_with_a_note(wrap):
    x = X.ravel().copy()
    with pytest.warns(orderlab.OrderlabWarning, match="x: the .* was copied from its device to the host") as caught:
        result = orderlab.sum(wrap(x), "sequential")
    assert result == orderlab.sum(x, "sequential")
    assert len(caught) == 1 and caught[0].filename == __file__


class PolarsFrame(Polars):
    """A table that counts the missing values of each column, in a table of one row."""

    def null_count(self):
        return self

    def row(self, index):
        return [(0, self._missing)][index]


def test_columns_with_missing_values_are_refused():
    with pytest.raises(ValueError, match="x: has 2 missing values; leave them out"):
        orderlab.sum(PolarsFrame(X, missing=2), "sequential", axis=0)
    assert orderlab.sum(PolarsFrame(X), "sequential", axis=0) == orderlab.sum(X, "sequential", axis=0)
    with pytest.raises(ValueError, match="x: has 2 missing values; leave them out"):
        orderlab.sum(Polars(X.ravel(), missing=2), "sequential")


def test_pandas():
    pandas = pytest.importorskip("pandas")
    x = X.ravel().copy()
    series = pandas.Series(x)
    result, array = shared(series)
    assert result == orderlab.sum(x, "sequential") and np.shares_memory(array, series.to_numpy())
    table = pandas.DataFrame({"a": x, "b": x})
    assert orderlab.sum(table["a"], "sequential") == result == orderlab.sum(series.astype("Float32"), "sequential")
    assert orderlab.sum(table, "sequential", axis=0).elements.result.tolist() == [result.value] * 2
    missing = pandas.Series([1.0, None, 2.0], dtype="Float64")
    with pytest.raises(ValueError, match="x: has 1 missing values"):
        orderlab.sum(missing, "sequential")
    assert orderlab.sum(missing.dropna(), "sequential").value == 3
    index = pandas.Series(np.arange(30) % 5)
    assert orderlab.array.index_add(series, index, samples=2).elements.exact.shape == (5,)


def test_xarray():
    xarray = pytest.importorskip("xarray")
    x = X.copy()
    result, array = shared(xarray.DataArray(x, dims=("a", "b")))
    assert result == orderlab.sum(x, "sequential") and np.shares_memory(array, x)


def test_torch():
    torch = pytest.importorskip("torch")
    x = X.ravel().copy()
    tensor = torch.from_numpy(x)
    result, array = shared(tensor)
    assert result == orderlab.sum(x, "sequential") and np.shares_memory(array, x)
    assert orderlab.sum(tensor.clone().requires_grad_(), "sequential") == result
    assert orderlab.sum(tensor.reshape(6, 5).t(), "sequential") == orderlab.sum(X.T, "sequential")
    assert orderlab.sum(tensor, "sequential", accumulate=torch.float64) == orderlab.sum(x, "sequential", accumulate="fp64")
    narrow = tensor.to(torch.bfloat16)
    result, array = shared(narrow)
    assert result.input.format == "bf16" and array.ctypes.data == narrow.data_ptr()
    wide = narrow.to(torch.float32).numpy()
    assert float(result.input.exact.value) == float(np.sum(wide, dtype=np.float64))
    assert orderlab.exact_sum(narrow).fraction == orderlab.exact_sum(wide).fraction
    orderlab.testing.assert_explained(tensor.sum(), tensor, "random")
    orderlab.testing.assert_sum_close(tensor.sum(), tensor)
    index = torch.arange(30) % 5
    assert orderlab.array.index_add(tensor, index, samples=2).elements.exact.shape == (5,)


def test_torch_functions_are_probed():
    torch = pytest.importorskip("torch")
    assert orderlab.probe(torch.sum, 4, sizes=[]).verdict == "named"
    table = orderlab.probe_table(torch.sum, shapes=[(4, 9), (9, 4)], axis=1)
    assert [row["n"] for row in table] == [9, 4] and all(row["order"] for row in table)


def test_float8_and_bfloat16_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    for dtype, format in ((ml_dtypes.bfloat16, "bf16"), (ml_dtypes.float8_e4m3fn, "e4m3"), (ml_dtypes.float8_e5m2, "e5m2")):
        x = np.ones(9).astype(dtype)
        assert orderlab.sum(x, "sequential").input.format.split(":")[0] == format


def test_bits_of_bfloat16_are_given_where_the_dtype_has_its_name(monkeypatch):
    from orderlab import _arrays

    x = np.array([1.0, 2.5, -3.0], np.float32)
    bits = (x.view(np.uint32) >> 16).astype(np.uint16)
    monkeypatch.setattr(_arrays, "_format_of_dtype", {np.dtype(np.uint16): "bf16"}.get)  # as if NumPy had the dtype
    result = orderlab.sum(bits, "sequential")
    assert result.input.format == "bf16" and result.value == 0.5
    assert _arrays.numbers("x", bits).floats().tolist() == x.tolist()


def test_an_interrupt_stops_work_on_an_array():
    import signal
    import threading

    x = np.ones(100_000, np.float32)
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            orderlab.sample(x, "random", samples=10**12)
    finally:
        timer.cancel()
