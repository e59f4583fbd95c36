"""rms_norm by the loops of the libraries' kernels, written out with NumPy: every output has to have the same bits.

    rms_norm.py PROGRAM [--quick] [--issue]

Rows of bf16 numbers, with and without residual and weight, for the threads that each library takes for few and for many
tokens. --issue counts, for six seeds, the elements that differ between 1024 and 256 threads in 4096 random rows of
3584, with each rule of the residual. Ends with status 77 without NumPy.
"""

import argparse
import os
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

F4 = numpy.float32
EPS = F4(1e-6)


def bf16(x):
    """fp32 or fp64 numbers rounded to bf16, to nearest even, in fp32; finite normal numbers and zeros only."""
    fraction, exponent = numpy.frexp(numpy.asarray(x, "f8"))
    return numpy.ldexp(numpy.rint(numpy.ldexp(fraction, 8)), exponent - 8).astype("f4")


def fused(x, y, total):
    """x y + total rounded once to fp32. The product is exact in fp64; their sum there is rounded to odd."""
    product = numpy.asarray(x, "f8") * numpy.asarray(y, "f8")
    total = numpy.asarray(total, "f8")
    rounded = numpy.asarray(product + total)
    virtual = rounded - product
    rest = (product - (rounded - virtual)) + (total - virtual)
    even = rounded.view("u8") % numpy.uint64(2) == 0
    toward = numpy.where(rest > 0, numpy.inf, -numpy.inf)
    odd = numpy.where((rest != 0) & even, numpy.nextafter(rounded, toward), rounded)
    return odd.astype("f4")


