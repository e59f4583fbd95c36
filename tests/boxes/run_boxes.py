#!/usr/bin/env python3
"""Asks `orderlab probe` in which order libraries, languages and programs add, and writes one table of the answers.

usage: run_boxes.py PROGRAM [--only TEXT ...] [--sizes 64,101,256,1000] [--json FILE]

Boxes of which something is not installed are skipped and counted. Exit status 1 where a box has another order than the
one that is known of it, or where the probe fails.
"""

import argparse
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import box_list

SIZES = [64, 101, 256, 1000]
LONGEST = 300  # seconds for one probe


@dataclasses.dataclass
class Answer:
    """What the probe said of a box at one n."""

    box: str
    version: str
    format: str
    n: int
    verdict: str
    order: str
    calls: int
    seconds: float
    cpu_seconds: float
    reason: str
    orders: list
    wrong: str


def flags_of(box, folder):
    if box.build is None:
        return box.flags
    path = box_list.build(box.build, folder)
    return ["--library", f"{path}:{box.build.symbol}"] + box.flags


def wrong_of(box, found):
    """What is known and not what was found, or nothing."""
    if box.order and not found["as_expected"]:
        return f"known: {box.order}"
    verdicts = (box.verdict,) if isinstance(box.verdict, str) else box.verdict
    if box.verdict and found["verdict"] not in verdicts:
        return f"known: {' or '.join(verdicts)}"
    return ""


def ask(program, box, flags, n, environment):
    """An answer; raises RuntimeError with what the probe wrote where it fails."""
    command = [program, "probe", *flags, "--n", str(n), "--format", box.format, "--json", "-"]
    if box.order:
        command += ["--expect", box.order]
    start, before = time.monotonic(), os.times()
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=LONGEST,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"no verdict in {LONGEST} seconds") from None
    seconds, after = time.monotonic() - start, os.times()
    if done.returncode not in (0, 1) or not done.stdout:
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr.strip()}")
    found = json.loads(done.stdout)
    first = found["settings"][0]
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Answer(box.name, box_list.VERSIONS[box.version](), box.format, n, found["verdict"], found["order"] or "",
                  found["calls"], seconds, cpu, first["reason"] or "", first["orders"], wrong_of(box, found))


def table(answers):
    yield "| box | version | format | n | verdict | order | calls | seconds |"
    yield "|---|---|---|---:|---|---|---:|---:|"
    for a in answers:
        order = f"`{a.order}`".replace("|", "\\|") if a.order else a.reason.replace("|", "\\|")
        yield (f"| {a.box} | {a.version} | {a.format} | {a.n} | {a.verdict} | {order} | {a.calls} | {a.seconds:.2f} |")


def shares(answers):
    yield "| n | boxes | named | revealed | other |"
    yield "|---:|---:|---:|---:|---|"
    for n in sorted({a.n for a in answers}):
        verdicts = Counter(a.verdict for a in answers if a.n == n)
        total = sum(verdicts.values())
        named, revealed = verdicts.pop("named", 0), verdicts.pop("revealed", 0)
        other = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
        yield f"| {n} | {total} | {named} ({100 * named / total:.0f} %) | {revealed} ({100 * revealed / total:.0f} %) | {other} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("--only", nargs="+", metavar="TEXT", default=[], help="boxes with one of these in their names")
    parser.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")], default=SIZES, metavar="LIST")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the answers, as a list")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    environment = dict(os.environ, ORDERLAB_PYTHON=box_list.PYTHON, OPENBLAS_NUM_THREADS="1", BLIS_NUM_THREADS="1", OMP_WAIT_POLICY="passive",
                       PYTHONPATH=str(box_list.HERE), PYTHONDONTWRITEBYTECODE="1")
    cpu = box_list.cpu_flags()
    answers, skipped, failed, asked = [], [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        for box in box_list.all_boxes():
            if options.only and not any(text in box.name for text in options.only):
                continue
            label = f"{box.name} ({box.format})"
            lacking = box_list.missing(box, cpu)
            if lacking:
                skipped.append(f"{label}: needs {', '.join(lacking)}")
                continue
            try:
                flags = flags_of(box, Path(folder))
            except box_list.Skipped as reason:
                skipped.append(f"{label}: {reason}")
                continue
            asked += 1
            for n in options.sizes:
                if box.sizes and n not in box.sizes:
                    continue
                print(f"{label}, n = {n}", file=sys.stderr, flush=True)
                try:
                    answers.append(ask(program, box, flags, n, environment))
                except RuntimeError as error:
                    failed.append(f"{label}, n = {n}: {error}")
    print("\n".join([*table(answers), "", *shares(answers), ""]))
    if options.json:
        options.json.write_text(json.dumps([dataclasses.asdict(a) for a in answers], indent=2) + "\n", encoding="utf-8")
    for text in skipped:
        print("skipped:", text)
    wrong = [f"{a.box} ({a.format}), n = {a.n}: {a.verdict} {a.order}; {a.wrong}" for a in answers if a.wrong]
    for text in failed + wrong:
        print("FAILED:", text)
    print(f"{asked} boxes, {len(skipped)} skipped, {len(failed)} failed, {len(wrong)} with another order than is known")
    return 1 if failed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
