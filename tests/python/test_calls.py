"""How functions are called: keywords, messages, progress, interrupts, threads, other processes."""

import builtins
import inspect
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import time
import warnings
from fractions import Fraction

import numpy as np
import orderlab
import pytest
from orderlab import _calls, _core

LONG = dict(n=100_000, order="random", samples=10**7)


@pytest.mark.parametrize("keywords, error, says", [
    (dict(samples=0), ValueError, "samples=0: must be"),
    (dict(samples=-1), ValueError, "samples=-1"),
    (dict(samples=1.5), ValueError, "samples=1.5"),
    (dict(samples=True), TypeError, "samples: must not be True"),
    (dict(samples=[3]), TypeError, "samples: takes one value, not a list of them"),
    (dict(samples=10**30), ValueError, "samples="),
    (dict(n=1e300), ValueError, "n="),
    (dict(order="wrap"), ValueError, "did you mean warp"),
    (dict(order=3), ValueError, "3"),
    (dict(order=[]), ValueError, "order"),
    (dict(arrival="lunch"), ValueError, "launch"),
    (dict(format="fp31"), ValueError, "fp31"),
    (dict(wrong=3), TypeError, "unexpected keyword argument 'wrong'"),
    (dict(threads=-3), ValueError, "threads"),
    (dict(range=(5, 2)), ValueError, "range"),
    (dict(x=np.ones(3)), ValueError, "n=100"),
    (dict(axis=0), ValueError, "axis=0: is of an array"),
    (dict(progress=3), TypeError, "progress: must be True, or a function"),
    (dict(op="index_ad", shape=(3, 4)), ValueError, "index_add"),
    (dict(op="index_add", shape=(2.7, 3)), TypeError, "float"),
    (dict(x="-"), ValueError, "standard input is for the command line"),
    (dict(x="my --odd dir/x.npy"), ValueError, "n=100 and x=my --odd dir/x.npy"),
    (dict(keep_results=True), ValueError, "give op or axis"),
    (dict(n=None, x="x.npy", result="fp64"), ValueError, "give format="),
    (dict(order=None), ValueError, "order"),
], ids=str)
def test_a_wrong_argument_is_one_clear_line(keywords, error, says):
    with pytest.raises(error) as raised:
        orderlab.sample(**{"n": 100, "order": "warp", **keywords})
    message = str(raised.value)
    assert says in message and "\n" not in message and "`" not in message
    assert "--" not in message.replace("--odd", "")


def test_check_takes_numbers_as_people_have_them():
    x = np.full(10, 0.1, dtype=np.float32)
    s = orderlab.sample(x, "random", samples=20)
    for values in (s.values[0], float(s.values[0]), np.float32(s.values[0]), [s.values[0]], s.values,
                   np.float32(s.values), f"bits:{int(s.bits[0]):#010x}", np.array(s.values[0]), [1]):
        check = orderlab.check(values, x, "random")
        assert check.explained == (values != [1] if isinstance(values, list) else True)
    with pytest.raises(ValueError, match="^values: number 1 is not exact in fp32"):
        orderlab.check(np.array([1 / 3]), x, "random")
    with pytest.raises(ValueError, match="^values: give the results"):
        orderlab.check(x=x, order="random")
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(orderlab.check(1.0, x, "random"))


def test_a_python_error_is_an_orderlab_error_of_its_kind():
    with pytest.raises(orderlab.UsageError):
        orderlab.sample(n=10, order="wrap")
    with pytest.raises(orderlab.InputError):
        orderlab.sample("/dev/null", "warp")
    with pytest.raises(orderlab.UnsupportedError):
        orderlab.sample(n=10**13, order="warp")
    assert issubclass(orderlab.UsageError, (orderlab.Error, ValueError))


def test_every_flag_is_a_keyword_with_its_help():
    for name in ("sample", "check", "tolerance", "solve", "train", "compare", "sweep", "fit", "infer"):
        function = getattr(orderlab, name)
        for flag in _core.command(name)["flags"]:
            parameter = _calls.Parameter(flag)
            if flag["name"] in _calls.OUTPUT or flag["name"] in ("--value", "--values"):
                continue
            assert parameter.name in inspect.signature(function).parameters
            assert f"{parameter.name} : " in function.__doc__
        assert function.__name__ == name


