"""Work in parts by executors: the bytes of one process, lost workers, interrupts."""

import concurrent.futures
import multiprocessing
import os
import signal

import numpy as np
import orderlab
import pytest
from orderlab import _parts

X = np.random.default_rng(1).random(3000, dtype=np.float32)


@pytest.fixture(scope="module")
def processes():
    context = multiprocessing.get_context("forkserver")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
        yield executor


@pytest.mark.parametrize("more", [dict(order="warp"), dict(order=["warp", "random"]),
                                  dict(order="warp", max_distinct=3)], ids=str)
def test_a_sample_by_processes_has_the_bytes_of_one(processes, more):
    alone = orderlab.sample(X, samples=100, **more)
    for parts in (None, 3):
        result = orderlab.sample(X, samples=100, **more, executor=processes, parts=parts)
        assert result.to_json() == alone.to_json() and str(result) == str(alone)


def test_generated_terms_and_threads_of_python():
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        result = orderlab.sample(n=500, order="warp", samples=64, executor=threads)
    assert result.to_json() == orderlab.sample(n=500, order="warp", samples=64).to_json()


def test_counts_are_kept_and_not_drawn_again(processes, tmp_path):
    kept = tmp_path / "all.counts"
    first = orderlab.sample(X, "warp", samples=80, executor=processes, counts=kept)
    assert first.to_json() == orderlab.sample(X, "warp", samples=80).to_json()
    assert orderlab.sample(X, "warp", samples=80, counts=kept).to_json() == first.to_json()


def test_samples_that_are_kept_are_not_drawn_again(tmp_path):
    kept, alone = tmp_path / "all.counts", orderlab.sample(X, "warp", samples=80)
    orderlab.sample(X, "warp", samples=80, range="20:45", counts=kept)
    executor = Losing({})
    assert orderlab.sample(X, "warp", samples=80, executor=executor, parts=3, counts=kept).to_json() == alone.to_json()
    assert executor.asked == ["0:19", "19:20", "45:64", "64:80"]
    executor = Losing({})
    assert orderlab.sample(X, "warp", samples=80, executor=executor, counts=kept).to_json() == alone.to_json()
    assert executor.asked == []
    more = orderlab.sample(X, "warp", samples=100, executor=executor, counts=kept, parts=1)
    assert more.to_json() == orderlab.sample(X, "warp", samples=100).to_json() and executor.asked == ["80:100"]


def test_samples_of_other_terms_are_found_before_the_work(tmp_path):
    orderlab.sample(X, "warp", samples=40, range="0:9", counts=tmp_path / "all.counts")
    executor = Losing({})
    with pytest.raises(ValueError, match="all.counts"):
        orderlab.sample(X[1:], "warp", samples=40, executor=executor, counts=tmp_path / "all.counts")
    assert executor.asked == []


def test_orders_of_which_one_has_more_samples(tmp_path):
    kept, what = tmp_path / "all.counts", dict(order=["warp", "random"], samples=20_000)

    def enough(stage, *more):
        if "2 of 2" in stage:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        orderlab.sample(X, **what, counts=kept, progress=enough, threads=1)
    executor = Losing({})
    result = orderlab.sample(X, **what, counts=kept, executor=executor, parts=3)
    assert result.to_json() == orderlab.sample(X, **what).to_json()
    assert executor.asked == []  # all samples of the first are there; what the second lacks is drawn here


SOLVE = dict(solver="cg", matrix="poisson2d(8)", samples=7)
TRAIN = dict(nodes=80, classes=3, hidden=16, epochs=2, seeds=3, orders=2, evaluations=2)


