"""attention by the loops of the libraries' kernels, written out with NumPy: every output has to have the same bits.

    attention.py PROGRAM [--quick]

Splits and blocks are those that `explain` says; what is rounded and how splits are merged is written here for each
library. Ends with status 77 without NumPy.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

from rms_norm import F4, bf16, fused, require_equal

LN2 = float.fromhex("0x1.62e42fefa39efp-1")
LOG2E = float.fromhex("0x1.71547652b82fep0")


def exp2(x):
    return numpy.exp(numpy.asarray(x, "f8") * LN2).astype("f4")


def log2(x):
    return (numpy.log(numpy.asarray(x, "f8")) * LOG2E).astype("f4")


def scores_of(query, keys):
    total = numpy.zeros(keys.shape[0], "f4")
    for d in range(keys.shape[1]):
        total = fused(query[d], keys[:, d], total)
    return total


def four_threads(sums, weights):
    for j, weight in enumerate(weights):
        sums[j % 8 // 2] += weight


def split_of(scores, values, blocks, library, narrow, several):
    """(result, largest scaled score, sum) of one split: the keys of each block, in the order in which they are read."""
    scale = F4(LOG2E / numpy.sqrt(float(values.shape[1])))
    largest = F4(-numpy.inf)
    sums = numpy.zeros(4, "f4")
    out = numpy.zeros(values.shape[1], "f4")
    for begin, end in blocks:
        top = max(largest, scores[begin:end].max())
        if top > largest and largest != -numpy.inf:
            factor = exp2((largest - top) * scale)
            sums *= factor
            out *= factor
        largest = top
        weights = exp2(fused(scores[begin:end], numpy.full(end - begin, scale, "f4"),
                             numpy.full(end - begin, -largest * scale, "f4")))
        four_threads(sums, bf16(weights) if library == "flashinfer" and narrow else weights)
        if library == "vllm_paged":
            weights = weights * (F4(1) / (((sums[0] + sums[2]) + (sums[1] + sums[3])) + F4(1e-6)))
        if narrow:
            weights = bf16(weights)
        for j, weight in enumerate(weights):
            out = fused(numpy.full(out.shape, weight, "f4"), values[begin + j], out)
    total = (sums[0] + sums[2]) + (sums[1] + sums[3])
    if library != "vllm_paged" and not (library == "vllm_triton" and several):
        out = out * (F4(1) / total)
    return out, largest * scale, total


def weighted(parts, tops, sums):
    logs = numpy.array([top + log2(total) for top, total in zip(tops, sums)], "f4")
    total = F4(0)
    for weight in exp2(logs - logs.max()):
        total += weight
    whole = logs.max() + log2(total)
    out = numpy.zeros_like(parts[0])
    for part, log in zip(parts, logs):
        out = fused(numpy.full(out.shape, exp2(log - whole), "f4"), part, out)
    return out


def merged(parts, logs):
    """Results and logarithms by state_t::merge, one after the other, and normalize: (result, logarithm)."""
    top, total, out = logs[0], F4(1), parts[0]
    for part, log in zip(parts[1:], logs[1:]):
        new = max(top, log)
        old, weight = exp2(top - new), exp2(log - new)
        out = fused(numpy.full(out.shape, weight, "f4"), part, out * old)
        total = fused(total, old, weight)
        top = new
    return out / total, top + log2(total)


def logs_of(tops, sums):
    return [top + log2(total) for top, total in zip(tops, sums)]


def in_turn(parts, tops, sums):
    return merged(parts, logs_of(tops, sums))[0]


def by_groups(parts, tops, sums):
    """FlashInfer's PersistentVariableLengthMergeStatesKernel: a group of threads has every so many-th split."""
    dim = parts[0].shape[0]
    groups = 128 // (dim // max(8, dim // 32))
    logs = logs_of(tops, sums)
    states = [merged(parts[y::groups], logs[y::groups]) for y in range(min(groups, len(parts)))]
    return merged([bf16(state[0]) for state in states], [state[1] for state in states])[0]


