"""Galleries of orders and of arrival models: cards made from what the program says when the pages are built, and from
one file of knowledge beside each page, reference/NAME.toml."""

import math
import re
from shlex import join, quote

from knowledge import GUARANTEES, REFERENCE, commands, facts, raw, rows_of
from operation_pages import matrices, operations, solvers
from scatters import SIDE, points
from texts import cited, code, document, entries, plain, sentence, table
from trees import formula, picture

MARK = re.compile(r"^<!-- gallery: (\w+) -->$", re.MULTILINE)
INPUTS = ["uniform(0,1)", "normal(0,1)", "cancel(1e4)"]
DRAWS = 50
GROUPS = {  # of orders, by use
    "loops": "Loops, SIMD and threads", "cpu": "CPU libraries", "kernels": "GPU kernels", "gpu": "GPU libraries",
    "reduce": "Reductions over ranks, of MPI and NCCL", "models": "Models that no program follows on purpose",
    None: "Other orders",
}
BLOCKS = 7813  # as many thread blocks as the recordings have
RECORDING = REFERENCE.parent / "figures/v100_recording.svg"


def number(value):
    """Two digits, 5.8e-6."""
    return "0" if value == 0 else re.sub(r"e([+-])0*", lambda m: "e" + m[1].strip("+"), f"{value:.1e}")


def count(value):
    """A count, powers of ten from 1e4 on as such."""
    power = round(math.log10(value))
    return f"1e{power}" if power >= 4 and value == 10**power else f"{value}"


# ---- Orders


def measured(program, rows):
    """{(order, input): its run in `sample --json` and the magnitude of the exact sum}; orders of one n share a command,
    which gives each the bits that it has alone."""
    runs = {}
    for n in sorted({row.get("n", 1000000) for row in rows.values()}):
        names = [name for name, row in rows.items() if row.get("n", 1000000) == n]
        orders = [part for name in names for part in ("--order", name)]
        for dist in INPUTS:
            answer = document(program, "sample", "--n", str(n), "--dist", dist, "--format", "fp32", "--samples",
                              str(DRAWS), *orders)
            for name, run in zip(names, answer["runs"]):
                assert run["order"]["name"] == name
                runs[name, dist] = run, abs(answer["input"]["exact"]["value"])
    return runs


def height(run):
    low, high = run["order"]["height"]["min"], run["order"]["height"]["max"]
    return count(high) if low == high else f"{low} to {high}"


def error(run):
    return number(run["error"]["relative"]["max_abs"])


def order_card(program, entry, row, runs):
    name, n, drawn_as = entry["name"], count(row.get("n", 1000000)), row.get("picture", entry["name"])
    tree = document(program, "tree", "--n", "16", "--format", "fp32", "--order", drawn_as)
    eight = formula(document(program, "tree", "--n", "8", "--format", "fp32", "--order", drawn_as))
    first = runs[name, INPUTS[0]][0]
    gamma, exact = first["bounds"]["gamma"], runs[name, INPUTS[0]][1]
    if gamma is None:
        bound = "Bound: D1 only; gamma\\_h is for plain additions."
    else:  # the terms of the first input are positive: sum|x| is the sum
        bound = f"Bound D2 at n = {n}: {number(gamma / exact)} sum|x|, fp32."
    caption = f"n = 16, drawn as {code(drawn_as)}." if drawn_as != name else "n = 16."
    rows = []
    for dist in INPUTS:
        run, magnitude = runs[name, dist]
        rows.append((code(dist), error(run), number(run["bounds"]["running"]["max"] / magnitude)))
    typed = [f"orderlab tree --n 16 --format fp32 --order {quote(drawn_as)}"]
    for dist in INPUTS:
        typed.append(f"orderlab sample --n {n} --dist {quote(dist)} --format fp32 --order {name} --samples {DRAWS}")
    return [f"### {code(name)}", raw(picture(tree, f"Summation tree of {name}, 16 terms")),
            f"{caption} {row.get('note', '')}".strip(), sentence(entry["summary"]),
            f"`{entry['signature']}`" + (f" is `{entry['expression']}`" if entry["expression"] != name else ""),
            f"At n = 8: `{eight}`",
            facts(("Used by", cited(row.get("users", ""))), ("Source", plain(entry["source"]))),
            f"- {GUARANTEES[first['order']['guarantee']]}.\n"
            f"- Height {tree['height']} at n = 16 as drawn, {height(first)} at n = {n}.\n- {bound}",
            table(("fp32, n = " + n, "error", "D1"), rows), commands(typed)]


