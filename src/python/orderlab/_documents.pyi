# Made from src/show/schemas by src/python/make_result_stubs.py; run it again where they change.
from collections.abc import Mapping
from typing import Literal

import numpy
from numpy.typing import NDArray

from ._record import Record, Result


class Alternatives(Result):
    """Written by `orderlab alternatives --json`: ways to do an operation, and what each costs and
    guarantees."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["alternatives"]
    """The command that wrote the document."""

    config: AlternativesConfig
    """All that is needed to repeat the document, and nothing else."""

    partial: Literal[True] | None
    """The run was interrupted, and this is what was found until then. Absent otherwise."""

    op: str
    """The operation with its parameters."""

    launch: Launch
    """The kernel that the operation runs for these shapes on this GPU."""

    shape: NDArray[numpy.int64]
    """Shape of the output, the slowest dimension first."""

    outputs: int
    """Number of outputs."""

    contributions: int
    """Number of numbers that are added to outputs, over all outputs."""

    units: int
    """Number of units: what arrives together, such as thread blocks."""

    inexact_conversions: int
    """Number of inputs that their format does not hold, which were rounded to it."""

    samples: int
    """Number of runs that were drawn; 1 where no arrival order changes an output."""

    adders: int | None
    """Adders that work at once; null where they were not given."""

    latency: int | None
    """Cycles that an addition takes; null where they were not given."""

    alternatives: tuple[Alternative, ...]
    """The operation as it runs first, then every other way."""

    run_error_quantiles: NDArray[numpy.float64]
    """The error of the runs at the quantiles 0, 0.05, ... 1."""


class AlternativesConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    latency: int | None
    """Cycles that an addition takes; null where they were not given."""

    adders: int | None
    """Adders that work at once; null where they were not given."""

    samples: int
    """Number of runs that was asked for."""

    op: str
    """The operation with its parameters."""

    gpu: str
    """GPU that the launch is made for."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    shape: str | None
    """Shape of generated inputs, such as 100x100; null where the operation's parameters say it.
    Absent for given inputs."""

    ratio: float | None
    """R of a generated index: R A draws out of R A bins, A the first extent of the shape. Absent
    for given inputs."""

    dist: str | None
    """Distribution of generated terms. Absent for given terms."""

    input_seed: int | None
    """Seed of generated terms. Absent for given terms."""

    input: str | None
    """Hash of the given input. Absent for generated inputs."""

    index: str | None
    """Hash of the given index. Absent where there is none."""

    self: str | None
    """Hash of the given first values of the accumulators. Absent where they are 0."""

    order: str | None
    """Expression of the order that adds each output. Absent for an operation that has an order of
    its own."""

    arrival: str | None
    """Arrival model of the units; null where nothing arrives."""

    seed: int
    """Seed of everything that is drawn but the terms."""

    # ["with"]: str | None. Hash of the array that the given input is multiplied with. Absent where
    #     there is none.


class Launch(Record):
    """The kernel that the operation runs for these shapes on this GPU."""

    kernel: str
    """Name of the kernel."""

    reason: str
    """Why this kernel runs."""

    source: str
    """The file or document that says so."""

    addition: str
    """How an output is added."""

    unit: str
    """What arrives together."""

    threads_per_block: int
    """Threads per thread block; 0 where it does not matter."""

    grid: int
    """Number of thread blocks; 0 where it does not matter."""

    passes: int
    """Passes of the grid through the contributions."""

    guarantee: Literal["not_guaranteed", "run_to_run", "any_device"]
    """Which runs give the same bits: no two (not_guaranteed), all on one machine (run_to_run), all
    (any_device). Of an order, the weakest of its stages."""


class Alternative(Record):
    """One way to do the operation."""

    name: str
    """Name of the way."""

    addition: str
    """How an output is added."""

    removes: str | None
    """What is random in the operation as it runs and fixed in this way; null for other ways."""

    guarantee: Literal["not_guaranteed", "run_to_run", "any_device"]
    """Which runs give the same bits: no two (not_guaranteed), all on one machine (run_to_run), all
    (any_device). Of an order, the weakest of its stages."""

    results: int
    """Number of different arrays in the samples."""

    error: float
    """Mean over the outputs of |result - exact| / sum|x|; of runs, their mean."""

    max_error_ulp: float
    """Greatest error of all outputs, in ulps of the exact result; of runs, that of all."""

    better_runs: float
    """Share of the runs of the operation whose error is smaller."""

    additions: int
    """Number of additions of two numbers, those of +0 left out; of exact sums, of integers of two
    words or more."""

    height: int
    """Additions on the longest path from a term to an output."""

    passes: int
    """Passes over the contributions in memory, at most, with those of a radix sort by output."""

    least_cycles: int | None
    """Lower bound on cycles, max(ceil(additions / adders), latency x height); null where adders
    were not given."""


class Check(Result):
    """Written by `orderlab check --json`: are these results explained by order?"""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["check"]
    """The command that wrote the document."""

    config: CheckConfig
    """All that is needed to repeat the document, and nothing else."""

    partial: Literal[True] | None
    """The run was interrupted, and this is what was found until then. Absent otherwise."""

    input: Input
    """The terms that are added."""

    order: JudgedOrder
    """The order in which the terms are added."""

    warnings: tuple[str, ...] | None
    """What to know about the order as it was written, a line each. Absent where there is
    nothing."""

    method: Literal["enumeration", "sampling"]
    """Whether all orders were enumerated, or orders were sampled."""

    orders: str | None
    """Number of orders, as decimal text; null where no addition can round and they were not
    counted. Absent where orders were sampled."""

    samples: int | None
    """Number of orders that were drawn. Absent where all were enumerated."""

    distinct: int | None
    """Number of different results of the orders; null where they are counted in bins."""

    range: SampleRange | None
    """Least and greatest finite result of the samples. Absent where all orders were enumerated."""

    bound: float | None
    """Bound on the absolute error over every order, in the unit of the sum; null where none is
    derived. Absent where all orders were enumerated."""

    other_arrivals: OtherArrivals | None
    """Sums of arrival orders that are not uniform: launch order, its reverse, sorted ones, fitted
    models. Null where they were not needed. Absent where all orders were enumerated."""

    rounded_values: int
    """Number of given results that the result format does not hold, which were rounded to it."""

    values: tuple[ValueVerdict, ...]
    """The verdict on each different result that was given, ascending by value, NaN last."""

    outliers: Outliers | None
    """Number of given results outside the range of all samples; null where all orders were
    enumerated."""

    misses: Misses | None
    """What a check by samples that explains everything could have missed; null where all orders
    were enumerated."""

    joint: JointTest | None
    """Joint test of the frequencies of all given results; null for a single result, and where it
    was not made."""

    frequencies_decide: bool
    """Whether the joint test may reject: only where the arrivals are named."""

    suggestions: tuple[Suggestion, ...]
    """What else would explain the first result that is not explained, cheapest first."""

    p: float | None
    """p-value of the whole answer: below 1 - confidence it is rejected; null without a verdict."""

    verdict: Literal["explained", "none", "unlikely", "impossible"]
    """The verdict on all results together: the worst of them, or unlikely where the joint test
    rejects; none where an interruption left it open."""


class CheckConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    n: int
    """Number of terms."""

    dist: str | None
    """Distribution of generated terms. Absent for given terms."""

    input_seed: int | None
    """Seed of generated terms. Absent for given terms."""

    input: str | None
    """Hash of given terms, in their format. Absent for generated terms."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    order: str
    """Expression of the order."""

    arrival: str | None
    """Arrival model of the first `arrive` of the order; null for an order without one."""

    seed: int
    """Seed of everything that is drawn but the terms."""

    confidence: float
    """Probability of not flagging legitimate results, however many are given."""

    samples: int | None
    """Number of orders to draw where they cannot be enumerated; null: chosen from confidence,
    number of results and n."""

    memory: int
    """Memory that enumerating all orders may take, in bytes. It decides between all orders and
    samples."""

    values: tuple[tuple[str, int, int], ...]
    """The results that were given: bits, and how often they were given."""

    means: Literal["fp64", "fp32", "fp16", "bf16"] | None
    """The format of the means that were given; `values` are sums that have them, in the accumulate
    format. Absent where sums were given."""

    ftz: Literal["either", "yes", "no"]
    """Whether fp32 additions flush subnormal numbers to zero."""

    arrivals_known: bool
    """Whether arrivals were named, so that frequencies decide."""


class Input(Record):
    """The terms that are added."""

    n: int
    """Number of terms."""

    format: Literal["fp64", "fp32", "fp16", "bf16"]
    """Format of the terms."""

    products: bool
    """Whether the terms are products of two numbers each: a dot product."""

    inexact_conversions: int
    """Number of terms that their format does not hold, which were rounded to it."""

    overflowed_terms: int
    """Number of generated terms that are inf because the format has no finite number so large."""

    hash: str
    """Hash of the terms as they are added, little endian."""

    exact: ExactSum
    """The exact sum of the terms after they were rounded to their format."""

    sum_abs: float
    """Sum of the absolute values of the terms, rounded to fp64."""

    condition: float
    """Condition number sum|x| / |sum x|; inf for an exact sum of 0, nan where a term is inf or
    NaN."""


class ExactSum(Record):
    """The exact sum of the terms after they were rounded to their format."""

    bits: str
    """The exact sum rounded to the result format."""

    value: float
    """The exact sum rounded to fp64."""

    decimal: str
    """The exact sum with up to 40 significant digits, or inf, -inf or nan."""


class JudgedOrder(Record):
    """The order in which the terms are added."""

    name: str | None
    """Name of a named order; null for an expression."""

    expression: str
    """Canonical expression of the order."""

    guarantee: Literal["not_guaranteed", "run_to_run", "any_device"]
    """Which runs give the same bits: no two (not_guaranteed), all on one machine (run_to_run), all
    (any_device). Of an order, the weakest of its stages."""


class SampleRange(Record):
    """Least and greatest finite result of the samples. Absent where all orders were enumerated."""

    min: float | None
    """Least; null where no result is finite."""

    max: float | None
    """Greatest; null where no result is finite."""


class OtherArrivals(Record):

    orders: int
    """Number of orders tried."""

    searched: bool
    """Whether local changes of these orders reached further."""

    min: float
    """Least finite sum."""

    max: float
    """Greatest finite sum."""


class ValueVerdict(Record):
    """The verdict on one result."""

    bits: str
    """Bit pattern of the result."""

    value: float
    """The result."""

    given: int
    """How often it was given."""

    digits: int | None
    """Significant digits of the decimal by which it was read, where its exact reading is not
    explained; null: it was read exactly."""

    numbers: int
    """How many numbers of the format this reading leaves."""

    verdict: Literal["explained", "none", "unlikely", "impossible"]
    """explained: some order gives it, or it lies inside the range of the samples, or outside by
    chance. unlikely: outside that range, inside the bound over every order, and too many are.
    impossible: no order gives it. none: interrupted before the samples that would decide."""

    reason: Literal["reachable", "seen", "inside_range", "inside_reach", "beyond_range", "not_bounded", "may_overflow", "unreachable", "outside_bound", "no_overflow", "terms_not_finite"]
    """Reason of the verdict: some order gives it (reachable), some sample gave it (seen), it lies
    between two samples (inside_range), between sums of other arrival orders (inside_reach), outside
    all samples and inside the bound over every order (beyond_range), outside all samples where no
    such bound is derived (not_bounded), not sampled where some order may overflow (may_overflow),
    no order gives it (unreachable), outside the bound over every order (outside_bound), not finite
    where no order overflows (no_overflow), every order gives inf or NaN and never this
    (terms_not_finite)."""

    probability: float | None
    """Probability of an order that gives it, from all orders; null where orders were sampled."""

    seen: int | None
    """Number of samples that gave it; null where all orders were enumerated, or results are counted
    in bins."""

    p: float | None
    """p-value of it and the other results outside the samples; 0 if impossible; null where it says
    nothing."""

    distance_ulp: int | None
    """Floating-point numbers from it to the nearest reachable result, or to the range of the
    samples; null where it or those are not finite."""

    error_ulp: float | None
    """Result minus exact sum, in ulps of the exact sum; null where one of them is not finite."""


class Outliers(Record):

    below: int
    """Number below all samples."""

    above: int
    """Number above all samples."""

    nonfinite: int
    """Number that are inf, -inf or NaN where no sample is."""

    p: float
    """Upper bound on the p-value of their number, on either side or of a kind."""


class Misses(Record):

    outliers: int
    """Greatest number of given results outside the samples on one side that is still not called
    unlikely."""

    shift: float | None
    """Approximate shift of all given results that the joint test detects in 95 % of cases, in the
    unit of the sum; null without a joint test."""


class JointTest(Record):

    p: float
    """Its p-value; 0 where a result is impossible."""

    test: str
    """Name of the test."""


class Suggestion(Record):
    """Another explanation."""

    bits: str
    """Bit pattern of the result."""

    kind: Literal["format", "mean", "partial_sums", "term_missing", "term_twice"]
    """What is different."""

    what: str
    """The explanation in words."""

    option: str | None
    """The option of `check` to give instead; null without one."""

    term: int | None
    """Index, from 0, of the first term that would do; null where none is meant."""

    terms: int | None
    """How many terms would do."""

    by_chance: float
    """About as many explanations of this kind would be found for a result that has another
    cause."""


class OrderCheck(Result):
    """Written by `orderlab check --order any --json`: which orders explain these results?"""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["check"]
    """The command that wrote the document."""

    config: OrderCheckConfig
    """All that is needed to repeat the document, and nothing else."""

    partial: Literal[True] | None
    """The run was interrupted, and this is what was found until then. Absent otherwise."""

    input: Input
    """The terms that are added."""

    rounded_values: int
    """Number of given results that the result format does not hold, which were rounded to it."""

    fixed: FixedOrders
    """The fixed orders that were tried in the formats of the input."""

    wider: tuple[str, ...]
    """Formats with wider partial sums, in which the fixed orders were tried because none of them
    gives some result in those of the input."""

    not_sampled: tuple[str, ...]
    """Names of random orders that were left out, as sampling them takes long."""

    exact: int
    """How many of the given results are the exact sum, correctly rounded; repeated ones each
    counted."""

    one_result: bool
    """Whether every order gives the exact sum, as none rounds a partial sum."""

    values: tuple[OrderCheckValue, ...]
    """The results that were given, ascending by value, NaN last, and what is found of each."""

    explained_by_one: bool
    """Whether one of the orders explains all results."""

    candidates: tuple[Candidate, ...]
    """The orders, the best first: those that explain all results, those that explain some, the
    fixed orders whose sums are nearest, random orders that explain none."""

    verdict: Literal["explained", "consistent", "none", "not_explained", "impossible"]
    """The worst of the verdicts of `values`."""


class OrderCheckConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    n: int
    """Number of terms."""

    dist: str | None
    """Distribution of generated terms. Absent for given terms."""

    input_seed: int | None
    """Seed of generated terms. Absent for given terms."""

    input: str | None
    """Hash of given terms, in their format. Absent for generated terms."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    order: Literal["any"]
    """Any: all orders that are known."""

    arrival: None
    """Always null: each order has its own arrival model."""

    seed: int
    """Seed of everything that is drawn but the terms."""

    confidence: float
    """Probability of not flagging legitimate results of a random order, however many are given."""

    samples: int | None
    """Number of samples to draw of a random order that cannot be enumerated; null: chosen from
    confidence, number of results and n."""

    memory: int
    """Memory that enumerating all orders may take, in bytes. It decides between all orders and
    samples."""

    device: Literal["any", "cpu", "gpu"]
    """Whose orders are tried."""

    values: tuple[tuple[str, int, int], ...]
    """The results that were given, ascending by value, NaN last: bits, and how often they were
    given."""

    means: Literal["fp64", "fp32", "fp16", "bf16"] | None
    """The format of the means that were given; `values` are sums that have them, in the accumulate
    format. Absent where sums were given."""