def by_tree(parts, tops, sums):
    """vLLM's reduce_segments: not divided before, tl.sum as a tree of halves over a power of two of segments."""
    factors = [exp2(top - max(tops)) for top in tops]
    size = 1 << (len(parts) - 1).bit_length()  # zeros of empty segments change no sum
    totals = [total * factor for total, factor in zip(sums, factors)] + [F4(0)] * (size - len(parts))
    outs = [part * factor for part, factor in zip(parts, factors)]
    outs += [numpy.zeros_like(parts[0])] * (size - len(parts))
    while len(outs) > 1:
        half = len(outs) // 2
        totals = [totals[s] + totals[s + half] for s in range(half)]
        outs = [outs[s] + outs[s + half] for s in range(half)]
    return outs[0] / totals[0]


def by_sums(parts, tops, sums):
    weights = [total * exp2(top - max(tops)) for top, total in zip(tops, sums)]
    total = F4(0)
    for weight in weights:
        total += weight
    inverse = F4(1) / (total + F4(1e-6))
    out = numpy.zeros_like(parts[0])
    for part, weight in zip(parts, weights):
        out = fused(part * weight, numpy.full(out.shape, inverse, "f4"), out)
    return out


MERGES = {"fa2": weighted, "fa3": weighted, "vllm_triton": by_tree, "flashinfer": by_groups, "sglang": in_turn,
          "vllm_paged": by_sums}


def attention(query, keys, values, plan, library, narrow):
    scores = scores_of(query, keys)
    count = keys.shape[0]
    parts, tops, sums = [], [], []
    for first in range(0, count, plan["split"]):
        last = min(count, first + plan["split"])
        blocks = [(begin, min(last, begin + plan["block"])) for begin in range(first, last, plan["block"])]
        if plan["last_first"]:
            blocks.reverse()
        out, top, total = split_of(scores, values, blocks, library, narrow, plan["split"] < count)
        parts.append(out)
        tops.append(top)
        sums.append(total)
    if len(parts) == 1:
        return bf16(parts[0])
    if library in ("vllm_paged", "flashinfer"):
        parts = [bf16(part) for part in parts]
    return bf16(MERGES[library](parts, tops, sums))


def plan_of(addition, keys):
    """What `explain` says of splits and blocks."""
    split = re.match(r"\d+ splits of (\d+) keys?", addition)
    size = int(split[1]) if split else keys
    block = re.search(r"blocks of (\d+)( from last to first)?", addition)
    return {"split": size, "block": int(block[1]) if block else size, "last_first": bool(block and block[2])}


def run(program, arguments, folder):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, cwd=folder, check=False)
    if done.returncode != 0:
        sys.exit(f"{arguments}: {done.stderr}")
    return done.stdout


def check(program, arrays, call, library, narrow, folder):
    flags = ["--op", call, "--format", "bf16:fp32:bf16", "--input", "q.npy", "--with", "kv.npy"]
    query, memory = arrays
    plan = plan_of(json.loads(run(program, ["explain", *flags, "--quiet", "--json", "-"], folder))["launch"]["addition"],
                   memory.shape[2])
    run(program, ["sum", *flags, "--npy", "outputs.npy", "--quiet"], folder)
    found = numpy.load(os.path.join(folder, "outputs.npy"))
    group = query.shape[0] // memory.shape[1]
    wanted = numpy.stack([attention(query[h], memory[0, h // group], memory[1, h // group], plan, library, narrow)
                          for h in range(query.shape[0])])
    require_equal(f"{call}: {plan}", found, wanted)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true", help="fewer keys")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    random = numpy.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        for heads, kv_heads, dim, keys in ((4, 1, 64, 700), (2, 2, 32, 300), (3, 1, 16, 3000)) if options.quick else (
                (4, 1, 64, 700), (2, 2, 32, 300), (3, 1, 16, 3000), (4, 2, 64, 900), (8, 2, 128, 2048),
                (4, 4, 128, 1500)):
            query = bf16(random.standard_normal((heads, dim)) * 2)
            memory = bf16(random.standard_normal((2, kv_heads, keys, dim)))
            numpy.save(os.path.join(folder, "q.npy"), query)
            numpy.save(os.path.join(folder, "kv.npy"), memory)
            for library in MERGES:
                group = heads // kv_heads
                narrow = group >= 4 if library == "flashinfer" else group > 1 if library == "sglang" else True
                for more in ("batch=1", "batch=40", "splits=3"):
                    check(program, (query, memory), f"attention({heads},{kv_heads},{dim},{keys},library={library},{more})",
                          library, narrow, folder)


if __name__ == "__main__":
    main()
