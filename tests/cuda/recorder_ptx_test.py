#!/usr/bin/env python3
"""Compiles the kernels that note arrivals to PTX: each clock and ticket must come where the notes say it was read.

usage: recorder_ptx_test.py SOURCE_DIR [--nvcc FILE]

Exits with 77 where there is no nvcc 13.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from ptx_test import ENTRY, FLAGS, SKIPPED, find_nvcc

KERNELS = {"noting_spa", "noting_warp", "noting_index_add"}
STEPS = re.compile(
    r"mov\.u64\s+%\w+, %(?P<start>clock64);.*?"  # when the unit starts
    r"setp\.nan\.f(?P<size>32|64)\s+%p\w+, (?P<value>%fd?\w+), (?P=value);.*?\bbra\b.*?"  # waits for its sum
    r"mov\.u64\s+%\w+, %clock64;.*?mov\.u64\s+%\w+, %globaltimer;.*?"
    r"atom\.global\.add\.u32\s+%\w+, \[%\w+\], 1;.*?"  # the ticket
    r"(atom|red)\.global\.add\.f(?P=size)\s+(%\w+, )?\[%\w+\], (?P=value);.*?"  # the sum itself
    r"st\.global\.u32.*?%smid", re.S)
WAITS_FOR_INDEX = re.compile(  # one branch on the term and on the index that the atomic goes to
    r"ld\.global\.u64\s+(?P<index>%rd\w+),.*?setp\.lt\.s64\s+(?P<test>%p\w+), (?P=index), 0;\s*"
    r"or\.pred\s+(?P<both>%p\w+), [^;]*(?P=test)\b[^;]*;\s*@(?P=both) bra\b.*?%clock64;.*?"
    r"shl\.b64\s+%rd\w+, (?P=index), 2;", re.S)
LOADS = re.compile(r"ld\.(global|shared)[\w.]*\.f(32|64)")


def wrong_order(kernel, body):
    """What is wrong with the PTX of one kernel; None for nothing."""
    match = STEPS.search(body)
    if not match:
        return "not in this order: clock, sum, its test, both clocks, ticket, atomic, notes"
    if LOADS.search(body, 0, match.start()):
        return "a term is loaded before the first clock is read"
    if kernel == "noting_index_add" and not WAITS_FOR_INDEX.search(body, match.start()):
        return "the ticket does not wait for the index"
    counted = {word: len(re.findall(word, body)) for word in (r"%clock64;", r"%globaltimer;", r"\.add\.u32\s+%\w+, \[")}
    return None if list(counted.values()) == [2, 1, 1] else f"clocks and tickets: {counted}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=Path)
    parser.add_argument("--nvcc")
    options = parser.parse_args()
    nvcc = find_nvcc(options.nvcc)
    if not nvcc:
        print("skipped: there is no nvcc 13")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        ptx = Path(folder) / "recorder.ptx"
        subprocess.run([nvcc, *FLAGS, "--fmad=false", f"-I{options.source}/src", f"-I{options.source}/include",
                        str(options.source / "src/cuda/arrival_recorder.cu"), "-o", str(ptx)], check=True)
        bodies = {name: body for name, body in ENTRY.findall(ptx.read_text(encoding="utf-8"))}
    found = {kernel: body for kernel in KERNELS for name, body in bodies.items() if kernel in name}
    wrong = [f"{kernel}: is not compiled" for kernel in sorted(KERNELS - set(found))]
    wrong += [f"{kernel}: {problem}" for kernel, body in sorted(found.items()) if (problem := wrong_order(kernel, body))]
    print("\n".join(wrong + [f"{len(found)} kernels, {len(wrong)} complaints"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