class FixedOrders(Record):
    """The fixed orders that were tried in the formats of the input."""

    tried: int
    """Their number; no two of them add the same tree."""

    sums: int
    """Number of their different sums."""


class OrderCheckValue(Record):
    """A result, and what is found of it."""

    bits: str
    """Bit pattern of the result."""

    given: int
    """How often it was given."""

    digits: int | None
    """Significant digits of a decimal with fewer than the format needs; else null."""

    numbers: int
    """Numbers of the result format that it may be: one, those that print so, or sums that have this
    mean."""

    verdict: Literal["explained", "consistent", "none", "not_explained", "impossible"]
    """Explained: every order gives it, or an order that was tried does and hardly any would by
    chance. Consistent: orders that were tried give it, as some would by chance. Impossible: no
    order of these terms gives it. None: interrupted."""

    fixed: int
    """Number of fixed orders that give it, in the formats of the input."""

    wider: int
    """Number of fixed orders that give it with wider partial sums; 0 where these were not tried."""

    random: int
    """Number of random orders that can give it."""

    tried: int
    """Number of fixed orders that were tried, in all formats together."""

    by_chance: float | None
    """How many of these are expected to give such a result by chance if an order that was not tried
    made it, from where the sums of the others lie; null where none was tried."""

    chance: float | None
    """Estimate of the probability that some order gives such a result by chance, rather too large;
    null where none was tried."""

    orders: tuple[str, ...]
    """The orders that give it, as `candidates` names them, the best first."""


class Candidate(Record):
    """An order that was tried."""

    order: str
    """The order as --order takes it, with its name where it has one."""

    expression: str
    """Canonical expression of the order."""

    format: str
    """Formats in which it was tried: those of the input, or with wider partial sums."""

    kind: Literal["fixed", "random"]
    """Whether it has one sum or draws."""

    verdict: Literal["explained", "unlikely", "impossible"]
    """On all results together. Of a fixed order: explained where all of them are its sum in every
    bit, else impossible. Of a random order, that of `check`."""

    explained: int
    """Number of results that it explains, repeated ones each counted."""

    bits: str | None
    """Bit pattern of its sum; null for a random order."""

    value: float | None
    """Its sum; null for a random order."""

    distance_ulp: int | None
    """Floating-point numbers from its sum to the nearest given result; null for a random order, and
    where its sum or all results are not finite."""

    orders: str | None
    """Number of orders of a random one, as decimal text, where all were enumerated; else null."""

    samples: int | None
    """Number of samples of a random order; null for others, and where all orders were
    enumerated."""

    distinct: int | None
    """Number of different results of a random order; null for others, and where they are counted in
    bins."""

    p: float | None
    """p-value of the answer about a random order; null for others."""

    also: str
    """Other names of a fixed order: they add these terms by the same tree; separated by
    semicolons."""


class OperationCheck(Result):
    """Written by `orderlab check --op ... --json`: is each output of this array explained by
    order?"""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["check"]
    """The command that wrote the document."""

    config: OperationCheckConfig
    """All that is needed to repeat the document, and nothing else."""

    op: str
    """The operation with its parameters."""

    launch: Launch
    """The kernel that the operation runs for these shapes on this GPU."""

    shape: NDArray[numpy.int64]
    """Shape of the output, the slowest dimension first."""

    outputs: int
    """Number of outputs."""

    contributions: int
    """Number of numbers that are added to outputs, over all outputs."""

    units: int
    """Number of units: what arrives together, such as thread blocks."""

    inexact_conversions: int
    """Number of inputs that their format does not hold, which were rounded to it."""

    verdict: Literal["explained", "outside the model", "unlikely", "impossible"]
    """The worst verdict on an output. explained: some arrival order gives the result, or it lies
    inside the range of samples, or outside by chance. outside the model: only what the model
    assumes excludes it. unlikely: the arrival model, or the random order, that was named hardly
    ever gives it. impossible: no order gives it, see freedom."""

    samples: int
    """Number of runs that were drawn; 0 where all results of all outputs are known."""

    fixed: int
    """Number of outputs with one result."""

    enumerated: int
    """Number of outputs with several results, all known."""

    sampled: int
    """Number of outputs that were judged by samples and a bound."""

    bounded: int | None
    """Number of outputs that were judged by the bound over every order alone, as the order is
    unknown. Absent for an operation whose order is known."""

    explained: int
    """Number of outputs whose verdict is explained."""

    outside_model: int
    """Number of outputs whose verdict is outside the model."""

    unlikely: int
    """Number of outputs whose verdict is unlikely."""

    impossible: int
    """Number of outputs whose verdict is impossible."""

    improbable: int
    """Number of explained outputs whose results uniform arrivals hardly ever give; not judged, as
    no arrival model was named."""

    freedom: str
    """The orders of an output's numbers that have to be excluded before a result is called
    impossible, and why these."""

    assumes: str | None
    """What the model of the operation assumes beyond that; null: nothing."""

    outside_samples: OutsideSamples
    """Sampled outputs outside their samples."""

    equals: BitEquality
    """Whether the array equals a fixed one in every bit."""

    lookback: LookBack | None
    """Of a scan: look-back distances that explain the array. Absent for other operations."""

    suspects: tuple[Suspect, ...]
    """Outputs that are not explained, the worst first, at most 1000."""

    unseen_changes: tuple[UnseenChanges, ...]
    """What this check cannot see, by number of contributions: changes of the launch order's result
    that give another result which is explained, or, where the results of the output are not all
    known, not excluded by proof."""


class OperationCheckConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    samples: int | None
    """Number of samples that was asked for; null for the default."""

    op: str
    """The operation with its parameters."""

    gpu: str
    """GPU that the launch is made for."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    shape: str | None
    """Shape of generated inputs, such as 100x100; null where the operation's parameters say it.
    Absent for given inputs."""

    ratio: float | None
    """R of a generated index: R A draws out of R A bins, A the first extent of the shape. Absent
    for given inputs."""

    dist: str | None
    """Distribution of generated terms. Absent for given terms."""

    input_seed: int | None
    """Seed of generated terms. Absent for given terms."""

    input: str | None
    """Hash of the given input. Absent for generated inputs."""

    index: str | None
    """Hash of the given index. Absent where there is none."""

    self: str | None
    """Hash of the given first values of the accumulators. Absent where they are 0."""

    order: str | None
    """Expression of the order that adds each output. Absent for an operation that has an order of
    its own."""

    actual: str
    """Hash of the array that is checked."""

    arrival: str | None
    """Arrival model of the units that was named; null where none was, or nothing arrives."""

    ftz: Literal["either", "yes", "no"]
    """Whether fp32 atomics and additions flush subnormal numbers to zero; either: both are
    allowed."""

    confidence: float
    """Probability of not flagging a legitimate array."""

    seed: int
    """Seed of everything that is drawn but the terms."""

    # ["with"]: str | None. Hash of the array that the given input is multiplied with. Absent where
    #     there is none.


class OutsideSamples(Record):
    """Sampled outputs outside their samples."""

    outputs: int
    """Number of outputs."""

    p: float
    """Upper bound on the probability of so many; below half of 1 - confidence they are not
    explained."""


class BitEquality(Record):
    """Whether the array equals a fixed one in every bit."""

    launch: bool
    """Launch order."""

    deterministic: bool
    """The library's deterministic form."""

    exact: bool
    """Exact results, each rounded once."""


class LookBack(Record):
    """Of a scan: look-back distances that explain the array. Absent for other operations."""

    tried: int
    """Greatest distance that was tried, in tiles."""

    distances: NDArray[numpy.int64]
    """For each tile from the first on the smallest distance, in tiles, that explains it; 0 where
    none does."""

    replays: bool
    """Whether these distances together give the array."""


class Suspect(Record):
    """An output that is not explained."""

    output: int
    """Number of the output, from 0 in C order."""

    index: str
    """Its indices, separated by commas, the slowest dimension first."""

    verdict: Literal["outside the model", "unlikely", "impossible"]
    """The verdict on it."""

    value: float
    """Its value in the array."""

    nearest_reachable: float
    """The reachable result nearest to it; of an output judged by samples or a bound, the end of the
    range."""

    distance_ulp: float
    """Distance between the two, in ulps."""

    p: float | None
    """Probability of a result that is as improbable or more, where all results of the output are
    known and this is one of them; else null."""


class UnseenChanges(Record):
    """Changes to outputs with equally many contributions."""

    contributions: int
    """Number of contributions of these outputs."""

    changes: int
    """Number of contributions that were tried."""

    dropped_unseen: int
    """Of these, number whose omission is not seen."""

    doubled_unseen: int
    """Of these, number whose doubling is not seen."""


class Comparison(Result):
    """Written by `orderlab compare --json`: is model A better than model B?"""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["compare"]
    """The command that wrote the document."""

    config: ComparisonConfig
    """All that is needed to repeat the document beside the scores."""

    difference: float
    """Mean score of A less mean score of B."""

    low: float | None
    """Lower limit of its 95 % interval; null where nothing varies."""

    high: float | None
    """Upper limit of its 95 % interval; null where nothing varies."""

    test: Literal["welch", "paired_t"]
    """The test: Welch's t test, or the paired t test."""

    t: float | None
    """Its statistic; null where nothing varies."""

    degrees: float | None
    """Its degrees of freedom; null where nothing varies."""

    p_welch: float | None
    """Two-sided p-value of Welch's t test; null for a paired comparison, and where nothing
    varies."""

    p_paired: float | None
    """Two-sided p-value of the paired t test; null for a comparison that is not paired, and where
    nothing varies."""

    p_permutation: float
    """p-value of the permutation test."""

    p_permutation_error: float
    """Standard error that drawing gives it; 0 where all arrangements are counted."""

    arrangements: int | None
    """Number of arrangements that it counts; null from 2^1024 on."""

    all_arrangements: bool
    """Whether these are all; else they were drawn."""

    unequal_pairs: int | None
    """Number of pairs that differ, whose signs the permutation test changes; null for a comparison
    that is not paired."""

    sd_difference: float | None
    """Standard deviation of the differences of pairs; null for a comparison that is not paired."""

    shown: bool
    """Whether a difference is shown: a p-value below 0.05."""

    runs_needed: int | None
    """Runs of each model, or pairs, that show the planned difference with the power asked for; null
    where there is no plan, or they are above 2^53."""

    plan: PowerPlan | None
    """What runs it takes to show a difference; null where nothing varies, or there is no difference
    to plan for."""

    a: ComparedModel
    """Model A."""

    b: ComparedModel
    """Model B."""


class ComparisonConfig(Record):
    """All that is needed to repeat the document beside the scores."""

    paired: bool
    """Whether runs of equal seeds are compared; without seeds, runs of equal position."""

    lower_is_better: bool
    """Whether scores are losses or errors."""

    difference: float | None
    """Difference to plan runs for; null: the observed one."""

    power: float
    """Probability with which planned runs are to show it."""

    items: int | None
    """Size of the test set; null where it was not given."""

    best_of: int | None
    """Number of runs of which the best is picked; null: all."""

    seed: int
    """Seed of drawn permutations."""


class PowerPlan(Record):

    difference: float
    """The difference that is planned for."""

    power_now: float
    """Probability with which the runs that there are show it."""

    runs_low: int | None
    """runs_needed for the lower limit of the standard deviation; null above 2^53."""

    runs_high: int | None
    """runs_needed for its upper limit; null above 2^53."""

    normal_runs: int | None
    """Runs by the formula for normal numbers of known spread; null above 2^53."""


class ComparedModel(Record):
    """Scores of the runs of one model."""

    file: str | None
    """File of the scores; null for a list."""

    runs: int
    """Number of runs."""

    mean: float
    """Mean score."""

    low: float | None
    """Lower limit of its 95 % interval; null where all scores are equal."""

    high: float | None
    """Upper limit of its 95 % interval; null where all scores are equal."""

    sd: float
    """Standard deviation of the scores."""

    min: float
    """Least score."""

    max: float
    """Greatest score."""

    best_of: int
    """Number of runs of which the best is picked."""

    best_gain: float
    """By how much that is better than the mean run, on average."""

    item_error: float | None
    """Binomial standard error of one score on a new test set; null where its size was not given."""

    item_share: float | None
    """Largest share of the variance that items can make which flip from run to run; null where the
    size of the test set was not given, or the sd is 0."""

    left_out: tuple[str, ...]
    """Of a paired comparison: seeds that the other model lacks."""

    scores: NDArray[numpy.float64]
    """The scores that are compared."""


