"""Arrival orders of the models that sort by a key, one number at a time from their definitions.

Run as `python3 arrivals.py > ../golden/arrivals.txt` to write the known answers. Logarithm and cosine are those of the
C library, so a key may differ in its last bits; no two keys of the cases here are that close (checked).
"""

from math import cos, exp, log, pi, sqrt

from philox import FIRST_STAGE, counter_of, philox

SEED = 20261123
UNIT, BATCH, STEADY, RUN = 0, 1, 2, 4  # attempts; STEADY is added to UNIT and BATCH, in sample 0


def block(key, index, sample, attempt):
    return philox(counter_of(index, sample, FIRST_STAGE, attempt), key)


def normal(words):
    """Box and Muller, with uniform numbers in (0, 1): an odd multiple of 2^-53 and one of 2^-33."""
    radius = sqrt(-2 * log((((words[0] | words[1] << 32) >> 11) | 1) / 2**53))
    return radius * cos(2 * pi * (2 * words[2] + 1) / 2**33)


def jitter(m, s):
    return [(0, s, 1, 0, 0)] * m


def growing(m, first, last):
    steps = max(m - 1, 1)
    return [sqrt(first**2 * (1 - i / steps) + last**2 * i / steps) for i in range(m)]


def drift(m, first, last):
    return [(0, s, 1, 0, 0) for s in growing(m, first, last)]


def batches(m, first, last, size, share, near=0):
    return [(0, s, size, share, near) for s in growing(m, first, last)]


def passes(m, g, first, later):
    return [(i // g, first if i < g else later, 1, 0, 0) for i in range(m)]


MODELS = {"jitter": jitter, "drift": drift, "batches": batches, "passes": passes}


def delays(units, key, sample, attempt):
    batch, own, result = 0, 0, []
    for i, (_, _, size, share, near) in enumerate(units):
        words = block(key, i, sample, attempt + UNIT)
        if i > 0 and share > 0 and (2 * words[3] + 1) / 2**33 < 1 / size:
            batch += 1
        own = near * own + sqrt(1 - near**2) * normal(words) if i > 0 else normal(words)
        of_batch = normal(block(key, batch, sample, attempt + BATCH)) if share > 0 else 0
        result.append(sqrt(1 - share) * own + sqrt(share) * of_batch)
    return result


def arrivals(name, numbers, rho, m, key, sample, run=0):
    """Launch indices in the order in which they arrive: steady(NAME(numbers,run=run),rho) of m units."""
    units = MODELS[name](m, *numbers)
    factor = exp(run * normal(block(key, 0, sample, RUN)))
    delay = delays(units, key, sample, UNIT)
    if rho > 0:
        same = delays(units, key, 0, STEADY)
        delay = [sqrt(1 - rho) * d + sqrt(rho) * s for d, s in zip(delay, same, strict=True)]
    keys = [(units[i][0], i + factor * units[i][1] * delay[i], i) for i in range(m)]
    order = sorted(keys)
    for one, other in zip(order, order[1:], strict=False):
        assert one[0] != other[0] or other[1] - one[1] > 1e-9 or units[one[2]][1] == 0, "keys too close"
    return [i for _, _, i in order]


CASES = (
    ("jitter", (5,), 0), ("drift", (2, 9), 0), ("batches", (2, 9, 4, 0.5), 0), ("batches", (20, 3, 1, 1), 0), ("batches", (4, 6, 9, 0.3, 0.6), 0), ("batches", (6, 6, 1, 0, 0.9), 0.4),
    ("passes", (7, 3, 0.5), 0), ("passes", (33, 0, 12), 0), ("jitter", (5,), 0.3), ("drift", (2, 9), 1),
    ("batches", (6, 6, 8, 0.4), 0.7), ("passes", (16, 8, 4), 0.5), ("passes", (16, 8, 4), 0, 0.5), ("passes", (40, 3, 9), 0.6, 1.5),
)  # fmt: skip


def known_answers():
    """Lines "model m sample order"."""
    for name, numbers, rho, *run in CASES:
        text = f"{name}({','.join([*map(str, numbers), *(f'run={r}' for r in run)])})"
        text = f"steady({text},{rho})" if rho > 0 else text
        for m, sample in ((1, 0), (40, 0), (40, 1), (65, 1 << 20)):
            order = arrivals(name, numbers, rho, m, SEED, sample, *run)
            yield f"{text} {m} {sample} {' '.join(map(str, order))}"


def main():
    print(f"# Arrival orders by tests/oracle/arrivals.py: model, m, sample, order; seed {SEED}, first random stage.")
    for line in known_answers():
        print(line)


if __name__ == "__main__":
    main()
