"""The commands as functions. Each takes its arguments as a dictionary: see _calls.command."""

import json
import os

import numpy as np

from . import _arrays, _boxes, _requests, results
from ._calls import command

_X = """x : array or path
    The terms, of any shape and any library: NumPy, torch, JAX, CuPy, pandas, polars, xarray, or what has DLPack,
    __array_interface__ or __array__. float64, float32, float16 and bfloat16 are used where they lie if they are in C
    order; float8_e4m3fn and float8_e5m2 are copied, as is what lies on an accelerator. Or a file, such as terms.npy or
    data.csv::price. Nothing may change them during the call. Without it n terms are generated.
"""
_ORDER = """order : str
    A named order or an expression; orderlab.list("orders") has them.
"""
_ORDERS = """order : str or list of them
    Named orders or expressions; several are compared. orderlab.list("orders") has them.
"""
_SUMS = {
    "axis": """axis : int or "all"
    Sum along this axis, as numpy.sum; every output is added in the order. "all": all terms are one sum, the default for
    an array. A file of several dimensions needs one of them.
""",
    "accumulate": """accumulate : str
    Format of the partial sums: fp64, fp32, fp16, bf16 or fp80. Default: that of the terms, or fp32 where these are tf32, e4m3 or e5m2.
""",
    "result": """result : str
    Format of the result. Default: that of the partial sums, or of the terms where these are fp80.
""",
}
_KEEP = {"keep_results": """keep_results : bool
    Of an operation: keep all results for `results`, samples x the shape of the output.
"""}


@command(leading=("x", "order"), extra={"x": _X, "order": _ORDERS, **_SUMS, **_KEEP}.items(), keeps="counts")
def sample(arguments) -> "results.Sample | results.SampledOrders | results.OperationSample":
    """How far does a sum move? Draws many orders of it, or of an operation with many outputs.

    Returns
    -------
    Sample
        values, counts, bits (arrays), error, vs, bounds, same_bits; for several orders SampledOrders: runs; with op or
        axis an OperationSample: vc, vermv, elements (arrays in the shape of the output); with by a Groups: groups.

    Raises
    ------
    TypeError, ValueError
        For arguments that are wrong. UsageError and InputError are ValueErrors.

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> s = orderlab.sample(np.full(4096, 0.1, dtype=np.float32), "warp", samples=100)
    >>> s.samples, int(s.counts.sum()), s.values.dtype
    (100, 100, dtype('float64'))
    >>> orderlab.sample(n=1e4, order="warp").order.expression
    'halving(32) | arrive(uniform) | seq(acc=atomic)'
    """
    _requests.formats(arguments)
    _requests.axis(arguments)
    keep = arguments.pop("keep_results", False)
    if keep and not _requests.is_operation(arguments):
        raise ValueError("keep_results: is of operations with many outputs; give op or axis")
    several = isinstance(arguments.get("order"), (tuple, type([]))) and len(arguments["order"]) > 1
    kind = results.SampledOrders if several else results.Sample
    kind = results.OperationSample if _requests.is_operation(arguments) else kind
    kind = results.Groups if "by" in arguments else kind
    return _requests.ask("sample", kind, arguments, [("--npy", ["-"])] if keep else [])


@command(leading=("x", "order"), extra={"x": _X, "order": _ORDER, **_SUMS}.items())
def enumerate(arguments) -> "results.Enumeration | results.OperationEnumeration":
    """Every result that few partial sums can give, with its exact probability.

    Returns
    -------
    Enumeration
        values, bits, counts, probabilities, error, bounds; with op or axis an OperationEnumeration; with by a
        Groups: groups.

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> e = orderlab.enumerate(np.array([0.1, 0.2, -0.3]), "random")
    >>> float(e.probabilities.sum()), sum(e.counts)
    (1.0, 6)
    """
    _requests.formats(arguments)
    _requests.axis(arguments)
    kind = results.OperationEnumeration if _requests.is_operation(arguments) else results.Enumeration
    kind = results.Groups if "by" in arguments else kind
    return _requests.ask("enumerate", kind, arguments)


