"""CGS, BiCGStab and conjugate gradients, with and without ILU(0), written out in Python's floats, which are fp64.

Every sum is in its serial order: dot products and rows of the matrix left to right, triangular solves left to right, as
`orderlab solve --order seq` has it. Residuals of the launch run must have the same bits.

    python3 solvers.py PROGRAM
"""

import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path


def dot(a, b):
    total = a[0] * b[0]
    for x, y in zip(a[1:], b[1:]):
        total = total + x * y
    return total


def times(rows, x):
    return [dot([value for _, value in row], [x[column] for column, _ in row]) for row in rows]


def plus(y, a, x):
    return [p + a * q for p, q in zip(y, x)]


def incomplete_lu(rows):
    """Row by row: entry (i, k) becomes its quotient by the pivot of k, then row k is subtracted where row i has entries."""
    factors = []
    for i, row in enumerate(rows):
        entries = dict(row)
        for k in sorted(column for column in entries if column < i):
            entries[k] = entries[k] / factors[k][k]
            for j in sorted(column for column in factors[k] if column > k):
                if j in entries:
                    entries[j] = entries[j] - entries[k] * factors[k][j]
        factors.append(entries)
    return factors


def solve_factors(factors, a):
    y = []
    for i, entries in enumerate(factors):
        value = a[i]
        for j in sorted(column for column in entries if column < i):
            value = value - entries[j] * y[j]
        y.append(value)
    for i in reversed(range(len(y))):
        value = y[i]
        for j in sorted(column for column in factors[i] if column > i):
            value = value - factors[i][j] * y[j]
        y[i] = value / factors[i][i]
    return y


def cg(rows, b, inverse, preconditioned):
    r = list(b)
    rr = dot(r, r)
    first = math.sqrt(rr)
    yield first
    z = inverse(r)
    p = list(z)
    rho = dot(r, z) if preconditioned else rr
    while True:
        q = times(rows, p)
        alpha = rho / dot(p, q)
        r = plus(r, -alpha, q)
        rr = dot(r, r)
        yield math.sqrt(rr)
        z = inverse(r)
        before, rho = rho, dot(r, z) if preconditioned else rr
        beta = rho / before
        p = [u + beta * v for u, v in zip(z, p)]


def cgs(rows, b, inverse, preconditioned):
    r, shadow, u, p = list(b), list(b), list(b), list(b)
    rho = dot(r, r)
    yield math.sqrt(rho)
    while True:
        v = times(rows, inverse(p))
        alpha = rho / dot(shadow, v)
        q = [x - alpha * y for x, y in zip(u, v)]
        both = inverse([x + y for x, y in zip(u, q)])
        r = plus(r, -alpha, times(rows, both))
        yield math.sqrt(dot(r, r))
        before, rho = rho, dot(shadow, r)
        beta = rho / before
        u = [x + beta * y for x, y in zip(r, q)]
        p = [x + beta * (y + beta * z) for x, y, z in zip(u, q, p)]


def bicgstab(rows, b, inverse, preconditioned):
    r, shadow, p = list(b), list(b), list(b)
    rho = dot(r, r)
    yield math.sqrt(rho)
    while True:
        v = times(rows, inverse(p))
        alpha = rho / dot(shadow, v)
        s = plus(r, -alpha, v)
        t = times(rows, inverse(s))
        tt = dot(t, t)
        if tt == 0:  # s is 0: half an iteration was enough
            yield math.sqrt(dot(s, s))
            return
        omega = dot(t, s) / tt
        r = plus(s, -omega, t)
        yield math.sqrt(dot(r, r))
        before, rho = rho, dot(shadow, r)
        beta = rho / before * (alpha / omega)
        p = [x + beta * (y - omega * z) for x, y, z in zip(r, p, v)]


SOLVERS = {"cg": cg, "cgs": cgs, "bicgstab": bicgstab}


def some_matrix(draw, n, symmetric):
    """Rows of (column, value), ascending: a band and some entries elsewhere, the diagonal above the sum of the rest."""
    dense = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in {i - 1, i + 1, i - 5, i + 5, draw.randrange(n)}:
            if 0 <= j < n and j != i:
                dense[i][j] = draw.uniform(-1, 1)
                if symmetric:
                    dense[j][i] = dense[i][j]
    for i in range(n):
        dense[i][i] = 0.3 + sum(map(abs, dense[i])) * draw.uniform(0.9, 1.2) + (1 if symmetric else 0)
    return [[(j, value) for j, value in enumerate(row) if value != 0] for row in dense]


def written(folder, rows, b):
    matrix, right = folder / "a.mtx", folder / "b.txt"
    entries = [f"{i + 1} {j + 1} {value!r}" for i, row in enumerate(rows) for j, value in row]
    matrix.write_text(f"%%MatrixMarket matrix coordinate real general\n{len(rows)} {len(rows)} {len(entries)}\n" +
                      "\n".join(entries) + "\n")
    right.write_text("\n".join(map(repr, b)) + "\n")
    return matrix, right


def compared(program, folder, solver, preconditioner, rows, b):
    """Residuals that have the bits of the program's, at its checkpoints; an error where one has not."""
    matrix, right = written(folder, rows, b)
    command = [program, "solve", solver, "--matrix", matrix, "--rhs", right, "--order", "seq", "--samples", "1",
               "--preconditioner", preconditioner, "--tolerance", "1e-10", "--max-iterations", "60", "--json", "-"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    factors = incomplete_lu(rows) if preconditioner == "ilu0" else None
    diagonal = [dict(row)[i] for i, row in enumerate(rows)]
    inverse = {"none": lambda a: a, "jacobi": lambda a: [x / d for x, d in zip(a, diagonal)],
               "ilu0": lambda a: solve_factors(factors, a)}[preconditioner]
    residuals = SOLVERS[solver](rows, b, inverse, preconditioner != "none")
    last = found["launch"]["iterations"]
    norms = [next(residuals) for _ in range(last + 1)]
    relative = [norm / norms[0] for norm in norms]
    at = [point for point in found["divergence"] if point["residual"]["launch"] is not None]
    wanted = {point["iteration"]: point["residual"]["launch"] for point in at}
    wanted[last] = found["launch"]["recursive_residual"]
    for iteration, residual in wanted.items():
        if relative[iteration] != residual:
            raise SystemExit(f"{solver} with {preconditioner}, n = {len(rows)}: |r|/|r0| after {iteration} iterations is "
                             f"{residual!r}, by definition {relative[iteration]!r}")
    return len(wanted)


def main():
    program = sys.argv[1]
    draw = random.Random(1)
    count = 0
    with tempfile.TemporaryDirectory() as name:
        for solver in SOLVERS:
            for preconditioner in ("none", "jacobi", "ilu0"):
                for n in (1, 2, 7, 40, 90):
                    rows = some_matrix(draw, n, solver == "cg")
                    b = [draw.uniform(-1, 1) for _ in range(n)]
                    count += compared(program, Path(name), solver, preconditioner, rows, b)
    print(f"{count} residuals have the bits of their definition")


if __name__ == "__main__":
    main()