class Crosscheck(Result):
    """Written by `orderlab crosscheck --json`: kernels against the orders that they claim."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["crosscheck"]
    """The command that wrote the document."""

    config: CrosscheckConfig
    """All that is needed to repeat the document, and nothing else."""

    cases: int
    """Number of cases, over all kernels."""

    mismatches: int
    """Number of cases in which a kernel and its claim differ."""

    rows: tuple[CrosscheckRow, ...]
    """The cases of each kernel in each format on each device."""

    warnings: tuple[str, ...] | None
    """What identical sums do not show, a line each. Absent where there is nothing."""

    partial: Literal[True] | None
    """The run was interrupted, and this is what was found until then. Absent otherwise."""


class CrosscheckConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    devices: tuple[Literal["model", "host", "cuda"], ...]
    """What ran the kernels."""

    kernels: tuple[str, ...]
    """Kernels that were asked for by name; empty: all."""

    formats: tuple[Literal["fp64", "fp32", "fp16", "bf16"], ...]
    """Formats that were asked for; a kernel runs in those of them that it has."""

    sizes: NDArray[numpy.int64]
    """Numbers of terms."""

    seed: int
    """First seed of terms and schedules."""

    seeds: int
    """Number of seeds."""

    samples: int
    """Number of arrival orders of each case with float atomics or look-back."""


class CrosscheckRow(Record):
    """One kernel in one format on one device."""

    kernel: str
    """Name of the kernel."""

    device: Literal["model", "host", "cuda"]
    """What ran it."""

    format: str
    """Formats of terms, sums and result."""

    cases: int
    """Number of cases."""

    replays: int
    """Number of cases whose arrival order was reconstructed from what float atomics returned."""

    mismatches: int
    """Number of cases that differ."""

    first: Mismatch | None
    """The first of them; null where there is none."""

    kinds: tuple[MismatchKind, ...]
    """Those that differ by kind."""

    shapes: tuple[ShapeCases, ...]
    """The cases by launch shape."""

    sizes: SizeCases
    """The cases by number of terms."""

    unit_orders: int | None
    """Number of replays of many outputs that one order of the units explains. Absent for a kernel
    with one output."""


class Mismatch(Record):
    """A case in which a kernel and its claim differ."""

    n: int
    """Number of terms."""

    threads: int
    """Threads per thread block."""

    items: int
    """Terms per thread."""

    grid: int
    """Number of thread blocks; 0: as many as the terms take."""

    terms: str
    """Distribution of the terms."""

    seed: int
    """Seed of the terms."""

    sample: int
    """Number of the arrival order."""

    claim: str
    """The order that the kernel claims."""

    model_bits: str | None
    """Bits that the claim gives; null where there was nothing to compare."""

    bits: str | None
    """Bits that the kernel gave; null where there was nothing to compare."""

    problem: str | None
    """What went wrong, where it is more than different bits; else null."""

    kind: Literal["another_order", "outside_bound", "undecided", "atomics", "returned", "fault"]
    """What is wrong: bits that another order of the same terms may give (another_order), bits
    farther from the exact sum than any order (outside_bound), bits of which that is not known
    (undecided), float atomics that are not one for each partial sum (atomics), values that no order
    of the float atomics returns (returned), a run that is itself wrong (fault)."""

    model_value: float | None
    """Value that the claim gives, or null."""

    value: float | None
    """Value that the kernel gave, or null."""

    distance_ulp: int | None
    """Floating-point numbers between the two; null where one is not finite."""

    basis: str | None
    """What the kind rests on, in words; null where there is nothing to say."""

    output: int | None
    """Number of the first output that differs. Absent for a kernel with one output."""


class MismatchKind(Record):
    """Cases of one kind."""

    kind: Literal["another_order", "outside_bound", "undecided", "atomics", "returned", "fault"]
    """What is wrong, as in first."""

    mismatches: int
    """Number of cases."""

    first: Mismatch
    """The first of them."""


class ShapeCases(Record):
    """Cases of one launch shape."""

    threads: int
    """Threads per thread block."""

    items: int
    """Terms per thread."""

    grid: int
    """Number of thread blocks; 0: as many as the terms take."""

    cases: int
    """Number of cases."""

    mismatches: int
    """Number of cases that differ."""


class SizeCases(Record):
    """The cases by number of terms."""

    run: int
    """Number of sizes that were run."""

    differ: NDArray[numpy.int64]
    """Sizes with cases that differ."""


class Enumeration(Result):
    """Written by `orderlab enumerate --json`: every result of an order, with its exact
    probability."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["enumerate"]
    """The command that wrote the document."""

    config: EnumerationConfig
    """All that is needed to repeat the document, and nothing else."""

    input: Input
    """The terms that are added."""

    order: Order
    """The order in which the terms are added."""

    family: Literal["fixed", "sequences", "trees", "assignments"]
    """What all orders are: one (fixed), all sequences, all summation trees, or all assignments of
    partial sums to the leaves of one tree."""

    partial_sums: int
    """Number of partial sums that are arranged."""

    orders: str
    """Number of orders, as decimal text."""

    distinct: int | None
    """Number of different bit patterns among the results; null where they are counted in bins."""

    results: tuple[EnumeratedResult, ...] | None
    """All results, ascending by value, -0 before +0. Absent where there are more than
    max_distinct."""

    histogram: EnumeratedHistogram | None
    """Results of all orders in bins of equal width, where there are more than max_distinct. Absent
    where they are listed."""

    nonfinite: NonfiniteResultsOfOrders
    """How many orders gave a result that is no finite number. These are left out of errors, Vs and
    moments."""

    error: Errors
    """Distribution of result minus exact sum over the finite results, in three units."""

    vs: Vs
    """Variability Vs = (|S_d| - |S_nd|) / |S_d| of the finite results S_nd against the result S_d
    of a fixed order. Null where S_d is 0 or not finite."""

    bounds: BoundsOfAllOrders
    """Bounds on the absolute error of all orders, in the unit of the sum."""

    unseen_mass: float | None
    """Expected probability of all results that were not seen yet: results seen once, divided by
    samples; 0 for a fixed order and for all orders. Null where results are counted in bins."""

    same_bits: SameBits
    """Whether two runs give the same bits. All null with bins or a single sample."""


class EnumerationConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    n: int
    """Number of terms."""

    dist: str | None
    """Distribution of generated terms. Absent for given terms."""

    input_seed: int | None
    """Seed of generated terms. Absent for given terms."""

    input: str | None
    """Hash of given terms, in their format. Absent for generated terms."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    order: str
    """Expression of the order."""

    arrival: str | None
    """Arrival model of the first `arrive` of the order; null for an order without one."""

    max_distinct: int
    """Number of distinct results that are listed; more are counted in bins."""

    baseline: str | None
    """Expression of the given order that Vs compares with; null for each order's own: the same with
    arrivals in launch order."""


class Order(Record):
    """The order in which the terms are added."""

    name: str | None
    """Name of a named order; null for an expression."""

    expression: str
    """Canonical expression of the order."""

    guarantee: Literal["not_guaranteed", "run_to_run", "any_device"]
    """Which runs give the same bits: no two (not_guaranteed), all on one machine (run_to_run), all
    (any_device). Of an order, the weakest of its stages."""

    height: HeightRange
    """Additions on the longest path from a term to the sum, over the orders that were looked at."""


class HeightRange(Record):
    """Additions on the longest path from a term to the sum, over the orders that were looked at."""

    min: int | None
    """Least height; null where it is not known."""

    max: int | None
    """Greatest height; null where it is not known."""


class EnumeratedResult(Record):
    """One result and its probability."""

    bits: str
    """Bit pattern of the result."""

    value: float
    """The result."""

    count: str
    """Number of orders that give it, as decimal text."""

    probability: float
    """Share of the orders that give it, rounded to fp64."""

    error_ulp: float | None
    """Result minus exact sum, in ulps of the exact sum; next to an exact sum of 0 in smallest
    subnormals. Null where the result or the exact sum is not finite."""


class EnumeratedHistogram(Record):
    """Results of all orders in bins of equal width, where there are more than max_distinct. Absent
    where they are listed."""

    bin_ulp: float
    """Width of a bin in ulps of the exact sum: a power of two."""

    bins: tuple[tuple[float, str], ...]
    """The bins that are not empty, ascending: index and number of orders as decimal text. Bin k
    holds the results whose distance from the exact sum, rounded to the result format, is from k to
    below k + 1 widths."""


class NonfiniteResultsOfOrders(Record):
    """How many orders gave a result that is no finite number. These are left out of errors, Vs and
    moments."""

    inf: str
    """Number of orders that gave inf."""

    minus_inf: str
    """Number of orders that gave -inf."""

    nan: str
    """Number of orders that gave NaN."""


class Errors(Record):
    """Distribution of result minus exact sum over the finite results, in three units."""

    ulp: Summary
    """In ulps of the exact sum in the result format; for an exact sum of 0 in smallest
    subnormals."""

    relative: Summary
    """As parts of the absolute value of the exact sum; null for an exact sum of 0."""

    u_sum_abs: Summary
    """In units of u sum|x|, u the unit roundoff of the format of partial sums."""


class Summary(Record):
    """A distribution in a few numbers; null where there is no finite result, or the unit has no
    value."""

    min: float | None
    """Least."""

    max: float | None
    """Greatest."""

    mean: float | None
    """Mean; null also where it is not finite on both sides."""

    sd: float | None
    """Standard deviation; null also for a single sample, or a mean that is not finite."""

    max_abs: float | None
    """Greatest absolute value."""

    quantiles: Quantiles
    """Quantiles by their level."""


class Quantiles(Record):
    """Quantiles by their level."""

    # ["0.01"]: Quantile. The 1 % quantile.
    # ["0.05"]: Quantile. The 5 % quantile.
    # ["0.25"]: Quantile. The 25 % quantile.
    # ["0.5"]: Quantile. The 50 % quantile.
    # ["0.75"]: Quantile. The 75 % quantile.
    # ["0.95"]: Quantile. The 95 % quantile.
    # ["0.99"]: Quantile. The 99 % quantile.


class Quantile(Record):
    """A quantile with its 95 % interval from order statistics; of all orders the interval is the
    quantile itself."""

    value: float | None
    """The quantile; null where there is no finite result."""

    low: float | None
    """Lower limit; null where the samples are too few for one."""

    high: float | None
    """Upper limit; null where the samples are too few for one."""


class Vs(Record):
    """Variability Vs = (|S_d| - |S_nd|) / |S_d| of the finite results S_nd against the result S_d
    of a fixed order. Null where S_d is 0 or not finite."""

    baseline: str
    """Expression of the fixed order."""

    baseline_bits: str
    """Bit pattern of its result."""

    offset: float | None
    """Mean of Vs: a fixed difference between two orders."""

    spread: float | None
    """Standard deviation of Vs: what differs from run to run. Null also for a single sample."""

    max_abs: float | None
    """Greatest absolute value of Vs."""


class BoundsOfAllOrders(Record):
    """Bounds on the absolute error of all orders, in the unit of the sum."""

    running: RunningBounds
    """D1, the bound that is proven for the additions that were done."""

    gamma: float | None
    """D2 = gamma_h sum|x|, proven for every order whose tree has height h; null where none is
    derived."""

    probabilistic: ProbabilisticBound
    """P3, a bound that holds with a probability."""

    any_order: float | None
    """D3 = (n-1) u sum|x|, proven for every order; null where none is derived."""

    every_order: float | None
    """Proven for every result of this order; null where none is derived."""


class RunningBounds(Record):
    """D1, the bound that is proven for the additions that were done."""

    min: float | None
    """Least of the samples; null where none is derived."""

    max: float | None
    """Greatest of the samples; null where none is derived."""


class ProbabilisticBound(Record):
    """A bound that holds with a probability if rounding errors behave like independent random
    numbers."""

    value: float | None
    """The bound; null where none is derived."""

    probability: float
    """Probability with which it holds."""


class SameBits(Record):
    """Whether two runs give the same bits. All null with bins or a single sample."""

    probability: float | None
    """Probability that two runs give the same bits."""

    low: float | None
    """Lower limit of its 95 % interval."""

    high: float | None
    """Upper limit of its 95 % interval."""

    runs_to_differ: int | None
    """Number of runs that show a difference with probability 99.9 %; null where no difference was
    seen, or all samples differ."""


class OperationEnumeration(Result):
    """Written by `orderlab enumerate --op ... --json`: all results of each output where all arrival
    orders are equally likely."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["enumerate"]
    """The command that wrote the document."""

    config: OperationEnumerationConfig
    """All that is needed to repeat the document, and nothing else."""

    op: str
    """The operation with its parameters."""

    launch: Launch
    """The kernel that the operation runs for these shapes on this GPU."""

    shape: NDArray[numpy.int64]
    """Shape of the output, the slowest dimension first."""

    outputs: int
    """Number of outputs."""

    contributions: int
    """Number of numbers that are added to outputs, over all outputs."""

    units: int
    """Number of units: what arrives together, such as thread blocks."""

    inexact_conversions: int
    """Number of inputs that their format does not hold, which were rounded to it."""

    baseline: Literal["deterministic", "launch", "exact", "run"]
    """What samples are compared with: the library's deterministic form, launch order, exact results
    rounded once, or another run."""

    vc: ExpectedVc
    """Mean over all arrival orders of the share of the outputs whose bits differ from the
    baseline."""

    vc_of_order: ExpectedVcOfOrder
    """The same of differences from launch order."""

    several_results: int
    """Number of outputs with more than one result."""

    not_enumerated: int
    """Number of outputs with too many units to enumerate all orders."""

    outputs_by_results: tuple[OutputBin, ...]
    """Outputs by their number of results."""

    most_results: MostResults
    """The output with the most results."""

    largest_movement: LargestMovement
    """The output whose results lie farthest apart."""

    largest_error: LargestError
    """The output with the greatest error."""


class OperationEnumerationConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    op: str
    """The operation with its parameters."""

    gpu: str
    """GPU that the launch is made for."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    shape: str | None
    """Shape of generated inputs, such as 100x100; null where the operation's parameters say it.
    Absent for given inputs."""

    ratio: float | None
    """R of a generated index: R A draws out of R A bins, A the first extent of the shape. Absent
    for given inputs."""

    dist: str | None
    """Distribution of generated terms. Absent for given terms."""

    input_seed: int | None
    """Seed of generated terms. Absent for given terms."""

    input: str | None
    """Hash of the given input. Absent for generated inputs."""

    index: str | None
    """Hash of the given index. Absent where there is none."""

    self: str | None
    """Hash of the given first values of the accumulators. Absent where they are 0."""

    order: str | None
    """Expression of the order that adds each output. Absent for an operation that has an order of
    its own."""

    baseline: Literal["deterministic", "launch", "exact", "run"]
    """What samples are compared with: the library's deterministic form, launch order, exact results
    rounded once, or another run."""

    # ["with"]: str | None. Hash of the array that the given input is multiplied with. Absent where
    #     there is none.


class ExpectedVc(Record):
    """Mean over all arrival orders of the share of the outputs whose bits differ from the
    baseline."""

    exact_expectation: float | None
    """The mean; null where outputs that were not enumerated leave it open."""

    low: float
    """Lower end of what is possible."""

    high: float
    """Upper end of what is possible."""


class ExpectedVcOfOrder(Record):
    """The same of differences from launch order."""

    low: float
    """Lower end."""

    high: float
    """Upper end: the same where all outputs were enumerated."""


class OutputBin(Record):
    """Outputs with a number in an interval."""

    above: float
    """Lower end, excluded; in the first bin equal to the upper end."""

    to: float
    """Upper end, included."""

    outputs: int
    """Number of outputs in it."""


class MostResults(Record):
    """The output with the most results."""

    results: int
    """Its number of results."""

    output: int
    """Its number, from 0 in C order."""


class LargestMovement(Record):
    """The output whose results lie farthest apart."""

    ulp: float
    """Greatest minus least result, in ulps of the exact result."""

    output: int
    """Its number, from 0 in C order."""


class LargestError(Record):
    """The output with the greatest error."""

    ulp: float
    """The error in ulps of the exact result."""

    output: int
    """Its number, from 0 in C order."""


class Explanation(Result):
    """Written by `orderlab explain --json`: which kernel an operation runs, and which outputs order
    can change."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["explain"]
    """The command that wrote the document."""

    config: ExplanationConfig
    """All that is needed to repeat the document, and nothing else."""

    op: str
    """The operation with its parameters."""

    launch: Launch
    """The kernel that the operation runs for these shapes on this GPU."""

    shape: NDArray[numpy.int64]
    """Shape of the output, the slowest dimension first."""

    outputs: int
    """Number of outputs."""

    contributions: int
    """Number of numbers that are added to outputs, over all outputs."""

    units: int
    """Number of units: what arrives together, such as thread blocks."""

    inexact_conversions: int
    """Number of inputs that their format does not hold, which were rounded to it."""

    freedom: str
    """The orders of an output's numbers that `orderlab check` has to exclude before it calls a
    result impossible, and why these."""

    assumes: str | None
    """What the model of the operation assumes beyond that; null: nothing."""

    documented: str | None
    """What the library's documentation says of equal bits; null where it says nothing."""

    deterministic_form: DeterministicForm | None
    """The library's deterministic form; null where there is none."""

    reasons: tuple[OutputReason, ...]
    """Every output once, by why it can or cannot vary."""

    lengths: tuple[OutputLength, ...]
    """Outputs by their number of contributions, ascending; empty for a scan."""


class ExplanationConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    op: str
    """The operation with its parameters."""

    gpu: str
    """GPU that the launch is made for."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    shape: str | None
    """Shape of generated inputs, such as 100x100; null where the operation's parameters say it.
    Absent for given inputs."""

    ratio: float | None
    """R of a generated index: R A draws out of R A bins, A the first extent of the shape. Absent
    for given inputs."""

    dist: str | None
    """Distribution of generated terms. Absent for given terms."""

    input_seed: int | None
    """Seed of generated terms. Absent for given terms."""

    input: str | None
    """Hash of the given input. Absent for generated inputs."""

    index: str | None
    """Hash of the given index. Absent where there is none."""

    self: str | None
    """Hash of the given first values of the accumulators. Absent where they are 0."""

    order: str | None
    """Expression of the order that adds each output. Absent for an operation that has an order of
    its own."""

    # ["with"]: str | None. Hash of the array that the given input is multiplied with. Absent where
    #     there is none.


class DeterministicForm(Record):

    addition: str
    """How it adds an output."""

    source: str
    """The file or document that says so."""


class OutputReason(Record):
    """Outputs with a reason in common."""

    reason: str
    """The reason, in words."""

    varies: bool
    """Whether order can change these outputs."""

    outputs: int
    """Number of outputs."""


class OutputLength(Record):
    """Outputs with equally many contributions."""

    contributions: int
    """Number of contributions."""

    outputs: int
    """Number of outputs."""


class SweepPoint(Result):
    """One line of `orderlab export --json` of a sweep over sums: a point."""

    position: int
    """Position of the point in the config's order, from 0."""

    order_text: str | None
    """The order as the config writes it."""

    arrival_text: str | None
    """The arrival model as the config writes it; null where it does not."""

    input_number: int
    """Number of the independent array of terms."""

    config: SweepPointConfig
    """All that is needed to repeat the document, and nothing else."""

    input: Input
    """The terms that are added."""

    order: PointOrder
    """The order in which the terms are added."""

    samples: float
    """Number of orders that were drawn, or of all orders rounded to a number."""

    distinct: int | None
    """Number of different bit patterns among the results; null where they are counted in bins."""

    nonfinite: NonfiniteResults | NonfiniteResultsOfOrders
    """Results that are no finite numbers: numbers of samples, or of all orders as decimal texts."""

    error: Errors
    """Distribution of result minus exact sum over the finite results, in three units."""

    vs: Vs
    """Variability Vs = (|S_d| - |S_nd|) / |S_d| of the finite results S_nd against the result S_d
    of a fixed order. Null where S_d is 0 or not finite."""

    bounds: Bounds | BoundsOfAllOrders
    """Bounds on the absolute error, in the unit of the sum."""

    stagnation: Stagnation | None
    """A running sum that stops growing. Absent where all orders were enumerated."""

    unseen_mass: float | None
    """Expected probability of all results that were not seen yet: results seen once, divided by
    samples; 0 for a fixed order and for all orders. Null where results are counted in bins."""

    same_bits: SameBits
    """Whether two runs give the same bits. All null with bins or a single sample."""

    arrival: Arrival | None
    """How far drawn arrival orders are from launch order and from each other; null where nothing
    arrives. Absent where all orders were enumerated."""


class SweepPointConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    n: int
    """Number of terms."""

    dist: str
    """Distribution of the terms."""

    input_seed: int
    """Seed of the terms."""

    input: int | None
    """Number of the independent array of terms. Absent for 0."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    order: str
    """Expression of the order."""

    arrival: str | None
    """Arrival model of the first `arrive` of the order; null for an order without one."""

    seed: int | None
    """Seed of everything that is drawn but the terms. Absent where all orders were enumerated."""

    samples: int | Literal["all"]
    """Number of orders to draw, or all."""

    max_distinct: int | None
    """Number of distinct results that are counted one by one; more are counted in bins. Absent
    where all orders were enumerated."""

    baseline: str | None
    """Expression of the given order that Vs compares with; null for each order's own: the same with
    arrivals in launch order."""


class PointOrder(Record):
    """The order in which the terms are added."""

    expression: str
    """Canonical expression of the order."""

    guarantee: Literal["not_guaranteed", "run_to_run", "any_device"]
    """Which runs give the same bits: no two (not_guaranteed), all on one machine (run_to_run), all
    (any_device). Of an order, the weakest of its stages."""

    height: HeightRange
    """Additions on the longest path from a term to the sum, over the orders that were looked at."""


class NonfiniteResults(Record):
    """How many samples gave a result that is no finite number. These are left out of errors, Vs and
    moments."""

    inf: int
    """Number of samples that gave inf."""

    minus_inf: int
    """Number of samples that gave -inf."""

    nan: int
    """Number of samples that gave NaN."""


class Bounds(Record):
    """Bounds on the absolute error, in the unit of the sum."""

    running: RunningBounds
    """D1, the bound that is proven for the additions that were done."""

    gamma: float | None
    """D2 = gamma_h sum|x|, proven for every order whose tree has height h; null where none is
    derived."""

    probabilistic: ProbabilisticBound
    """P3, a bound that holds with a probability."""

    any_order: float | None
    """D3 = (n-1) u sum|x|, proven for every order; null where none is derived."""

    higham_mary: ProbabilisticBound
    """P1, a bound that holds with a probability."""


class Stagnation(Record):
    """A running sum that stops growing. All null where none does, or less than 1 % of the sum is
    lost."""

    sum: float | None
    """The sum at which it stops."""

    after: int | None
    """Number of partial sums that were added by then."""

    partial_sums: int | None
    """Number of partial sums that there are."""


class Arrival(Record):

    partial_sums: int
    """Number of partial sums that arrive."""

    draws: int
    """Number of arrival orders that were looked at."""

    tau_to_launch: float
    """Mean Kendall tau to launch order, from -1 to 1."""

    tau_to_launch_standard_error: float | None
    """Its standard error; null for a single draw."""

    tau_between: float | None
    """Mean Kendall tau between two draws, from -1 to 1; null for a single draw."""

    tau_between_standard_error: float | None
    """Its standard error; null for fewer than four draws."""


class OperationSweepPoint(Result):
    """One line of `orderlab export --json` of a sweep over operations: a point."""

    position: int
    """Position of the point in the config's order, from 0."""

    order_text: str | None
    """The order as the config writes it; null where it does not."""

    arrival_text: str | None
    """The arrival model as the config writes it; null where it does not."""

    input_number: int | str
    """Number of the independent array of terms; the hash of a given input."""

    config: OperationSweepPointConfig
    """All that is needed to repeat the document, and nothing else."""

    op: str
    """The operation with its parameters."""

    launch: Launch
    """The kernel that the operation runs for these shapes on this GPU."""

    shape: NDArray[numpy.int64]
    """Shape of the output, the slowest dimension first."""

    outputs: int
    """Number of outputs."""

    contributions: int
    """Number of numbers that are added to outputs, over all outputs."""

    units: int
    """Number of units: what arrives together, such as thread blocks."""

    inexact_conversions: int
    """Number of inputs that their format does not hold, which were rounded to it."""

    samples: int
    """Number of runs that were drawn; 1 where no arrival order changes an output."""

    baseline: Literal["deterministic", "launch", "exact", "run"]
    """What samples are compared with: the library's deterministic form, launch order, exact results
    rounded once, or another run."""

    can_vary: float
    """Share of the outputs that some arrival order may change."""

    vc: Vc
    """Share of the outputs whose bits differ from the baseline, over the samples."""

    vc_by_value: OverSamples
    """Share of the outputs whose values differ from the baseline: +0 equals -0."""

    vc_of_order: OverSamples
    """Share of the outputs whose bits differ from launch order."""

    method_offset: MethodOffset
    """How launch order differs from the baseline: the difference of method, not of order."""

    vermv: Vermv
    """Mean over the outputs of the relative difference from the baseline, in three definitions,
    over the samples."""

    max_ulp: OverSamples
    """Greatest |a - b| of all outputs, a of the baseline, in ulps of the exact result."""

    max_error_ulp: OverSamples
    """Greatest error of all outputs, in ulps of the exact result."""

    distinct: int
    """Number of different arrays among the samples."""

    unseen_mass: float
    """Expected probability that the next run gives an array that was not seen yet."""

    nonfinite_exact: int
    """Number of outputs whose exact result is not finite."""


class OperationSweepPointConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    op: str
    """The operation with its parameters."""

    gpu: str
    """GPU that the launch is made for."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    shape: str | None
    """Shape of generated inputs, such as 100x100; null where the operation's parameters say it.
    Absent for given inputs."""

    ratio: float | None
    """R of a generated index: R A draws out of R A bins, A the first extent of the shape. Absent
    for given inputs."""

    dist: str | None
    """Distribution of generated terms. Absent for given terms."""

    input_seed: int | None
    """Seed of generated terms. Absent for given terms."""

    index: str | None
    """Hash of the given index. Absent where there is none."""

    self: str | None
    """Hash of the given first values of the accumulators. Absent where they are 0."""

    order: str | None
    """Expression of the order that adds each output. Absent for an operation that has an order of
    its own."""

    input: str | int | None
    """Hash of the given input, or the number of the independent array of generated terms. Absent
    for 0."""

    arrival: str | None
    """Arrival model of the units; null where nothing arrives."""

    samples: int
    """Number of runs to draw."""

    seed: int
    """Seed of everything that is drawn but the terms."""

    baseline: Literal["deterministic", "launch", "exact", "run"] | None
    """What samples are compared with, as the config says; null where it does not."""

    # ["with"]: str | None. Hash of the array that the given input is multiplied with. Absent where
    #     there is none.


class Vc(Record):
    """Share of the outputs whose bits differ from the baseline, over the samples."""

    mean: float
    """Mean."""

    sd: float | None
    """Standard deviation; null for a single sample."""

    min: float
    """Least."""

    median: float
    """Median."""

    max: float
    """Greatest."""

    exact_expectation: float | None
    """Exact mean where all arrival orders are equally likely; null where it is not known."""


class OverSamples(Record):
    """One number of each sample, over the samples."""

    mean: float
    """Mean."""

    sd: float | None
    """Standard deviation; null for a single sample."""

    min: float
    """Least."""

    median: float
    """Median."""

    max: float
    """Greatest."""


class MethodOffset(Record):
    """How launch order differs from the baseline: the difference of method, not of order."""

    vc: float
    """Share of the outputs whose bits differ."""

    vermv_robust: float
    """Mean over the outputs of |a - b| / sum|x|."""

    max_ulp: float
    """Greatest |a - b| in ulps of the exact result."""


class Vermv(Record):
    """Mean over the outputs of the relative difference from the baseline, in three definitions,
    over the samples."""

    paper: OverSamples
    """Mean of |a - b| / |a|, a of the baseline; inf where an a is 0 and b is not."""

    code: OverSamples
    """Mean of |a - b| / |a + 1e-8|."""

    robust: OverSamples
    """Mean of |a - b| / sum|x|, the sum over the contributions of the output."""


class Fit(Result):
    """Written by `orderlab fit --json`: arrival models from recorded arrival orders."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["fit"]
    """The command that wrote the document."""

    config: FitConfig
    """All that is needed to repeat the document, and nothing else."""

    partial: Literal[True] | None
    """The run was interrupted, and this is what was found until then. Absent otherwise."""

    rows: FitRows
    """The rows of the recording, numbered from 1."""

    recorded: Features
    """Features of the fitted rows."""

    models: tuple[FittedModel, ...]
    """The models that were fitted."""

    best: str | None
    """The accepted model with the fewest parameters of those that are as near as the nearest; of
    all models where none is accepted. Null where none was fitted."""

    accepted: bool
    """Whether it is accepted."""


class FitConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    recording: str
    """Hash of the recorded orders."""

    seed: int
    """Seed of simulations, resampling, terms and orders."""

    held_out: Literal["even", "odd"]
    """Which of the usable rows are held out to judge by."""

    predict: PredictionConfig | None
    """How sums were predicted; null where they were not."""


class PredictionConfig(Record):

    order: str
    """Order of the sums."""

    n: int
    """Number of terms."""

    dist: str
    """Distribution of the terms."""

    inputs: int
    """Number of inputs."""

    samples: int
    """Number of drawn orders of each input."""


class FitRows(Record):
    """The rows of the recording, numbered from 1."""

    length: int
    """Number of thread blocks in each row."""

    outliers: tuple[OutlierRow, ...]
    """Rows that take no part, such as a cold start."""

    fitted: NDArray[numpy.int64]
    """Rows that models were fitted to."""

    held_out: NDArray[numpy.int64]
    """Rows held out to judge by."""


class OutlierRow(Record):
    """A row unlike the others."""

    row: int
    """Its number."""

    tau_to_launch: float
    """Its Kendall tau to launch order."""

    z: float
    """Its tau less the median, in robust standard deviations."""


class Features(Record):
    """Features of the fitted rows."""

    tau_to_launch: float
    """Mean Kendall tau to launch order."""

    tau_between: float
    """Mean Kendall tau between runs."""

    displacement_5: float
    """5 % quantile of position of arrival less launch index, mean over runs, in positions."""

    displacement_25: float
    """25 % quantile of it."""

    displacement_75: float
    """75 % quantile of it."""

    displacement_95: float
    """95 % quantile of it."""

    displacement_early: float
    """Mean absolute displacement of the first quarter launched, in positions."""

    displacement_late: float
    """Mean absolute displacement of the last quarter launched, in positions."""

    tau_sd: float
    """Standard deviation over the runs of their tau to launch order."""

    displacement_between: float
    """Mean correlation of the displacements of the same thread block in two runs."""

    neighbours_1: float
    """Mean correlation of the displacements of thread blocks launched next to each other."""

    neighbours_8: float | None
    """The same of thread blocks launched 8 apart. Absent for fewer than 32 thread blocks."""

    neighbours_40: float | None
    """The same of thread blocks launched 40 apart. Absent for fewer than 160 thread blocks."""

    neighbours_80: float | None
    """The same of thread blocks launched 80 apart. Absent for fewer than 320 thread blocks."""


class FittedModel(Record):
    """One model."""

    arrival: str
    """The model with its parameters, as --arrival takes it."""

    parameters: Mapping[str, FittedParameter]
    """Its fitted parameters by their name."""

    fitted_distance: float
    """Distance to the fitted rows over the features that it was fitted to: root mean square
    difference, in units of tolerance and standard error combined."""

    held_out_distance: float
    """The same to the rows held out, over all features."""

    accepted: bool
    """Whether all features are accepted."""

    as_near_as_nearest: bool
    """Whether the rows held out do not show that another model is nearer."""

    held_out: FeatureMatches
    """Features of the model beside those of the rows held out."""

    prediction: Prediction | None
    """Sums in orders of the model beside sums in recorded orders; null where they were not
    predicted."""


class FittedParameter(Record):
    """A parameter. Error and interval are null where the features do not determine it, or it is at
    its limit."""

    value: float
    """Its value."""

    error: float | None
    """Its standard error."""

    low: float | None
    """Lower limit of its 95 % interval."""

    high: float | None
    """Upper limit of its 95 % interval."""


class FeatureMatches(Record):
    """Features of the model beside those of the rows held out."""

    tau_to_launch: FeatureMatch
    """Mean Kendall tau to launch order."""

    tau_between: FeatureMatch
    """Mean Kendall tau between runs."""

    displacement_5: FeatureMatch
    """5 % quantile of position of arrival less launch index, mean over runs, in positions."""

    displacement_25: FeatureMatch
    """25 % quantile of it."""

    displacement_75: FeatureMatch
    """75 % quantile of it."""

    displacement_95: FeatureMatch
    """95 % quantile of it."""

    displacement_early: FeatureMatch
    """Mean absolute displacement of the first quarter launched, in positions."""

    displacement_late: FeatureMatch
    """Mean absolute displacement of the last quarter launched, in positions."""

    tau_sd: FeatureMatch
    """Standard deviation over the runs of their tau to launch order."""

    displacement_between: FeatureMatch
    """Mean correlation of the displacements of the same thread block in two runs."""

    neighbours_1: FeatureMatch
    """Mean correlation of the displacements of thread blocks launched next to each other."""

    neighbours_8: FeatureMatch | None
    """The same of thread blocks launched 8 apart. Absent for fewer than 32 thread blocks."""

    neighbours_40: FeatureMatch | None
    """The same of thread blocks launched 40 apart. Absent for fewer than 160 thread blocks."""

    neighbours_80: FeatureMatch | None
    """The same of thread blocks launched 80 apart. Absent for fewer than 320 thread blocks."""


class FeatureMatch(Record):
    """A feature of the model beside that of the rows held out."""

    recorded: float
    """Of the rows held out."""

    low: float
    """Lower limit of the fitted values that are consistent with it at 95 %."""

    high: float
    """Upper limit."""

    fitted: float
    """Of the model."""

    accepted: bool
    """Whether the two are close enough, or consistent."""


class Prediction(Record):

    sd_ratio: SdRatio
    """Fitted over recorded root mean square standard deviation of the sums."""

    inputs: tuple[InputPrediction, ...]
    """The sums of each input."""


class SdRatio(Record):
    """Fitted over recorded root mean square standard deviation of the sums."""

    value: float | None
    """The ratio; null where no recorded sum varies."""

    low: float | None
    """Lower limit of its 95 % interval."""

    high: float | None
    """Upper limit of its 95 % interval."""


class InputPrediction(Record):
    """One input, summed in recorded and in fitted orders."""

    recorded_sd: float
    """Standard deviation of the sums in recorded orders."""

    fitted_sd: float
    """The same in orders of the model."""

    recorded_distinct: int
    """Number of different sums in recorded orders."""

    fitted_distinct: int
    """The same in orders of the model."""

    ks_distance: float
    """Kolmogorov-Smirnov distance of the two."""

    ks_p: float
    """Its p-value by permutation."""


class OperationFit(Result):
    """Written by `orderlab fit --op ... --json`: arrival models fitted to a table of Vc by size."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["fit"]
    """The command that wrote the document."""

    config: OperationFitConfig
    """All that is needed to repeat the document beside the table."""

    partial: Literal[True] | None
    """The run was interrupted, and this is what was found until then. Absent otherwise."""

    rows: int
    """Number of rows of the table that were used."""

    rows_not_used: int
    """Number of rows that were not: their Vc is 0, or nothing arrives."""

    fitted_up_to_split: tuple[FittedOperationArrival, ...]
    """Models fitted to sizes up to the split."""

    fitted_above_split: tuple[FittedOperationArrival, ...]
    """Models fitted to sizes above the split."""


class OperationFitConfig(Record):
    """All that is needed to repeat the document beside the table."""

    op: str
    """The operation with its parameters."""

    gpu: str
    """GPU that the launch is made for."""

    split: int
    """Models are fitted to sizes up to it and judged above, and the other way round."""

    seed: int
    """Seed of everything that is drawn but the terms."""

    inputs: int
    """Number of inputs of each row of the table."""

    samples: int
    """Number of runs of each input."""


class FittedOperationArrival(Record):
    """One model, fitted to one half of the table."""

    arrival: str
    """The model with its parameters, as --arrival takes it, for the grid of the largest size."""

    rms_fitted: float
    """Root mean square of ln(predicted / measured) of Vc over the rows of the fit."""

    rms_held_out: float
    """The same over the other rows."""

    rms_sd_held_out: float
    """The same of the standard deviation over runs, of the other rows that have one."""

    sizes: tuple[VcBySize, ...]
    """By size."""


class VcBySize(Record):
    """Predicted and measured Vc, means over the rows of one size."""

    n: int
    """The size: inputs are n x n."""

    vc: float
    """Measured Vc."""

    vc_predicted: float
    """Predicted Vc."""

    sd: float
    """Measured standard deviation over runs."""

    sd_predicted: float
    """Predicted standard deviation over runs."""


class Listing(Result):
    """Written by `orderlab list WHAT --json`: everything that has a name."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["list"]
    """The command that wrote the document."""

    list: Literal["orders", "stages", "arrivals", "distributions", "metrics", "kernels", "formats", "operations", "lookbacks", "gpus", "solvers", "matrices"]
    """What is listed."""

    entries: tuple[ListingEntry, ...]
    """The entries; one where a name was given."""


class ListingEntry(Record):
    """One thing that has a name. Which keys it has depends on the list."""

    name: str
    """Name."""

    signature: str
    """Name with parameters."""

    summary: str
    """What it is, in words."""

    source: str | None
    """Where it comes from: a key of the References in README, a file or a document."""

    expression: str | None
    """Of an order: its expression with default parameters."""

    kind: Literal["arrange", "reduce"] | None
    """Of a stage: whether it arranges or adds partial sums."""

    guarantee: Literal["not_guaranteed", "run_to_run", "any_device"] | None
    """Of a stage: which runs give the same bits."""

    stands_for: str | None
    """Of an arrival model: the model with parameters that a name stands for; null for a model
    itself."""

    same_bits_everywhere: Literal["yes", "same libm only"] | None
    """Of a distribution: whether terms have the same bits on every machine."""

    unit: str | None
    """Of a metric: its unit."""

    claim: str | None
    """Of a kernel: the order that it claims for 1e6 terms."""

    formats: tuple[Literal["fp64", "fp32", "fp16", "bf16"], ...] | None
    """Of a kernel: formats that it has."""

    runs_on: tuple[Literal["host", "cuda"], ...] | None
    """Of a kernel: what can run it."""

    aliases: tuple[str, ...] | None
    """Of a format: other names that are read."""

    bits: str | None
    """Of a format: its width in bits, as text."""

    unit_roundoff: str | None
    """Of a format: its unit roundoff, such as 2^-53."""

    adds: str | None
    """Of an operation: what adds an output."""

    documented: str | None
    """Of an operation: what the library's documentation says of equal bits; empty where it says
    nothing."""

    freedom: str | None
    """Of an operation: the orders of an output's numbers that `orderlab check` has to exclude
    before it calls a result impossible, and why these."""

    assumes: str | None
    """Of an operation: what its model assumes beyond that; empty where nothing."""

    multiprocessors: str | None
    """Of a GPU: number of multiprocessors, as text."""


class Probe(Result):
    """Written by `orderlab probe --json`: in which order does a black box add?"""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["probe"]
    """The command that wrote the document."""

    config: ProbeConfig
    """What was asked; the settings have the rest."""

    partial: Literal[True] | None
    """The run was interrupted, and this is what was found until then. Absent otherwise."""

    verdict: Literal["named", "revealed", "depends on n", "depends on alignment", "depends on threads", "random", "exact or compensated", "data-dependent", "not a sum"]
    """What the box is, in all settings."""

    order: str | None
    """The order of all settings, as --order takes it; null where there is none."""

    calls: int
    """Number of inputs that the box summed, in all settings."""

    accumulator: Accumulator | None
    """Precision of the additions in the first setting; null where it was not measured."""

    tree: ProbedTree | None
    """The tree of the first setting; null where there is none."""

    as_expected: bool | None
    """Whether all settings have the expected order; null where none was asked for."""

    settings: tuple[ProbedSetting, ...]
    """The first number of terms, offset and number of threads, then what differs from these in one
    of them."""

    other_sizes: tuple[OtherSize, ...]
    """Whether the order holds for a few other numbers of terms, by bits of random inputs alone.
    Empty where sizes were given."""

    one_thread: OneThread | None
    """Where several numbers of threads gave one order that adds term after term, one thread did
    all: whether it did so of many terms too. Null elsewhere."""


class ProbeConfig(Record):
    """What was asked; the settings have the rest."""

    box: str
    """The black box as it was given: a command, FILE:SYMBOL, MODULE:FUNCTION."""

    kind: Literal["function", "command", "lines", "library", "python", "kernel"]
    """What it is: a function of the caller's program, a command, one that answers line by line
    (lines), a function of a library or of Python, a kernel."""

    axis: int | None
    """Axis of a two-dimensional array along which it adds; null: its arrays have one."""

    products: bool
    """Whether the terms are products of two inputs."""

    format: Literal["fp64", "fp32", "fp16", "bf16"]
    """Format of the terms."""

    repeats: int
    """Number of calls with equal terms that had to agree."""

    expect: str | None
    """The order that the box has to have; null where none was asked for."""


class Accumulator(Record):
    """Precision of the additions in bits: the least r for which (2^r, 1, -2^r) loses the 1."""

    narrowest: int | None
    """The least of all places that were tried; null where no bit is lost."""

    widest: int | None
    """The greatest; null where no bit is lost."""

    flushes: bool
    """Whether subnormal terms become zero."""


class ProbedTree(Record):
    """A summation tree."""

    terms: int
    """Number of terms."""

    height: int
    """Additions on the longest path from a term to the root."""

    newick: str
    """The tree in Newick format; leaf x0 is the first term."""


class ProbedSetting(Record):
    """What the box is in one setting."""

    n: int
    """Number of terms."""

    offset: int
    """Where the first term lies: elements from a multiple of 4096 bytes."""

    threads: int | None
    """OMP_NUM_THREADS of the box; null: as the environment had it."""

    verdict: Literal["named", "revealed", "depends on n", "depends on alignment", "depends on threads", "random", "exact or compensated", "data-dependent", "not a sum"]
    """What the box is."""

    reason: str | None
    """Why, or what else is known; null where the verdict says all."""

    orders: tuple[str, ...]
    """Orders with the tree and the bits of the box, as --order takes them, the best name first. Of
    a random box, those that can give its sums."""

    format: str
    """Formats in which they, or the tree, have its bits; of its terms and results where no format
    has the precision of its additions."""

    accumulator: Accumulator | None
    """Precision of the additions; null where it was not measured."""

    certified: bool
    """Whether the tree is that of an order, proven node by node; else it was revealed pair by
    pair."""

    replayed: int
    """Number of random inputs for which the first order, or else the tree with additions of the
    measured precision, gives the bits of the box."""

    changes_input: bool
    """Whether the box changed the terms that it was given; every call gets fresh ones."""

    calls: int
    """Number of inputs that the box summed."""

    compared: int
    """Number of these whose answers were compared with what the order, the tree or the exact sum
    gives, and had it; 0 where there is none."""

    excluded_share: float | None
    """Share of calls with another order that so many compared calls exclude with 95 % confidence, 1
    - 0.05^(1/compared); null where none was compared."""

    tree: ProbedTree | None
    """The summation tree; null where there is none."""

    clusters: NDArray[numpy.int64]
    """Of a random box: terms that every call adds up alike, by their numbers."""

    drawn: tuple[DrawnTree, ...]
    """Of a random box: trees above the clusters, the most frequent first."""

    draws: int
    """Number of calls with one input that were told apart by their tree."""

    different_sums: int
    """Number of different sums that these calls gave."""

    as_expected: bool | None
    """Whether it has the expected order; null where none was asked for."""

    differs: PairThatDiffers | None
    """Two terms that the box does not add where the expected order says; null where there are
    none."""


