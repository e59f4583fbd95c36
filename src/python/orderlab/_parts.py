"""Work in parts, by the processes of an executor. A part is a shard, or a range of samples, and keeps what it found in a
file, or it is draws of a range. Both merge exactly, so that the result has the bytes that one process gives it."""

import concurrent.futures
import contextlib
import numbers
import os
import tempfile
import warnings

from . import _calls, _requests
from ._errors import Error, OrderlabWarning, frames_within

KEYWORDS = {
    "executor": """executor : concurrent.futures.Executor
    Does the work in parts: an executor of processes or threads, of mpi4py.futures, or a client of Dask. The result has
    the same bytes as without. A part takes one thread unless `threads` says otherwise. A part whose worker is lost is
    asked for again, in the end in this process. Work without parts, such as that of groups or of operations with many
    outputs, is done by one worker with all its processors. Files are read by every worker.
""",
    "parts": """parts : int
    Into how many parts an executor's work is divided. Default: one for each worker where they are draws of tolerance and
    check, else four, but no more than there are runs.
""",
}

_TRIES = 3  # how often a part is given to workers
_EACH = 4  # parts of runs for each worker
_RUNS = {"sample": "samples", "solve": "samples", "train": "seeds"}  # keywords for the number of runs, which parts divide
_OWN = (Error, TypeError, ValueError, KeyboardInterrupt)  # what a part raises of itself; else its worker is lost


def in_parts(function, name, keeps, arguments):
    """What function(**arguments) returns. `keeps` is its keyword for the file in which parts are kept, None where parts are
    draws of samples."""
    executor, count = arguments.pop("executor"), arguments.pop("parts", None)
    for one in ("shard", "range"):
        if one in arguments:
            raise ValueError(f"{one}={arguments[one]}: an executor makes shards of its own; leave it out")
    executor = executor.get_executor() if hasattr(executor, "get_executor") else executor  # a client of Dask
    if not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor: must have submit(), as those of concurrent.futures, not {executor!r}")
    if count is not None:
        if isinstance(count, bool) or not isinstance(count, numbers.Integral) or count < 1:
            raise ValueError(f"parts={count}: must be a whole number from 1")
        count = int(count)
    progress = _calls._shown(arguments.pop("progress", None))

    def answers(do, work, parts, stage="parts"):
        return _answers(executor, do, work, parts, stage, progress)

    def parts_of(runs):
        if count is not None:
            return count
        most = _workers(executor) * (1 if keeps is None else _EACH)  # each part of draws reads and measures the terms
        return most if runs is None else max(1, min(most, runs))

    try:
        if not _divides(name, arguments):
            return next(answers(do_whole, (name, arguments), ["1/1"]))[1]
        if keeps is None:
            return _in_draws(function, name, arguments, answers, parts_of, progress)
        return _in_files(function, name, keeps, arguments, answers, parts_of)
    finally:
        if isinstance(progress, _calls._Bar):
            progress.close()


def _divides(name, arguments):
    """Whether the work has parts: the samples of one sum do, those of groups and of operations with many outputs do not."""
    if name not in ("sample", "tolerance", "check"):
        return True
    if _requests.is_operation(arguments) or "by" in arguments:
        return False
    if name == "tolerance":
        return _count(name, arguments, "outputs") in (None, 1)
    return name == "sample" or not ("against" in arguments or arguments.get("order") == "any")


def _in_draws(function, name, arguments, answers, parts_of, progress):
    """Has others draw samples for as long as the answer needs more."""
    made, stage = [], "parts"
    while True:
        try:
            return function.of_read({**arguments, "divided": (None, made), "progress": progress})
        except _calls.DrawsMissing as missing:
            (first, end), of = missing.args
        for part, answer in answers(do_draws, (name, arguments), _ranges([(first, end)], parts_of(end - first)), stage):
            draws = tuple(map(int, part.split(":")))
            if not (isinstance(answer, tuple) and answer[:2] == (draws, of)):
                raise ValueError(f"executor: a worker drew other samples than {part} of these terms and orders; every "
                                 "worker needs the same files, and the same version of orderlab")
            made.append((draws, answer[2]))
        made.sort()
        stage = "more parts"


def _in_files(function, name, keeps, arguments, answers, parts_of):
    runs = _count(name, arguments, _RUNS[name]) if name in _RUNS else None
    count = parts_of(runs)

    def keep():
        if keeps == "counts":
            _merge_counts(kept, files)
        else:
            _function("merge")(files, kept)

    with tempfile.TemporaryDirectory(prefix="orderlab-") as folder:
        files, start = [], b""
        work = {key: value for key, value in arguments.items() if key != keeps}
        kept = os.fspath(arguments.get(keeps, os.path.join(folder, "all")))
        parts = [f"{i}/{count}" for i in range(1, count + 1)]
        if os.path.exists(kept) and os.path.getsize(kept):
            if keeps == "counts":
                parts = _missing_ranges(function, arguments, kept, runs, count)
            else:
                if name == "sweep":
                    function(arguments["config"], kept, status=True)  # refuses a store of another sweep
                start = _copy_of_store(kept, folder)
        try:
            for _, content in answers(do_file, (name, keeps, work, start), parts):
                path = os.path.join(folder, f"part{len(files)}")
                with open(path, "wb") as file:
                    file.write(content)
                files.append(path)
        except BaseException:
            if keeps in arguments and files:  # what is done stays done
                keep()
            raise
        with _called(kept, os.fspath(arguments.get(keeps, keeps))):
            keep()
            return function(**{**arguments, keeps: kept})


