"""Evaluates orders whose stages are all fixed, on terms in any formats, in pure Python.

Written from docs/design.md, docs/theory.md and docs/interface.md alone, never from the C++ sources, so
that the two can be compared bit for bit. Speed does not matter here; being easy to check does.
"""

from formats import FORMATS, FP32, Stored, parse_formats
from grammar import OrderError, bind, count_of, parse


class State:
    """The partial sums between two stages, and the format that is added in.

    `factors` holds the pairs behind terms that are products, until the first reducing stage; `values`
    then holds the rounded products.
    """

    def __init__(self, values, format, factors=None):
        self.values = values
        self.format = format
        self.factors = factors

    def __len__(self):
        return len(self.values)

    def permuted(self, indices):
        factors = [self.factors[i] for i in indices] if self.factors else None
        return State([self.values[i] for i in indices], self.format, factors)


# Accumulators: a group of partial sums, at least one, left to right.


def add_from(s, values, f):
    for x in values:
        s = f.add(s, x)
    return s


def add_plain(values, f, from_zero):
    return add_from(0.0, values, f) if from_zero else add_from(values[0], values[1:], f)


def add_atomic(values, f):
    """As global atomics add: in fp32 subnormal operands and results become signed zeros."""
    if f is not FP32:
        return add_plain(values, f, True)
    s = 0.0
    for x in values:
        s = f.flush(f.add(f.flush(s), f.flush(x)))
    return s


def add_kahan(values, f):
    s = c = 0.0
    for x in values:
        y = f.subtract(x, c)
        t = f.add(s, y)
        c = f.subtract(f.subtract(t, s), y)
        s = t
    return s


def add_neumaier(values, f):
    s = c = 0.0
    for x in values:
        t = f.add(s, x)
        if abs(s) > abs(x):
            c = f.add(c, f.add(f.subtract(s, t), x))
        else:
            c = f.add(c, f.add(f.subtract(x, t), s))
        s = t
    return f.add(s, c)


def add_fma(pairs, f, from_zero):
    s = 0.0 if from_zero else f.product(*pairs[0])
    for x, y in pairs if from_zero else pairs[1:]:
        s = f.fma(x, y, s)
    return s


def add_group(state, indices, options):
    """The sum of the partial sums at `indices`, left to right, with the options `from` and `acc`."""
    accumulator = options.get("acc", "plain")
    start = options.get("from")
    f = state.format
    if start not in (None, "first", "zero"):
        raise OrderError(f"from={start} is neither first nor zero")
    from_zero = start == "zero"
    if accumulator == "fma":
        if not state.factors:
            raise OrderError("acc=fma needs terms that are products, in the first reducing stage")
        return add_fma([state.factors[i] for i in indices], f, from_zero)
    values = [state.values[i] for i in indices]
    if accumulator == "plain":
        return add_plain(values, f, from_zero)
    others = {"atomic": add_atomic, "kahan": add_kahan, "neumaier": add_neumaier}
    if accumulator not in others:
        raise OrderError(f"acc={accumulator} is no accumulator")
    if start:
        raise OrderError(f"acc={accumulator} always starts from +0.0: no from= beside it")
    return others[accumulator](values, f)


def add_groups(state, groups, options):
    return State([add_group(state, g, options) for g in groups if g], state.format)


# Stages that arrange.


def reverse(state):
    return state.permuted(range(len(state) - 1, -1, -1))


def rotate(state, k, to="first"):
    """Partial sum k comes first, or last."""
    m = len(state)
    k = count_of(k, least=0)
    if to not in ("first", "last"):
        raise OrderError(f"rotate: to={to} is neither first nor last")
    if k >= m:
        raise OrderError(f"rotate({k}): there are {m} partial sums")
    return state.permuted([(i + k + (to == "last")) % m for i in range(m)])


def sort(state, by):
    """Stable both ways; -0.0 equals +0.0, NaN goes last."""
    keys = {
        "asc": lambda x: x,
        "desc": lambda x: -x,
        "abs_asc": abs,
        "abs_desc": lambda x: -abs(x),
    }
    if by not in keys:
        raise OrderError(f"sort({by}): one of {', '.join(keys)}")

    def rank(i):
        x = state.values[i]
        return (1, 0.0) if x != x else (0, keys[by](x))

    return state.permuted(sorted(range(len(state)), key=rank))


# Formats along the order.


def round_all(state, format):
    f = format_named(format)
    return State([f.round(x) for x in state.values], state.format)