class DrawnTree(Record):
    """A tree above the clusters and how often it was drawn."""

    tree: str
    """The tree, such as ((c0+c1)+c2)."""

    count: int
    """Number of calls that had it."""


class PairThatDiffers(Record):
    """Two terms, and the smallest subtrees that hold both."""

    i: int
    """Number of the one term, from 0."""

    j: int
    """Number of the other term."""

    expected: int
    """Number of terms of that subtree in the expected order."""

    found: int
    """Number of terms of that subtree in the box; 0 where its answer was no number of terms."""


class OtherSize(Record):
    """Another number of terms."""

    n: int
    """Number of terms."""

    holds: bool | None
    """Whether one of the orders has the bits of the box there; null where the box failed."""


class OneThread(Record):
    """The order for many terms, added with the most threads."""

    n: int
    """Number of terms."""

    holds: bool
    """Whether the order has the bits of the box there."""


class Sample(Result):
    """Written by `orderlab sample --json` for one order: how far a sum moves."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["sample"]
    """The command that wrote the document."""

    config: SampleConfig
    """All that is needed to repeat the document, and nothing else."""

    range: tuple[int, int] | None
    """The part of the samples that was drawn: from the first number to below the second. Absent
    where all were."""

    partial: Literal[True] | None
    """The run was interrupted, or of counts that were merged some samples are missing. Absent
    otherwise."""

    input: Input
    """The terms that are added."""

    order: Order
    """The order in which the terms are added."""

    warnings: tuple[str, ...] | None
    """What to know about the order as it was written, a line each. Absent where there is
    nothing."""

    samples: int
    """Number of orders that were drawn; 1 for a fixed order."""

    distinct: int | None
    """Number of different bit patterns among the results; null where they are counted in bins."""

    results: tuple[SampledResult, ...] | None
    """All results, ascending by value, -0 before +0. Absent where there are more than
    max_distinct."""

    histogram: Histogram | None
    """Results in bins of equal width, where there are more than max_distinct. Absent where they are
    listed."""

    nonfinite: NonfiniteResults
    """How many samples gave a result that is no finite number. These are left out of errors, Vs and
    moments."""

    error: Errors
    """Distribution of result minus exact sum over the finite results, in three units."""

    vs: Vs
    """Variability Vs = (|S_d| - |S_nd|) / |S_d| of the finite results S_nd against the result S_d
    of a fixed order. Null where S_d is 0 or not finite."""

    bounds: Bounds
    """Bounds on the absolute error, in the unit of the sum."""

    stagnation: Stagnation
    """A running sum that stops growing. All null where none does, or less than 1 % of the sum is
    lost."""

    unseen_mass: float | None
    """Expected probability of all results that were not seen yet: results seen once, divided by
    samples; 0 for a fixed order and for all orders. Null where results are counted in bins."""

    same_bits: SameBits
    """Whether two runs give the same bits. All null with bins or a single sample."""

    arrival: Arrival | None
    """How far drawn arrival orders are from launch order and from each other; null where nothing
    arrives."""


class SampleConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    n: int
    """Number of terms."""

    dist: str | None
    """Distribution of generated terms. Absent for given terms."""

    input_seed: int | None
    """Seed of generated terms. Absent for given terms."""

    input: str | None
    """Hash of given terms, in their format. Absent for generated terms."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    order: str
    """Expression of the order."""

    arrival: str | None
    """Arrival model of the first `arrive` of the order; null for an order without one."""

    seed: int
    """Seed of everything that is drawn but the terms."""

    samples: int
    """Number of orders to draw."""

    max_distinct: int
    """Number of distinct results that are listed; more are counted in bins."""

    baseline: str | None
    """Expression of the given order that Vs compares with; null for each order's own: the same with
    arrivals in launch order."""


class SampledResult(Record):
    """One result and how often it came."""

    bits: str
    """Bit pattern of the result."""

    value: float
    """The result."""

    count: int
    """Number of samples that gave it."""

    error_ulp: float | None
    """Result minus exact sum, in ulps of the exact sum; next to an exact sum of 0 in smallest
    subnormals. Null where the result or the exact sum is not finite."""


class Histogram(Record):
    """Results in bins of equal width, where there are more than max_distinct. Absent where they are
    listed."""

    bin_ulp: float
    """Width of a bin in ulps of the exact sum: a power of two."""

    bins: tuple[tuple[float, int], ...]
    """The bins that are not empty, ascending: index and number of samples. Bin k holds the results
    whose distance from the exact sum, rounded to the result format, is from k to below k + 1
    widths."""


class OperationSample(Result):
    """Written by `orderlab sample --op ... --json`: how far the outputs of an operation move."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["sample"]
    """The command that wrote the document."""

    config: OperationSampleConfig
    """All that is needed to repeat the document, and nothing else."""

    partial: Literal[True] | None
    """The run was interrupted, and this is what was found until then. Absent otherwise."""

    op: str
    """The operation with its parameters."""

    launch: Launch
    """The kernel that the operation runs for these shapes on this GPU."""

    shape: NDArray[numpy.int64]
    """Shape of the output, the slowest dimension first."""

    outputs: int
    """Number of outputs."""

    contributions: int
    """Number of numbers that are added to outputs, over all outputs."""

    units: int
    """Number of units: what arrives together, such as thread blocks."""

    inexact_conversions: int
    """Number of inputs that their format does not hold, which were rounded to it."""

    samples: int
    """Number of runs that were drawn; 1 where no arrival order changes an output."""

    baseline: Literal["deterministic", "launch", "exact", "run"]
    """What samples are compared with: the library's deterministic form, launch order, exact results
    rounded once, or another run."""

    can_vary: float
    """Share of the outputs that some arrival order may change."""

    vc: Vc
    """Share of the outputs whose bits differ from the baseline, over the samples."""

    vc_by_value: OverSamples
    """Share of the outputs whose values differ from the baseline: +0 equals -0."""

    vc_of_order: OverSamples
    """Share of the outputs whose bits differ from launch order."""

    method_offset: MethodOffset
    """How launch order differs from the baseline: the difference of method, not of order."""

    vermv: Vermv
    """Mean over the outputs of the relative difference from the baseline, in three definitions,
    over the samples."""

    max_ulp: OverSamples
    """Greatest |a - b| of all outputs, a of the baseline, in ulps of the exact result."""

    max_error_ulp: OverSamples
    """Greatest error of all outputs, in ulps of the exact result."""

    distinct: int
    """Number of different arrays among the samples."""

    unseen_mass: float
    """Expected probability that the next run gives an array that was not seen yet."""

    nonfinite_exact: int
    """Number of outputs whose exact result is not finite."""

    outputs_by_frequency: tuple[OutputBin, ...]
    """Outputs by the share of samples in which they differ from the baseline, from 0 to 1."""

    outputs_by_movement_ulp: tuple[OutputBin, ...]
    """Outputs by greatest minus least result, in ulps of the exact result."""

    outputs_by_place: tuple[OutputPart, ...]
    """Ten parts of the array in C order, or each output of a shorter one."""

    first_different: FirstDifferent | None
    """Number of the first output in C order that differs from the baseline, over the samples that
    have one; null where no sample has."""


class OperationSampleConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    op: str
    """The operation with its parameters."""

    gpu: str
    """GPU that the launch is made for."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    shape: str | None
    """Shape of generated inputs, such as 100x100; null where the operation's parameters say it.
    Absent for given inputs."""

    ratio: float | None
    """R of a generated index: R A draws out of R A bins, A the first extent of the shape. Absent
    for given inputs."""

    dist: str | None
    """Distribution of generated terms. Absent for given terms."""

    input_seed: int | None
    """Seed of generated terms. Absent for given terms."""

    input: str | None
    """Hash of the given input. Absent for generated inputs."""

    index: str | None
    """Hash of the given index. Absent where there is none."""

    self: str | None
    """Hash of the given first values of the accumulators. Absent where they are 0."""

    order: str | None
    """Expression of the order that adds each output. Absent for an operation that has an order of
    its own."""

    arrival: str | None
    """Arrival model of the units; null where nothing arrives."""

    samples: int
    """Number of runs to draw."""

    seed: int
    """Seed of everything that is drawn but the terms."""

    baseline: Literal["deterministic", "launch", "exact", "run"]
    """What samples are compared with: the library's deterministic form, launch order, exact results
    rounded once, or another run."""

    # ["with"]: str | None. Hash of the array that the given input is multiplied with. Absent where
    #     there is none.


class OutputPart(Record):
    """Neighbouring outputs."""

    first: int
    """Number of the first output, from 0 in C order."""

    outputs: int
    """Number of outputs."""

    vc: float
    """Mean share that differs from the baseline."""

    median_movement_ulp: float
    """Median of greatest minus least result, in ulps of the exact result."""


class FirstDifferent(Record):

    min: float
    """Least."""

    median: float
    """Median."""

    max: float
    """Greatest."""


class SampledOrders(Result):
    """Written by `orderlab sample --json` for several orders: how far the sums of the same terms
    move."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["sample"]
    """The command that wrote the document."""

    config: SampledOrdersConfig
    """All that is needed to repeat the document, and nothing else."""

    range: tuple[int, int] | None
    """The part of the samples that was drawn: from the first number to below the second. Absent
    where all were."""

    partial: Literal[True] | None
    """The run was interrupted, or of counts that were merged some samples are missing. Absent
    otherwise."""

    input: Input
    """The terms that are added."""

    runs: tuple[OrderRun, ...]
    """What was found for each order, in the order given; fewer where the run was interrupted."""

    differing_bits: DifferingBits | None
    """Comparison of two orders. Absent for more than two."""


class SampledOrdersConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    n: int
    """Number of terms."""

    dist: str | None
    """Distribution of generated terms. Absent for given terms."""

    input_seed: int | None
    """Seed of generated terms. Absent for given terms."""

    input: str | None
    """Hash of given terms, in their format. Absent for generated terms."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    order: tuple[str, ...]
    """Expressions of the orders."""

    arrival: tuple[str | None, ...]
    """For each order the arrival model of its first `arrive`; null for an order without one."""

    seed: int
    """Seed of everything that is drawn but the terms."""

    samples: int
    """Number of orders to draw."""

    max_distinct: int
    """Number of distinct results that are listed; more are counted in bins."""

    baseline: str | None
    """Expression of the given order that Vs compares with; null for each order's own: the same with
    arrivals in launch order."""


class OrderRun(Record):
    """What was found for one order."""

    order: Order
    """The order in which the terms are added."""

    warnings: tuple[str, ...] | None
    """What to know about the order as it was written, a line each. Absent where there is
    nothing."""

    samples: int
    """Number of orders that were drawn; 1 for a fixed order."""

    distinct: int | None
    """Number of different bit patterns among the results; null where they are counted in bins."""

    results: tuple[SampledResult, ...] | None
    """All results, ascending by value, -0 before +0. Absent where there are more than
    max_distinct."""

    histogram: Histogram | None
    """Results in bins of equal width, where there are more than max_distinct. Absent where they are
    listed."""

    nonfinite: NonfiniteResults
    """How many samples gave a result that is no finite number. These are left out of errors, Vs and
    moments."""

    error: Errors
    """Distribution of result minus exact sum over the finite results, in three units."""

    vs: Vs
    """Variability Vs = (|S_d| - |S_nd|) / |S_d| of the finite results S_nd against the result S_d
    of a fixed order. Null where S_d is 0 or not finite."""

    bounds: Bounds
    """Bounds on the absolute error, in the unit of the sum."""

    stagnation: Stagnation
    """A running sum that stops growing. All null where none does, or less than 1 % of the sum is
    lost."""

    unseen_mass: float | None
    """Expected probability of all results that were not seen yet: results seen once, divided by
    samples; 0 for a fixed order and for all orders. Null where results are counted in bins."""

    same_bits: SameBits
    """Whether two runs give the same bits. All null with bins or a single sample."""

    arrival: Arrival | None
    """How far drawn arrival orders are from launch order and from each other; null where nothing
    arrives."""


class DifferingBits(Record):
    """Comparison of two orders. Absent for more than two."""

    probability: float | None
    """Probability that a run of the first order and a run of the second give different bits; null
    where results are counted in bins or the run was interrupted."""


class Solve(Result):
    """Written by `orderlab solve --json`: what order does to an iterative solver."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["solve"]
    """The command that wrote the document."""

    config: SolveConfig
    """All that is needed to repeat the document, and nothing else."""

    partial: Literal[True] | None
    """The run was interrupted, and this is what was found until then. Absent otherwise."""

    input: System
    """The system of equations."""

    samples: int
    """Number of runs that were drawn."""

    iterations: Iterations
    """Iterations of runs that converged."""

    not_converged: NotConverged
    """Drawn runs that did not converge."""

    launch: SolverRun
    """The run in launch order."""

    exact: SolverRun | None
    """The run with exact sums; null where it was interrupted."""

    recursive_residual: RunSpread
    """|r| / |r0| by the solver's own residual at the end."""

    true_residual: RunSpread
    """|b - A x| / |b| at the end, computed exactly in each row."""

    solution_distance: RunSpread
    """|x - launch| / |launch| of the solutions."""

    distinct_solutions: int
    """Number of solutions with different bits."""

    first_differences: tuple[FirstDifference, ...]
    """When residuals first differ from those in launch order, for several thresholds."""

    divergence: tuple[DivergencePoint, ...]
    """The runs after iterations 1, 2, 5, 10, ..., and after the last one that all runs came to."""


class SolveConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    solver: Literal["cg", "bicgstab", "gmres"]
    """The solver."""

    matrix: str
    """Formula of the matrix, or the hash of a file's matrix."""

    scale: float
    """Decades by which rows and columns are scaled."""

    rhs: str
    """The right-hand side: a distribution, or the hash of a file's."""

    format: Literal["fp64", "fp32"]
    """Format of everything."""

    order: str
    """Expression of the order of dot products and norms."""

    spmv: Literal["rows", "coo"]
    """What adds the products of a row: a thread of its own (rows), or atomics of one addition per
    entry (coo)."""

    row_order: str | None
    """Expression of the order in which the products of a row are added; null: left to right."""

    arrival: str | None
    """Arrival model of the thread blocks of coo; null for rows."""

    preconditioner: Literal["none", "jacobi"]
    """The preconditioner."""

    tolerance: float
    """A run stops at |r| <= tolerance |r0|."""

    max_iterations: int
    """Iterations of a run that does not converge."""

    restart: int | None
    """Iterations of gmres between restarts; null for other solvers."""

    seed: int
    """Seed of everything that is drawn but the terms."""

    input_seed: int
    """Seed of the right-hand side and of the scaling."""

    samples: int
    """Number of runs to draw."""


class System(Record):
    """The system of equations."""

    rows: int
    """Number of rows."""

    entries: int
    """Number of stored entries."""

    symmetric: bool
    """Whether the matrix is symmetric to the last bit."""

    hash: str
    """Hash of the matrix that is solved with, scaled and in fp64."""


class Iterations(Record):
    """Iterations of runs that converged."""

    exact: int | None
    """Of the run with exact sums; null where it did not converge or was interrupted."""

    launch: int | None
    """Of the run in launch order; null where it did not converge."""

    results: tuple[IterationCount, ...]
    """Drawn runs that converged, by their iterations, ascending."""


class IterationCount(Record):
    """Runs that took equally many iterations."""

    value: int
    """Iterations."""

    count: int
    """Number of runs."""


class NotConverged(Record):
    """Drawn runs that did not converge."""

    runs: int
    """Number of these runs."""

    breakdowns: int
    """Number of these that broke down."""

    samples: NDArray[numpy.int64]
    """Their numbers, from 0."""


class SolverRun(Record):
    """How a run ended."""

    end: Literal["converged", "max_iterations", "breakdown"]
    """How the run ended."""

    breakdown: str | None
    """What broke down, in words; null where nothing did."""

    iterations: int
    """Number of iterations."""

    recursive_residual: float
    """|r| / |r0| by the solver's own residual at the end."""

    true_residual: float
    """|b - A x| / |b| at the end, computed exactly in each row; inf for NaN."""

    solution_distance: float
    """|x - launch| / |launch|, of the solutions of this run and of the run in launch order."""


class RunSpread(Record):
    """One number of each run, over the runs."""

    min: float
    """Least."""

    median: float
    """Median."""

    max: float
    """Greatest."""

    mean: float
    """Mean."""

    spread: float
    """(max - min) / mean; 0 where all are equal."""

    # ["quantile_0.05"]: float. 5 % quantile.
    # ["quantile_0.95"]: float. 95 % quantile.


class FirstDifference(Record):
    """The first iteration at which the residual of a run differs from that in launch order."""

    threshold: float
    """Relative difference that counts."""

    runs: int
    """Number of runs that ever differ so far."""

    iteration: RunSpread | None
    """Iteration of the first such difference, over those runs; null where there are none."""


class DivergencePoint(Record):
    """The runs after one iteration."""

    iteration: int
    """The iteration, from 1."""

    runs: int
    """Number of runs that came so far."""

    residual: ResidualSpread
    """|r| / |r0| by the solver's own residual, over the runs."""

    iterate: RunSpread | None
    """|x - launch| / |launch| over the runs; null where the run in launch order had ended."""


class ResidualSpread(Record):
    """|r| / |r0| by the solver's own residual, over the runs."""

    min: float
    """Least."""

    median: float
    """Median."""

    max: float
    """Greatest."""

    mean: float
    """Mean."""

    spread: float
    """(max - min) / mean; 0 where all are equal."""

    launch: float | None
    """That of the run in launch order; null where it had ended."""

    exact: float | None
    """That of the run with exact sums; null where it had ended."""

    # ["quantile_0.05"]: float. 5 % quantile.
    # ["quantile_0.95"]: float. 95 % quantile.


class Sum(Result):
    """Written by `orderlab sum --json`: one fixed order."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["sum"]
    """The command that wrote the document."""

    config: SumConfig
    """All that is needed to repeat the document, and nothing else."""

    input: Input
    """The terms that are added."""

    order: Order
    """The order in which the terms are added."""

    samples: int
    """Number of orders that were drawn; 1 for a fixed order."""

    distinct: int | None
    """Number of different bit patterns among the results; null where they are counted in bins."""

    results: tuple[SampledResult, ...]
    """All results, ascending by value, -0 before +0. Absent where there are more than
    max_distinct."""

    nonfinite: NonfiniteResults
    """How many samples gave a result that is no finite number. These are left out of errors, Vs and
    moments."""

    error: Errors
    """Distribution of result minus exact sum over the finite results, in three units."""

    vs: Vs
    """Variability Vs = (|S_d| - |S_nd|) / |S_d| of the finite results S_nd against the result S_d
    of a fixed order. Null where S_d is 0 or not finite."""

    bounds: Bounds
    """Bounds on the absolute error, in the unit of the sum."""

    stagnation: Stagnation
    """A running sum that stops growing. All null where none does, or less than 1 % of the sum is
    lost."""

    unseen_mass: float | None
    """Expected probability of all results that were not seen yet: results seen once, divided by
    samples; 0 for a fixed order and for all orders. Null where results are counted in bins."""

    same_bits: SameBits
    """Whether two runs give the same bits. All null with bins or a single sample."""

    arrival: Arrival | None
    """How far drawn arrival orders are from launch order and from each other; null where nothing
    arrives."""


class SumConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    n: int
    """Number of terms."""

    dist: str | None
    """Distribution of generated terms. Absent for given terms."""

    input_seed: int | None
    """Seed of generated terms. Absent for given terms."""

    input: str | None
    """Hash of given terms, in their format. Absent for generated terms."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    order: str
    """Expression of the order."""

    arrival: str | None
    """Arrival model of the first `arrive` of the order; null for an order without one."""

    baseline: str | None
    """Expression of the given order that Vs compares with; null for each order's own: the same with
    arrivals in launch order."""


class Tolerance(Result):
    """Written by `orderlab tolerance --json`: which tolerance a comparison needs."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["tolerance"]
    """The command that wrote the document."""

    config: ToleranceConfig
    """All that is needed to repeat the document, and nothing else."""

    partial: Literal[True] | None
    """The run was interrupted, and this is what was found until then. Absent otherwise."""

    input: Input
    """The terms; of several inputs the first."""

    order: JudgedOrder
    """The order in which the terms are added."""

    warnings: tuple[str, ...] | None
    """What to know about the order as it was written, a line each. Absent where there is
    nothing."""

    against: Literal["exact", "run"]
    """What a result is compared with: the exact sum, or another run."""

    samples: int
    """Number of results that were drawn."""

    tolerance: Tolerances
    """The tolerance by three measures."""

    observed: ObservedDeviations
    """The absolute differences that were drawn, in the unit of the sum."""

    condition: float
    """Greatest condition number of the inputs."""

    bounds: tuple[ToleranceBound, ...]
    """Bounds on what the tolerance limits."""

    lines: ToleranceLines
    """Lines to paste into a test. Empty where there is no tolerance."""

    usual_orders: tuple[UsualOrder, ...] | None
    """Orders to name instead. Absent where an order was given."""


class ToleranceConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    n: int
    """Number of terms."""

    dist: str | None
    """Distribution of generated terms. Absent for given terms."""

    input_seed: int | None
    """Seed of generated terms. Absent for given terms."""

    input: str | None
    """Hash of given terms, in their format. Absent for generated terms."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    order: str
    """Expression of the order."""

    arrival: str | None
    """Arrival model of the first `arrive` of the order; null for an order without one."""

    seed: int
    """Seed of everything that is drawn but the terms."""

    coverage: float
    """Fraction of runs that must pass."""

    confidence: float
    """Probability that the coverage holds."""

    against: Literal["exact", "run"]
    """What a result is compared with: the exact sum, or another run."""

    samples: int | None
    """Number of orders of one input to draw; null: all if few, else as many as needed."""

    inputs: int
    """Number of inputs, each with one draw; 1: one input."""

    outputs: int
    """Number of independent outputs of a comparison; the tolerance covers the largest of their
    errors."""

    memory: int
    """Memory that enumerating all orders may take, in bytes. It decides between all orders and
    samples."""

    order_assumed: Literal[True] | None
    """Absent where an order was given."""


class Tolerances(Record):
    """The tolerance by three measures."""

    rtol: ToleranceLimit
    """Relative to the reference."""

    atol: ToleranceLimit
    """Absolute, in the unit of the sum."""

    ulp: ToleranceLimit
    """In ulps of the exact sum."""


class ToleranceLimit(Record):
    """A tolerance by one measure."""

    value: float | None
    """The tolerance; null where there is none."""

    reason: str | None
    """Why there is none. Absent where there is one."""

    coverage: float
    """Fraction of runs that pass; less than was asked for where an interrupt left too few draws."""

    confidence: float
    """Probability that the coverage holds; 1 for a limit that is certain."""

    method: str
    """How the limit was found, in words."""


class ObservedDeviations(Record):
    """The absolute differences that were drawn, in the unit of the sum."""

    rms: float | None
    """Root mean square, each difference from the farthest of the exact sum and its roundings; null
    where it is not known."""

    largest: float
    """Largest of the same."""

    rms_from_exact: float | None
    """Root mean square of the differences from the exact sum alone, or of runs; null where it is
    not known."""

    largest_from_exact: float
    """Largest of the same."""

    nonfinite: float
    """Fraction of draws with inf or NaN; where all orders were enumerated, their probability."""


class ToleranceBound(Record):
    """A bound beside the tolerance."""

    name: Literal["D1", "D2", "D3", "P1", "P3", "gamma_n"]
    """Name of the bound."""

    value: float | None
    """The bound in the unit of the sum; null where none is derived."""

    probability: float
    """Probability with which it holds; 1: always."""

    proven: bool
    """Whether it is proven for all runs that the tolerance is for."""

    ratio: float | None
    """The bound divided by atol; null where there is no atol above 0."""

    note: str
    """What it rests on, in words."""


class ToleranceLines(Record):
    """Lines to paste into a test. Empty where there is no tolerance."""

    numpy: str | None
    """For numpy.testing."""

    torch: str | None
    """For torch.testing."""

    googletest: str | None
    """For GoogleTest."""

    doctest: str | None
    """For doctest."""


class UsualOrder(Record):
    """An order, by the code that has it."""

    situation: str
    """The code."""

    order: str
    """Its order."""


class OperationTolerance(Result):
    """Written by `orderlab tolerance --op ... --json`: which tolerance a comparison of whole arrays
    needs."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["tolerance"]
    """The command that wrote the document."""

    config: OperationToleranceConfig
    """All that is needed to repeat the document, and nothing else."""

    partial: Literal[True] | None
    """The run was interrupted, and this is what was found until then. Absent otherwise."""

    op: str
    """The operation with its parameters."""

    launch: Launch
    """The kernel that the operation runs for these shapes on this GPU."""

    shape: NDArray[numpy.int64]
    """Shape of the output, the slowest dimension first."""

    outputs: int
    """Number of outputs."""

    contributions: int
    """Number of numbers that are added to outputs, over all outputs."""

    units: int
    """Number of units: what arrives together, such as thread blocks."""

    inexact_conversions: int
    """Number of inputs that their format does not hold, which were rounded to it."""

    against: Literal["exact", "run"]
    """What outputs are compared with: exact results, or another run."""

    samples: int
    """Number of runs that were drawn."""

    rank: int
    """The limit is the draw of this rank, counted from the largest."""

    coverage: float
    """Fraction of runs that pass; less than was asked for where an interrupt left too few draws."""

    rtol_of_beside: float
    """The rtol of atol_beside_rtol: the default of torch.testing.assert_close."""

    tolerance: OutputLimits
    """The limit of the largest deviation of all outputs, by each measure."""

    observed: ObservedOutputDeviations
    """The largest deviation that was drawn, by each measure."""

    nonfinite: float
    """Fraction of draws with inf or NaN."""

    lines: OperationToleranceLines
    """Lines to paste into a test."""


class OperationToleranceConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    op: str
    """The operation with its parameters."""

    gpu: str
    """GPU that the launch is made for."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    shape: str | None
    """Shape of generated inputs, such as 100x100; null where the operation's parameters say it.
    Absent for given inputs."""

    ratio: float | None
    """R of a generated index: R A draws out of R A bins, A the first extent of the shape. Absent
    for given inputs."""

    dist: str | None
    """Distribution of generated terms. Absent for given terms."""

    input_seed: int | None
    """Seed of generated terms. Absent for given terms."""

    input: str | None
    """Hash of the given input. Absent for generated inputs."""

    index: str | None
    """Hash of the given index. Absent where there is none."""

    self: str | None
    """Hash of the given first values of the accumulators. Absent where they are 0."""

    order: str | None
    """Expression of the order that adds each output. Absent for an operation that has an order of
    its own."""

    arrival: str | None
    """Arrival model of the units; null where nothing arrives."""

    coverage: float
    """Fraction of runs of which all outputs must pass."""

    confidence: float
    """Probability that the coverage holds."""

    against: Literal["exact", "run"]
    """What outputs are compared with: exact results, or another run."""

    samples: int | None
    """Number of runs to draw; null: as many as needed."""

    seed: int
    """Seed of everything that is drawn but the terms."""

    # ["with"]: str | None. Hash of the array that the given input is multiplied with. Absent where
    #     there is none.


class OutputLimits(Record):
    """The limit of the largest deviation of all outputs, by each measure."""

    atol: float
    """Absolute difference: an atol that suffices alone."""

    rtol: float
    """Relative difference: an rtol that suffices alone; inf where an output of 0 moves."""

    atol_beside_rtol: float
    """An atol that suffices beside rtol_of_beside."""

    ulp: float
    """In ulps of the exact result."""

    of_magnitude: float
    """Relative to sum|x| of the output."""


class ObservedOutputDeviations(Record):
    """The largest deviation that was drawn, by each measure."""

    atol: float
    """Absolute difference: an atol that suffices alone."""

    rtol: float
    """Relative difference: an rtol that suffices alone; inf where an output of 0 moves."""

    atol_beside_rtol: float
    """An atol that suffices beside rtol_of_beside."""

    ulp: float
    """In ulps of the exact result."""

    of_magnitude: float
    """Relative to sum|x| of the output."""