@pytest.mark.parametrize("function, what, most", [(orderlab.solve, SOLVE, 7), (orderlab.train, TRAIN, 3)], ids=str)
def test_runs_by_processes_have_the_bytes_of_one(processes, tmp_path, function, what, most):
    alone = function(**what)
    for parts in (None, 2):
        assert function(**what, executor=processes, parts=parts).to_json() == alone.to_json()
    executor = Losing({"2/2"}, most=99)
    with pytest.warns(orderlab.OrderlabWarning, match="1 of 2 parts were lost"):
        assert function(**what, executor=executor, parts=2, db=tmp_path / "runs.sqlite").to_json() == alone.to_json()
    executor = Losing({})
    assert function(**what, executor=executor, db=tmp_path / "runs.sqlite").to_json() == alone.to_json()
    assert len(executor.asked) == min(most, 4 * executor._max_workers)


def test_runs_that_are_kept_are_not_made_again(tmp_path, monkeypatch):
    kept, made = tmp_path / "runs.sqlite", []
    first = orderlab.solve(**SOLVE, db=kept)
    do_file = _parts.do_file

    def watched(work, part):
        content = do_file(work, part)
        made.append(len(content) - len(work[3]))
        return content

    monkeypatch.setattr(_parts, "do_file", watched)
    assert orderlab.solve(**SOLVE, db=kept, executor=Losing({}), parts=2) == first
    assert made == [0, 0]  # no record was added


def test_an_array_as_matrix_and_right_hand_side(processes):
    matrix, rhs = np.diag(np.arange(1.0, 21.0)), np.linspace(-1, 1, 20)
    result = orderlab.solve("cg", matrix, rhs=rhs, samples=3, executor=processes, parts=2)
    assert result.to_json() == orderlab.solve("cg", matrix, rhs=rhs, samples=3).to_json()


ROWS = np.random.default_rng(2).random((40, 25), dtype=np.float32)
SUMS = np.array([1487.5, 1487.6], dtype=np.float32)  # near those of X


@pytest.mark.parametrize("function, arguments", [
    (orderlab.tolerance, dict(x=X, order="warp", samples=7000)),
    (orderlab.tolerance, dict(x=X, order="random", against="run")),
    (orderlab.tolerance, dict(x=X, order="random", against="warp")),
    (orderlab.tolerance, dict(n=500, order="warp")),
    (orderlab.tolerance, dict(n=500, order="warp", format="fp32", against="run")),
    (orderlab.check, dict(values=SUMS, x=X, order="random")),
    (orderlab.check, dict(values=[float(SUMS[0])], x=X, order="warp", samples=5000))], ids=str)
def test_draws_by_processes_give_the_bytes_of_one(processes, function, arguments):
    alone = function(**arguments)
    for parts in (None, np.int64(3)):
        shared = function(**arguments, executor=processes, parts=parts)
        assert shared.to_json() == alone.to_json() and str(shared) == str(alone)
    executor = Losing({})
    assert function(**arguments, executor=executor, parts=5).to_json() == alone.to_json()
    assert len(executor.asked) >= 5


def test_a_second_look_draws_only_what_is_missing():
    x = np.random.default_rng(3).random(200_000, dtype=np.float32)
    exact = float(x.sum(dtype=np.float64))
    values = [exact, exact + 1]  # the second is far beyond all samples
    alone, executor = orderlab.check(values, x, "warp"), Losing({})
    assert orderlab.check(values, x, "warp", executor=executor, parts=2).to_json() == alone.to_json()
    ranges = [tuple(map(int, part.split(":"))) for part in executor.asked]
    assert len(ranges) == 4 and all(a[1] == b[0] for a, b in zip(ranges, ranges[1:]))


def test_a_lost_part_of_draws_is_asked_for_again():
    alone = orderlab.tolerance(X, "warp", samples=7000)
    executor = Losing({"3500:7000"})
    assert orderlab.tolerance(X, "warp", samples=7000, executor=executor, parts=2).to_json() == alone.to_json()
    assert executor.asked == ["0:3500", "3500:7000", "3500:7000"]