@command(leading=("x", "order"), extra={"x": _X, "order": _ORDER, **_SUMS}.items())
def sum(arguments) -> "results.Sum | results.OperationSum":
    """One fixed order: the bits, the error, the bounds; of an operation, all outputs.

    Returns
    -------
    Sum
        value, bits, height, error, bounds; with op or axis an OperationSum: elements (arrays in the shape of the output).

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> s = orderlab.sum(np.array([0.1, 0.2, -0.3]), "sequential")
    >>> s.value, hex(s.bits), s.height
    (5.551115123125783e-17, '0x3c90000000000000', 2)
    """
    _requests.formats(arguments)
    _requests.axis(arguments)
    kind = results.OperationSum if _requests.is_operation(arguments) else results.Sum
    return _requests.ask("sum", kind, arguments)


@command(leading=("order", "n"), extra={"order": _ORDER, "x": _X}.items())
def tree(arguments) -> "results.Tree":
    """The explicit summation tree of an order of n terms.

    Returns
    -------
    Tree
        parents (array), nodes, height, newick(), dot().

    Examples
    --------
    >>> import orderlab
    >>> t = orderlab.tree("pairwise", 4)
    >>> t.newick(), t.height
    ('((x0,x1)n4,(x2,x3)n5)n6;', 2)
    >>> t.parents
    array([ 4,  4,  5,  5,  6,  6, -1])
    """
    return _requests.ask("tree", results.Tree, arguments)


@command(leading=("values", "x", "order"), extra={"values": """values : number, text, list, array or path
    Results to judge: numbers, texts such as "0x1.8p+1" or "bits:0x3dcccccd", an array of the result format, a file; of
    an operation the array of one run.
""", "x": _X, "order": _ORDER.rstrip() + """ "any" tries all that are known.
""", **_SUMS}.items(), draws=True)
def check(arguments) -> "results.Check | results.DifferenceCheck | results.OperationCheck | results.OrderCheck":
    """Are these results explained by order, or by a bug or a race?

    Returns
    -------
    Check
        explained (bool), verdicts, pvalue, values; with op or axis an OperationCheck; with order="any" an OrderCheck, whose
        orders are those that explain all results; with against=ORDER a DifferenceCheck, of differences. Its text says why.

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> x = np.full(10, 0.1)
    >>> orderlab.check(0.9999999999999999, x, "random").verdicts
    {0.9999999999999999: 'explained'}
    >>> orderlab.check([0.9999999999999999, 1.1], x, "random").explained
    False
    """
    _requests.formats(arguments)
    _requests.axis(arguments)
    operation = _requests.is_operation(arguments)
    if operation and "values" in arguments:
        arguments["actual"] = arguments.pop("values")
        _arrays.read_arrays(arguments)
    more, keep = [], []
    if "values" in arguments and "actual" in arguments:
        raise ValueError("values, actual: give one of them; both are the results to check")
    if not operation and "values" not in arguments:
        raise ValueError("values: give the results to check")
    if "values" in arguments:
        values = arguments.pop("values")
        texts = _requests.results_given(values)
        if texts is not None:
            more = [("--value", texts)]
        elif isinstance(values, os.PathLike):
            more = [("--values", [os.fspath(values)])]
        else:
            keep = [("--values", _arrays.results("values", values))]
    kind = (results.OperationCheck if operation else results.OrderCheck if arguments.get("order") == "any"
            else results.DifferenceCheck if "against" in arguments else results.Check)
    kind = results.Groups if "by" in arguments else kind
    return _requests.ask("check", kind, arguments, more, keep)


@command(leading=("x", "order"), extra={"x": _X, "order": _ORDER, **_SUMS}.items(), draws=True)
def tolerance(arguments) -> "results.Tolerance | results.OperationTolerance":
    """What to pass to a compare call, with coverage and confidence.

    Returns
    -------
    Tolerance
        kwargs, for numpy.testing.assert_allclose(actual, desired, \\*\\*t.kwargs); tolerance, bounds, observed.

    Examples
    --------
    >>> import orderlab
    >>> t = orderlab.tolerance(n=1000, order="warp", format="fp32")
    >>> t.kwargs
    {'rtol': 3.26e-07, 'atol': 0.0}
    """
    _requests.formats(arguments)
    _requests.axis(arguments)
    kind = results.OperationTolerance if _requests.is_operation(arguments) else results.Tolerance
    kind = results.Groups if "by" in arguments else kind
    return _requests.ask("tolerance", kind, arguments)


