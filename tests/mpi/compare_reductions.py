#!/usr/bin/env python3
"""Compares the bits of MPI_Reduce and MPI_Allreduce, of Open MPI and MPICH as installed, with the named orders.

usage: compare_reductions.py PROGRAM [--quick]

Every element of every sum: an order's tree is asked of orderlab and evaluated for all elements, and the last element is
asked of `orderlab sum` too. First each library chooses its algorithm, as its source says for ranks and size; then every
algorithm is forced. A library that is not installed is skipped and counted; exit status 77 where none is, 1 where bits
differ.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent
CALLS = 6  # on each communicator: a library may change its algorithm after a few calls
BYTES = 8  # of an element


def terms(ranks, count):
    """Row r: the elements of rank r, as reductions.c makes them."""
    u = numpy.uint64
    z = (numpy.arange(ranks, dtype=u)[:, None] << u(32)) + numpy.arange(count, dtype=u)[None, :]
    with numpy.errstate(over="ignore"):
        z = (z + u(1)) * u(0x9E3779B97F4A7C15)
        z = (z ^ (z >> u(30))) * u(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> u(27))) * u(0x94D049BB133111EB)
    z ^= z >> u(31)
    return numpy.ldexp(z.view(numpy.int64).astype(numpy.float64), (z % u(41)).astype(numpy.int64) - 83)


# What the libraries choose. Orders of one name for all elements, or RING: one order for each block.
RING = "ompi_ring"
DOUBLING, RABENSEIFNER = "mpi_recursive_doubling", "mpi_rabenseifner"


def first_below(size, *choices):
    """The value of the first pair (end, value) with size < end; the last choice is a value."""
    return next((value for end, value in choices[:-1] if size < end), choices[-1])


def open_mpi_reduce(ranks, count, root):
    """coll_tuned_decision_fixed.c of Open MPI 4.1, operations that commute, up to 255 ranks."""
    size = BYTES * count
    linear, binary, binomial = "ompi_linear", f"ompi_binary({root})", f"mpi_binomial({root})"
    chain = f"ompi_chain({root})"
    if ranks < 4:
        return first_below(size, (8, linear), (16, binary), (32, chain), (262144, linear), chain)
    if ranks < 8:
        return first_below(size, (4096, binary), (65536, chain), (262144, binomial), (524288, linear),
                           (1048576, binomial), linear)
    if ranks < 32:
        return first_below(size, (8192 if ranks < 16 else 4096, binary), binomial)
    return binomial


def open_mpi_ring(ranks, count):
    return RING if count >= ranks else DOUBLING


def open_mpi_rabenseifner(ranks, count):
    return RABENSEIFNER if count >= 1 << (ranks.bit_length() - 1) else "ompi_linear"


def open_mpi_allreduce(ranks, count, _root):
    size = BYTES * count
    ring, rabenseifner = open_mpi_ring(ranks, count), open_mpi_rabenseifner(ranks, count)
    if ranks < 4:
        return first_below(size, (8, ring), (4096, DOUBLING), (8192, ring), (16384, DOUBLING), (262144, ring),
                           rabenseifner)
    if ranks < 8:
        return first_below(size, (16, ring), (8192, DOUBLING), rabenseifner)
    if ranks < 16:
        return first_below(size, (8192, DOUBLING), rabenseifner)
    return first_below(size, (64, ring), (4096, DOUBLING), rabenseifner)


def mpich_reduce(ranks, count, root):
    long = BYTES * count > 2048 and count >= 1 << (ranks.bit_length() - 1)
    return RABENSEIFNER if long else f"mpi_binomial({root})"


def mpich_allreduce(_ranks, _count, _root):
    return DOUBLING  # and its bits by reduce-scatter and allgather, for long messages


class Library:
    """How programs of a library are compiled and run, and what it chooses."""

    def __init__(self, name, compiler, runner, reduce, allreduce, forced):
        self.name, self.compiler, self.runner = name, compiler, runner
        self.reduce, self.allreduce, self.forced = reduce, allreduce, forced

    def missing(self):
        return [program for program in (self.compiler, self.runner[0]) if shutil.which(program) is None]


def open_mpi_forced():
    """Label, arguments of mpirun, environment, and the order of MPI_Reduce and of MPI_Allreduce."""
    def dynamic(collective, number):
        return ["--mca", "coll_tuned_use_dynamic_rules", "1",
                "--mca", f"coll_tuned_{collective}_algorithm", str(number),
                "--mca", "coll_tuned_reduce_algorithm_chain_fanout", "1"]

    def on_power_of_two(ranks, count, _root):
        return open_mpi_rabenseifner(ranks, count)

    reduces = {1: lambda p, c, r: "ompi_linear", 2: lambda p, c, r: f"ompi_chain({r})",
               3: lambda p, c, r: f"ompi_chain({r})", 4: lambda p, c, r: f"ompi_binary({r})",
               5: lambda p, c, r: f"mpi_binomial({r})", 6: lambda p, c, r: "ompi_in_order", 7: on_power_of_two}
    for number, order in reduces.items():
        yield f"MPI_Reduce, algorithm {number}", dynamic("reduce", number), {}, order, None
    allreduces = {1: lambda p, c, r: "ompi_linear", 3: lambda p, c, r: DOUBLING,
                  4: lambda p, c, r: open_mpi_ring(p, c), 5: lambda p, c, r: open_mpi_ring(p, c), 6: on_power_of_two}
    for number, order in allreduces.items():
        yield f"MPI_Allreduce, algorithm {number}", dynamic("allreduce", number), {}, None, order


def mpich_forced():
    def always(order):
        return lambda _ranks, _count, _root: order

    def rabenseifner(ranks, count, root):
        return RABENSEIFNER if count >= 1 << (ranks.bit_length() - 1) else f"mpi_binomial({root})"

    device = {"MPIR_CVAR_DEVICE_COLLECTIVES": "none", "MPIR_CVAR_COLLECTIVE_FALLBACK": "silent"}
    yield ("MPI_Reduce, binomial", [], {**device, "MPIR_CVAR_REDUCE_INTRA_ALGORITHM": "binomial"},
           lambda p, c, r: f"mpi_binomial({r})", None)
    yield ("MPI_Reduce, reduce_scatter_gather", [],
           {**device, "MPIR_CVAR_REDUCE_INTRA_ALGORITHM": "reduce_scatter_gather"}, rabenseifner, None)
    for name in ("recursive_doubling", "reduce_scatter_allgather"):
        yield (f"MPI_Allreduce, {name}", [], {**device, "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM": name}, None,
               always(DOUBLING))


LIBRARIES = [
    Library("Open MPI", "mpicc.openmpi", ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"], open_mpi_reduce,
            open_mpi_allreduce, open_mpi_forced),
    Library("MPICH", "mpicc.mpich", ["mpirun.mpich"], mpich_reduce, mpich_allreduce, mpich_forced),
]


class Orders:
    """Sums in orders that orderlab knows, of all elements at once."""

    def __init__(self, program):
        self.program = program
        self.trees = {}

    def output(self, *arguments):
        return subprocess.run([self.program, *arguments], check=True, capture_output=True, text=True).stdout

    def tree(self, order, ranks):
        """Pairs of nodes in the order in which they are added; the node made by pair i is ranks + i."""
        if (order, ranks) not in self.trees:
            values = ",".join(["1"] * ranks)
            newick = self.output("tree", "--values", values, "--order", order, "--newick")
            pairs = {}
            while True:
                made = re.search(r"\(([xn])(\d+),([xn])(\d+)\)n(\d+)", newick)
                if made is None:
                    break
                pairs[int(made[5])] = (int(made[2]), int(made[4]))
                newick = newick.replace(made[0], f"n{made[5]}")
            assert sorted(pairs) == list(range(ranks, 2 * ranks - 1)), newick
            self.trees[order, ranks] = [pairs[node] for node in sorted(pairs)]
            self.check_sum(order, ranks)
        return self.trees[order, ranks]

    def evaluate(self, order, rows):
        ranks = len(rows)
        nodes = list(rows)
        for left, right in self.tree(order, ranks):
            nodes.append(nodes[left] + nodes[right])
        return nodes[-1]

    def check_sum(self, order, ranks):
        """The tree's sum is that of `orderlab sum`, for a few elements."""
        x = terms(ranks, 5)
        sums = self.evaluate(order, x)
        for e in range(5):
            values = ",".join(repr(float(v)) for v in x[:, e])
            text = self.output("sum", f"--values={values}", "--order", order, "--json", "-")
            assert f"0x{sums[e].view(numpy.uint64):016x}" in text, (order, ranks, e)

    def sums(self, order, rows):
        if order != RING:
            return self.evaluate(order, rows)
        ranks, count = rows.shape
        parts, begin = [], 0
        for block in range(ranks):
            end = begin + count // ranks + (block < count % ranks)
            parts.append(self.evaluate(f"{RING}({block})", rows[:, begin:end]))
            begin = end
        return numpy.concatenate(parts)