def no_parts(name):
    """Why a function takes no executor, and what to do."""
    return (f"takes no executor: threads= uses all processors of this machine, and executor.submit(orderlab.{name}, ...) "
            f"has a worker do the whole call")


def _count(name, arguments, keyword):
    """A number of runs as the program reads it; None where it is not a number; the program then says so."""
    value = arguments.get(keyword, _calls.parameters(name)[keyword].default)
    try:
        return _calls._power_of_two(value) if isinstance(value, str) and "^" in value else int(float(value))
    except (TypeError, ValueError, OverflowError):
        return None


def _missing_ranges(function, arguments, kept, samples, count):
    """What is left to draw, in ranges; ValueError where the file keeps other samples than these."""
    from . import _core

    drawn = _core.counted_samples(os.fsencode(kept))
    if drawn:
        first = drawn[0][0]
        function(**{**arguments, "counts": kept, "range": (first, first + 1)})  # draws at most one sample of each order
    starts = [0, *(end for _, end in drawn)]
    ends = [*(first for first, _ in drawn), max(samples or 0, starts[-1])]
    return _ranges([(a, b) for a, b in zip(starts, ends) if a < b], count)


def _ranges(missing, count):
    """Ranges cut into about so many parts, of one length but for the last of each."""
    most = -(-sum(b - a for a, b in missing) // count)
    return [f"{a}:{min(a + most, end)}" for first, end in missing for a in range(first, end, most)]


def _copy_of_store(kept, folder):
    """The bytes of a store, so that no worker makes a run that it has."""
    path = os.path.join(folder, "start")
    _function("merge")([kept], path)
    with open(path, "rb") as file:
        return file.read()


def _workers(executor):
    """How many work at the same time, as far as the executor says."""
    known = getattr(executor, "_max_workers", None) or getattr(executor, "num_workers", None)
    return known if isinstance(known, int) and known > 0 else os.cpu_count() or 1


def _function(name):
    from . import _functions

    return getattr(_functions, name)


@contextlib.contextmanager
def _called(path, name):
    """Errors call a file that the caller does not know by this name."""
    try:
        yield
    except (ValueError, RuntimeError) as error:
        if path not in str(error):
            raise
        raise type(error)(str(error).replace(path, name)) from None


# What a worker does, one of these: do(work, part).


def do_file(work, part):
    """The bytes of the file that keeps a part."""
    name, keeps, arguments, start = work
    with tempfile.TemporaryDirectory(prefix="orderlab-") as folder:
        path = os.path.join(folder, "part")
        if start:
            with open(path, "wb") as file:
                file.write(start)
        which = "range" if ":" in part else "shard"
        with _called(path, keeps):
            _function(name)(**{"threads": 1, **arguments, keeps: path, which: part})
        with open(path, "rb") as file:
            return file.read()


def do_draws(work, part):
    """(range, what it is of, bytes) of a range of draws."""
    name, arguments = work
    draws = tuple(map(int, part.split(":")))
    try:
        _function(name).of_read({"threads": 1, **arguments, "divided": (draws, [])})
    except _calls.PartDrawn as drawn:
        return drawn.args
    return None  # here the answer needs no draws


def do_whole(work, part):
    """What the function returns, where the work has no parts."""
    name, arguments = work
    return _function(name)(**arguments)


def _answers(executor, do, work, parts, stage, progress):
    """(part, do(work, part)) of all parts, in the order in which they come."""
    tries = dict.fromkeys(parts, 0)
    pending, alone, lost_by = {}, [], None
    total, done = len(parts), 0

    def ask(part):
        nonlocal lost_by
        tries[part] += 1
        try:
            if tries[part] <= _TRIES:
                pending[executor.submit(do, work, part)] = part
                return
        except (concurrent.futures.BrokenExecutor, RuntimeError, OSError) as error:  # it takes no more work
            lost_by = lost_by or error
        alone.append(part)

    try:
        for part in parts:
            ask(part)
        while pending:
            for future in concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED).done:
                part = pending.pop(future)
                try:
                    content = future.result()
                except _OWN:
                    raise
                except BaseException as error:  # the worker's end: BrokenProcessPool, KilledWorker, ...
                    lost_by = error
                    ask(part)
                    continue
                done += 1
                if callable(progress):
                    progress(stage, done, total, done / total)
                yield part, content
    finally:
        for future in pending:
            future.cancel()
    if alone:
        warnings.warn(f"{len(alone)} of {total} parts were lost with their workers and are done in this process; the "
                      f"last error: {type(lost_by).__name__}: {lost_by}", OrderlabWarning, stacklevel=frames_within())
    for part in alone:
        yield part, do(work, part)


def _merge_counts(kept, files):
    """Has the counts of files added to those that are kept; the file that keeps them is whole at any time."""
    from . import _core

    there = [kept] if os.path.exists(kept) and os.path.getsize(kept) else []
    if not there + files:
        return
    merged = _core.merge_counts([os.fsencode(path) for path in there + files])
    if files:
        with open(f"{kept}.new", "wb") as file:
            file.write(merged)
        os.replace(f"{kept}.new", kept)
