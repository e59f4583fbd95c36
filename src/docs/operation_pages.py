"""Pages of operations, solvers and matrices: what the program lists and measures, and what reference/NAME.toml has."""

import re
import shlex

from knowledge import commands, facts, rows_of
from texts import cited, code, document, entries, plain, sentence, table

STEADY = {"any_device": "same bits, on any machine", "run_to_run": "same bits", "not_guaranteed": "may differ"}


def listed_with_rows(program, name):
    """(entry, row) by name"""
    listed = {entry["name"]: entry for entry in entries(program, name)}
    rows = rows_of(name, listed)
    return {entry: (listed[entry], rows[entry]) for entry in listed}


def operations(program):
    listed = listed_with_rows(program, "operations")
    head = ("operation", "as in", "documented")
    page = [table(head, [(f"[`{name}`](#{name})", plain(entry["source"].partition(",")[0].partition(";")[0]),
                          plain(entry["documented"] or "nothing")) for name, (entry, _) in listed.items()])]
    for name, (entry, row) in listed.items():
        cases = []
        for case in row.get("cases", []):
            launch = document(program, "explain", *shlex.split(case))["launch"]
            cases.append((code(case), f"{plain(launch['kernel'])} ({plain(launch['reason'])})",
                          plain(launch["addition"]), plain(launch["unit"]), STEADY[launch["guarantee"]]))
        page += [f"## {code(name)}", sentence(entry["summary"]), f"`--op '{entry['signature']}'`",
                 facts(("Adds", plain(entry["adds"])), ("Documented", plain(entry["documented"])),
                       ("Allowed", plain(entry["freedom"])), ("The model assumes", plain(entry["assumes"])),
                       ("Source", plain(entry["source"])))]
        if cases:
            page.append(table(("`orderlab explain`", "kernel", "addition", "unit", "run to run"), cases))
        if row.get("versions"):
            page.append(table(("version", "what is known", "source"), [map(cited, line) for line in row["versions"]]))
    return "\n\n".join(page)


def solved(program, solver, matrix):
    """(document, command) of ten runs of a solver."""
    arguments = ["solve", solver, "--matrix", matrix, "--samples", "10"]
    return document(program, *arguments), f"orderlab {shlex.join(arguments)}"


def iterations(answer):
    counts = [result["value"] for result in answer["iterations"]["results"]]
    if min(counts) < max(counts):
        return f"{min(counts)} to {max(counts)} iterations"
    return f"{counts[0]} iterations in every run"


def solvers(program):
    page = []
    for name, (entry, row) in listed_with_rows(program, "solvers").items():
        matrix = row.get("matrix", "poisson2d(32)")
        answer, command = solved(program, name, matrix)
        example = (f"{code(matrix)} takes {iterations(answer)}; the solutions of launch order and of the runs differ "
                   f"by up to {answer['solution_distance']['max']:.1e} (relative)")
        page += [f"## {code(name)}", sentence(entry["summary"]),
                 facts(("Matrices", row.get("needs")), ("Sums of one iteration", row.get("sums")), ("Example", example),
                       ("Source", plain(entry["source"]))), commands([command])]
    return "\n\n".join(page)


def require_formula(row, key, value, k):
    """Stops where a formula of a row is not what the program counts."""
    formula = re.sub(r"(\d) k", r"\1 * k", row[key]).replace("^", "**")
    if eval(formula, {"k": k}) != value:
        raise SystemExit(f"reference/matrices.toml: {row['example']} has {value} {key}, not {row[key]}")


def matrices(program):
    page = []
    for name, (entry, row) in listed_with_rows(program, "matrices").items():
        page += [f"## {code(name)}", sentence(entry["summary"]), code(entry["signature"])]
        if not row:
            continue
        answer, command = solved(program, row["solver"], row["example"])
        k = int(re.search(r"\((\d+)", row["example"])[1])
        counts = {key: answer["input"][key] for key in ("rows", "entries")}
        for key, value in counts.items():
            require_formula(row, key, value, k)
        example = (f"{code(row['example'])} has {counts['rows']} rows and {counts['entries']} entries; "
                   f"[`{row['solver']}`](solvers.md#{row['solver']}) takes {iterations(answer)}")
        page += [facts(("Rows", plain(row["rows"])), ("Entries", plain(row["entries"])),
                       ("Properties", plain(row["properties"])), ("Example", example)), commands([command])]
    return "\n\n".join(page)
