"""orderlab.probe: functions of this process, commands and libraries as black boxes."""

import json
import math
import pickle
import shutil
import subprocess
import sys
import threading
import time
import types

import numpy as np
import orderlab
import pytest
from conftest import SANITIZED


def in_turn(x):
    s = 0.0
    for value in x.tolist():
        s += value
    return s


def two_accumulators(x):
    even = odd = 0.0
    for a, b in x.reshape(-1, 2).tolist():
        even, odd = even + a, odd + b
    return even + odd


@pytest.fixture(autouse=True)
def the_python_of_this_test(monkeypatch):
    monkeypatch.setenv("ORDERLAB_PYTHON", sys.executable)


def test_fused_steps_of_a_callable():
    def chain(x, y):
        s = np.float32(0)
        for a, b in zip(x.astype(np.float32), y.astype(np.float32)):
            s += a * b  # exact for fp16
        return s

    p = orderlab.probe(chain, 16, dot=True, fused=True, format="fp16:fp32")
    assert isinstance(p, orderlab.results.FusedProbe)
    assert p.verdict == "revealed" and list(p.described) == ["seq(acc=fma)"]
    assert p.reading.length == 1 and p.reading.sums == "fp32" and p.disagrees is None
    with pytest.raises(orderlab.UsageError, match="takes one input"):
        orderlab.probe(np.sum, fused=True)


@pytest.mark.parametrize("keywords, words", [
    (dict(), []),
    (dict(n=101, dtype=np.float64, repeats=5), ["--n", 101, "--format", "fp64", "--repeats", 5]),
    (dict(n=31, sizes=[1, 2, 300]), ["--n", 31, "--sizes", "1,2,300"]),
    (dict(offsets=range(3), dtype="float16", n=50), ["--offsets", "0:2", "--format", "fp16", "--n", 50]),
    (dict(expect="sequential"), ["--expect", "sequential"]),
    (dict(n=40, axis=0), ["--n", 40, "--axis", 0]),
    (dict(n=40, axis=1), ["--n", 40, "--axis", 1]),
], ids=str)
def test_a_callable_gives_what_the_command_line_gives(keywords, words, program):
    p = orderlab.probe(np.sum, **keywords)
    assert p.config.kind == "function"
    in_a_process = p.to_json().replace(b'"kind": "function"', b'"kind": "python"')
    assert in_a_process == program("probe", "--python", "numpy:sum", *words, "--json", "-")
    assert f"{p}\n".encode() == program("probe", "--python", "numpy:sum", *words)
    assert orderlab.probe(python="numpy:sum", **keywords).to_json() == in_a_process


def test_a_dot_product_takes_two_arrays(program):
    p = orderlab.probe(lambda x, y: math.fsum((x.astype(float) * y).tolist()), 40, dot=True)
    assert p.verdict == "exact or compensated" and p.config.products

    def fused_or_not(x, y):
        return np.cumsum(x * y)[-1]

    p = orderlab.probe(fused_or_not, 40, dot=True)
    assert (p.verdict, p.order) == ("named", "sequential")


def test_a_probe_says_what_it_found():
    p = orderlab.probe(two_accumulators, 64, expect="strided(2) | seq")
    assert p.verdict == "named" and p.accumulator.narrowest == 53 and p.settings[0].format == "fp32:fp64"
    assert p.calls == sum(one.calls for one in p.settings) and p.tree.terms == 64 and p.tree.height == 32
    assert p.tree.newick.startswith("(") and p.as_expected is True and p.partial is None
    assert p.config.box == "two_accumulators" or p.config.box.endswith(":two_accumulators")
    assert orderlab.sum(np.ones(64, np.float32), p.order, accumulate="fp64").value == 64
    assert repr(p).startswith("<orderlab.Probe: verdict='named', order='strided(2) | seq(from=zero)', calls=")
    copy = pickle.loads(pickle.dumps(p))
    assert copy == p and str(copy) == str(p) and copy.to_csv() == p.to_csv()
    assert p.to_dict() == json.loads(p.to_json())
    with pytest.raises(AttributeError, match="frozen"):
        p.order = "warp"