def in_vectors(x, threads, vector, add):
    """What each thread has after its vectors, of all rows: add(sums, numbers of one vector)."""
    rows, hidden = x.shape
    step = threads * vector
    padded = numpy.zeros((rows, -(-hidden // step) * step), "f4")
    padded[:, :hidden] = x
    sums = numpy.zeros((rows, threads), "f4")
    for begin in range(0, padded.shape[1], step):
        sums = add(sums, padded[:, begin:begin + step].reshape(rows, threads, vector))
    return sums


def one_by_one(sums, vectors):
    for i in range(vectors.shape[2]):
        sums = fused(vectors[:, :, i], vectors[:, :, i], sums)
    return sums


def in_pairs(sums, vectors):
    squares = vectors * vectors
    total = numpy.zeros_like(sums)
    for i in range(0, vectors.shape[2], 2):
        total += squares[:, :, i] + squares[:, :, i + 1]
    return sums + total


def warps_of(sums):
    rows, threads = sums.shape
    padded = numpy.zeros((rows, -(-threads // 32) * 32), "f4")
    padded[:, :threads] = sums
    return padded.reshape(rows, -1, 32)


def neighbours_first(lanes):
    lanes = lanes.copy()
    for distance in (1, 2, 4, 8, 16):
        lanes[:, :, :-distance] += lanes[:, :, distance:]  # what lanes beyond the first need is right for them
    return lanes[:, :, 0]


def far_partner_first(lanes):
    lanes = lanes.copy()
    for distance in (16, 8, 4, 2, 1):
        lanes[:, :, :distance] = lanes[:, :, :distance] + lanes[:, :, distance:2 * distance]
    return lanes[:, :, 0]


def cub(sums):
    total = None
    for warp in neighbours_first(warps_of(sums)).T:
        total = warp if total is None else total + warp
    return total


def shuffles(sums):
    warps = far_partner_first(warps_of(sums))
    return far_partner_first(warps_of(warps))[:, 0]


def vllm(x, threads, residual):
    if residual:
        return cub(in_vectors(x, threads, 8, in_pairs))
    return cub(in_vectors(x, threads, 8, one_by_one))


def flashinfer(x, threads):
    return shuffles(in_vectors(x, threads, 8, one_by_one))


def torch(x):
    return shuffles(in_vectors(x, 128, 4, one_by_one))


def triton(x):
    total = numpy.zeros(x.shape[0], "f4")
    for begin in range(0, x.shape[1], 1024):
        block = x[:, begin:begin + 1024]
        warps = far_partner_first(warps_of(in_vectors(block, 128, 8, one_by_one)))
        total = total + ((warps[:, 0] + warps[:, 2]) + (warps[:, 1] + warps[:, 3]))
    return total


def finished(x, sums, weight):
    mean = sums / F4(x.shape[1])
    rstd = (1 / numpy.sqrt((mean + EPS).astype("f8"))).astype("f4")
    scaled = x * rstd[:, None]
    return bf16(scaled if weight is None else scaled * weight)


def outputs_of(program, call, files, folder):
    path = os.path.join(folder, "outputs.npy")
    command = [program, "sum", "--op", call, "--format", "bf16:fp32:bf16", *files, "--npy", path, "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    return numpy.load(path)


def require_equal(what, found, wanted):
    wrong = int((found.astype("f4").view("u4") != wanted.view("u4")).sum())
    if wrong:
        sys.exit(f"{what}: {wrong} of {wanted.size} outputs have other bits than NumPy's")
    print(f"{what}: {wanted.size} outputs, equal bits")


def check(program, random, hidden, rows, residual, folder):
    arrays = {"x": bf16(random.standard_normal((rows, hidden))), "w": bf16(random.standard_normal(hidden))}
    files = ["--input", "x.npy", "--with", "w.npy"]
    x = {"rounded": arrays["x"], "fp32": arrays["x"]}
    if residual:
        arrays["r"] = bf16(random.standard_normal((rows, hidden)))
        files += ["--self", "r.npy"]
        x = {"rounded": bf16(arrays["x"] + arrays["r"]), "fp32": arrays["x"] + arrays["r"]}
    for name, array in arrays.items():
        numpy.save(os.path.join(folder, f"{name}.npy"), array)
    chosen = [("vllm", "batch=1", "rounded", lambda y: vllm(y, min(1024, hidden if residual else hidden // 8), residual)),
              ("vllm", "batch=256", "rounded", lambda y: vllm(y, min(256, hidden if residual else hidden // 8), residual)),
              ("flashinfer", "batch=7", "fp32", lambda y: flashinfer(y, min(1024, -(-hidden // 8 // 32) * 32))),
              ("triton", "mode=batch_invariant", "rounded", triton),
              ("torch", "batch=3", "rounded", torch)]
    for library, more, rule, add in chosen:
        found = outputs_of(program, f"rms_norm({hidden},{rows},library={library},{more})", files, folder)
        require_equal(f"{library}, {more}, hidden {hidden}{', residual' if residual else ''}", found,
                      finished(x[rule], add(x[rule]), arrays["w"]))


def issue():
    """1024 against 256 threads, 4096 rows of 3584, a normal weight: elements and rows that differ.

    Number by number, as kernels without vectors add (the older ones, and those of the batch-invariant mode).
    """
    rules = ("no residual", "residual rounded", "residual in fp32")
    seeds = 6
    counts = []
    for seed in range(1, seeds + 1):
        random = numpy.random.default_rng(seed)
        x = bf16(random.standard_normal((4096, 3584)))
        r = bf16(random.standard_normal((4096, 3584)))
        weight = bf16(random.standard_normal(3584))
        line = []
        for y in (x, bf16(x + r), x + r):
            many, few = (finished(y, cub(in_vectors(y, threads, 1, one_by_one)), weight) for threads in (1024, 256))
            line.append((int((many != few).sum()), int((many != few).any(axis=1).sum())))
        counts.append(line)
        print(f"seed {seed}:", *(f"{rule} {n} in {rows} rows" for rule, (n, rows) in zip(rules, line)), sep="  ", flush=True)
    for k, rule in enumerate(rules):
        for i, of in enumerate(("elements", "rows")):
            numbers = [line[k][i] for line in counts]
            half = 2.571 * numpy.std(numbers, ddof=1) / seeds**0.5
            print(f"{rule}: {numpy.mean(numbers):.1f} +- {half:.1f} {of} (95 %, Student's t)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true", help="fewer rows")
    parser.add_argument("--issue", action="store_true", help="the counts of 4096 rows")
    options = parser.parse_args()
    if options.issue:
        issue()
        return
    program = os.path.abspath(options.program)
    random = numpy.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        for hidden in (64, 2048, 3584, 8192):
            for residual in (False, True):
                check(program, random, hidden, 8 if options.quick else 200, residual, folder)


if __name__ == "__main__":
    main()