def orders(program):
    listed = {entry["name"]: entry for entry in entries(program, "orders")}
    rows = rows_of("orders", listed)
    runs = measured(program, rows)
    index, cards = [], []
    for group, title in GROUPS.items():
        names = [name for name, row in rows.items() if row.get("use") == group]
        if not names:
            continue
        sizes = " or ".join(sorted({count(rows[name].get("n", 1000000)) for name in names}))
        index.append((f"**{title}**, n = {sizes}", *[""] * (2 + len(INPUTS))))
        cards += ["```{rst-class} cards\n```", f"## {title}"]
        for name in names:
            first = runs[name, INPUTS[0]][0]
            fixed = GUARANTEES[first["order"]["guarantee"]].partition(":")[0].lower()
            errors = [error(runs[name, dist][0]) for dist in INPUTS]
            index.append((f"[`{name}`](#{name})", fixed, height(first), *errors))
            cards += order_card(program, listed[name], rows[name], runs)
    head = ("order", "fixed or drawn", "height", *(f"error, {code(dist)}" for dist in INPUTS))
    return "\n\n".join(["## All orders, by use", table(head, index), *cards])


# ---- Arrival models


def arrival_picture(name, path):
    """The model beside the recording, whose points are on the page once."""
    panels = [("0", f'<path class="points" d="{path}"/>', "model"),
              (str(SIDE + 20), '<use class="points" href="#v100-points"/>', "V100")]
    lines = [f'<svg class="arrivals" viewBox="-2 -18 {2 * SIDE + 24} {SIDE + 20}" role="img" '
             f'aria-label="Rank of arrival against launch order: {name}, and a V100">']
    for x, drawn_points, title in panels:
        lines.append(f'<g transform="translate({x} 0)"><text y="-5">{title}</text>'
                     f'<rect class="frame" width="{SIDE}" height="{SIDE}"/>{drawn_points}</g>')
    return "".join(lines) + "</svg>"


def arrival_facts(program, model):
    """(path of one draw, tau to launch order, tau between runs, commands)"""
    order = f"arrive({model}) | seq"
    tree = ["tree", "--n", str(BLOCKS), "--dist", "constant(1)", "--order", order]
    sample = ["sample", "--n", str(BLOCKS), "--order", order, "--samples", str(DRAWS)]
    nodes = document(program, *tree)["nodes"][BLOCKS:]  # each adds the next arrival to the sum
    drawn = [nodes[0]["children"][0]] + [node["children"][1] for node in nodes]
    taus = document(program, *sample)["arrival"]  # null if arrivals are in launch order, always
    shown = [f"{taus[key]:.3f}".replace("-0.000", "0.000") if taus else "1" for key in ("tau_to_launch", "tau_between")]
    return points(drawn), *shown, [f"orderlab {join(line)}" for line in (tree, sample)]


def arrivals(program):
    listed = {entry["name"]: entry for entry in entries(program, "arrivals")}
    rows = rows_of("arrivals", listed)
    recorded = re.search(r'class="points" d="([^"]*)"', RECORDING.read_text(encoding="utf-8"))[1]
    index, cards = [], []
    for name, entry in listed.items():
        row = rows[name]
        model = row.get("picture", name)
        path, launch, between, typed = "", "", "", []
        if row.get("recording"):
            path, launch, between = recorded, *row["recording"]
        elif "picture" in row or "(" not in entry["signature"]:
            path, launch, between, typed = arrival_facts(program, model)
        stands_for = f" is `{entry['stands_for']}`" if entry["stands_for"] else ""
        drawn_as = f", drawn as `{model}`" if model != name else ""
        index.append((f"[`{name}`](#{name})", launch, between))
        taus = launch and f"{launch} to launch order, {between} between runs"
        cards += [f"### {code(name)}", raw(arrival_picture(name, path)),
                  f"`{entry['signature']}`{stands_for}{drawn_as}", sentence(entry["summary"]),
                  facts(("Kendall tau", taus), ("Comes from", cited(row.get("from", ""))),
                        ("Confirmed", cited(row.get("confirmed", ""))), ("Source", plain(entry["source"])))]
        cards += [commands(typed)] if typed else []
    hidden = f'<svg width="0" height="0" style="position:absolute"><path id="v100-points" d="{recorded}"/></svg>'
    head = ("model", "tau to launch order", "tau between runs")
    above = ["## All models", table(head, index), raw(hidden), "```{rst-class} cards\n```", "## Cards"]
    return "\n\n".join(above + cards)


GALLERIES = {"arrivals": arrivals, "orders": orders, "matrices": matrices, "operations": operations, "solvers": solvers}


def filled(text, program):
    """A page with its gallery where it has a mark."""
    return MARK.sub(lambda match: GALLERIES[match[1]](program), text)