def test_every_verdict_on_functions_that_mislead():
    draw = np.random.default_rng(1)

    def in_drawn_order(x):
        parts = [in_turn(x[:20]), in_turn(x[20:40]), in_turn(x[40:])]
        return in_turn(draw.permutation(parts))

    for f, verdict in [
        (lambda x: in_turn(np.sort(x)), "data-dependent"),
        (lambda x: math.fsum(x.tolist()), "exact or compensated"),
        (np.mean, "not a sum"),
        (np.max, "not a sum"),
        (lambda x: in_turn(x[:-1]), "not a sum"),
        (lambda x: np.nan, "not a sum"),
        (in_drawn_order, "random"),
    ]:
        assert orderlab.probe(f, 60, dtype="float64").verdict == verdict
    p = orderlab.probe(lambda x: in_turn(x) if x.size < 50 else two_accumulators(x), 40, sizes=[64])
    assert p.verdict == "depends on n" and p.order is None
    p = orderlab.probe(lambda x: in_turn(x) if x.ctypes.data % 64 == 0 else in_turn(x[::-1]), 40, offsets=range(2))
    assert p.verdict == "depends on alignment"


def test_every_call_has_an_array_of_its_own_that_it_may_change():
    kept = []

    def total(x):
        kept.append(x)
        assert type(x) is np.ndarray and x.shape == (33,) and x.dtype == np.float64 and x.flags.writeable
        assert x.ctypes.data % 4096 == 5 * 8
        return np.cumsum(x, out=x)[-1]

    p = orderlab.probe(total, 33, dtype="fp64", offsets=5)
    assert (p.verdict, p.order) == ("named", "sequential")
    assert len({x.ctypes.data for x in kept}) == len(kept) >= p.calls


def test_the_dtype_of_ml_dtypes_is_bf16():
    ml_dtypes = pytest.importorskip("ml_dtypes")

    def total(x):
        assert x.dtype == ml_dtypes.bfloat16
        s = ml_dtypes.bfloat16(0)
        for value in x:
            s += value
        return s

    for dtype in (ml_dtypes.bfloat16, "bfloat16", "bf16"):
        p = orderlab.probe(total, 40, dtype=dtype)
        assert p.verdict == "named" and p.config.format == "bf16" and p.accumulator.narrowest == 8