def test_results_are_frozen_and_say_what_they_have():
    s = orderlab.sample(n=1000, order="warp", samples=20)
    with pytest.raises(AttributeError, match="frozen"):
        s.samples = 3
    with pytest.raises(AttributeError, match="frozen"):
        del s.samples
    with pytest.raises(AttributeError, match="did you mean samples"):
        s.sample
    with pytest.raises(ValueError, match="read-only"):
        s.values[0] = 1
    assert s.partial is None  # a key that this document has not
    assert s.error.ulp["quantiles"]["0.5"].value == s["error"]["ulp"].quantiles["0.5"].value
    assert "distinct" in dir(s) and s == orderlab.sample(n=1000, order="warp", samples=20)
    assert s.bits.dtype == np.uint64 and (s.bits.view(np.float64) == s.values).all()
    assert s.counts.sum() == 20


@pytest.mark.parametrize("make", [
    lambda: orderlab.sample(n=1000, order="warp", samples=20),
    lambda: orderlab.sample(n=1000, order=["warp", "pairwise"], samples=20),
    lambda: orderlab.sample(op="index_add", shape=(20, 4), ratio=0.5, samples=5, keep_results=True),
    lambda: orderlab.check(3.0, np.ones(3), "random"),
    lambda: orderlab.tree("pairwise", 5),
    lambda: orderlab.compare([1.0, 2.0, 3.0], [2.0, 3.0, 5.0]),
])
def test_a_result_can_be_pickled(make):
    result = make()
    copy = pickle.loads(pickle.dumps(result))
    assert copy == result and str(copy) == str(result) and copy.to_csv() == result.to_csv()
    assert copy.charts() == result.charts()
    if isinstance(result, type(orderlab.tree("seq", 2))):
        assert copy.newick() == result.newick() and (copy.parents == result.parents).all()


def test_parts_and_exact_sums_can_be_pickled():
    sample = orderlab.sample(op="index_add", shape=(20, 4), ratio=0.5, samples=5)
    elements = pickle.loads(pickle.dumps(sample.elements))
    assert (elements.least == sample.elements.least).all() and elements.varies.shape == sample.elements.varies.shape
    for x in ([0.1, 1e300], [np.inf], [-np.inf], [np.nan]):
        exact = orderlab.exact_sum(x)
        assert pickle.loads(pickle.dumps(exact)) == exact
    assert not hasattr(sample.vc, "verdict") and sample.partial is None


def test_exact_sums_of_products_are_exact():
    x, y = np.array([1e308, 5e-324, -3.5]), np.array([1.7e308, 5e-324, 0.1])
    assert orderlab.exact_sum(x, y).fraction == builtins.sum(Fraction(a) * Fraction(b) for a, b in zip(x, y))
    assert orderlab.exact_sum(x).fraction == builtins.sum(map(Fraction, x))
    with pytest.raises(ValueError, match="not exact in float64"):
        orderlab.exact_sum([2**53 + 1, 0])


def test_accumulate_and_result_are_of_the_array_s_own_format(tmp_path):
    x = np.random.default_rng(1).random(1000, dtype=np.float32)
    np.save(tmp_path / "x.npy", x)

    class ArrayLike:
        def __array__(self, dtype=None):
            return x

    own = orderlab.sum(x, "sequential", result="fp64")
    assert own == orderlab.sum(ArrayLike(), "sequential", result=np.float64)
    assert own == orderlab.sum(tmp_path / "x.npy", "sequential", format="fp32", result="fp64")


def test_a_tree_keeps_its_terms():
    x = np.array([1.0, 2.0, 3.0])
    tree = orderlab.tree("pairwise", x=x)
    before = tree.dot()
    x[:] = 7
    assert tree.dot() == before


def test_charts_are_vega_lite_and_in_the_notebook():
    s = orderlab.sample(n=1000, order="warp", samples=50)
    bundle = s._repr_mimebundle_()
    assert "$schema" in s.chart() and bundle == {"text/plain": str(s), "text/html": s._repr_html_()}
    assert set(s._repr_mimebundle_(include=["text/plain"])) == {"text/plain"}
    assert "<html" in s.to_html()
    assert s.chart(next(iter(s.charts()))) == s.chart()
    with pytest.raises(ValueError, match="there are"):
        s.chart("nothing")
    t = orderlab.tolerance(n=100, order="warp")
    assert "<svg" not in t._repr_mimebundle_()["text/html"]
    with pytest.raises(ValueError, match="no charts"):
        t.chart()


