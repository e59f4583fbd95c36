#!/usr/bin/env python3
"""The galleries know every entry of their lists and nothing else: each order, arrival model, operation, solver and
matrix has a row in src/docs/reference/NAME.toml. Keys of references and links in the rows exist.

usage: check_galleries.py PROGRAM
"""

import re
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "src/docs"
sys.path.insert(0, str(DOCS))
from galleries import GROUPS
from knowledge import REFERENCE, complaints, knowledge
from scatters import kendall_tau
from texts import CITATION, document, entries
from trees import formula

FILES = ["arrivals", "matrices", "operations", "orders", "solvers"]


def check_rows(program):
    found = [f"{path}: is not checked" for path in REFERENCE.glob("*.toml") if path.stem not in FILES]
    references = (DOCS / "references.md").read_text(encoding="utf-8")
    for name in FILES:
        listed = [entry["name"] for entry in entries(program, name)]
        rows = knowledge(name)
        found += complaints(name, listed, rows)
        if not complaints(name, listed[1:], rows) or not complaints(name, [*listed, "new"], rows):
            found.append(f"{name}: a missing row, or one too many, goes unnoticed")
        text = (REFERENCE / f"{name}.toml").read_text(encoding="utf-8")
        for key in CITATION.findall(text):
            if f"- [{key}]" not in references:
                found.append(f"{name}.toml: no such reference: {key}")
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            if not (REFERENCE / link).is_file():
                found.append(f"{name}.toml: there is no {link}")
    found += [f"orders.toml: {name}: no group {row.get('use')}" for name, row in knowledge("orders").items()
              if "use" not in row or row["use"] not in GROUPS]
    return found


def check_pictures(program):
    """Formulas of trees that are known, and Kendall tau by its definition."""
    found = []
    for order, expected in [("seq", "((x0 + x1) + x2) + x3"), ("halving(4)", "(x0 + x2) + (x1 + x3)"),
                            ("seq(acc=neumaier)", "neumaier(x0, x1, x2, x3)"),
                            ("seq(from=zero)", "((x0 + x1) + x2) + x3")]:
        shown = formula(document(program, "tree", "--n", "4", "--order", order))
        if shown != expected:
            found.append(f"{order}: {shown} instead of {expected}")
    for order in ([0, 1, 2], [2, 1, 0], [3, 1, 4, 0, 2, 6, 5]):
        pairs = [(i, j) for j in range(len(order)) for i in range(j)]
        tau = sum(1 if order[i] < order[j] else -1 for i, j in pairs) / len(pairs)
        if abs(kendall_tau(order) - tau) > 1e-12:
            found.append(f"tau of {order}: {kendall_tau(order)} instead of {tau}")
    return found


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    found = check_rows(sys.argv[1]) + check_pictures(sys.argv[1])
    print("\n".join(found + [f"{len(found)} complaints"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