def add_in(state, format, store=None):
    """What follows adds in `format`; the partial sums stay as they are."""
    f = format_named(format)
    return State(state.values, Stored(f, format_named(store)) if store and store != format else f)


def format_named(name):
    if name not in FORMATS:
        raise OrderError(f"{name} is no format")
    return FORMATS[name]


def contains(wide, narrow):
    """Whether all numbers of the second format are numbers of the first."""
    return wide.precision >= narrow.precision and wide.largest >= narrow.largest and wide.smallest <= narrow.smallest


def check_formats(calls, accumulate):
    """Every addition needs operands that are numbers of its format, whatever their values are."""
    held = add = store = accumulate
    for call in calls:
        if call.name in ("arrive", "reverse", "rotate", "sort"):
            continue
        if call.name == "round":
            f = format_named(bind(call, ["format"])["format"]) if call.arguments else None
            held = held if f is None or contains(f, held) else f
            continue
        if call.name == "in":
            bound = bind(call, ["format"], ["store"])
            add = format_named(bound.get("format"))
            store = format_named(bound.get("store", add.name))
            if not contains(add, store):
                raise OrderError(f"store={store}: not all its numbers are numbers of {add}")
        if not contains(add, held):
            raise OrderError(f"{call.name}: adds in {add}, and the partial sums are {held}")
        if call.name != "in" and store is add:
            held = add
        elif call.name != "in":
            if any(key == "acc" and value != "plain" for key, value in call.arguments):
                raise OrderError(f"{call.name}: keeps more than the sum that is stored as {store}")
            held = store if contains(store, held) else add


# Stages that reduce.


def keeping(state, run, rest, reduce):
    """reduce() of all partial sums, or with rest=keep of those in full runs; the others follow as they are."""
    m = len(state)
    if rest not in ("add", "keep"):
        raise OrderError(f"rest={rest} is neither add nor keep")
    whole = m if rest == "add" else m - m % run
    if whole == m:
        return reduce(state)
    kept = list(state.values[whole:])
    sums = reduce(state.permuted(range(whole))).values if whole else []
    return State([*sums, *kept], state.format)


def seq(state, k=None, rest="add", **options):
    if rest == "keep":
        if not k:
            raise OrderError("seq(rest=keep) needs k")
        refuse_fused_start(options)
    k = count_of(k) if k else len(state)

    def add(part):
        m = len(part)
        return add_groups(part, [range(i, min(i + k, m)) for i in range(0, m, k)], options)

    return keeping(state, k, rest, add)


def refuse_fused_start(options):
    if options.get("acc") == "fma" and options.get("from") == "zero":
        raise OrderError("rest=keep leaves rounded products")


def chunks(state, t, **options):
    t = count_of(t)
    size, longer = divmod(len(state), t)
    groups, begin = [], 0
    for j in range(min(t, len(state))):  # the chunks behind are empty, so absent
        end = begin + size + (j < longer)
        groups.append(range(begin, end))
        begin = end
    return add_groups(state, groups, options)


def strided(state, w, u="1", rest="add", **options):
    if rest == "keep":
        refuse_fused_start(options)
    return columns(state, count_of(w) * count_of(u), None, rest, options)


def columns(state, w, members, rest, options):
    """w groups, of all partial sums or of each run of w * members: group j takes j, j + w, j + 2 w, ..."""

    def add(part):
        m = len(part)
        run = w * members if members else m
        groups = [range(b + j, min(b + run, m), w) for b in range(0, m, run) for j in range(w)]
        return add_groups(part, groups, options)

    return keeping(state, w * (members or 1), rest, add)


def lanes(state, w, u, rest="add", rows="seq", to=None, **options):
    """`to` goes on halving each vector; rest=carry adds the last sum to the first partial sum after it."""
    w, u = count_of(w), count_of(u)
    if rest != "add":
        refuse_fused_start(options)
    if rest == "carry" and (to is None or count_of(to) != 1):
        raise OrderError("rest=carry needs to=1")
    if rows not in ("seq", "adjacent") or rows == "adjacent" and options:
        raise OrderError(f"rows={rows}")
    f = state.format

    def add(part):
        sums = []
        for begin in range(0, len(part), w * u):
            run = part.permuted(range(begin, min(begin + w * u, len(part))))
            if rows == "adjacent":
                vector = [neighbours(run.values[j::w], f) for j in range(min(w, len(run)))]
            else:
                vector = columns(run, w, None, "add", options).values
            sums += halved(vector, w, count_of(to), f) if to else vector
        return State(sums, f)

    left = keeping(state, w * u, "keep" if rest == "carry" else rest, add)
    sums = len(state) // (w * u)
    if rest == "carry" and 0 < sums < len(left):
        values = left.values
        left = State([*values[: sums - 1], f.add(values[sums - 1], values[sums]), *values[sums + 1 :]], f)
    return left


