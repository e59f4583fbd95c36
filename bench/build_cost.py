#!/usr/bin/env python3
"""What it costs to build and test orderlab, in CPU seconds: by target, by folder, and the units and tests that cost most.

Usage: bench/build_cost.py [--build-dir DIR] [--target TARGET]... [--top N] [--tests] [-- CMAKE_OPTION...]

Configures DIR, an empty folder, as the preset `release` does, and builds the targets one after the other: by default
orderlab_program, which is what README's first command compiles, then all. With --tests it runs ctest there. CPU seconds
are of user and system; those of a busy machine are higher, so compare figures of the same machine and hour.
"""
import argparse
import collections
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent


def record(log, command):
    """As a compiler launcher: runs the compiler and appends what it took."""
    status = subprocess.run(command).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = command[command.index("-o") + 1] if "-o" in command else "?"
    with open(log, "a") as file:
        file.write(f"{used.ru_utime + used.ru_stime:.3f} {output}\n")
    return status


def measured(command, **options):
    """Runs a command that must succeed. Returns its wall and CPU seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{done.stdout[-4000:]}\n{' '.join(map(str, command))}: exit status {done.returncode}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def folder_of(unit):
    """src/engine or tests/cli: the layer that an object file is of."""
    together = re.search(r"unity_(src|tests|bench)_([a-z]+)", unit)
    alone = re.search(r"(?:^|/)(src|tests|bench)/CMakeFiles/[^/]*/([a-z_]+)/|/(src|tests|bench)/([a-z]+)/", unit)
    found = together or alone
    return "/".join(part for part in found.groups() if part) if found else "others"


def print_rows(title, costs, top):
    rows = sorted(costs.items(), key=lambda row: -row[1])[:top]
    print(f"  {title}: " + ", ".join(f"{name} {seconds:.1f}" for name, seconds in rows))


def build(build_dir, target, top):
    log = build_dir / "compiled"
    log.write_text("")
    wall, cpu = measured(["cmake", "--build", build_dir, "--target", target])
    units = collections.Counter()
    folders = collections.Counter()
    for line in log.read_text().splitlines():
        seconds, unit = line.split(" ", 1)
        units[pathlib.Path(unit).name.removesuffix(".o").removesuffix("_cxx.cxx")] += float(seconds)
        folders[folder_of(unit)] += float(seconds)
    print(f"{target}: {cpu:.0f} s of CPU, {wall:.0f} s of wall time, {len(units)} units of C++", flush=True)
    print_rows("by folder", folders, 30)
    print_rows("units", units, top)


def run_tests(build_dir, top):
    with tempfile.NamedTemporaryFile(suffix=".xml") as results:
        wall, cpu = measured(["ctest", "--test-dir", build_dir, "-LE", "slow", "-j", str(os.cpu_count()),
                              "--output-junit", results.name])
        cases = xml.etree.ElementTree.parse(results.name).getroot().iter("testcase")
        walls = {case.get("name"): float(case.get("time")) for case in cases}
    print(f"ctest: {cpu:.0f} s of CPU, {wall:.0f} s of wall time, {len(walls)} tests")
    print_rows("wall seconds", walls, top)


def main():
    if sys.argv[1:2] == ["--record"]:
        sys.exit(record(sys.argv[2], sys.argv[3:]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path, default=ROOT / "build/cost")
    parser.add_argument("--target", action="append", help="instead of orderlab_program and all")
    parser.add_argument("--top", type=int, default=12, help="how many units and tests are named")
    parser.add_argument("--tests", action="store_true", help="run the tests after the build")
    parser.add_argument("options", nargs="*", metavar="CMAKE_OPTION")
    arguments = parser.parse_args()
    build_dir = arguments.build_dir.resolve()
    if build_dir.exists() and any(build_dir.iterdir()):
        parser.error(f"--build-dir {build_dir}: is not empty, so not everything would be compiled")
    build_dir.mkdir(parents=True, exist_ok=True)
    launcher = f"{sys.executable};{pathlib.Path(__file__).resolve()};--record;{build_dir / 'compiled'}"
    wall, cpu = measured(["cmake", "--preset", "release", "-S", ROOT, "-B", build_dir,
                          f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}", *arguments.options], cwd=ROOT)
    print(f"configure: {cpu:.0f} s of CPU, {wall:.0f} s of wall time")
    for target in arguments.target or ["orderlab_program", "all"]:
        build(build_dir, target, arguments.top)
    if arguments.tests:
        run_tests(build_dir, arguments.top)


if __name__ == "__main__":
    main()