@command(leading=("x", "order"), extra={"x": _X, "order": _ORDER,
                                        **{key: _SUMS[key] for key in ("accumulate", "result")}}.items())
def worst(arguments) -> "results.Worst":
    """The extreme orders: how far from the exact sum can it get?

    Returns
    -------
    Worst
        least, greatest (each with value, error_ulp, order: an array for numpy.take), method.

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> w = orderlab.worst(np.array([1.0, 1e16, -1e16, 1.0]), "random")
    >>> w.least.value, w.greatest.value
    (0.0, 2.0)
    """
    _requests.formats(arguments)
    return _requests.ask("worst", results.Worst, arguments)


@command(leading=("op", "x", "order"), extra={"x": _X, "order": _ORDER}.items())
def explain(arguments) -> "results.Explanation":
    """Which kernel an operation runs, what arrives together, which outputs can vary and why not the others.

    Examples
    --------
    >>> import orderlab
    >>> orderlab.explain("index_add", shape=(1000, 20), ratio=0.5).launch.kernel
    'indexFuncLargeIndex'
    """
    return _requests.ask("explain", results.Explanation, arguments)


@command(leading=("op", "x", "order"), extra={"x": _X, "order": _ORDER}.items())
def alternatives(arguments) -> "results.Alternatives":
    """Each way to do an operation: its guarantee, results, error and cost.

    Examples
    --------
    >>> import orderlab
    >>> a = orderlab.alternatives("index_add", shape=(100, 20), ratio=0.5, samples=10)
    >>> [form.name for form in a.alternatives][:3]
    ['as it runs', 'static schedule', 'deterministic form']
    """
    return _requests.ask("alternatives", results.Alternatives, arguments)


@command(leading=("solver", "matrix"), extra={"matrix": """matrix : str, path, array or sparse matrix
    A formula such as "poisson2d(64)" (orderlab.list("matrices") has them), a file of Matrix Market, an array with two
    dimensions, or a sparse matrix of SciPy.
""", "rhs": """rhs : array or path
    The right-hand side. Default: uniform(-1,1).
"""}.items(), keeps="db")
def solve(arguments) -> "results.Solve | str":
    """An iterative solver in drawn orders: how many iterations, how far runs drift apart.

    Returns
    -------
    Solve
        iterations, divergence, launch, exact; with shard, what the command prints.

    Examples
    --------
    >>> import orderlab
    >>> s = orderlab.solve("cg", "poisson2d(20)", samples=20)
    >>> s.iterations.exact
    64
    """
    with _requests.files(arguments, matrix=(".mtx", _requests.write_matrix), rhs=(".npy", _requests.write_npy)):
        if "shard" in arguments:
            return _requests.do("solve", arguments)
        return _requests.ask("solve", results.Solve, arguments)


@command(keeps="db")
def train(arguments) -> "results.Training | str":
    """Train a model with several seeds and orders: which of them moves the score, and how far.

    Returns
    -------
    Training
        epochs, margins; with shard, what the command prints.

    Examples
    --------
    >>> import orderlab
    >>> t = orderlab.train(seeds=2, orders=2, epochs=2)
    >>> [epoch.epoch for epoch in t.epochs]
    [1, 2]
    """
    if "shard" in arguments:
        return _requests.do("train", arguments)
    return _requests.ask("train", results.Training, arguments)


@command(leading=("a", "b"), extra={"a": """a : list, array or path
    Scores of runs of model A, one for each run.
""", "b": """b : list, array or path
    The same of model B.
"""}.items())
def compare(arguments) -> "results.Comparison":
    """Is model A better than B, or is it seed luck? From scores of several runs of each.

    Examples
    --------
    >>> import orderlab
    >>> c = orderlab.compare([0.781, 0.779, 0.790, 0.784], [0.795, 0.788, 0.801, 0.797], difference=0.01)
    >>> round(c.difference, 5), c.shown
    (-0.01175, True)
    """
    for name in ("a", "b"):
        if name not in arguments:
            raise ValueError(f"{name}: give the scores of both models, one for each run")
        arguments[name] = _requests.scores(name, arguments[name])
    return _requests.ask("compare", results.Comparison, arguments)


