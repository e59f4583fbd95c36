"""layer_norm by the loops of the libraries' kernels, written out with NumPy: every output has to have the same bits.

    layer_norm.py PROGRAM [--quick]

PyTorch's kernels, in vectors of 4 and number by number, and Triton's. Ends with status 77 without NumPy.
"""

import argparse
import os
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

from rms_norm import F4, bf16, far_partner_first, fused, in_vectors, one_by_one, outputs_of, require_equal, warps_of

EPS = F4(1e-5)


def in_vectors_of_four(row):
    threads = [(F4(0), F4(0), F4(0))] * 128
    for i, x in enumerate(row):
        mean, squares, count = threads[i // 4 % 128]
        delta = x - mean
        count = count + F4(1)
        new = fused(delta, F4(1) / count, mean)
        threads[i // 4 % 128] = (new, fused(delta, x - new, squares), count)
    return threads


def combine_vectors(mine, partner):
    count = partner[2] + mine[2]
    if count == 0:
        return F4(0), F4(0), F4(0)
    delta = mine[0] - partner[0]
    part = F4(1) / count
    of_partner, of_mine = partner[2] * part, mine[2] * part
    return (fused(of_partner, partner[0], of_mine * mine[0]),
            fused(delta * delta * partner[2], of_mine, partner[1] + mine[1]), count)


def by_one(row):
    threads = [(F4(0), F4(0), F4(0))] * 512
    for i, x in enumerate(row):
        mean, squares, count = threads[i % 512]
        delta = x - mean
        count = count + F4(1)
        new = mean + delta / count
        threads[i % 512] = (new, fused(delta, x - new, squares), count)
    return threads


def combine_one(mine, partner):
    if mine[2] == 0:
        return partner
    if partner[2] == 0:
        return mine
    delta = partner[0] - mine[0]
    count = mine[2] + partner[2]
    share = partner[2] / count
    return fused(delta, share, mine[0]), fused(delta * delta * mine[2], share, mine[1] + partner[1]), count


def shuffled_down(values, combine):
    values = list(values)
    offset = len(values) // 2
    while offset:
        for i in range(offset):
            values[i] = combine(values[i], values[i + offset])
        offset //= 2
    return values[0]


def torch_moments(row):
    vectors = row.size % 4 == 0
    threads = in_vectors_of_four(row) if vectors else by_one(row)
    combine = combine_vectors if vectors else combine_one
    warps = [shuffled_down(threads[first:first + 32], combine) for first in range(0, len(threads), 32)]
    mean, squares, _ = shuffled_down(warps, combine)
    return mean, squares / F4(row.size)


def tree(x, threads, vector, of_thread):
    warps = far_partner_first(warps_of(in_vectors(x, threads, vector, of_thread)))
    while warps.shape[1] > 1:
        half = warps.shape[1] // 2
        warps = warps[:, :half] + warps[:, half:]
    return warps[:, 0]


def added(sums, vectors):
    for i in range(vectors.shape[2]):
        sums = sums + vectors[:, :, i]
    return sums


def triton_moments(x):
    block = 1 << (x.shape[1] - 1).bit_length()
    warps = min(max(block // 256, 1), 8)
    vector = min(8, max(1, block // (32 * warps)))
    mean = tree(x, 32 * warps, vector, added) / F4(x.shape[1])
    return mean, tree(x - mean[:, None], 32 * warps, vector, one_by_one) / F4(x.shape[1])


def finished(x, mean, variance, weight, bias):
    rstd = (1 / numpy.sqrt((variance + EPS).astype("f8"))).astype("f4")
    scaled = (x - mean[:, None]) * rstd[:, None]
    weight = numpy.broadcast_to(weight, x.shape)
    return bf16(scaled * weight if bias is None else fused(scaled, weight, numpy.broadcast_to(bias, x.shape)))


def check(program, random, hidden, rows, bias, folder):
    x = bf16(random.standard_normal((rows, hidden)) + 1)
    weights = bf16(random.standard_normal((2, hidden) if bias else hidden))
    numpy.save(os.path.join(folder, "x.npy"), x)
    numpy.save(os.path.join(folder, "w.npy"), weights)
    files = ["--input", "x.npy", "--with", "w.npy"]
    weight, shift = (weights[0], weights[1]) if bias else (weights, None)
    torch = numpy.array([torch_moments(row) for row in x], "f4").T
    for library, (mean, variance) in (("torch", torch), ("triton", triton_moments(x))):
        found = outputs_of(program, f"layer_norm({hidden},{rows},library={library})", files, folder)
        require_equal(f"{library}, hidden {hidden}{', bias' if bias else ''}", found,
                      finished(x, mean, variance, weight, shift))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true", help="fewer rows")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    random = numpy.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        for hidden in (10, 64, 1023) if options.quick else (10, 64, 1023, 1024, 4096, 5001):
            for bias in (False, True):
                check(program, random, hidden, 3 if options.quick else 20, bias, folder)


if __name__ == "__main__":
    main()