def test_what_is_known_without_draws_asks_nobody():
    executor = Losing({})
    assert orderlab.tolerance(X[:8], "random", executor=executor) == orderlab.tolerance(X[:8], "random")
    assert orderlab.check(1.0, X, "pairwise", executor=executor) == orderlab.check(1.0, X, "pairwise")
    assert executor.asked == []


@pytest.mark.parametrize("function, arguments", [
    (orderlab.sample, dict(x=ROWS, order="warp", axis=0, samples=20)),
    (orderlab.tolerance, dict(x=ROWS, order="random", axis=1, coverage=0.9)),
    (orderlab.tolerance, dict(n=50, order="warp", coverage=0.9, outputs=3)),
    (orderlab.check, dict(values=0.25, x=X[:100], order="warp", against="random")),
    (orderlab.check, dict(values=float(X[:60].sum()), x=X[:60], order="any"))], ids=str)
def test_what_has_no_parts_is_done_by_one_worker(processes, function, arguments):
    alone, executor = function(**arguments), Losing({})
    assert function(**arguments, executor=processes).to_json() == alone.to_json()
    assert function(**arguments, executor=executor).to_json() == alone.to_json() and executor.asked == ["1/1"]


def test_a_table_by_groups_is_done_by_one_worker(processes, tmp_path):
    (tmp_path / "t.csv").write_text("shop,price\na,0.1\nb,0.7\na,0.2\na,-0.3\nb,0.4\n")
    (tmp_path / "sums.csv").write_text("shop,sum\na,0\nb,1.1\n")
    what = dict(x=f"{tmp_path / 't.csv'}::price", order="random", by="shop")
    for function, more in [(orderlab.sample, {}), (orderlab.tolerance, {}),
                           (orderlab.check, dict(values=tmp_path / "sums.csv::sum"))]:
        alone, executor = function(**what, **more), Losing({})
        assert function(**what, **more, executor=processes).to_json() == alone.to_json()
        assert function(**what, **more, executor=executor).to_json() == alone.to_json() and executor.asked == ["1/1"]


class Answering(concurrent.futures.Executor):
    """Its workers give these answers."""

    def __init__(self, answer_of):
        self._answer_of = answer_of

    def submit(self, function, *arguments):
        future = concurrent.futures.Future()
        future.set_result(self._answer_of(function, *arguments))
        return future


@pytest.mark.parametrize("answer_of", [
    lambda function, work, part: None,
    lambda function, work, part: ((5, 9), "x", b"abc"),
    lambda function, work, part: function((work[0], {**work[1], "seed": 2}), part),
    lambda function, work, part: function((work[0], {**work[1], "samples": 8000}), part),
    lambda function, work, part: function((work[0], {**work[1], "x": orderlab._arrays.Given(X[1:], "fp32")}), part),
], ids=["nothing", "bytes", "seed", "rule", "terms"])
def test_workers_that_draw_something_else_are_refused(answer_of):
    with pytest.raises(ValueError, match="executor: a worker drew other samples than .* of these terms"):
        orderlab.tolerance(X, "warp", samples=7000, executor=Answering(answer_of), parts=2)


def test_a_part_with_fewer_draws_is_refused():
    def shorter(function, work, part):
        draws, of, _ = function(work, part)
        return draws, of, function(work, "0:100")[2]

    with pytest.raises(ValueError, match="a part of draws 0:3500 has 100 of them"):
        orderlab.tolerance(X, "warp", samples=7000, executor=Answering(shorter), parts=2)


def test_calls_within_a_call_are_their_own():
    inner = []

    def progress(stage, *more):
        if not inner:
            inner.append(orderlab.tolerance(X, "warp", samples=7000))

    what = dict(x=X, order="random", against="run")
    shared = orderlab.tolerance(**what, executor=Losing({}), progress=progress)
    assert shared == orderlab.tolerance(**what) and inner == [orderlab.tolerance(X, "warp", samples=7000)]