def test_a_model_s_drawn_runs_are_kept_by_shards(tmp_path):
    what = dict(set="split_k=4,split_order=arrival", runs=2, neighbours="1,300", seed=3, tokens=2)
    whole = orderlab.infer("tiny", **what)
    assert whole.part is None and len(whole.drawn.answers) == 200
    store = tmp_path / "r.sqlite"
    half = orderlab.infer("tiny", **what, db=store, shard="1/2")
    assert half.part == "1/2" and len(half.drawn.answers) == 100
    assert orderlab.infer("tiny", **what, db=store) == whole


def test_two_orders_are_compared_with_each_other():
    x = np.arange(100.0)
    pair = orderlab.tolerance(x, "seq", against="pairwise(8)", against_format="fp32")
    assert (pair["config"]["against"], pair["config"]["against_format"]) == ("pairwise(8)", "fp32")
    assert pair.kwargs["atol"] == 0  # whole numbers, of which no sum is rounded
    assert orderlab.check(0.0, x, "seq", against="pairwise(8)").explained
    assert not orderlab.check([0.0, 1.0], x, "seq", against="pairwise(8)").explained
    array = orderlab.sample(op="sum(axis=1)", x=x.reshape(4, 25), order="warp", baseline="seq", samples=3)
    assert array["config"]["baseline"] == "seq"


def test_progress_is_called_on_this_thread_and_may_stop_the_work():
    seen = []

    def progress(stage, done, total, fraction):
        if stage != "sampling":  # the terms
            return
        seen.append((stage, done, total, threading.get_ident()))
        if len(seen) == 3:
            raise RuntimeError("enough")

    begin = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        orderlab.sample(**LONG, progress=progress)
    assert time.monotonic() - begin < 60
    assert len(seen) == 3 and {one[3] for one in seen} == {threading.get_ident()}
    assert seen[0][1] <= seen[1][1] <= seen[2][1] <= seen[2][2] == 10**7