def tile(state, b, items, grid=None, **options):
    """A thread without any partial sum is absent; all such threads are at the end."""
    m = len(state)
    b, items = count_of(b), count_of(items)
    grid = count_of(grid) if grid else -(-m // (b * items))
    groups = []
    for block in range(grid):
        if block * items * b >= m:
            break
        for thread in range(b):
            first = block * items * b + thread
            taken = []
            while first < m:
                taken += [i for i in range(first, first + items * b, b) if i < m]
                first += grid * items * b
            groups.append(taken)
    return add_groups(state, groups, {**options, **zero_start(options)})


def zero_start(options):
    """`from=zero` where the accumulator does not imply it."""
    return {"from": "zero"} if options.get("acc", "plain") in ("plain", "fma") else {}


def power_of_two(state):
    """Pairs from the front until their number is a power of two."""
    values, front = list(state.values), []
    while (left := len(front) + len(values)) & (left - 1):
        front.append(state.format.add(values.pop(0), values.pop(0)))
    return State(front + values, state.format)


def halving(state, k, to="1", rest="add"):
    k, to = count_of(k), count_of(to)

    def add(part):
        return State([x for run in runs(part.values, k) for x in halved(run, k, to, part.format)], part.format)

    return keeping(state, k, rest, add)


def halved(v, k, to, f):
    """v[l] += v[l+o] for o = k/2, ..., to."""
    if k & (k - 1) or to & (to - 1) or to > k:
        raise OrderError(f"{k} cannot be halved to {to}")
    v = list(v)
    o = k // 2
    while o >= to and o:
        for l in range(o):
            if l + o < len(v):
                v[l] = f.add(v[l], v[l + o])
        del v[o:]
        o //= 2
    return v


def adjacent(state, k, rest="add"):
    k = count_of(k)

    def add(part):
        return State([neighbours(run, part.format) for run in runs(part.values, k)], part.format)

    return keeping(state, k, rest, add)


def neighbours(v, f):
    v = list(v)
    o = 1
    while o < len(v):
        for i in range(0, len(v) - o, 2 * o):
            v[i] = f.add(v[i], v[i + o])
        o *= 2
    return v[0]


def runs(values, k):
    return [values[i : i + k] for i in range(0, len(values), k)]


def rank_tree(state, tree="levels"):
    """What the root of a tree of ranks has, from its children down."""
    v, f = state.values, state.format

    def receive(own, *sent):
        for x in sent:
            own = f.add(own, x)
        return own

    def levels(rank):
        width = 1
        while 2 * width - 1 <= rank:
            width *= 2
        return receive(v[rank], *(levels(child) for child in (rank + width, rank + 2 * width) if child < len(v)))

    def binomial(rank, limit):
        """`limit`: a power of two above the distance to every child."""
        children, distance = [], 1
        while distance < limit and rank + distance < len(v):
            children.append(binomial(rank + distance, distance))
            distance *= 2
        return receive(v[rank], *children)

    def in_order(ranks):
        half = len(ranks) // 2
        near, far = ranks[half:-1], ranks[:half]
        return receive(v[ranks[-1]], *(in_order(part) for part in (near, far) if part))

    if tree not in ("levels", "binomial", "in_order"):
        raise OrderError(f"rank_tree({tree})")
    total = {"levels": lambda: levels(0), "binomial": lambda: binomial(0, 2 * len(v)),
             "in_order": lambda: in_order(range(len(v)))}[tree]()
    return State([total], f)


def pairwise(state, base="1", half="up", **options):
    base = count_of(base)
    if half not in ("up", "down"):
        raise OrderError(f"half={half} is neither up nor down")

    def total(begin, end):
        if end - begin <= base:
            return add_group(state, range(begin, end), options)
        middle = begin + (end - begin + (half == "up")) // 2
        return state.format.add(total(begin, middle), total(middle, end))

    return State([total(0, len(state))], state.format)


def numpy(state):
    """numpy.sum of NumPy 1.24; the 16-bit formats are added in fp32 within a run of the ufunc buffer."""
    f = state.format
    inner = FP32 if f.width == 16 else f
    t = 0.0
    for run in runs(state.values, 8192):
        t = f.round(inner.add(t, numpy_run(run, inner)))
    return State([t], f)


def numpy_run(values, f):
    n = len(values)
    if n < 8:
        return add_from(values[0], values[1:], f)
    if n > 128:
        left = n // 2 - n // 2 % 8
        return f.add(numpy_run(values[:left], f), numpy_run(values[left:], f))
    whole = n - n % 8
    r = [add_from(values[j], values[j + 8 : whole : 8], f) for j in range(8)]
    while len(r) > 1:
        r = [f.add(r[i], r[i + 1]) for i in range(0, len(r), 2)]
    return add_from(r[0], values[whole:], f)


def polars(state):
    """The sum of a Polars column of floats: sums of lanes, blocks and all of them start from +0.0."""
    f = state.format
    rest = len(state) % 128
    main, first = state.values[rest:], state.values[:rest]

    def block(values):
        v = [add_from(0.0, values[j::16], f) for j in range(16)]
        for width in (8, 4):
            v = [f.add(v[j], v[j + width]) for j in range(width)]
        return f.add(f.add(v[0], v[2]), f.add(v[1], v[3]))

    def pairwise_sum(values):
        blocks = len(values) // 128
        if blocks == 1:
            return block(values)
        left = blocks // 2 * 128
        return f.add(pairwise_sum(values[:left]), pairwise_sum(values[left:]))

    total = pairwise_sum(main) if main else 0.0
    return State([f.add(total, add_from(-0.0, first, f))], f)


# Name: function, parameters (those up to `required` must be given), options.
GROUP_OPTIONS = ("from", "acc")
RUN_OPTIONS = (*GROUP_OPTIONS, "rest")
STAGES = {
    "reverse": (reverse, [], 0, ()),
    "rotate": (rotate, ["k", "to"], 1, ()),
    "sort": (sort, ["by"], 1, ()),
    "round": (round_all, ["format"], 1, ()),
    "in": (add_in, ["format"], 1, ("store",)),
    "seq": (seq, ["k"], 0, RUN_OPTIONS),
    "chunks": (chunks, ["t"], 1, GROUP_OPTIONS),
    "strided": (strided, ["w"], 1, (*RUN_OPTIONS, "u")),
    "lanes": (lanes, ["w", "u"], 2, (*RUN_OPTIONS, "rows", "to")),
    "tile": (tile, ["b", "items", "grid"], 2, ("acc",)),
    "power_of_two": (power_of_two, [], 0, ()),
    "rank_tree": (rank_tree, ["tree"], 0, ()),
    "halving": (halving, ["k"], 1, ("to", "rest")),
    "adjacent": (adjacent, ["k"], 1, ("rest",)),
    "pairwise": (pairwise, ["base"], 0, (*GROUP_OPTIONS, "half")),
    "numpy": (numpy, [], 0, ()),
    "polars": (polars, [], 0, ()),
}


def apply(call, state, arrival):
    """The state after one stage; `arrival` is the model of a bare `arrive`, or None."""
    if call.name == "arrive":
        model = bind(call, ["model"]).get("model", arrival)
        if model != "launch":
            raise OrderError(f"arrive({model}) is not fixed")
        return state
    if call.name not in STAGES:
        raise OrderError(f"{call.name} is no fixed stage")
    function, parameters, required, options = STAGES[call.name]
    arguments = bind(call, parameters, options)
    for parameter in parameters[:required]:
        if parameter not in arguments:
            raise OrderError(f"{call.name} needs {parameter}")
    return function(state, **arguments)


def has_bare_arrive(expression):
    return any(c.name == "arrive" and not c.arguments for c in parse(expression))


def evaluate(expression, terms, factors=None, formats="fp64", arrival=None):
    """The sum, as (value, result format), of `terms`, or of terms[i] * factors[i], in this order.

    The terms must be exact in their format. Raises OrderError where there is no such sum.
    """
    _, accumulate, result = parse_formats(formats)
    if arrival and not has_bare_arrive(expression):
        raise OrderError("an arrival model, but no bare arrive")
    if not terms:
        raise OrderError("no terms")
    if factors is None:
        state = State([accumulate.round(x) for x in terms], accumulate)
    else:
        pairs = list(zip(terms, factors, strict=True))
        state = State([accumulate.product(x, y) for x, y in pairs], accumulate, pairs)
    calls = parse(expression)
    check_formats(calls, accumulate)
    for call in calls:
        state = apply(call, state, arrival)
    if len(state) != 1:
        raise OrderError(f"{expression}: ends with {len(state)} partial sums")
    return result.round(state.values[0]), result


def evaluate_bits(*arguments, **named):
    """`evaluate`, as the text of the bits."""
    value, result = evaluate(*arguments, **named)
    return result.hex(value)