@pytest.mark.parametrize("function, arguments", [(orderlab.enumerate, (X[:4], "random")), (orderlab.explain, ("warp", 9))])
def test_what_takes_no_executor_says_what_to_do(function, arguments):
    with pytest.raises(TypeError, match=f"{function.__name__}.. takes no executor: threads= .*executor.submit"):
        function(*arguments, executor=Losing({}))


def test_answers_of_a_model_by_processes(processes, tmp_path):
    (tmp_path / "prompts.txt").write_text("The sum of\nA list\nAn order\n")
    what = dict(model="tiny", prompts=tmp_path / "prompts.txt", against="split_k=4", tokens=1)
    assert orderlab.infer(**what, executor=processes, parts=2).to_json() == orderlab.infer(**what).to_json()


def test_a_sweep_by_processes(processes, tmp_path):
    (tmp_path / "s.toml").write_text('n = [10, 20]\norder = ["warp", "pairwise"]\nsamples = 20\n')
    orderlab.sweep(tmp_path / "s.toml", tmp_path / "parts.sqlite", executor=processes, parts=3)
    orderlab.sweep(tmp_path / "s.toml", tmp_path / "one.sqlite")
    assert orderlab.export(tmp_path / "parts.sqlite") == orderlab.export(tmp_path / "one.sqlite")


def test_a_store_of_something_else_is_named_as_the_caller_knows_it(tmp_path):
    (tmp_path / "a.toml").write_text('n = 10\norder = "warp"\nsamples = 20\n')
    (tmp_path / "b.toml").write_text('n = 20\norder = "warp"\nsamples = 20\n')
    kept, executor = tmp_path / "runs.sqlite", Losing({})
    orderlab.sweep(tmp_path / "a.toml", kept)
    before = kept.read_bytes()
    with pytest.raises(ValueError, match=f"^{kept}: is of another sweep"):
        orderlab.sweep(tmp_path / "b.toml", kept, executor=executor)
    assert executor.asked == [] and kept.read_bytes() == before
    with pytest.raises(ValueError, match="^db: "):
        orderlab.solve(**SOLVE, executor=executor, db=kept)
    assert kept.read_bytes() == before


class Losing(concurrent.futures.Executor):
    """Loses the first tries of some parts: their workers end without an answer."""

    _max_workers = 2

    def __init__(self, lost, most=1):
        self._lost, self._most, self.asked = lost, most, []

    def submit(self, function, *arguments):
        shard = arguments[-1]
        self.asked.append(shard)
        future = concurrent.futures.Future()
        if shard in self._lost and self.asked.count(shard) <= self._most:
            future.set_exception(concurrent.futures.process.BrokenProcessPool("a worker ended"))
        else:
            future.set_result(function(*arguments))
        return future


def test_a_lost_part_is_asked_for_again():
    alone = orderlab.sample(X, "warp", samples=60)
    executor = Losing({"2/4", "4/4"})
    assert orderlab.sample(X, "warp", samples=60, executor=executor, parts=4).to_json() == alone.to_json()
    assert sorted(executor.asked) == ["1/4", "2/4", "2/4", "3/4", "4/4", "4/4"]
    executor = Losing({"3/4"}, most=99)
    with pytest.warns(orderlab.OrderlabWarning, match="1 of 4 parts were lost .*a worker ended") as caught:
        result = orderlab.sample(X, "warp", samples=60, executor=executor, parts=4)
    assert result.to_json() == alone.to_json() and executor.asked.count("3/4") == _parts._TRIES
    assert caught[0].filename == __file__


def end(*ignored):
    os._exit(1)


def test_a_pool_that_breaks_leaves_its_parts_to_this_process():
    context = multiprocessing.get_context("forkserver")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as executor:
        executor.submit(end)
        with pytest.warns(orderlab.OrderlabWarning, match="lost with their workers"):
            result = orderlab.sample(X, "warp", samples=40, executor=executor, parts=2)
    assert result.to_json() == orderlab.sample(X, "warp", samples=40).to_json()


