"""Pages of operations, solvers and matrices: what the program lists and measures, and what reference/NAME.toml knows."""

import re
import shlex

from knowledge import commands, knowledge, require_rows
from texts import cited, code, document, entries, plain, sentence, table

STEADY = {"any_device": "same bits, on any machine", "run_to_run": "same bits", "not_guaranteed": "may differ"}


def listed_with_rows(program, name):
    """The entries of a list by name, and the rows of its file."""
    listed = {entry["name"]: entry for entry in entries(program, name)}
    rows = knowledge(name)
    require_rows(name, listed, rows)
    return listed, rows


def operations(program):
    listed, rows = listed_with_rows(program, "operations")
    head = ("operation", "as in", "documented")
    page = [table(head, [(f"[`{name}`](#{name})", plain(entry["source"].partition(",")[0].partition(";")[0]),
                          plain(entry["documented"] or "nothing")) for name, entry in listed.items()])]
    for name, entry in listed.items():
        cases, row = [], rows[name]
        for case in row["cases"]:
            launch = document(program, "explain", *shlex.split(case))["launch"]
            cases.append((code(case), f"{plain(launch['kernel'])} ({plain(launch['reason'])})",
                          plain(launch["addition"]), plain(launch["unit"]), STEADY[launch["guarantee"]]))
        facts = [("Adds", entry["adds"]), ("Documented", entry["documented"]), ("Allowed", entry["freedom"]),
                 ("The model assumes", entry["assumes"]), ("Source", entry["source"])]
        page += [f"## {code(name)}", sentence(entry["summary"]), f"`--op '{entry['signature']}'`",
                 "\n".join(f"- **{title}**: {plain(text)}." for title, text in facts if text),
                 table(("`orderlab explain`", "kernel", "addition", "unit", "run to run"), cases)]
        if row["versions"]:
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
    listed, rows = listed_with_rows(program, "solvers")
    page = []
    for name, entry in listed.items():
        row = rows[name]
        answer, command = solved(program, name, row["matrix"])
        page += [f"## {code(name)}", sentence(entry["summary"]),
                 f"- **Matrices**: {row['needs']}.\n- **Sums of one iteration**: {row['sums']}.\n"
                 f"- **Example**: {code(row['matrix'])} takes {iterations(answer)}; the "
                 f"solutions of launch order and of the runs differ by up to "
                 f"{answer['solution_distance']['max']:.1e} (relative).\n- **Source**: {plain(entry['source'])}.",
                 commands([command])]
    return "\n\n".join(page)


def require_formula(row, key, value, k):
    """Stops where a formula of a row is not what the program counts."""
    formula = re.sub(r"(\d) k", r"\1 * k", row[key]).replace("^", "**")
    if eval(formula, {"k": k}) != value:
        raise SystemExit(f"reference/matrices.toml: {row['example']} has {value} {key}, not {row[key]}")


def matrices(program):
    listed, rows = listed_with_rows(program, "matrices")
    page = []
    for name, entry in listed.items():
        row = rows[name]
        answer, command = solved(program, row["solver"], row["example"])
        k = int(re.search(r"\((\d+)", row["example"])[1])
        require_formula(row, "rows", answer["input"]["rows"], k)
        require_formula(row, "entries", answer["input"]["entries"], k)
        page += [f"## {code(name)}", sentence(entry["summary"]), code(entry["signature"]),
                 f"- **Rows**: {plain(row['rows'])}; **entries**: {plain(row['entries'])}.\n"
                 f"- **Properties**: {plain(row['properties'])}.\n"
                 f"- **Example**: {code(row['example'])} has {answer['input']['rows']} rows and "
                 f"{answer['input']['entries']} entries; [`{row['solver']}`](solvers.md#{row['solver']}) takes "
                 f"{iterations(answer)}.", commands([command])]
    return "\n\n".join(page)