def test_terms_in_bf16_have_their_bits(monkeypatch):
    def rounded(value):  # to nearest, ties to even
        bits = int(np.float32(value).view(np.uint32))
        return np.uint32((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000).view(np.float32)

    def total(x):
        s = np.float32(0)
        for value in (x.astype(np.uint32) << 16).view(np.float32):
            s = rounded(s + value)
        return s

    monkeypatch.setitem(sys.modules, "ml_dtypes", types.SimpleNamespace(bfloat16=np.uint16))
    p = orderlab.probe(total, 40, dtype="bfloat16", expect="sequential")
    assert p.accumulator.narrowest == 8 and p.settings[0].format == "bf16" and p.verdict == "named"
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(ValueError, match="^dtype=bfloat16: needs the package ml_dtypes"):
        orderlab.probe(total, 40, dtype="bfloat16")


class Wrong(Exception):
    pass


@pytest.mark.parametrize("raised", [Wrong("of its own"), ValueError("a value"), RuntimeError("at run time"),
                                    orderlab.UsageError("samples=3"), SystemExit(3), KeyboardInterrupt(),
                                    MemoryError()], ids=repr)
@pytest.mark.parametrize("after", [0, 100])
def test_what_a_function_raises_is_raised_as_it_is(raised, after):
    calls = []

    def total(x):
        calls.append(x)
        if len(calls) > after:
            raise raised
        return in_turn(x)

    with pytest.raises(type(raised)) as caught:
        orderlab.probe(total)
    assert caught.value is raised and caught.value.__cause__ is None
    assert caught.traceback[-1].name == "total" and len(calls) == after + 1
    assert orderlab.probe(in_turn).verdict == "named"


def test_a_function_for_one_number_of_terms_has_an_order():
    p = orderlab.probe(lambda x: in_turn(x.reshape(8, 8).sum(axis=0, dtype=np.float64)), 64)
    assert p.verdict == "named" and [size.holds for size in p.other_sizes] == [None]
    with pytest.raises(ValueError, match="reshape"):
        orderlab.probe(lambda x: in_turn(x.reshape(8, 8).sum(axis=0)), 64, sizes=[65])


@pytest.mark.parametrize("answer, says", [
    (None, "f: returned NoneType; it must return one number, the sum"),
    ("3.5", "f: returned str;"),
    (b"3.5", "f: returned bytes;"),
    ([1.0], "f: returned list;"),
    (np.ones(2), r"f: returned an array of shape \(2,\);"),
    (np.ones((0, 3)), r"f: returned an array of shape \(0, 3\);"),
    (1j, "f: returned complex;"),
    (np.complex64(1), "f: returned numpy.complex64;"),
    (np.array("text"), "f: returned str;"),
    (object(), "f: returned object;"),
])
def test_what_is_no_number_is_a_type_error(answer, says):
    with pytest.raises(TypeError, match=says) as caught:
        orderlab.probe(lambda x: answer)
    assert "\n" not in str(caught.value)


def test_any_one_number_is_an_answer():
    class Number:
        def __init__(self, value):
            self.value = value

        def __float__(self):
            return self.value

    for form in (float, np.float64, Number, lambda s: np.array([[s]]), np.longdouble,
                 lambda s: int(s) if s.is_integer() else s):
        assert orderlab.probe(lambda x: form(in_turn(x)), 20).order == orderlab.probe(in_turn, 20).order
    with pytest.raises(OverflowError):
        orderlab.probe(lambda x: 10**400)


@pytest.mark.parametrize("answer, says", [(3.0, "returned float along axis 0; it must return 64 sums"),
                                          (np.ones((2, 32)), r"returned an array of shape \(2, 32\) along axis 0"),
                                          ("text", "returned str along axis 0"), (None, "returned NoneType along")], ids=repr)
def test_along_an_axis_there_are_64_sums(answer, says):
    with pytest.raises(TypeError, match=says):
        orderlab.probe(lambda x, axis: answer, axis=0)
    with pytest.raises(TypeError, match="axis"):
        orderlab.probe(lambda x: answer, axis=0)


@pytest.mark.parametrize("arguments, error, says", [
    (dict(), ValueError, "f: give the black box"),
    (dict(f=3), TypeError, "f: must be a callable"),
    (dict(f=[]), TypeError, "f: must be a callable"),
    (dict(f=("a", "b", "c")), TypeError, "f: must be a callable"),
    (dict(f=np.sum, python="numpy:sum"), ValueError, "f, python: give one of them"),
    (dict(command="cat", python="numpy:sum"), ValueError, "more than one black box"),
    (dict(f=np.sum, time_limit=3), ValueError, "time_limit: is of boxes in processes"),
    (dict(f=np.sum, box_threads=[1, 2]), ValueError, "box_threads: is set as OMP_NUM_THREADS"),
    (dict(f=np.sum, lines=True), ValueError, "lines: is of a command"),
    (dict(f=np.sum, axis=2), ValueError, "axis=2: must be 0 or 1"),
    (dict(f=np.sum, axis=True), ValueError, "axis=True"),
    (dict(f=np.dot, axis=0, dot=True), ValueError, "give one of them"),
    (dict(f=np.dot, dot=3), TypeError, "dot: must be True or False"),
    (dict(f="cat", dot=True), ValueError, "dot: is of a callable"),
    (dict(f=np.sum, dtype="int32"), ValueError, "dtype=int32: must be float64"),
    (dict(f=np.sum, dtype=3), ValueError, "dtype=3: must be float64"),
    (dict(f=np.sum, dtype="fp32", format="fp32"), ValueError, "both are the format"),
    (dict(f=np.sum, format="fp31"), ValueError, "format=fp31: "),
    (dict(f=np.sum, n=0), ValueError, "n=0"),
    (dict(f=np.sum, n=2.5), ValueError, "n=2.5"),
    (dict(f=np.sum, sizes=[2.5]), TypeError, "sizes: 2.5 is not a whole number"),
    (dict(f=np.sum, sizes=[True]), TypeError, "sizes: True is not a whole number"),
    (dict(f=np.sum, sizes=[0]), ValueError, "sizes=0"),
    (dict(f=np.sum, offsets=range(0)), ValueError, "offsets=range"),
    (dict(f=np.sum, offsets=range(0, 8, 2)), ValueError, "in steps of 1"),
    (dict(f=np.sum, offsets=-1), ValueError, "offsets=-1"),
    (dict(f="cat", offsets=1), ValueError, "offsets=1: needs library or python; a command reads text"),
    (dict(f=np.sum, repeats=1), ValueError, "repeats=1"),
    (dict(f=np.sum, expect="wrap"), ValueError, "did you mean"),
    (dict(f=np.sum, progress=3), TypeError, "progress: must be True"),
    (dict(f=np.sum, wrong=3), TypeError, "unexpected keyword argument 'wrong'"),
])
def test_a_wrong_argument_is_one_clear_line(arguments, error, says):
    with pytest.raises(error) as caught:
        orderlab.probe(**arguments)
    message = str(caught.value)
    assert says in message and "\n" not in message and "--" not in message


SUMS = "import sys\nfor line in sys.stdin:\n    s = 0.0\n    for word in line.split():\n        s += float(word)\n"


def test_a_command_is_a_text_or_a_list(tmp_path):
    script = tmp_path / "sums of lines.py"
    script.write_text(SUMS + "    print(repr(s), flush=True)\n")
    p = orderlab.probe([sys.executable, "-B", script], 20, lines=True, sizes=[5], box_threads=[1, 2], time_limit=100)
    assert p.verdict == "named" and p.order.startswith("seq") and [one.threads for one in p.settings] == [1, 1, 2]
    assert orderlab.probe("awk '{s += $1} END {printf \"%.17g\", s}'", 10).verdict == "named"
    with pytest.raises(orderlab.InputError, match="exited with status 3"):
        orderlab.probe("exit 3", 10)


def test_a_function_of_a_library_is_a_tuple(tmp_path):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    (tmp_path / "sums.c").write_text("#include <stddef.h>\n"
                                     "float total(size_t n, const float* x) {\n"
                                     "  float s = 0;\n  for (size_t i = n; i-- > 0;) s += x[i];\n  return s;\n}\n"
                                     "double crash(size_t n, const float* x) { return *(volatile double*)0; }\n")
    library = tmp_path / "libsums.so"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, tmp_path / "sums.c"], check=True)
    p = orderlab.probe((library, "total"), 50, expect="reverse | seq")
    assert p.as_expected and p == orderlab.probe(library=f"{library}:total", n=50, expect="reverse | seq")
    with pytest.raises(orderlab.InputError, match="no function|not there|undefined|no symbol"):
        orderlab.probe((library, "nothing"))