@command(leading=("model",), keeps="db")
def infer(arguments) -> "results.Flips | results.ModelRuns":
    """When does the answer of a language model change, and is that rounding?

    From a model that runs here, or from a server's log-probabilities.

    Returns
    -------
    Flips
        with logprobs: observed, expected, per_1000, explained; with a model ModelRuns: comparisons, answers.

    Examples
    --------
    >>> import json, orderlab
    >>> token = {"token": "a", "logprob": -0.5, "top_logprobs": [{"token": "a", "logprob": -0.5}, {"token": "b", "logprob": -1}]}
    >>> with open("run.jsonl", "w") as file:
    ...     print(json.dumps({"choices": [{"logprobs": {"content": [token] * 100}}]}), file=file)
    >>> orderlab.infer(logprobs="run.jsonl", noise=0.5).tokens.all
    100
    >>> run = orderlab.infer("tiny", against="split_k=4", tokens=4)
    >>> [r.reduction for r in run.comparisons[0].reductions]
    ['products']
    """
    kind = results.ModelRuns if "model" in arguments else results.Flips
    return _requests.ask("infer", kind, arguments)


@command(leading=("file",), extra={"file": """file : array or path
    Recorded arrival orders, one a row: integers 0 to m-1. With op a table of Vc, a CSV file.
"""}.items())
def fit(arguments) -> "results.Fit | results.OperationFit":
    """Arrival models from recorded arrival orders.

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> random = np.random.default_rng(1)
    >>> orders = [random.permutation(40) for run in range(20)]
    >>> orderlab.fit(np.array(orders)).models[0].arrival
    'uniform'
    """
    kind = results.OperationFit if "op" in arguments else results.Fit
    with _requests.files(arguments, file=(".csv", _requests.write_orders)):
        return _requests.ask("fit", kind, arguments)


@command(leading=("sources",), extra={"sources": """sources : str, path, array, or list of them
    Recorded arrival orders, a file or an array with one order a row, or arrival models such as 'v100_b64'. The first
    recording is what the others are compared with.
"""}.items())
def arrivals(arguments) -> "results.Arrivals":
    """Which arrival model has the features of recorded arrival orders?

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> random = np.random.default_rng(1)
    >>> orders = np.array([np.argsort(np.arange(200) + random.normal(0, 9, 200)) for run in range(30)])
    >>> a = orderlab.arrivals([orders, "jitter(9)", "uniform"], sms=8, resident=4)
    >>> a.sources[1].misfit < 3 < a.sources[2].misfit
    True
    """
    with _requests.order_files(arguments, "sources"):
        return _requests.ask("arrivals", results.Arrivals, arguments)


