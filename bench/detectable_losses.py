#!/usr/bin/env python3
"""Prints the table of src/docs/how-to/bug-or-race.md: losses that `orderlab check` finds in one result, of uniform(0,1)
terms in random order.

usage: bench/detectable_losses.py PROGRAM [--inputs N] [--only FORMAT:N ...]

One result that lost L is found where it lies below all samples of the check, that is where L exceeds its distance from
the least of them. So the loss found in 95 % of trials is the 0.95 quantile of that distance. For each input: the 2000
samples of confidence 0.999, and 100 further results. The interval is a bootstrap over inputs, 95 %.
"""

import argparse
import json
import random
import statistics
import subprocess

CASES = ["fp64:1000", "fp64:1000000", "fp32:1000", "fp32:10000", "fp32:100000", "fp32:1000000", "fp16:1000"]
SAMPLES = 2000
FRESH = 100
FOUND = 0.95
REPLICATES = 2000


def drawn(program, form, n, seed, begin, end):
    """The results of samples begin to end - 1, ascending, and the exact sum."""
    line = [program, "sample", "--n", n, "--dist", "uniform(0,1)", "--format", form, "--order", "random", "--samples",
            str(SAMPLES + FRESH), "--range", f"{begin}:{end}", "--input-seed", str(seed), "--quiet", "--json", "-"]
    document = json.loads(subprocess.run(line, check=True, stdout=subprocess.PIPE).stdout)
    return [r["value"] for r in document["results"] for _ in range(r["count"])], document["input"]["exact"]["value"]


def quantile(values, p):
    return sorted(values)[min(len(values) - 1, int(p * len(values)))]


def measure(program, form, n, inputs):
    """The distances from the least sample relative to the exact sum, a list for each input; and sd over the sum."""
    distances = []
    deviations = []
    for seed in range(1, inputs + 1):
        samples, exact = drawn(program, form, n, seed, 0, SAMPLES)
        fresh, _ = drawn(program, form, n, seed, SAMPLES, SAMPLES + FRESH)
        distances.append([(value - samples[0]) / exact for value in fresh])
        deviations.append(statistics.stdev(samples) / exact)
    return distances, statistics.mean(deviations)


def row(program, form, n, inputs):
    distances, deviation = measure(program, form, n, inputs)
    generator = random.Random(1)
    loss = quantile([d for one in distances for d in one], FOUND)
    replicates = [quantile([d for one in generator.choices(distances, k=inputs) for d in one], FOUND)
                  for _ in range(REPLICATES)]
    low, high = quantile(replicates, 0.025), quantile(replicates, 0.975)
    terms = loss * int(n) / 2
    dropped = f"above {terms:.2g}" if terms < 1 else f"no; about {terms / 0.5:.2g} terms are"
    size = f"{float(n):.0e}".replace("e+0", "e")
    return f"| {form} | {size} | {loss:.2g} ({low:.2g} to {high:.2g}) | {loss / deviation:.2g} | {dropped} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--inputs", type=int, default=40, help="of each case; of 1000000 terms a quarter")
    parser.add_argument("--only", nargs="+", metavar="FORMAT:N", default=CASES)
    options = parser.parse_args()
    print("| format | n | smallest loss detected, relative to the sum | in sd of the sum | a single dropped term is detected |")
    print("|---|---|---|---|---|")
    for case in options.only:
        form, n = case.split(":")
        print(row(options.program, form, n, options.inputs // (4 if int(n) >= 1_000_000 else 1)), flush=True)


if __name__ == "__main__":
    main()