INTERRUPTED = """
import numpy as np, orderlab, os, signal, sys, threading, time
orderlab.probe(np.sum, 2)  # all is imported
threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    {call}
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted")
assert orderlab.probe(np.sum).order == "numpy"
"""


@pytest.mark.parametrize("call", [
    "orderlab.probe(lambda x: time.sleep(1000))",
    "orderlab.probe(lambda x: [0 for i in range(10**12) if i < 0])",
    "orderlab.probe(np.sum, 2**20)",
    "orderlab.probe(lambda x: time.sleep(0.001) or np.sum(x), 5000, sizes=[6000, 7000, 8000])",
    "orderlab.probe('sleep 1000', time_limit=1000)",
])
def test_ctrl_c_is_a_keyboard_interrupt(call):
    done = subprocess.run([sys.executable, "-c", INTERRUPTED.format(call=call)], capture_output=True, text=True,
                          timeout=120, check=False)
    assert done.stdout == "interrupted\n", done.stderr


def test_a_handler_of_signals_may_go_on():
    done = subprocess.run([sys.executable, "-c", """
import numpy as np, orderlab, signal
seen = []
signal.signal(signal.SIGALRM, lambda *ignored: seen.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
print(orderlab.probe(np.sum, 1000).order, len(seen) > 3)
"""], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "numpy True\n", done.stderr


def test_progress_is_called_between_calls_and_may_stop_the_work():
    seen = []

    def total(x):
        time.sleep(0.002)
        return np.sum(x)

    def progress(stage, done, total, fraction):
        seen.append((stage, done <= total, 0 <= fraction <= 1, threading.get_ident()))
        if len(seen) == 3:
            raise Wrong("enough")

    with pytest.raises(Wrong, match="enough"):
        orderlab.probe(total, 1000, progress=progress)
    assert len(seen) == 3 and all(one[1:] == (True, True, threading.get_ident()) for one in seen)


def test_the_function_runs_on_the_thread_that_called():
    found = {}

    def work(k):
        inside = set()

        def total(x):
            inside.add(threading.get_ident())
            return np.sum(x[::-1]) if k % 2 else in_turn(x)

        found[k] = orderlab.probe(total, 40 + k % 2), inside == {threading.get_ident()}

    workers = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(alone for _, alone in found.values())
    assert found[0][0] == found[2][0] == found[4][0] and found[1][0] == found[3][0] == found[5][0]
    assert found[0][0] != found[1][0]


def test_a_function_may_call_orderlab_itself():
    def total(x):
        if not inner:
            inner.append(orderlab.probe(np.sum, 4))
        return orderlab.sum(x, "pairwise").value

    inner = []
    assert orderlab.probe(total, 9, sizes=[20]).order == "pairwise"
    assert inner[0].verdict == "named"


def test_a_thread_that_probes_at_the_end_of_python_is_stopped():
    done = subprocess.run([sys.executable, "-c", """
import numpy as np, orderlab, threading, time
orderlab.probe(np.sum, 2)
threading.Thread(target=lambda: orderlab.probe(lambda x: time.sleep(0.001) or np.sum(x), 10**4), daemon=True).start()
time.sleep(0.3)
"""], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(SANITIZED, reason="the sanitizer keeps memory that was given back")
def test_arrays_are_given_back():
    resource = pytest.importorskip("resource")
    orderlab.probe(np.sum, 2000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    orderlab.probe(np.sum, 10_000, dtype="float64")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # KiB; all calls: 800 MB


def test_sums_of_magnitudes_squares_and_norms_are_named():
    def summed(x):
        return np.cumsum(x)[-1]

    for of, f in (("abs", lambda x: summed(np.abs(x))), ("square", lambda x: summed(x * x)),
                  ("norm", lambda x: np.sqrt(summed(x * x)))):
        found = orderlab.probe(f, n=40, of=of)
        assert (found.verdict, found.order, found.config.of) == ("named", "sequential", of)
        assert found.settings[0].certified
    assert orderlab.probe(summed, n=40, of="abs").verdict == "not a sum"
    with pytest.raises(ValueError, match="of"):
        orderlab.probe(summed, n=40, of="cube")


def test_a_weighted_sum_takes_its_weights_as_an_array():
    weights = np.array([0.5, -1, 2, 1, 4, -0.25, 1, 0.5])
    found = orderlab.probe(lambda x: np.cumsum(x * weights.astype(np.float32))[-1], weights=weights)
    assert (found.verdict, found.settings[0].n, found.config.weighted) == ("named", 8, True)
    with pytest.raises(ValueError, match="power of two"):
        orderlab.probe(np.sum, weights=np.array([1.0, 3.0]))