def test_without_tqdm_progress_is_a_line_that_is_removed(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    bar = _calls._Bar()
    for stage, done in (("terms", 1), ("terms", 2), ("sampling", 3)):
        bar(stage, done, 4, done / 4)
    bar.close()
    shown = capsys.readouterr().err.split("\r")
    assert [line.strip() for line in shown if line.strip()] == [
        f"{stage}: [{'#' * marks:30}] {done} of 4" for stage, marks, done in
        (("terms", 8, 1), ("terms", 15, 2), ("sampling", 22, 3)) for _ in range(2)]
    assert shown[-1] == "" and shown[-2].strip() == ""


# A stage that is short may end before progress is asked for.
@pytest.mark.parametrize("call, stages", [
    (lambda progress: orderlab.sum(n=3_000_000, dist="cancel(1e6)", order="seq", progress=progress),
     ["generating terms", "exact sum"]),
    (lambda progress: orderlab.alternatives("index_add", n=3_000_000, samples=1, progress=progress),
     ["generating inputs", "rows of the operation", "outputs that vary", "exact results"]),
    (lambda progress: orderlab.solve("cg", "poisson2d(1024)", samples=1, progress=progress),
     ["system of equations", "launch order"]),
    (lambda progress: orderlab.train(nodes=100_000, hidden=8, progress=progress), ["generating the graph", "model"]),
])
def test_progress_is_called_before_the_first_result(call, stages):
    class Enough(Exception):
        pass

    def progress(*now):
        raise Enough(*now)

    with pytest.raises(Enough) as first:
        call(progress)
    assert first.value.args[0] in stages
    assert 0 < first.value.args[1] <= first.value.args[2] and 0 < first.value.args[3] <= 1


INTERRUPTED = """
import orderlab, os, signal, sys, threading
orderlab.tree("seq", 2)  # all is imported
threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("call", [
    "orderlab.sample(n=100_000, order='random', samples=10**7)",
    "orderlab.tolerance(n=100_000, order='random', coverage=0.999999)",
    "orderlab.check(3.0, n=100_000, order='random', samples=10**7)",
    "orderlab.worst(n=100_000, order='random', evaluations=10**9)",
    "orderlab.solve('cg', 'poisson2d(256)', samples=10**4)",
    "orderlab.train(seeds=1000)",
    "orderlab.sample(op='index_add', shape=(1000, 1000), ratio=0.5, samples=10**6)",
    "orderlab.alternatives('index_add', shape=(1000, 1000), ratio=0.5, samples=10**6)",
    "orderlab.crosscheck(full=True)",
    "orderlab.sum(n=30_000_000, dist='cancel(1e6)', order='seq')",  # these are at what comes before a result
    "orderlab.alternatives('index_add', n=10_000_000)",
    "orderlab.solve('cg', 'poisson2d(2048)')",
    "orderlab.train(nodes=1_000_000, hidden=8)",
    "orderlab.train(hidden=20_000)",
])
def test_ctrl_c_is_a_keyboard_interrupt(call):
    done = subprocess.run([sys.executable, "-c", INTERRUPTED.format(call=call)], capture_output=True, text=True,
                          timeout=120, check=False)
    assert done.stdout == "interrupted\n", done.stderr


def test_threads_of_python_work_at_the_same_time():
    results = [None] * 4

    def work(i):
        results[i] = orderlab.sample(n=20_000, order="random", samples=200, seed=i % 2, threads=1)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert results[0] == results[2] and results[1] == results[3] and results[0] != results[1]


def test_the_gil_is_released():
    ticks = []
    worker = threading.Thread(target=lambda: orderlab.sample(n=200_000, order="random", samples=300, threads=1))
    worker.start()
    while worker.is_alive():
        ticks.append(time.monotonic())
        time.sleep(0.001)
    assert len(ticks) > 50


def forked(seed):
    return orderlab.sample(n=2000, order="warp", samples=50, seed=seed)


def test_results_come_from_forked_processes():
    before = forked(1)  # the parent has threads already
    with multiprocessing.get_context("fork").Pool(2) as pool:
        results = pool.map_async(forked, [1, 2, 1]).get(timeout=60)
    assert results[0] == results[2] == before and results[1] != before


def test_notes_are_warnings(tmp_path):
    path = tmp_path / "bad.capture"
    path.write_text("nothing")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            orderlab.verify(str(path))
        except Exception:
            pass
    assert all(issubclass(one.category, orderlab.OrderlabWarning) for one in caught)


def test_no_import_of_what_is_seldom_used():
    code = "import sys, numpy; before = set(sys.modules); import orderlab; print(*sorted(set(sys.modules) - before))"
    new = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"tqdm", "fractions", "tempfile", "difflib", "pandas", "scipy"} & set(new)


AT_THE_END = """
import orderlab, threading, time
work = lambda: orderlab.sample(n=100_000, order="random", samples=10**7)
threading.Thread(target=work, daemon=True).start()
time.sleep(0.5)
print("end")
"""


def test_a_call_of_a_daemon_thread_ends_with_the_interpreter():
    done = subprocess.run([sys.executable, "-c", AT_THE_END], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_no_worker_is_idle_over_a_fork():
    def threads():
        return len(os.listdir("/proc/self/task"))

    os.waitpid(os.fork() or os._exit(0), 0)  # BLAS, too, ends its threads over a fork
    without = threads()
    orderlab.sum([0.1, 0.2], "sequential")
    assert threads() > without
    child = os.fork()
    if child == 0:
        os._exit(0 if orderlab.sum([0.5, 0.25], "sequential").value == 0.75 else 1)
    assert threads() == without
    assert os.waitpid(child, 0)[1] == 0
    assert orderlab.sum([0.5, 0.25], "sequential").value == 0.75


def test_a_fork_beside_a_running_call():
    worker = threading.Thread(target=lambda: orderlab.sample(n=100_000, order="random", samples=2000, threads=1))
    worker.start()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        results = pool.map_async(forked, [1, 2, 1]).get(timeout=60)
    worker.join()
    assert results[0] == results[2] == forked(1)


@pytest.mark.parametrize("terms, bits", [([np.inf, 1], 0x7F800000), ([-np.inf, 1], 0xFF800000),
                                         ([np.inf, -np.inf], 0x7FC00000), ([1, 2], 0x40400000)])
def test_the_bits_of_a_sum_that_is_not_finite(terms, bits):
    assert orderlab.sum(np.array(terms, dtype=np.float32), "sequential").bits == bits