class OperationToleranceLines(Record):
    """Lines to paste into a test."""

    torch: str
    """For torch.testing; a sentence where there is no finite tolerance."""


class Training(Result):
    """Written by `orderlab train --json`: how much of the spread of a score comes from the seed,
    and how much from order."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["train"]
    """The command that wrote the document."""

    config: TrainingConfig
    """All that is needed to repeat the document, and nothing else."""

    partial: Literal[True] | None
    """The run was interrupted, and this is what was found until then. Absent otherwise."""

    input: Graph
    """The graph that is trained on."""

    kernel: str
    """Kernel of the index_add of the second layer."""

    epochs: tuple[Epoch, ...]
    """Scores by epoch."""

    inference: Inference
    """Evaluations of the first trained model of each seed, each in an order of its own."""

    seeds: tuple[SeedRuns, ...]
    """The runs of each seed."""


class TrainingConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    graph: Communities | str
    """Parameters of a generated graph, or the hash of a given one."""

    hidden: int
    """Width of the hidden layer."""

    dropout: float
    """Share of the hidden values that training leaves out."""

    learning_rate: float
    """Learning rate of Adam."""

    weight_decay: float
    """Weight decay of Adam."""

    epochs: int
    """Number of epochs."""

    orders: int
    """Number of runs of each seed."""

    evaluations: int
    """Number of evaluations of one trained model of each seed."""

    arrival: str
    """Arrival model of the thread blocks of index_add."""

    gpu: str
    """GPU that the launch is made for."""

    dense_products: str
    """Library and version that multiply dense matrices; their bits depend on it."""

    seed: int
    """The first seed; the others follow it."""

    seeds: int
    """Number of seeds."""


class Communities(Record):
    """Parameters of a generated graph."""

    nodes: int
    """Number of nodes."""

    classes: int
    """Number of classes; node i is of class i mod classes."""

    features: int
    """Number of features."""

    degree: float
    """Mean number of edges into a node."""

    features_each: float
    """Mean number of features that a node draws."""

    own: float
    """Share of edges and features drawn from the node's own community."""

    train_each: int
    """Number of training nodes of each class."""

    seed: int
    """Seed of the graph."""


class Graph(Record):
    """The graph that is trained on."""

    hash: str
    """Hash of the graph."""

    nodes: int
    """Number of nodes."""

    edges: int
    """Number of edges."""

    features: int
    """Number of features."""

    classes: int
    """Number of classes."""

    train: int
    """Number of training nodes."""

    validation: int
    """Number of validation nodes."""

    test: int
    """Number of test nodes."""


class Epoch(Record):
    """Scores after an epoch."""

    epoch: int
    """Number of the epoch, from 1."""

    loss: Score
    """Loss of the training step."""

    train_accuracy: Score
    """Accuracy on the training nodes."""

    validation_accuracy: Score
    """Accuracy on the validation nodes."""

    test_accuracy: Score
    """Accuracy on the test nodes."""

    weights_differ: RunDifference | None
    """Share of the weights whose bits differ from the first run of the seed. Absent for one run of
    each seed."""

    weight_distance: RunDifference | None
    """|w - w'| / |w|, w the weights of the first run of the seed. Absent for one run of each
    seed."""

    predictions_differ: RunDifference | None
    """Share of the nodes that are given another class than in the first run of the seed. Absent for
    one run of each seed."""


class Score(Record):
    """A score after an epoch, over all runs."""

    mean: float
    """Mean of the means of the seeds."""

    low: float | None
    """Lower limit of its 95 % interval; null for a single seed."""

    high: float | None
    """Upper limit of its 95 % interval; null for a single seed."""

    sd: float | None
    """Standard deviation of all runs; null for a single run."""

    sd_seed: float | None
    """Standard deviation by the seed; null where the runs do not say it."""

    sd_seed_low: float | None
    """Lower limit of its 95 % interval; null where there is none."""

    sd_seed_high: float | None
    """Upper limit of its 95 % interval; null where there is none."""

    sd_order: float | None
    """Standard deviation by order; null where no seed has two runs."""

    sd_order_low: float | None
    """Lower limit of its 95 % interval; null where there is none."""

    sd_order_high: float | None
    """Upper limit of its 95 % interval; null where there is none."""

    order_difference: float | None
    """With confidence 95 %, 95 % of all pairs of runs of one seed differ by at most this; null
    where the runs do not say it."""

    seed_difference: float | None
    """The same of pairs of runs of two seeds."""

    pairs: int
    """Number of pairs of runs of one seed that have no run in common."""

    pairs_that_differ: int
    """Number of these that differ."""

    pairs_differ_high: float | None
    """Upper 95 % limit of the probability that such a pair differs; null without pairs."""

    least: float
    """Least of all runs."""

    greatest: float
    """Greatest of all runs."""


class RunDifference(Record):
    """A difference from the first run of the seed, over all other runs."""

    mean: float
    """Mean."""

    greatest: float
    """Greatest."""


class Inference(Record):
    """Evaluations of the first trained model of each seed, each in an order of its own."""

    evaluations: int
    """Number of evaluations of each model."""

    by_margin: tuple[MarginBin, ...]
    """Nodes by their margin: greatest log probability less the second."""


class MarginBin(Record):
    """Nodes with a margin in an interval."""

    low: float
    """Lower end, excluded but in the first bin."""

    high: float
    """Upper end, included."""

    nodes: int
    """Number of nodes, over all seeds."""

    nodes_that_change: int
    """Number of nodes that some evaluation gives another class than launch order does."""

    changes: int
    """Number of pairs of node and evaluation of which that is so."""


class SeedRuns(Record):
    """The runs of one seed."""

    seed: int
    """The seed."""

    loss: NDArray[numpy.float64]
    """Loss: a list for each run, with a number for each epoch."""

    train_accuracy: NDArray[numpy.float64]
    """Accuracy on the training nodes, likewise."""

    validation_accuracy: NDArray[numpy.float64]
    """Accuracy on the validation nodes, likewise."""

    test_accuracy: NDArray[numpy.float64]
    """Accuracy on the test nodes, likewise."""

    weights_differ: NDArray[numpy.float64]
    """Share of the weights whose bits differ from the first run: a list for each run but the first,
    with a number for each epoch."""

    weight_distance: NDArray[numpy.float64]
    """|w - w'| / |w|, likewise."""

    predictions_differ: NDArray[numpy.float64]
    """Share of the nodes that are given another class, likewise."""

    margins: NDArray[numpy.int64]
    """For each bin of inference.by_margin the numbers of nodes, of nodes that change, and of
    changes."""


class Tree(Result):
    """Written by `orderlab tree --json`: the explicit summation tree of one order."""

    terms: int
    """Number of terms. Leaf i is term number i."""

    height: int
    """Additions on the longest path from a leaf to a root."""

    nodes: tuple[TreeNode, ...]
    """All nodes by their number: first the leaves, then the inner nodes in the order in which they
    are added."""

    roots: NDArray[numpy.int64]
    """Numbers of the roots: one."""


class TreeNode(Record):
    """A term, or one operation."""

    id: int
    """Number of the node, from 0."""

    operation: Literal["term", "add", "add_ftz", "start", "start_ftz", "round", "kahan", "neumaier", "fma"]
    """term: a leaf. add: a rounded addition; add_ftz: the same, where subnormal numbers are flushed
    to 0. start and start_ftz: +0.0 plus the child. round: the child rounded to another format.
    kahan, neumaier: a whole compensated sum. fma: a fused multiply-add."""

    format: Literal["fp64", "fp32", "fp16", "bf16"]
    """Format of its value."""

    children: NDArray[numpy.int64]
    """Numbers of its children, from left to right; empty for a leaf."""

    factors: tuple[float, float] | None
    """The two numbers whose product a leaf is. Absent where terms are no products."""

    value: float
    """Its value."""

    bits: str
    """Bit pattern of its value in its format."""


class Verification(Result):
    """Written by `orderlab verify --json`: recorded GPU runs against the orders that their kernels
    claim."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["verify"]
    """The command that wrote the document."""

    config: VerificationConfig
    """All that is needed to repeat the document beside the captures, and nothing else."""

    captures: tuple[Capture, ...]
    """The captures in the order given."""

    partial: Literal[True] | None
    """The run was interrupted, and this is what was found until then. Absent otherwise."""


class VerificationConfig(Record):
    """All that is needed to repeat the document beside the captures, and nothing else."""

    confidence: float
    """Probability of not flagging a legitimate run, of all runs of a capture together."""

    seed: int
    """Seed of the orders sampled for runs without recorded order."""


class Capture(Record):
    """One file."""

    file: str
    """Its name as given."""

    facts: Mapping[str, str]
    """What the capture says of the GPU and its software, by name."""

    probes: Mapping[str, str]
    """What it found out about the GPU's arithmetic, by name."""

    runs: int
    """Number of recorded runs."""

    mismatches: int
    """Number of runs that do not match the claim of their kernel."""

    rows: tuple[VerifiedKernel, ...]
    """The runs by kernel and format."""

    differences: tuple[VerifiedDifference, ...]
    """The runs that do not match the claim of their kernel."""

    partial: Literal[True] | None
    """The run was interrupted, and this is what was found until then. Absent otherwise."""


class VerifiedKernel(Record):
    """The runs of one kernel in one format."""

    kernel: str
    """Name of the kernel."""

    format: Literal["fp64", "fp32", "fp16", "bf16"]
    """A floating-point format."""

    runs: int
    """Number of runs."""

    identical: int
    """Number whose claim is one order that gives just these bits."""

    replayed: int
    """Number in which an order of the float atomics gives what they returned, and just these
    bits."""

    explained: int
    """Number that some order gives, or inside the range of sampled orders."""

    unlikely: int
    """Number beyond that range, inside the bound over every order."""

    mismatches: int
    """Number that do not match the claim."""


class VerifiedDifference(Record):
    """A run that does not match."""

    line: int
    """Its line in the file."""

    kernel: str
    """Name of the kernel."""

    format: Literal["fp64", "fp32", "fp16", "bf16"]
    """A floating-point format."""

    n: int
    """Number of terms."""

    claim: str
    """The order that the kernel claims."""

    verdict: Literal["unlikely", "impossible"]
    """The verdict on the run: too unlikely for all runs of the capture together, or impossible."""

    model_bits: str | None
    """Bits that the claim gives, where that is one result; else null."""

    bits: str | None
    """Bits that were captured; of many outputs, those of the first that differs, or null."""

    problem: str | None
    """What is wrong, where it is more than different bits; else null."""

    output: int | None
    """Number of the first output that differs. Absent for a kernel with one output."""


class Worst(Result):
    """Written by `orderlab worst --json`: the orders whose sums lie farthest apart."""

    orderlab: str
    """Version of orderlab that wrote the document."""

    bits_version: int
    """Version of everything that is drawn. Documents of equal version and equal config have equal
    numbers."""

    command: Literal["worst"]
    """The command that wrote the document."""

    config: WorstConfig
    """All that is needed to repeat the document, and nothing else."""

    partial: Literal[True] | None
    """The run was interrupted, and this is what was found until then. Absent otherwise."""

    input: Input
    """The terms that are added."""

    order: SearchedOrder
    """The order in which the terms are added."""

    partial_sums: int
    """Number of partial sums that are arranged."""

    method: Literal["enumeration", "search"]
    """Whether the ends are the extremes of all orders, or what a search found."""

    evaluations: int | None
    """Number of sums that the search evaluated; null where all orders were covered."""

    reproducible: bool
    """Whether another run gives the same document: not for a search of given time."""

    least: Extreme
    """The least result."""

    greatest: Extreme
    """The greatest result."""

    sampled: WorstSample
    """Orders drawn as the order draws them, to compare with."""


class WorstConfig(Record):
    """All that is needed to repeat the document, and nothing else."""

    n: int
    """Number of terms."""

    dist: str | None
    """Distribution of generated terms. Absent for given terms."""

    input_seed: int | None
    """Seed of generated terms. Absent for given terms."""

    input: str | None
    """Hash of given terms, in their format. Absent for generated terms."""

    format: str
    """Formats of terms, of partial sums and of the result, separated by colons; one that equals the
    one before it is left out at the end."""

    order: str
    """Expression of the order."""

    arrival: str | None
    """Arrival model of the first `arrive` of the order; null for an order without one."""

    seed: int
    """Seed of everything that is drawn but the terms."""

    memory: int
    """Memory that enumerating all orders may take, in bytes. It decides between all orders and
    samples."""

    evaluations: int | None
    """Number of sums that a search may evaluate; null where all orders were covered. Absent for a
    search of given time."""

    seconds: float | None
    """Time of a search in seconds. Absent for a search of given evaluations."""


class SearchedOrder(Record):
    """The order in which the terms are added."""

    name: str | None
    """Name of a named order; null for an expression."""

    expression: str
    """Canonical expression of the order."""

    searched: str
    """The order whose permutations were searched."""


class Extreme(Record):
    """One extreme result and an order that gives it."""

    bits: str
    """Bit pattern of the result."""

    value: float
    """The result."""

    error_ulp: float | None
    """Result minus exact sum, in ulps of the exact sum; null where one of them is NaN."""

    error_relative: float | None
    """Result minus exact sum, as part of |exact sum|; null also for an exact sum of 0."""

    running_bound: float | None
    """D1 of this very order, in the unit of the sum; null where none is derived."""

    share_of_bound: float | None
    """|error| / running_bound; null where there is no bound, or it is 0 or infinite."""

    order: NDArray[numpy.int64] | None
    """Position k holds partial sum number order[k]. Absent for a tree."""

    tree: str | None
    """The summation tree over the partial sums x0, x1, ... as an expression. Absent for a
    sequence."""


class WorstSample(Record):
    """Orders drawn as the order draws them, to compare with."""

    samples: int
    """Number of orders that were drawn."""

    error_ulp: WorstSampleErrors
    """Errors of these samples in ulps of the exact sum."""

    times_as_far: float | None
    """Distance of the farther extreme from the exact sum, divided by that of the farthest sample;
    null where that says nothing."""


class WorstSampleErrors(Record):
    """Errors of these samples in ulps of the exact sum."""

    min: float | None
    """Least; null where no result is finite."""

    max: float | None
    """Greatest; null where no result is finite."""