@command(leading=("f", "n"), extra={"f": """f : callable, str, list or tuple
    The black box. A function f(x) of an array of NumPy with one dimension, which returns the sum: any number, or an array
    of one. It is called in this process, on this thread; every call has an array of its own, which f may change.
    A text is a shell command that reads numbers on its standard input, one a line, and writes their sum; a list is the
    same as program and arguments. (library, symbol) is a function T symbol(size_t n, const T x[]) of a shared library.
    Commands and functions of libraries run in processes of their own, so that they may crash or hang.
""", "dtype": """dtype : dtype or str
    Of the terms: float64, float32, float16, or bfloat16, which needs ml_dtypes. Default: float32.
""", "sizes": """sizes : int or list of them
    Further numbers of terms. Default: the order that was found is tried for two more by a few random inputs.
""", "offsets": """offsets : int or range
    Place the first term so many elements behind a multiple of 4096 bytes: range(16) tries 0 to 15.
""", "box_threads": """box_threads : int or list of them
    Numbers of threads, set as OMP_NUM_THREADS of a process: not for a callable.
""", "axis": """axis : int
    Of a callable, or of python: call it with an array of two dimensions and axis=axis, 0 or 1, for 64 sums.
""", "expect": """expect : str
    An order that it should have: `as_expected` says whether it has. orderlab.list("orders") has those with a name.
""", "time_limit": """time_limit : float
    Seconds for one answer of a process. Default: 10.
""", "dot": """dot : bool
    Of a callable: call it with two arrays; it returns their dot product.
"""}.items())
def probe(arguments) -> "results.Probe | results.FusedProbe":
    """In which order does a function, a program or a library add? Reveals the order of a black box and names it.

    Returns
    -------
    Probe
        verdict ("named", "revealed", "depends on n", "random", "data-dependent", "not a sum", ...), order (as all functions
        take it), calls, accumulator (precision of the additions), tree, settings (one for each n, offset and number of
        threads), as_expected. With fused=True a FusedProbe: verdict ("named", "revealed", "not fused"), units, described (orders
        that agree with every answer), reading (what was found of a step), calls, disagrees.

    Raises
    ------
    TypeError, ValueError
        For arguments that are wrong, and for a function that returns no number. InputError for a command or a library
        that crashes, hangs or gives no number. What a callable raises is raised as it is.

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> def total(x):
    ...     return np.cumsum(x[0::2])[-1] + np.cumsum(x[1::2])[-1]
    >>> p = orderlab.probe(total, sizes=[2, 31, 1000])
    >>> p.verdict, p.order
    ('named', 'simd(2)')
    >>> p.accumulator.narrowest, p.tree.height       # bits of precision, additions on the longest path
    (24, 32)
    >>> orderlab.probe(total, expect="sequential").as_expected
    False
    >>> orderlab.probe(np.mean).verdict
    'not a sum'
    """
    box = _boxes.box_of(arguments)
    kind = results.FusedProbe if arguments.get("fused") else results.Probe
    return _requests.ask("probe", kind, arguments, box=box)


@command()
def crosscheck(arguments) -> "results.Crosscheck":
    """Kernels against the orders that they claim, bit for bit."""
    return _requests.ask("crosscheck", results.Crosscheck, arguments)


@command(leading=("files",))
def verify(arguments) -> "results.Verification":
    """Recorded runs of a GPU against the orders that their kernels claim."""
    return _requests.ask("verify", results.Verification, arguments)


@command(leading=("config", "db"), keeps="db")
def sweep(arguments) -> str:
    """Run all points of a config and store each as it finishes. Returns what the command prints."""
    return _requests.do("sweep", arguments)


@command(leading=("stores", "db"))
def merge(arguments) -> "str | results.Sample | results.SampledOrders":
    """Join the stores of a sweep's shards, or with `counts` the counts of one sum's samples. Of stores it returns what
    the command prints, of counts what `sample` would return.

    Examples
    --------
    >>> import orderlab, tempfile
    >>> part = tempfile.mkdtemp() + "/{shard}.counts"
    >>> for shard in "1/2", "2/2":
    ...     s = orderlab.sample(n=1e3, order="warp", samples=100, shard=shard, counts=part)
    >>> parts = [part.format(shard=i) for i in (1, 2)]
    >>> orderlab.merge(parts, counts=part.format(shard="all"), complete=True).samples
    100
    """
    if arguments.get("counts") is not None:
        return _requests.ask("merge", results.merged_counts, arguments)
    return _requests.do("merge", arguments)


@command(leading=("store", "output"))
def report(arguments) -> str:
    """Write a store as one page with charts, which needs no network. Returns what the command prints."""
    return _requests.do("report", arguments)


@command(leading=("store",))
def export(arguments):
    """The points of a store, one dictionary for each, in the config's order."""
    lines = _requests.do("export", arguments, [("--json", ["-"]), ("--quiet", [])])
    return [json.loads(line) for line in lines.splitlines()]


@command(leading=("what", "name"))
def list(arguments):
    """Everything that has a name: "orders", "stages", "arrivals", "distributions", "operations", ... One dictionary for
    each entry.

    Examples
    --------
    >>> import orderlab
    >>> "warp" in [order["name"] for order in orderlab.list("orders")]
    True
    """
    return json.loads(_requests.do("list", arguments, [("--json", ["-"])]))["entries"]


@command(leading=("files",))
def host(arguments) -> "results.HostRun":
    """A CUDA program, unmodified, on a simulated GPU: faults by line, numbers that vary from run to run."""
    return _requests.ask("host", results.HostRun, arguments)