@pytest.mark.parametrize("options, error, says", [
    (dict(executor=3), TypeError, "executor: must have submit"),
    (dict(executor=Losing({}), parts=0), ValueError, "parts=0"),
    (dict(executor=Losing({}), parts=True), ValueError, "parts=True: must be a whole number"),
    (dict(executor=Losing({}), parts=2.5), ValueError, "parts=2.5: must be a whole number"),
    (dict(parts=3), ValueError, "parts: is of work that an executor does"),
    (dict(executor=Losing({}), shard="1/2"), ValueError, "shard=1/2"),
    (dict(executor=Losing({}), range="7:61"), ValueError, "range=7:61"),
    (dict(executor=Losing({}), order="wrap"), ValueError, "did you mean warp"),
    (dict(executor=Losing({}), order="pairwise"), ValueError, "counts"),
])
def test_wrong_arguments(options, error, says):
    with pytest.raises(error, match=says):
        orderlab.sample(X, **{"order": "warp", **options})


def test_progress_counts_parts_and_may_stop_the_work():
    seen = []
    orderlab.sample(X, "warp", samples=40, executor=Losing({}), parts=4, progress=lambda *now: seen.append(now))
    assert seen == [("parts", i, 4, i / 4) for i in range(1, 5)]

    def enough(*now):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        orderlab.sample(X, "warp", samples=40, executor=Losing({}), parts=4, progress=enough)


def test_finished_parts_are_kept_when_the_work_stops(tmp_path):
    kept = tmp_path / "all.counts"

    def enough(stage, done, *more):
        if done == 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        orderlab.sample(X, "warp", samples=40, executor=Losing({}), parts=4, progress=enough, counts=kept)
    assert kept.stat().st_size > 0 and [one.name for one in tmp_path.iterdir()] == ["all.counts"]
    assert orderlab.sample(X, "warp", samples=40, counts=kept) == orderlab.sample(X, "warp", samples=40)


def test_finished_runs_are_kept_when_the_work_stops(tmp_path):
    kept = tmp_path / "runs.sqlite"

    def enough(stage, done, *more):
        if done == 2:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        orderlab.solve(**SOLVE, executor=Losing({}), parts=3, progress=enough, db=kept)
    assert kept.stat().st_size > 0
    assert orderlab.solve(**SOLVE, db=kept).to_json() == orderlab.solve(**SOLVE).to_json()


def test_a_file_that_keeps_no_counts_is_found_before_the_work(tmp_path):
    kept, executor = tmp_path / "all.counts", Losing({})
    kept.write_text("nothing")
    with pytest.raises(Exception, match="all.counts"):
        orderlab.sample(X, "warp", samples=40, executor=executor, parts=4, counts=kept)
    assert not executor.asked and kept.read_text() == "nothing"


def test_progress_is_shown_as_a_bar(capsys):
    orderlab.sample(X, "warp", samples=40, executor=Losing({}), parts=4, progress=True)
    assert "parts" in capsys.readouterr().err


def test_an_interrupt_cancels_what_has_not_begun(processes):
    def interrupt(*now):
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        orderlab.sample(n=10_000, order="random", samples=10**5, executor=processes, parts=200, progress=interrupt)


def test_an_executor_of_mpi():
    futures = pytest.importorskip("mpi4py.futures")
    with futures.MPICommExecutor() as executor:  # one rank: the work is done here
        if executor is None:
            pytest.skip("this rank is a worker")
        result = orderlab.sample(X, "warp", samples=20, executor=executor, parts=2)
    assert result.to_json() == orderlab.sample(X, "warp", samples=20).to_json()


def test_a_client_of_dask():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        result = orderlab.sample(X, "warp", samples=20, executor=client, parts=2)
    assert result.to_json() == orderlab.sample(X, "warp", samples=20).to_json()