class Tally:
    def __init__(self):
        self.sums = self.elements = self.equal = self.told = 0
        self.orders = set()
        self.failures = []

    def add(self, got, expected, others, order, where):
        """`others`: sums in orders that may be taken for it."""
        same = got.view(numpy.uint64) == expected.view(numpy.uint64)
        self.sums += 1
        self.elements += len(got)
        self.equal += int(same.sum())
        self.orders.add(order.split("(")[0])
        differ = numpy.zeros(len(got), dtype=bool)
        for other in others:
            differ |= other.view(numpy.uint64) != expected.view(numpy.uint64)
        self.told += int(differ.sum())
        if not same.all():
            self.failures.append(f"{where}: {order} explains {int(same.sum())} of {len(got)} elements")

    def text(self):
        return (f"{self.sums} sums, {self.equal} of {self.elements} elements with the bits of "
                f"{', '.join(sorted(self.orders))}; {self.told} elements would differ in another of these orders")


def run(library, binary, folder, ranks, counts, root, arguments, environment):
    """The sums of all calls: {(count, collective): [array, ...]}."""
    out = folder / "sums.f64"
    command = [*library.runner, *arguments, "-np", str(ranks), str(binary), str(out), str(CALLS), str(root),
               *map(str, counts)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, stdin=subprocess.DEVNULL,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr.strip()[-500:]}")
    numbers, sums, at = numpy.fromfile(out), {}, 0
    for count in counts:
        for collective in ("MPI_Reduce", "MPI_Allreduce"):
            sums[count, collective] = [numbers[at + i * count : at + (i + 1) * count] for i in range(CALLS)]
            at += CALLS * count
    assert at == len(numbers)
    return sums


