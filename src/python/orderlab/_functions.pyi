# Made by src/python/make_function_stubs.py; run it again where flags or functions change.
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias

from numpy.typing import ArrayLike, DTypeLike

from . import results

Path: TypeAlias = str | PathLike[str]

def sample(
    x: ArrayLike | Path | None = ...,
    order: str | Sequence[str] | None = ...,
    *,
    n: int | float | str | None = ...,
    dist: str | float | tuple[int, ...] | None = ...,
    y: ArrayLike | Path | None = ...,
    format: str | DTypeLike | None = ...,
    seed: int | float | str | None = ...,
    input_seed: int | float | str | None = ...,
    op: str | float | tuple[int, ...] | None = ...,
    index: ArrayLike | Path | None = ...,
    self: ArrayLike | Path | None = ...,
    shape: str | float | tuple[int, ...] | None = ...,
    ratio: str | float | tuple[int, ...] | None = ...,
    gpu: str | float | tuple[int, ...] | None = ...,
    lookback: str | float | tuple[int, ...] | None = ...,
    arrival: str | float | tuple[int, ...] | None = ...,
    threads: int | float | str | None = ...,
    samples: int | float | str | None = ...,
    range: str | float | tuple[int, ...] | None = ...,
    shard: str | float | tuple[int, ...] | None = ...,
    baseline: str | float | tuple[int, ...] | None = ...,
    max_distinct: int | float | str | None = ...,
    counts: Path | None = ...,
    axis: int | None = ...,
    accumulate: str | DTypeLike | None = ...,
    result: str | DTypeLike | None = ...,
    keep_results: bool | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Sample | results.SampledOrders | results.OperationSample:
    r"""How far does a sum move? Draws many orders of it, or of an operation with many outputs.

    Parameters
    ----------
    x : array or path
        The terms: float64, float32, float16, or bfloat16 of ml_dtypes, of any shape, used where they lie if they are in C
        order; or a file, such as terms.npy. Nothing may change them during the call. Without it n terms are generated.
    order : str or list of them
        Named orders or expressions; several are compared. orderlab.list("orders") has them.
    n : int
        number of terms to generate: 1000, 1e6, 2^20.
    dist : str
        distribution of generated terms; with one seed all use the same random numbers. Default: uniform(0,10).
    y : array or path
        multiply term by term with this file: a dot product.
    format : str
        fp64, fp32, fp16 or bf16, as TERMS[:ACCUMULATE[:RESULT]].
    seed : int
        seed of terms and orders. Default: 1.
    input_seed : int
        seed of the terms alone.
    op : str
        operation with many outputs, such as index_add; see orderlab.list("operations"). Default: sum.
    index : array or path
        where it adds: whole numbers, .npy or text.
    self : array or path
        first values of the accumulators, one for each output; default: 0.
    shape : str
        shape of inputs to generate, fp32 unless format says otherwise.
    ratio : str
        generated index: R A draws out of R A bins, A the first extent of the shape. Default: 1.
    gpu : str
        GPU that the launch is made for, or sms=K; arrivals do not depend on it. Default: h100.
    lookback : str
        how far back tiles of a scan look, such as 'uniform(1,32)'; default: arrival.
    arrival : str
        arrival model of every `arrive` that is written without one; default: uniform.
    threads : int
        threads, 0 for all; the results never depend on it. Default: 0.
    samples : int
        orders to draw. Default: 1000.
    range : str
        draw only samples A to B-1.
    shard : str
        only the i-th of N parts; auto, or auto/N: what Slurm, MPI or Kubernetes says; `{shard}` in names of files that are written is i.
    baseline : str
        fixed order that Vs compares with; default: same order, arrivals in launch order; of an operation: deterministic, launch, exact or run.
    max_distinct : int
        distinct results kept before binning. Default: 2^20.
    counts : path
        keep exact counts of the samples in a file: samples in it are not drawn again, and `orderlab merge` joins files.
    axis : int
        Sum along this axis, as numpy.sum; every output is added in the order. Default: all terms are one sum.
    accumulate : str
        Format of the partial sums: fp64, fp32, fp16 or bf16. Default: that of the terms.
    result : str
        Format of the result. Default: that of the partial sums.
    keep_results : bool
        Of an operation: keep all results for `results`, samples x the shape of the output.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

    Returns
    -------
    Sample
        values, counts, bits (arrays), error, vs, bounds, same_bits; for several orders SampledOrders: runs; with op or
        axis an OperationSample: vc, vermv, elements (arrays in the shape of the output).

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

def enumerate(
    x: ArrayLike | Path | None = ...,
    order: str | Sequence[str] | None = ...,
    *,
    n: int | float | str | None = ...,
    dist: str | float | tuple[int, ...] | None = ...,
    y: ArrayLike | Path | None = ...,
    format: str | DTypeLike | None = ...,
    seed: int | float | str | None = ...,
    input_seed: int | float | str | None = ...,
    arrival: str | float | tuple[int, ...] | None = ...,
    threads: int | float | str | None = ...,
    op: str | float | tuple[int, ...] | None = ...,
    index: ArrayLike | Path | None = ...,
    self: ArrayLike | Path | None = ...,
    shape: str | float | tuple[int, ...] | None = ...,
    ratio: str | float | tuple[int, ...] | None = ...,
    gpu: str | float | tuple[int, ...] | None = ...,
    lookback: str | float | tuple[int, ...] | None = ...,
    memory: str | float | tuple[int, ...] | None = ...,
    baseline: str | float | tuple[int, ...] | None = ...,
    max_distinct: int | float | str | None = ...,
    axis: int | None = ...,
    accumulate: str | DTypeLike | None = ...,
    result: str | DTypeLike | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Enumeration | results.OperationEnumeration:
    r"""Every result that few partial sums can give, with its exact probability.

    Parameters
    ----------
    x : array or path
        The terms: float64, float32, float16, or bfloat16 of ml_dtypes, of any shape, used where they lie if they are in C
        order; or a file, such as terms.npy. Nothing may change them during the call. Without it n terms are generated.
    order : str
        A named order or an expression; orderlab.list("orders") has them.
    n : int
        number of terms to generate: 1000, 1e6, 2^20.
    dist : str
        distribution of generated terms; with one seed all use the same random numbers. Default: uniform(0,10).
    y : array or path
        multiply term by term with this file: a dot product.
    format : str
        fp64, fp32, fp16 or bf16, as TERMS[:ACCUMULATE[:RESULT]].
    seed : int
        seed of terms and orders. Default: 1.
    input_seed : int
        seed of the terms alone.
    arrival : str
        arrival model of every `arrive` that is written without one; default: uniform.
    threads : int
        threads, 0 for all; the results never depend on it. Default: 0.
    op : str
        operation with many outputs, such as index_add; see orderlab.list("operations"). Default: sum.
    index : array or path
        where it adds: whole numbers, .npy or text.
    self : array or path
        first values of the accumulators, one for each output; default: 0.
    shape : str
        shape of inputs to generate, fp32 unless format says otherwise.
    ratio : str
        generated index: R A draws out of R A bins, A the first extent of the shape. Default: 1.
    gpu : str
        GPU that the launch is made for, or sms=K; arrivals do not depend on it. Default: h100.
    lookback : str
        how far back tiles of a scan look, such as 'uniform(1,32)'; default: arrival.
    memory : str
        memory for enumerating all orders, such as 2GiB; default: half of free memory.
    baseline : str
        fixed order that Vs compares with; default: same order, arrivals in launch order; of an operation: deterministic, launch, exact or run.
    max_distinct : int
        distinct results in JSON before binning. Default: 2^20.
    axis : int
        Sum along this axis, as numpy.sum; every output is added in the order. Default: all terms are one sum.
    accumulate : str
        Format of the partial sums: fp64, fp32, fp16 or bf16. Default: that of the terms.
    result : str
        Format of the result. Default: that of the partial sums.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

    Returns
    -------
    Enumeration
        values, bits, counts, probabilities, error, bounds; with op or axis an OperationEnumeration.

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> e = orderlab.enumerate(np.array([0.1, 0.2, -0.3]), "random")
    >>> float(e.probabilities.sum()), sum(e.counts)
    (1.0, 6)
    """

def sum(
    x: ArrayLike | Path | None = ...,
    order: str | Sequence[str] | None = ...,
    *,
    n: int | float | str | None = ...,
    dist: str | float | tuple[int, ...] | None = ...,
    y: ArrayLike | Path | None = ...,
    format: str | DTypeLike | None = ...,
    seed: int | float | str | None = ...,
    input_seed: int | float | str | None = ...,
    arrival: str | float | tuple[int, ...] | None = ...,
    threads: int | float | str | None = ...,
    accumulate: str | DTypeLike | None = ...,
    result: str | DTypeLike | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Sum:
    r"""One fixed order: the bits, the error, the bounds.

    Parameters
    ----------
    x : array or path
        The terms: float64, float32, float16, or bfloat16 of ml_dtypes, of any shape, used where they lie if they are in C
        order; or a file, such as terms.npy. Nothing may change them during the call. Without it n terms are generated.
    order : str
        A named order or an expression; orderlab.list("orders") has them.
    n : int
        number of terms to generate: 1000, 1e6, 2^20.
    dist : str
        distribution of generated terms; with one seed all use the same random numbers. Default: uniform(0,10).
    y : array or path
        multiply term by term with this file: a dot product.
    format : str
        fp64, fp32, fp16 or bf16, as TERMS[:ACCUMULATE[:RESULT]].
    seed : int
        seed of terms and orders. Default: 1.
    input_seed : int
        seed of the terms alone.
    arrival : str
        arrival model of every `arrive` that is written without one; default: uniform.
    threads : int
        threads, 0 for all; the results never depend on it. Default: 0.
    accumulate : str
        Format of the partial sums: fp64, fp32, fp16 or bf16. Default: that of the terms.
    result : str
        Format of the result. Default: that of the partial sums.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

    Returns
    -------
    Sum
        value, bits, height, error, bounds.

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> s = orderlab.sum(np.array([0.1, 0.2, -0.3]), "sequential")
    >>> s.value, hex(s.bits), s.height
    (5.551115123125783e-17, '0x3c90000000000000', 2)
    """

def tree(
    order: str | Sequence[str] | None = ...,
    n: int | float | str | None = ...,
    *,
    dist: str | float | tuple[int, ...] | None = ...,
    x: ArrayLike | Path | None = ...,
    y: ArrayLike | Path | None = ...,
    format: str | DTypeLike | None = ...,
    seed: int | float | str | None = ...,
    input_seed: int | float | str | None = ...,
    arrival: str | float | tuple[int, ...] | None = ...,
    threads: int | float | str | None = ...,
    sample: int | float | str | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Tree:
    r"""The explicit summation tree of an order of n terms.

    Parameters
    ----------
    order : str
        A named order or an expression; orderlab.list("orders") has them.
    n : int
        number of terms to generate: 1000, 1e6, 2^20.
    dist : str
        distribution of generated terms; with one seed all use the same random numbers. Default: uniform(0,10).
    x : array or path
        The terms: float64, float32, float16, or bfloat16 of ml_dtypes, of any shape, used where they lie if they are in C
        order; or a file, such as terms.npy. Nothing may change them during the call. Without it n terms are generated.
    y : array or path
        multiply term by term with this file: a dot product.
    format : str
        fp64, fp32, fp16 or bf16, as TERMS[:ACCUMULATE[:RESULT]].
    seed : int
        seed of terms and orders. Default: 1.
    input_seed : int
        seed of the terms alone.
    arrival : str
        arrival model of every `arrive` that is written without one; default: uniform.
    threads : int
        threads, 0 for all; the results never depend on it. Default: 0.
    sample : int
        number of the drawn order. Default: 0.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

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

def check(
    values: ArrayLike | str | Path | None = ...,
    x: ArrayLike | Path | None = ...,
    order: str | Sequence[str] | None = ...,
    *,
    actual: ArrayLike | Path | None = ...,
    confidence: float | str | None = ...,
    strict: bool | None = ...,
    ftz: Literal['either', 'yes', 'no'] | None = ...,
    n: int | float | str | None = ...,
    dist: str | float | tuple[int, ...] | None = ...,
    y: ArrayLike | Path | None = ...,
    op: str | float | tuple[int, ...] | None = ...,
    index: ArrayLike | Path | None = ...,
    self: ArrayLike | Path | None = ...,
    shape: str | float | tuple[int, ...] | None = ...,
    ratio: str | float | tuple[int, ...] | None = ...,
    gpu: str | float | tuple[int, ...] | None = ...,
    lookback: str | float | tuple[int, ...] | None = ...,
    format: str | DTypeLike | None = ...,
    seed: int | float | str | None = ...,
    input_seed: int | float | str | None = ...,
    device: Literal['any', 'cpu', 'gpu'] | None = ...,
    arrival: str | float | tuple[int, ...] | None = ...,
    threads: int | float | str | None = ...,
    samples: int | float | str | None = ...,
    memory: str | float | tuple[int, ...] | None = ...,
    axis: int | None = ...,
    accumulate: str | DTypeLike | None = ...,
    result: str | DTypeLike | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Check | results.OperationCheck | results.OrderCheck:
    r"""Are these results explained by order, or by a bug or a race?

    Parameters
    ----------
    values : number, text, list, array or path
        Results to judge: numbers, texts such as "0x1.8p+1" or "bits:0x3dcccccd", an array of the result format, a file; of
        an operation the array of one run.
    x : array or path
        The terms: float64, float32, float16, or bfloat16 of ml_dtypes, of any shape, used where they lie if they are in C
        order; or a file, such as terms.npy. Nothing may change them during the call. Without it n terms are generated.
    order : str
        A named order or an expression; orderlab.list("orders") has them. "any" tries all that are known.
    actual : array or path
        of an operation: the array of a run, .npy.
    confidence : float
        probability of not flagging legitimate results, however many are given; assumes uniform arrivals unless they are named. Default: 0.999.
    strict : bool
        with op: also exit 1 for outputs outside the model.
    ftz : 'either' or 'yes' or 'no'
        whether fp32 atomics and additions flush subnormal numbers to zero; either allows both. Default: either.
    n : int
        number of terms to generate: 1000, 1e6, 2^20.
    dist : str
        distribution of generated terms; with one seed all use the same random numbers. Default: uniform(0,10).
    y : array or path
        multiply term by term with this file: a dot product.
    op : str
        operation with many outputs, such as index_add; see orderlab.list("operations"). Default: sum.
    index : array or path
        where it adds: whole numbers, .npy or text.
    self : array or path
        first values of the accumulators, one for each output; default: 0.
    shape : str
        shape of inputs to generate, fp32 unless format says otherwise.
    ratio : str
        generated index: R A draws out of R A bins, A the first extent of the shape. Default: 1.
    gpu : str
        GPU that the launch is made for, or sms=K; arrivals do not depend on it. Default: h100.
    lookback : str
        how far back tiles of a scan look, such as 'uniform(1,32)'; default: arrival.
    format : str
        fp64, fp32, fp16 or bf16, as TERMS[:ACCUMULATE[:RESULT]].
    seed : int
        seed of terms and orders. Default: 1.
    input_seed : int
        seed of the terms alone.
    device : 'any' or 'cpu' or 'gpu'
        with order=any: try only the orders of CPU or of GPU programs. Default: any.
    arrival : str
        arrival model of every `arrive` that is written without one; default: uniform.
    threads : int
        threads, 0 for all; the results never depend on it. Default: 0.
    samples : int
        orders to draw if they cannot be enumerated, independent of `sample`'s draws; default: chosen from confidence, number of results and n.
    memory : str
        memory for enumerating all orders, such as 500MB or 2GiB. Default: 1GiB.
    axis : int
        Sum along this axis, as numpy.sum; every output is added in the order. Default: all terms are one sum.
    accumulate : str
        Format of the partial sums: fp64, fp32, fp16 or bf16. Default: that of the terms.
    result : str
        Format of the result. Default: that of the partial sums.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

    Returns
    -------
    Check
        explained (bool), verdicts, pvalue, values; with op or axis an OperationCheck; with order="any" an OrderCheck, whose
        orders are those that explain all results. Its text says why.

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> x = np.full(10, 0.1)
    >>> orderlab.check(0.9999999999999999, x, "random").verdicts
    {0.9999999999999999: 'explained'}
    >>> orderlab.check([0.9999999999999999, 1.1], x, "random").explained
    False
    """

def tolerance(
    x: ArrayLike | Path | None = ...,
    order: str | Sequence[str] | None = ...,
    *,
    n: int | float | str | None = ...,
    dist: str | float | tuple[int, ...] | None = ...,
    y: ArrayLike | Path | None = ...,
    format: str | DTypeLike | None = ...,
    seed: int | float | str | None = ...,
    input_seed: int | float | str | None = ...,
    arrival: str | float | tuple[int, ...] | None = ...,
    threads: int | float | str | None = ...,
    op: str | float | tuple[int, ...] | None = ...,
    index: ArrayLike | Path | None = ...,
    self: ArrayLike | Path | None = ...,
    shape: str | float | tuple[int, ...] | None = ...,
    ratio: str | float | tuple[int, ...] | None = ...,
    gpu: str | float | tuple[int, ...] | None = ...,
    lookback: str | float | tuple[int, ...] | None = ...,
    coverage: float | str | None = ...,
    confidence: float | str | None = ...,
    against: Literal['exact', 'run'] | None = ...,
    outputs: int | float | str | None = ...,
    inputs: str | float | tuple[int, ...] | None = ...,
    samples: int | float | str | None = ...,
    memory: str | float | tuple[int, ...] | None = ...,
    axis: int | None = ...,
    accumulate: str | DTypeLike | None = ...,
    result: str | DTypeLike | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Tolerance | results.OperationTolerance:
    r"""What to pass to a compare call, with coverage and confidence.

    Parameters
    ----------
    x : array or path
        The terms: float64, float32, float16, or bfloat16 of ml_dtypes, of any shape, used where they lie if they are in C
        order; or a file, such as terms.npy. Nothing may change them during the call. Without it n terms are generated.
    order : str
        A named order or an expression; orderlab.list("orders") has them.
    n : int
        number of terms to generate: 1000, 1e6, 2^20.
    dist : str
        distribution of generated terms; with one seed all use the same random numbers. Default: uniform(0,10).
    y : array or path
        multiply term by term with this file: a dot product.
    format : str
        fp64, fp32, fp16 or bf16, as TERMS[:ACCUMULATE[:RESULT]].
    seed : int
        seed of terms and orders. Default: 1.
    input_seed : int
        seed of the terms alone.
    arrival : str
        arrival model of every `arrive` that is written without one; default: uniform.
    threads : int
        threads, 0 for all; the results never depend on it. Default: 0.
    op : str
        operation with many outputs, such as index_add; see orderlab.list("operations"). Default: sum.
    index : array or path
        where it adds: whole numbers, .npy or text.
    self : array or path
        first values of the accumulators, one for each output; default: 0.
    shape : str
        shape of inputs to generate, fp32 unless format says otherwise.
    ratio : str
        generated index: R A draws out of R A bins, A the first extent of the shape. Default: 1.
    gpu : str
        GPU that the launch is made for, or sms=K; arrivals do not depend on it. Default: h100.
    lookback : str
        how far back tiles of a scan look, such as 'uniform(1,32)'; default: arrival.
    coverage : float
        fraction of runs that must pass. Default: 0.999.
    confidence : float
        probability that the coverage holds. Default: 0.95.
    against : 'exact' or 'run'
        exact: the exact sum; run: another run. Default: exact.
    outputs : int
        independent outputs of a comparison, each a sum of its own terms; the tolerance covers the largest of their errors. Default: 1.
    inputs : str
        new inputs of dist, one draw each; auto: chosen from coverage and confidence; 1: only the input of input_seed. Default: auto.
    samples : int
        orders to draw on one input; default: all if few, else chosen from coverage and confidence.
    memory : str
        memory for enumerating all orders, such as 500MB or 2GiB. Default: 1GiB.
    axis : int
        Sum along this axis, as numpy.sum; every output is added in the order. Default: all terms are one sum.
    accumulate : str
        Format of the partial sums: fp64, fp32, fp16 or bf16. Default: that of the terms.
    result : str
        Format of the result. Default: that of the partial sums.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

    Returns
    -------
    Tolerance
        kwargs, for numpy.testing.assert_allclose(actual, desired, \*\*t.kwargs); tolerance, bounds, observed.

    Examples
    --------
    >>> import orderlab
    >>> t = orderlab.tolerance(n=1000, order="warp", format="fp32")
    >>> t.kwargs
    {'rtol': 3.26e-07, 'atol': 0.0}
    """

def worst(
    x: ArrayLike | Path | None = ...,
    order: str | Sequence[str] | None = ...,
    *,
    n: int | float | str | None = ...,
    dist: str | float | tuple[int, ...] | None = ...,
    y: ArrayLike | Path | None = ...,
    format: str | DTypeLike | None = ...,
    seed: int | float | str | None = ...,
    input_seed: int | float | str | None = ...,
    arrival: str | float | tuple[int, ...] | None = ...,
    threads: int | float | str | None = ...,
    evaluations: int | float | str | None = ...,
    seconds: str | float | tuple[int, ...] | None = ...,
    memory: str | float | tuple[int, ...] | None = ...,
    accumulate: str | DTypeLike | None = ...,
    result: str | DTypeLike | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Worst:
    r"""The extreme orders: how far from the exact sum can it get?

    Parameters
    ----------
    x : array or path
        The terms: float64, float32, float16, or bfloat16 of ml_dtypes, of any shape, used where they lie if they are in C
        order; or a file, such as terms.npy. Nothing may change them during the call. Without it n terms are generated.
    order : str
        A named order or an expression; orderlab.list("orders") has them.
    n : int
        number of terms to generate: 1000, 1e6, 2^20.
    dist : str
        distribution of generated terms; with one seed all use the same random numbers. Default: uniform(0,10).
    y : array or path
        multiply term by term with this file: a dot product.
    format : str
        fp64, fp32, fp16 or bf16, as TERMS[:ACCUMULATE[:RESULT]].
    seed : int
        seed of terms and orders. Default: 1.
    input_seed : int
        seed of the terms alone.
    arrival : str
        arrival model of every `arrive` that is written without one; default: uniform.
    threads : int
        threads, 0 for all; the results never depend on it. Default: 0.
    evaluations : int
        sums that a search may evaluate; default: 20000, fewer for many terms.
    seconds : str
        search for this many seconds instead; not reproducible.
    memory : str
        memory for enumerating all orders, such as 500MB or 2GiB. Default: 1GiB.
    accumulate : str
        Format of the partial sums: fp64, fp32, fp16 or bf16. Default: that of the terms.
    result : str
        Format of the result. Default: that of the partial sums.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

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

def explain(
    op: str | float | tuple[int, ...] | None = ...,
    x: ArrayLike | Path | None = ...,
    order: str | Sequence[str] | None = ...,
    *,
    index: ArrayLike | Path | None = ...,
    self: ArrayLike | Path | None = ...,
    shape: str | float | tuple[int, ...] | None = ...,
    ratio: str | float | tuple[int, ...] | None = ...,
    gpu: str | float | tuple[int, ...] | None = ...,
    lookback: str | float | tuple[int, ...] | None = ...,
    n: int | float | str | None = ...,
    dist: str | float | tuple[int, ...] | None = ...,
    y: ArrayLike | Path | None = ...,
    format: str | DTypeLike | None = ...,
    seed: int | float | str | None = ...,
    input_seed: int | float | str | None = ...,
    arrival: str | float | tuple[int, ...] | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Explanation:
    r"""Which kernel an operation runs, what arrives together, which outputs can vary and why not the others.

    Parameters
    ----------
    op : str
        operation with many outputs, such as index_add; see orderlab.list("operations"). Default: sum.
    x : array or path
        The terms: float64, float32, float16, or bfloat16 of ml_dtypes, of any shape, used where they lie if they are in C
        order; or a file, such as terms.npy. Nothing may change them during the call. Without it n terms are generated.
    order : str
        A named order or an expression; orderlab.list("orders") has them.
    index : array or path
        where it adds: whole numbers, .npy or text.
    self : array or path
        first values of the accumulators, one for each output; default: 0.
    shape : str
        shape of inputs to generate, fp32 unless format says otherwise.
    ratio : str
        generated index: R A draws out of R A bins, A the first extent of the shape. Default: 1.
    gpu : str
        GPU that the launch is made for, or sms=K; arrivals do not depend on it. Default: h100.
    lookback : str
        how far back tiles of a scan look, such as 'uniform(1,32)'; default: arrival.
    n : int
        number of terms to generate: 1000, 1e6, 2^20.
    dist : str
        distribution of generated terms; with one seed all use the same random numbers. Default: uniform(0,10).
    y : array or path
        multiply term by term with this file: a dot product.
    format : str
        fp64, fp32, fp16 or bf16, as TERMS[:ACCUMULATE[:RESULT]].
    seed : int
        seed of terms and orders. Default: 1.
    input_seed : int
        seed of the terms alone.
    arrival : str
        arrival model of every `arrive` that is written without one; default: uniform.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

    Examples
    --------
    >>> import orderlab
    >>> orderlab.explain("index_add", shape=(1000, 20), ratio=0.5).launch.kernel
    'indexFuncLargeIndex'
    """

def alternatives(
    op: str | float | tuple[int, ...] | None = ...,
    x: ArrayLike | Path | None = ...,
    order: str | Sequence[str] | None = ...,
    *,
    index: ArrayLike | Path | None = ...,
    self: ArrayLike | Path | None = ...,
    shape: str | float | tuple[int, ...] | None = ...,
    ratio: str | float | tuple[int, ...] | None = ...,
    gpu: str | float | tuple[int, ...] | None = ...,
    lookback: str | float | tuple[int, ...] | None = ...,
    n: int | float | str | None = ...,
    dist: str | float | tuple[int, ...] | None = ...,
    y: ArrayLike | Path | None = ...,
    format: str | DTypeLike | None = ...,
    seed: int | float | str | None = ...,
    input_seed: int | float | str | None = ...,
    arrival: str | float | tuple[int, ...] | None = ...,
    samples: int | float | str | None = ...,
    adders: int | float | str | None = ...,
    latency: int | float | str | None = ...,
    threads: int | float | str | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Alternatives:
    r"""Each way to do an operation: its guarantee, results, error and cost.

    Parameters
    ----------
    op : str
        operation with many outputs, such as index_add; see orderlab.list("operations"). Default: sum.
    x : array or path
        The terms: float64, float32, float16, or bfloat16 of ml_dtypes, of any shape, used where they lie if they are in C
        order; or a file, such as terms.npy. Nothing may change them during the call. Without it n terms are generated.
    order : str
        A named order or an expression; orderlab.list("orders") has them.
    index : array or path
        where it adds: whole numbers, .npy or text.
    self : array or path
        first values of the accumulators, one for each output; default: 0.
    shape : str
        shape of inputs to generate, fp32 unless format says otherwise.
    ratio : str
        generated index: R A draws out of R A bins, A the first extent of the shape. Default: 1.
    gpu : str
        GPU that the launch is made for, or sms=K; arrivals do not depend on it. Default: h100.
    lookback : str
        how far back tiles of a scan look, such as 'uniform(1,32)'; default: arrival.
    n : int
        number of terms to generate: 1000, 1e6, 2^20.
    dist : str
        distribution of generated terms; with one seed all use the same random numbers. Default: uniform(0,10).
    y : array or path
        multiply term by term with this file: a dot product.
    format : str
        fp64, fp32, fp16 or bf16, as TERMS[:ACCUMULATE[:RESULT]].
    seed : int
        seed of terms and orders. Default: 1.
    input_seed : int
        seed of the terms alone.
    arrival : str
        arrival model of every `arrive` that is written without one; default: uniform.
    samples : int
        runs of the operation to draw. Default: 1000.
    adders : int
        adders that work at once, for a lower bound on cycles.
    latency : int
        cycles that an addition takes, for a lower bound on cycles.
    threads : int
        threads, 0 for all; the results never depend on it. Default: 0.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

    Examples
    --------
    >>> import orderlab
    >>> a = orderlab.alternatives("index_add", shape=(100, 20), ratio=0.5, samples=10)
    >>> [form.name for form in a.alternatives][:3]
    ['as it runs', 'static schedule', 'deterministic form']
    """

def solve(
    solver: str | float | tuple[int, ...] | None = ...,
    matrix: Any = ...,
    *,
    scale: str | float | tuple[int, ...] | None = ...,
    rhs: ArrayLike | Path | None = ...,
    format: str | DTypeLike | None = ...,
    seed: int | float | str | None = ...,
    input_seed: int | float | str | None = ...,
    order: str | Sequence[str] | None = ...,
    arrival: str | float | tuple[int, ...] | None = ...,
    spmv: Literal['rows', 'coo'] | None = ...,
    row_order: str | float | tuple[int, ...] | None = ...,
    preconditioner: Literal['none', 'jacobi'] | None = ...,
    tolerance: str | float | tuple[int, ...] | None = ...,
    max_iterations: int | float | str | None = ...,
    restart: int | float | str | None = ...,
    samples: int | float | str | None = ...,
    threads: int | float | str | None = ...,
    db: Path | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Solve:
    r"""An iterative solver in drawn orders: how many iterations, how far runs drift apart.

    Parameters
    ----------
    solver : str
        cg, bicgstab or gmres; see orderlab.list("solvers").
    matrix : str, path, array or sparse matrix
        A formula such as "poisson2d(64)" (orderlab.list("matrices") has them), a file of Matrix Market, an array with two
        dimensions, or a sparse matrix of SciPy.
    scale : str
        scale rows and columns: D A D, D = diag(10^u), u uniform in +-DECADES/2. Default: 0.
    rhs : array or path
        The right-hand side. Default: uniform(-1,1).
    format : 'fp64' or 'fp32'
        fp64 or fp32, of everything. Default: fp64.
    seed : int
        seed of terms and orders. Default: 1.
    input_seed : int
        seed of right-hand side and scaling alone.
    order : str
        order of dot products and norms, see orderlab.list("orders"). Default: spa.
    arrival : str
        arrival model of every `arrive` that is written without one; default: uniform.
    spmv : 'rows' or 'coo'
        products with the matrix: rows, each added by itself; or coo, one atomic per entry, whose thread blocks arrive as arrival says. Default: rows.
    row_order : str
        order in which the products of a row are added. Default: seq.
    preconditioner : 'none' or 'jacobi'
        none or jacobi, which divides by the diagonal. Default: none.
    tolerance : str
        stop at |r| <= T |r0|; default: 1e-8 in fp64, 1e-5 in fp32.
    max_iterations : int
        iterations of a run that does not converge. Default: 100000.
    restart : int
        of gmres: iterations between restarts. Default: 30.
    samples : int
        runs to draw. Default: 40.
    threads : int
        threads, 0 for all; the results never depend on it. Default: 0.
    db : path
        store of finished runs, created if missing; runs in it are not made again.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

    Examples
    --------
    >>> import orderlab
    >>> s = orderlab.solve("cg", "poisson2d(20)", samples=20)
    >>> s.iterations.exact
    64
    """

def train(
    *,
    data: str | float | tuple[int, ...] | None = ...,
    nodes: int | float | str | None = ...,
    classes: int | float | str | None = ...,
    input_seed: int | float | str | None = ...,
    hidden: int | float | str | None = ...,
    dropout: str | float | tuple[int, ...] | None = ...,
    learning_rate: str | float | tuple[int, ...] | None = ...,
    weight_decay: str | float | tuple[int, ...] | None = ...,
    epochs: int | float | str | None = ...,
    seeds: int | float | str | None = ...,
    orders: int | float | str | None = ...,
    seed: int | float | str | None = ...,
    evaluations: int | float | str | None = ...,
    arrival: str | float | tuple[int, ...] | None = ...,
    gpu: str | float | tuple[int, ...] | None = ...,
    threads: int | float | str | None = ...,
    db: Path | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Training:
    r"""Train a model with several seeds and orders: which of them moves the score, and how far.

    Parameters
    ----------
    data : str
        graph of a folder: edges.npy, features.npy, labels.npy, split.npy; default: generated.
    nodes : int
        nodes of the generated graph. Default: 1000.
    classes : int
        classes of the generated graph. Default: 5.
    input_seed : int
        seed of the generated graph. Default: 1.
    hidden : int
        units of the hidden layer. Default: 1024.
    dropout : str
        share of the hidden layer dropped. Default: 0.5.
    learning_rate : str
        of Adam. Default: 0.01.
    weight_decay : str
        of Adam (L2). Default: 5e-4.
    epochs : int
        epochs of each run. Default: 10.
    seeds : int
        seeds: initial weights and dropout. Default: 10.
    orders : int
        runs of each seed, which differ by order alone. Default: 5.
    seed : int
        the first of the seeds. Default: 1.
    evaluations : int
        evaluations of one trained model of each seed, each in an order of its own. Default: 20.
    arrival : str
        arrival model of the thread blocks of index_add, such as h100_index_add. Default: uniform.
    gpu : str
        GPU that the launch is made for, or sms=K; arrivals do not depend on it. Default: h100.
    threads : int
        threads, 0 for all; the results never depend on it. Default: 0.
    db : path
        store of finished runs, created if missing; runs in it are not made again.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

    Examples
    --------
    >>> import orderlab
    >>> t = orderlab.train(seeds=2, orders=2, epochs=2)
    >>> [epoch.epoch for epoch in t.epochs]
    [1, 2]
    """

def compare(
    a: ArrayLike | Path | None = ...,
    b: ArrayLike | Path | None = ...,
    *,
    paired: bool | None = ...,
    lower_is_better: bool | None = ...,
    difference: str | float | tuple[int, ...] | None = ...,
    power: float | str | None = ...,
    items: int | float | str | None = ...,
    best_of: int | float | str | None = ...,
    seed: int | float | str | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Comparison:
    r"""Is model A better than B, or is it seed luck? From scores of several runs of each.

    Parameters
    ----------
    a : list, array or path
        Scores of runs of model A, one for each run.
    b : list, array or path
        The same of model B.
    paired : bool
        compare runs of equal seeds; without seeds, of equal positions.
    lower_is_better : bool
        scores are losses or errors.
    difference : str
        difference to plan runs for; default: the observed one.
    power : float
        probability with which the planned runs show it. Default: 0.8.
    items : int
        size of the test set of which scores are shares, for its standard error.
    best_of : int
        number of runs whose best score is reported; default: all of a model.
    seed : int
        seed of drawn permutations. Default: 1.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

    Examples
    --------
    >>> import orderlab
    >>> c = orderlab.compare([0.781, 0.779, 0.790, 0.784], [0.795, 0.788, 0.801, 0.797], difference=0.01)
    >>> round(c.difference, 5), c.shown
    (-0.01175, True)
    """

def fit(
    file: ArrayLike | Path | None = ...,
    *,
    op: str | float | tuple[int, ...] | None = ...,
    split: int | float | str | None = ...,
    gpu: str | float | tuple[int, ...] | None = ...,
    holdout: Literal['even', 'odd'] | None = ...,
    predict: bool | None = ...,
    dist: str | float | tuple[int, ...] | None = ...,
    inputs: int | float | str | None = ...,
    samples: int | float | str | None = ...,
    seed: int | float | str | None = ...,
    threads: int | float | str | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Fit | results.OperationFit:
    r"""Arrival models from recorded arrival orders.

    Parameters
    ----------
    file : array or path
        Recorded arrival orders, one a row: integers 0 to m-1. With op a table of Vc, a CSV file.
    op : str
        fit to a table of Vc of this operation instead, such as index_add.
    split : int
        with op: fitted to sizes up to N and judged above, and the other way round. Default: 500.
    gpu : str
        GPU that the launch is made for, or sms=K; arrivals do not depend on it. Default: h100.
    holdout : 'even' or 'odd'
        rows left out to judge by: even or odd, outliers not counted. Default: even.
    predict : bool
        compare the sums that recorded and fitted orders give.
    dist : str
        distribution of the terms of predict. Default: uniform(0,10).
    inputs : int
        inputs of predict. Default: 20.
    samples : int
        drawn orders of each input. Default: 400.
    seed : int
        seed of simulations, resampling, terms and orders. Default: 1.
    threads : int
        threads, 0 for all; the results never depend on it. Default: 0.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> random = np.random.default_rng(1)
    >>> orders = [random.permutation(40) for run in range(20)]
    >>> orderlab.fit(np.array(orders)).models[0].arrival
    'uniform'
    """

def probe(
    f: Callable[..., object] | str | Sequence[Path] | None = ...,
    n: int | float | str | None = ...,
    *,
    command: str | float | tuple[int, ...] | None = ...,
    lines: bool | None = ...,
    library: str | float | tuple[int, ...] | None = ...,
    python: str | float | tuple[int, ...] | None = ...,
    axis: int | None = ...,
    time_limit: float | str | None = ...,
    sizes: int | Sequence[int] | str | None = ...,
    format: str | DTypeLike | None = ...,
    offsets: int | range | str | None = ...,
    box_threads: int | Sequence[int] | str | None = ...,
    repeats: int | float | str | None = ...,
    expect: str | None = ...,
    dtype: DTypeLike | None = ...,
    dot: bool | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Probe:
    r"""In which order does a function, a program or a library add? Reveals the order of a black box and names it.

    Parameters
    ----------
    f : callable, str, list or tuple
        The black box. A function f(x) of an array of NumPy with one dimension, which returns the sum: any number, or an array
        of one. It is called in this process, on this thread; every call has an array of its own, which f may change.
        A text is a shell command that reads numbers on its standard input, one a line, and writes their sum; a list is the
        same as program and arguments. (library, symbol) is a function T symbol(size_t n, const T x[]) of a shared library.
        Commands and functions of libraries run in processes of their own, so that they may crash or hang.
    n : int
        number of terms, at most 2^24. Default: 64.
    command : str
        a shell command that reads numbers on stdin, one a line, and writes their sum.
    lines : bool
        of command: one process answers line by line, all terms of an input in a line.
    library : str
        T symbol(size_t n, const T* x) of a shared library; FILE:SYMBOL:dot takes x and y, FILE:SYMBOL:blas is the dot of a BLAS, C or Fortran.
    python : str
        a Python function of one numpy array; MODULE:FUNCTION:dot of two.
    axis : int
        Of a callable, or of python: call it with an array of two dimensions and axis=axis, 0 or 1, for 64 sums.
    time_limit : float
        Seconds for one answer of a process. Default: 10.
    sizes : int or list of them
        Further numbers of terms. Default: the order that was found is tried for two more by a few random inputs.
    format : str
        of the terms: fp64, fp32, fp16 or bf16. Default: fp32.
    offsets : int or range
        Place the first term so many elements behind a multiple of 4096 bytes: range(16) tries 0 to 15.
    box_threads : int or list of them
        Numbers of threads, set as OMP_NUM_THREADS of a process: not for a callable.
    repeats : int
        calls with equal terms that have to agree, 2 or more. Default: 3.
    expect : str
        An order that it should have: `as_expected` says whether it has. orderlab.list("orders") has those with a name.
    dtype : dtype or str
        Of the terms: float64, float32, float16, or bfloat16, which needs ml_dtypes. Default: float32.
    dot : bool
        Of a callable: call it with two arrays; it returns their dot product.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

    Returns
    -------
    Probe
        verdict ("named", "revealed", "depends on n", "random", "data-dependent", "not a sum", ...), order (as all functions
        take it), calls, accumulator (precision of the additions), tree, settings (one for each n, offset and number of
        threads), as_expected.

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

def crosscheck(
    *,
    kernel: str | float | tuple[int, ...] | Sequence[str | float | tuple[int, ...]] | None = ...,
    device: str | float | tuple[int, ...] | None = ...,
    full: bool | None = ...,
    n: int | float | str | None = ...,
    format: str | DTypeLike | None = ...,
    seed: int | float | str | None = ...,
    samples: int | float | str | None = ...,
    threads: int | float | str | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Crosscheck:
    r"""Kernels against the orders that they claim, bit for bit.

    Parameters
    ----------
    kernel : str or list of them
        kernel to check (see orderlab.list("kernels")); repeat for several.
    device : str
        model (the claim's tree against its pipeline), host (the kernel's own source on the CPU) or cuda; default: all that can run.
    full : bool
        check fp32 and fp64, every size up to one thread block, and large sizes.
    n : int
        check this size only.
    format : str or list of them
        format of terms and sums; repeat for several.
    seed : int
        first seed of terms and schedules; the others follow it. Default: 1.
    samples : int
        arrival orders of each case with float atomics or look-back. Default: 1.
    threads : int
        threads, 0 for all; the results never depend on it. Default: 0.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.
    """

def verify(
    files: Path | Sequence[Path] | None = ...,
    *,
    confidence: float | str | None = ...,
    seed: int | float | str | None = ...,
    threads: int | float | str | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> results.Verification:
    r"""Recorded runs of a GPU against the orders that their kernels claim.

    Parameters
    ----------
    files : path or list of them
        captures: files that orderlab_capture wrote on a machine with a GPU; - for stdin.
    confidence : float
        probability of not flagging a legitimate run. Default: 0.999.
    seed : int
        seed of the orders sampled for runs without recorded order. Default: 1.
    threads : int
        threads, 0 for all; the results never depend on it. Default: 0.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.
    """

def sweep(
    config: Path | None = ...,
    db: Path | None = ...,
    *,
    shard: str | float | tuple[int, ...] | None = ...,
    dry_run: bool | None = ...,
    status: bool | None = ...,
    threads: int | float | str | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> str:
    r"""Run all points of a config and store each as it finishes. Returns what the command prints.

    Parameters
    ----------
    config : path
        config with the axes of the sweep, TOML.
    db : path
        store, created if missing; points already in it are not run again.
    shard : str
        only the i-th of N parts; auto, or auto/N: what Slurm, MPI or Kubernetes says; `{shard}` in names of files that are written is i.
    dry_run : bool
        run nothing: show the points, time and memory; needs no db.
    status : bool
        run nothing: show what is finished, by shard; needs no config.
    threads : int
        threads, 0 for all; the results never depend on it. Default: 0.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.
    """

def merge(
    stores: Path | Sequence[Path] | None = ...,
    db: Path | None = ...,
    *,
    counts: Path | None = ...,
    complete: bool | None = ...,
    threads: int | float | str | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> str | results.Sample | results.SampledOrders:
    r"""Join the stores of a sweep's shards, or with `counts` the counts of one sum's samples. Of stores it returns what
    the command prints, of counts what `sample` would return.

    Parameters
    ----------
    stores : path or list of them
        stores of one config, or files of counts of one experiment.
    db : path
        store to merge into, created if missing.
    counts : path
        in place of db: file of counts to merge into, created if missing.
    complete : bool
        exit status 1 while anything is missing, and say what.
    threads : int
        threads, 0 for all; the results never depend on it. Default: 0.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

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

def report(
    store: Path | None = ...,
    output: Path | None = ...,
    *,
    spec: str | float | tuple[int, ...] | None = ...,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> str:
    r"""Write a store as one page with charts, which needs no network. Returns what the command prints.

    Parameters
    ----------
    store : path
        store of a sweep.
    output : path
        page to write, or - for standard output; may be left out with spec.
    spec : str
        folder for the charts as Vega-Lite specs with their data, created if missing.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.
    """

def export(
    store: Path | None = ...,
    *,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> Any:
    r"""The points of a store, one dictionary for each, in the config's order.

    Parameters
    ----------
    store : path
        store of a sweep.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.
    """

def list(
    what: str | float | tuple[int, ...] | None = ...,
    name: str | float | tuple[int, ...] | None = ...,
    *,
    progress: bool | Callable[[str, int, int, float], object] | None = ...,
) -> Any:
    r"""Everything that has a name: "orders", "stages", "arrivals", "distributions", "operations", ... One dictionary for
    each entry.

    Parameters
    ----------
    what : str
        orders, stages, arrivals, distributions, metrics, kernels, formats, operations or gpus.
    name : str
        show only this one, in full.
    progress : bool or callable
        True for a bar of tqdm, where that is installed; or a function, which is called as
        progress(stage, done, total, fraction) on the calling thread, at most ten times a second.

    Examples
    --------
    >>> import orderlab
    >>> "warp" in [order["name"] for order in orderlab.list("orders")]
    True
    """