def compare(orders, library, binary, folder, tallies, ranks, counts, roots, forced=None):
    label, arguments, environment, of_reduce, of_allreduce = forced or (
        "", [], {}, library.reduce, library.allreduce)
    for root in roots:
        sums = run(library, binary, folder, ranks, counts, root, arguments, environment)
        for (count, collective), calls in sums.items():
            choose = {"MPI_Reduce": of_reduce, "MPI_Allreduce": of_allreduce}[collective]
            if choose is None:
                continue
            order = choose(ranks, count, root)
            rows = terms(ranks, count)
            others = [orders.sums(other, rows) for other in (
                "ompi_linear", f"ompi_chain({root})", f"ompi_binary({root})", f"mpi_binomial({root})", DOUBLING)]
            expected = orders.sums(order, rows)
            for call, got in enumerate(calls):
                where = (f"{library.name}, {collective}, {label}, {ranks} ranks, root {root}, {count} elements, "
                         f"call {call + 1}")
                tallies.setdefault(f"{library.name}, {label or collective}", Tally()).add(
                    got, expected, others, order, where)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("--quick", action="store_true", help="few numbers of ranks, short messages")
    options = parser.parse_args()
    orders = Orders(str(Path(options.program).resolve()))
    ranks_to_try = (3, 4, 7, 8) if options.quick else range(2, 18)
    counts = [1, 3, 100, 1000] if options.quick else [1, 2, 3, 7, 100, 600, 1000, 1500, 10000]
    tallies, skipped = {}, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for library in LIBRARIES:
            if library.missing():
                print(f"skipped: {library.name}: not installed: {', '.join(library.missing())}")
                skipped += 1
                continue
            binary = folder / library.compiler
            subprocess.run([library.compiler, "-O2", str(HERE / "reductions.c"), "-lm", "-o", str(binary)], check=True)
            for ranks in ranks_to_try:
                print(f"{library.name}, {ranks} ranks", file=sys.stderr, flush=True)
                longer = [] if options.quick or ranks > 8 else [40000, 70000, 140000]
                compare(orders, library, binary, folder, tallies, ranks, counts + longer, {0, min(2, ranks - 1)})
                for forced in library.forced():
                    compare(orders, library, binary, folder, tallies, ranks, [1, 3, 100, 1000], {ranks - 1}, forced)
    failures = [text for tally in tallies.values() for text in tally.failures]
    for label, tally in tallies.items():
        print(f"{label}: {tally.text()}")
    for text in failures[:20]:
        print("FAILED:", text)
    sums = sum(tally.sums for tally in tallies.values())
    elements = sum(tally.elements for tally in tallies.values())
    print(f"{sums} sums, {elements} elements, {len(failures)} sums differ, {skipped} libraries skipped")
    return 1 if failures else 77 if skipped == len(LIBRARIES) else 0


if __name__ == "__main__":
    sys.exit(main())
