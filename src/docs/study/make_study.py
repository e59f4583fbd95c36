#!/usr/bin/env python3
"""Makes the figures of the chapter and the tables in its page from the small tables in `tables`.

usage: make_study.py [--check]

With --check nothing is written: it fails if a table or a figure is not what would be made. Figures need node.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
VEGA = HERE.parents[1] / "page/assets/vega"
PAGE = HERE / "index.md"
PUBLISHED, UNIFORM, FITTED = "published", "uniform arrivals", "arrivals fitted to the GPU"
COLOURS = {PUBLISHED: "currentColor", UNIFORM: "#e5534b", FITTED: "#2f81f7"}
NODE = """
const fs = require("fs"), vm = require("vm"), [folder, file] = process.argv.slice(1);
globalThis.module = globalThis.exports = globalThis.require = undefined;  // so that the files define globals
for (const name of ["vega", "vega-lite"]) vm.runInThisContext(fs.readFileSync(`${folder}/${name}.min.js`, "utf8"));
(async () => {
  const figures = {};
  for (const [name, spec] of Object.entries(JSON.parse(fs.readFileSync(file, "utf8")))) {
    const view = new vega.View(vega.parse(vegaLite.compile(spec).spec), {renderer: "none"});
    figures[name] = await view.toSVG();
  }
  process.stdout.write(JSON.stringify(figures));
})();
"""

# Published values [Shanmugavelu2024]: single figures of the paper, of its repository, or read off a figure.
VS_MAX = {"uniform(0,10)": {1e3: 3.8, 1e4: 12.6, 1e5: 30.5, 1e6: 121}, "uniform(-5,5)": {},
          "normal(0,1)": {1e3: 170, 1e4: 480, 1e5: 3100, 1e6: 22000}}
SPA_PEAK = {"uniform": 0.0195, "normal": 0.012}
AO_MODES = [-320, 20, 290]
INDEX_ADD = {20: (0.0525, 0), 50: (0.0423, 0.0109), 100: (0.0300, 0.0058), 200: (0.0265, 0.0026), 500: (0.0168, 0.0046),
             1000: (0.0021, 0.0007)}  # R = 0.5
SCATTER = {"sum": {0.1: 0.0068, 0.3: 0.0167, 0.5: 0.0051, 0.7: 0.0083, 0.9: 0.0105, 1: 0.0934},
           "mean": {0.1: 0.0031, 0.3: 0.0106, 0.5: 0.0099, 0.7: 0.0041, 0.9: 0.0076, 1: 0.0846}}  # n = 10,000
CONV = {3: 0.555, 5: 0.707, 7: 0.829, 9: 0.842, 11: 0.880}
TIMES = {"spa": (6.456, 3.019, 6.319), "sptr": (6.469, 3.251, 6.553), "tprc": (6.488, 3.194, 6.275),
         "sprg": (6.682, 3.660, 8.382), "cub": (6.877, 3.155, 6.378)}  # V100, GH200, MI250X: ms for 100 sums
TEST = {6: (0.7733, 0.0168), 8: (0.7805, 0.0123), 10: (0.7819, 0.0104)}  # test accuracy by epoch


def tables():
    paths = sorted((HERE / "tables").glob("*.json"))
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


# ---- Figures


def series(arrival):
    return UNIFORM if arrival == "uniform" else FITTED


def colour(shown=None):
    """The colours of series; `shown` has other names for them, and no other series is in the legend."""
    shown = shown or {name: name for name in COLOURS}
    return {"field": "series", "type": "nominal", "title": None,
            "legend": {"orient": "top", "columns": 1, "labelLimit": 330},
            "scale": {"domain": list(shown.values()), "range": [COLOURS[name] for name in shown]}}


def axis(field, title, log=False, **more):
    scale = {"type": "log"} if log else {"zero": False}
    scale.update(more.pop("scale", {}))
    shown = {"format": "~e" if log else "~g", "tickCount": 6, **more.pop("axis", {})}
    return {"field": field, "type": "quantitative", "title": title, "scale": scale, "axis": shown, **more}


def chart(values, layers, title, width=340, height=190, **encoding):
    return {"data": {"values": values}, "width": width, "height": height, "layer": layers, "encoding": encoding,
            "title": {"text": title, "anchor": "start", "fontSize": 13}}


def figure(*charts):
    text = {"color": "currentColor"}
    lines = {key: "currentColor" for key in ("labelColor", "titleColor", "tickColor", "domainColor", "gridColor")}
    return {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "vconcat": list(charts), "background": None,
            "config": {"font": "system-ui, sans-serif", "view": {"stroke": None}, "title": text, "text": text,
                       "axis": {**lines, "gridOpacity": 0.15, "labelFontSize": 12, "titleFontSize": 12,
                                "titleFontWeight": "normal"},
                       "legend": {"labelColor": "currentColor", "labelFontSize": 12, "labelLimit": 320,
                                  "symbolSize": 70},
                       "line": {"strokeWidth": 2}, "point": {"filled": True, "size": 55, "opacity": 1}}}


POINTS = {"mark": {"type": "point"}}
LINES = {"mark": {"type": "line", "point": {"filled": True, "size": 35}},
         "transform": [{"filter": f"datum.series != '{PUBLISHED}'"}]}
DOTS = {"mark": {"type": "point", "shape": "diamond", "size": 90},
        "transform": [{"filter": f"datum.series == '{PUBLISHED}'"}]}


def vs_figure(t):
    charts = []
    for dist, published in VS_MAX.items():
        values = [{"n": row["n"], "v": row["max"], "series": series(row["arrival"])}
                  for row in t["vs"]["rows"] if row["dist"] == dist and row["n"] >= 1000]
        values += [{"n": n, "v": v, "series": PUBLISHED} for n, v in published.items()]
        charts.append(chart(values, [LINES, DOTS], f"terms {dist}", height=150,
                            x=axis("n", "n", log=True, axis={"values": [1e3, 1e4, 1e5, 1e6]}),
                            y=axis("v", "largest |Vs|, 1e-16", log=True, axis={"format": "~s", "tickCount": 4}),
                            color=colour()))
    return figure(*charts)


def density_figure(rows, published, title):
    """Histograms of one chart; `published` is a list of marks."""
    values = []
    for row in rows:
        for place, density in enumerate(row["density"]):
            values.append({"v": row["first"] + row["width"] * (place + 0.5), "d": density,
                           "series": series(row["arrival"])})
    lines = {"mark": {"type": "line", "interpolate": "step", "strokeWidth": 1.6}}
    return chart(values, [lines, *published], title, height=170, x=axis("v", "Vs, 1e-16", axis={"format": "d"}),
                 y=axis("d", "density", axis={"tickCount": 4}, scale={"zero": True}), color=colour())


def spa_figure(t):
    charts = []
    for dist, name in (("uniform", "uniform(0,10)"), ("normal", "normal(0,1)")):
        rows = [row for row in t["spa"]["rows"] if row["dist"] == dist]
        edge = 100 if dist == "uniform" else 200
        peak = {"data": {"values": [{"v": 0, "d": SPA_PEAK[dist], "series": PUBLISHED}]},
                "mark": {"type": "point", "shape": "diamond", "size": 90}}
        label = {"data": {"values": [{"v": 0, "d": SPA_PEAK[dist]}]}, "encoding": {"color": {"value": "currentColor"}},
                 "mark": {"type": "text", "text": "published peak", "align": "left", "dx": 9}}
        part = density_figure(rows, [peak, label], f"SPA, terms {name}, n = 1e6")
        part["data"]["values"] = [value for value in part["data"]["values"] if abs(value["v"]) < edge]
        charts.append(part)
    return figure(*charts)


def ao_figure(t):
    rules = {"data": {"values": [{"v": place, "series": PUBLISHED} for place in AO_MODES]},
             "mark": {"type": "rule", "strokeDash": [4, 3]}, "encoding": {"y": {"value": 0}, "y2": {"value": 170}}}
    part = density_figure(t["ao"]["rows"], [rules], "AO, terms uniform(0,10), n = 1e6")
    names = {PUBLISHED: "peaks published for a V100", UNIFORM: UNIFORM, FITTED: "jitter(300), assumed"}
    part["encoding"]["color"] = colour(names)
    for value in [*part["data"]["values"], *rules["data"]["values"]]:
        value["series"] = names[value["series"]]
    part["resolve"] = {"axis": {"y": "shared"}}
    return figure(part)


def index_add_figure(t):
    values = [{"n": row["n"], "v": row["vc"], "low": row["vc"] - row["vc_sd"], "high": row["vc"] + row["vc_sd"],
               "series": series(row["arrival"])} for row in t["index_add"]["rows"] if row["ratio"] == 0.5]
    values += [{"n": n, "v": v, "low": v - sd, "high": v + sd, "series": PUBLISHED} for n, (v, sd) in INDEX_ADD.items()]
    bars = {"mark": {"type": "rule"}, "encoding": {"y": axis("low", "Vc"), "y2": {"field": "high"}}}
    parts = [chart(values, [LINES, DOTS, bars], "index_add, R = 0.5", x=axis("n", "n (n x n inputs)", log=True,
                   axis={"values": [10, 20, 50, 100, 200, 500, 1000], "format": "d"}), y=axis("v",
                       "Vc"), color=colour())]
    return figure(*parts)


def like_published(rows, kind, ratio):
    """Rows with the baseline that the published runs have: the deterministic form at R = 1, else another run."""
    baseline = "deterministic" if ratio == 1 else "run"
    return {row["arrival"]: row for row in rows
            if (row["kind"], row["ratio"], row["baseline"]) == (kind, ratio, baseline)}


def scatter_figure(t):
    charts, names = [], {PUBLISHED: PUBLISHED, UNIFORM: UNIFORM, FITTED: "jitter(1), assumed"}
    for kind, published in SCATTER.items():
        values = [{"r": r, "v": v, "series": PUBLISHED} for r, v in published.items()]
        values += [{"r": r, "v": row["vc"], "series": names[series(arrival)]} for r in published
                   for arrival, row in like_published(t["scatter_reduce"]["rows"], kind, r).items()]
        charts.append(chart(values, [LINES, DOTS], f"scatter_reduce({kind}), n = 10,000", height=150,
                            x=axis("r", "R"), y=axis("v", "Vc"), color=colour(names)))
    return figure(*charts)


def conv_figure(t):
    values = [{"k": row["kernel"], "v": row["vc"], "low": row["vc_low"], "high": row["vc_high"],
               "series": "two drawn orders"} for row in t["conv"]["rows"]]
    values += [{"k": k, "v": v, "series": PUBLISHED} for k, v in CONV.items()]
    shown = colour({PUBLISHED: PUBLISHED, FITTED: "two drawn orders"})
    bars = {"mark": {"type": "rule", "strokeWidth": 2}, "transform": [{"filter": "datum.low > 0"}],
            "encoding": {"y": axis("low", "share of outputs that differ"), "y2": {"field": "high"}}}
    return figure(chart(values, [bars, LINES, DOTS], "ConvTranspose2d",
                        x=axis("k", "kernel k x k", axis={"values": list(CONV)}),
                        y=axis("v", "share of outputs that differ"), color=shown))


def train_figure(t):
    values = [{"epoch": row["epoch"], "v": row["test"], "low": row["test"] - row["sd"], "high": row["test"] + row["sd"],
               "series": "ours, uniform arrivals"} for row in t["train"]["rows"] if row["arrival"] == "uniform"]
    values += [{"epoch": e + 0.15, "v": v, "low": v - sd, "high": v + sd, "series": PUBLISHED} for e,
               (v, sd) in TEST.items()]
    shown = colour({PUBLISHED: PUBLISHED, UNIFORM: "ours, uniform arrivals"})
    bars = {"mark": {"type": "rule", "strokeWidth": 1.5},
            "encoding": {"y": axis("low", "test accuracy"), "y2": {"field": "high"}}}
    return figure(chart(values, [bars, LINES, DOTS], "GraphSAGE on Cora: mean and standard deviation",
                        x=axis("epoch", "epoch", axis={"values": list(range(1, 11))}), y=axis("v", "test accuracy"),
                        color=shown))


FIGURES = {"vs": vs_figure, "spa": spa_figure, "ao": ao_figure, "index_add": index_add_figure,
           "scatter_reduce": scatter_figure, "conv": conv_figure, "train": train_figure}


def figures(t):
    """The SVG of each figure, by Vega-Lite and Vega."""
    specs = {name: make(t) for name, make in FIGURES.items() if name in t}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(specs, file)
        file.flush()
        made = json.loads(subprocess.run(["node", "-e", NODE, VEGA, file.name], check=True, capture_output=True).stdout)
    return {name: svg.replace("<svg ", '<svg style="max-width: 30rem" ', 1) + "\n" for name, svg in made.items()}


# ---- Tables of the page


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
                     + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def g(value, digits=3):
    """A number to so many figures, in plain decimals where that is short."""
    text = f"{value:.{digits}g}"
    return f"{float(text):,.0f}" if 1000 <= abs(value) < 1e6 else text


def pick(rows, **keys):
    return next(row for row in rows if all(row[key] == value for key, value in keys.items()))


def arrays_of(d):
    counts = sorted({row["samples"] for row in d["rows"]})
    return f"{d['rows'][0]['arrays']} arrays, {' or '.join(f'{count:,}' for count in counts)} samples each"


SAMPLES = {  # what was drawn, by part; of the others so many inputs, and samples of each
    "spa": arrays_of, "ao": arrays_of, "permutations": arrays_of,
    "vs": lambda d: f"{d['arrays']} arrays, {d['samples']:,} samples each",
    "train": lambda d: f"{d['runs'][0]['seeds']} seeds, {d['runs'][0]['orders']} orders each",
    "cg": lambda d: f"{d['rows'][0]['samples']} runs of each point",
    "tau": lambda d: f"{d['recordings']} recorded orders",
    "golden": lambda d: f"{d['sums']} sums",
    "alternatives": lambda d: f"{d['samples']:,} samples",
}


def inputs_of(d):
    return f"{d['inputs']} {'input' if d['inputs'] == 1 else 'inputs'}, {d['samples']:,} samples each"


def sizes_table(t):
    return table(("part", "size", "samples"),
                 [(f"`{name}`", d["size"], SAMPLES.get(name, inputs_of)(d)) for name, d in t.items()])


def vs_max_table(t):
    rows = []
    for dist in VS_MAX:
        for n in (1e3, 1e4, 1e5, 1e6):
            published = VS_MAX[dist].get(n)
            ours = [pick(t["vs"]["rows"], dist=dist, n=int(n), arrival=arrival)["max"] for arrival in ("uniform",
                "v100_b64")]
            rows.append((f"`{dist}`", f"{n:.0e}".replace("e+0", "e"), g(published) if published else "none",
                         *map(g, ours)))
    return table(("terms", "n", "published, V100", "ours, `uniform`", "ours, `v100_b64`"), rows)


def fits_table(t):
    published = {"uniform(0,10)": "0.5 (fixed)", "normal(0,1)": "0.7145"}
    return table(("terms", "arrivals", "published exponent", "exponent of the maximum (95 % interval)",
                  "exponent of the median"),
                 [(f"`{row['dist']}`", f"`{row['arrival']}`", published.get(row["dist"], "none"),
                   f"{row['exponent']:.2f} ({row['low']:.2f} to {row['high']:.2f})", f"{row['exponent_of_median']:.2f}")
                  for row in t["vs"]["fits"]])


def densities_table(t):
    rows = []
    for row in [*t["spa"]["rows"], *t["ao"]["rows"]]:
        rows.append((row["order"].upper(), row["dist"], f"`{row['arrival']}`".replace("jitter", "jitter(300)"),
                     g(row["sd"]), f"{row['kurtosis']:.2f}", g(row["median_sd_of_array"]),
                     f"{row['median_kurtosis_of_array']:.2f}", g(row["sd_of_means"])))
    return table(("order", "terms", "arrivals", "sd, pooled", "excess kurtosis, pooled", "median sd of one array",
                  "median excess kurtosis of one array", "sd of the arrays' means"), rows)


def tau_rows(t):
    d = t["tau"]
    rows = [("recorded, V100", g(d["tau"], 4), g(d["between"], 4), g(d["floor"], 3), "1")]
    for row in d["rows"]:
        ratio = row["sd_ratio"]
        rows.append((f"`{row['arrival']}`", g(row["tau"], 4) if row["tau"] > 0.001 else "0.000",
                     g(row["between"], 4) if row["between"] > 0.001 else "0.000", g(row["held_out_misfit"], 3),
                     f"{ratio['value']:.2f} ({ratio['low']:.2f} to {ratio['high']:.2f})"))
    return table(("arrivals", "tau to launch order", "tau between runs", "misfit, runs held out",
                  "sd of sums / recorded (95 %)"), rows)


def cost_table(t):
    names = {"spa": "SPA", "sptr": "SPTR", "sprg": "SPRG", "tprc": "TPRC", "tprc_neumaier": "TPRC, Neumaier",
             "cub": "CU"}
    rows = []
    for row in t["alternatives"]["sums"]:
        times = TIMES.get(row["order"])
        shown = "none" if times is None else " / ".join(
            f"{100 * (time / min(found[place] for found in TIMES.values()) - 1):+.1f} %" for place,
            time in enumerate(times))
        rows.append((names[row["order"]], shown, f"`{row['guarantee']}`", f"{row['results']} of {row['samples']}",
                     row["height"], g(row["max_error_ulp"])))
    return table(("method", "published time over the fastest: V100 / GH200 / MI250X", "guarantee", "distinct results",
                  "height",
                  "largest error, ulp"), rows)


def ledger_table(t):
    return table(("way", "guarantee", "distinct results", "height", "passes", "error / sum of magnitudes"),
                 [(row["name"], f"`{row['guarantee']}`", row["results"], row["height"], row["passes"],
                   g(row["error"], 4))
                  for row in t["alternatives"]["index_add"]])


def index_add_rows(t):
    rows = []
    for n, (vc, sd) in INDEX_ADD.items():
        found = [row for row in t["index_add"]["rows"] if row["n"] == n and row["ratio"] == 0.5]
        ours = [pick(found, arrival=arrival) for arrival in ("uniform", "h100_index_add")]
        rows.append((n, f"{vc:.4f} ± {sd:.4f}", *(f"{row['vc']:.4f} ± {row['vc_sd']:.4f}" for row in ours)))
    return table(("n", "published, H100", "ours, `uniform`", "ours, `h100_index_add`"), rows)


def scatter_rows(t):
    rows = []
    for kind, published in SCATTER.items():
        for ratio, vc in published.items():
            found = like_published(t["scatter_reduce"]["rows"], kind, ratio)
            rows.append((kind, g(ratio), found["uniform"]["baseline"], g(vc),
                         *(f"{found[arrival]['vc']:.4f}" for arrival in ("uniform", "jitter(1)"))))
    return table(("reduction", "R", "compared with", "published", "ours, `uniform`", "ours, `jitter(1)`"), rows)


def conv_rows(t):
    return table(("kernel", "published", "ours: mean", "5 to 95 % of inputs"),
                 [(row["kernel"], CONV[row["kernel"]], f"{row['vc']:.3f}",
                   f"{row['vc_low']:.3f} to {row['vc_high']:.3f}")
                  for row in t["conv"]["rows"]])


def cumsum_rows(t):
    shown = sorted(t["cumsum"]["rows"], key=lambda row: (row["op"], row["arrival"] or "", row["n"]))
    return table(("operation", "tiles arrive", "n", "Vc", "Vermv", "distinct results"),
                 [(f"`{row['op']}`", f"`{row['arrival']}`" if row["arrival"] else "any", f"{row['n']:,}", g(row["vc"]),
                   g(row["vermv"]), f"{row['distinct']} of {row['samples']}") for row in shown])


def cg_rows(t):
    rows = []
    for row in t["cg"]["rows"]:
        counts = f"{row['least']} to {row['most']}" if row["counts"] > 1 else row["least"]
        rows.append((row["format"], g(row["scale"]), counts, row["counts"],
                     *(g(row["residual_spread"][after], 2) for after in ("10", "100")), g(row["solution_apart"], 2)))
    return table(("format", "decades of scaling", "iterations", "different counts", "spread of residuals after 10",
                  "after 100", "solutions apart"), rows)


def train_rows(t):
    rows = []
    for run in t["train"]["runs"]:
        last = pick(t["train"]["rows"], arrival=run["arrival"], epoch=10)
        rows.append((f"`{run['arrival']}`", f"{last['test']:.4f} ({run['test_low']:.4f} to {run['test_high']:.4f})",
                     f"{last['sd']:.4f}", g(last["sd_seed"]), g(last["sd_order"]), g(last["loss_sd"], 2),
                     g(last["loss_sd_order"], 2), f"{100 * last['weights_differ']:.1f} %",
                     f"{100 * last['predictions_differ']:.2f} %",
                     f"{run['changes']:,} of {run['nodes'] * run['evaluations']:,}"))
    published = ("published, no seeds set", f"{TEST[10][0]:.4f}", f"{TEST[10][1]:.4f}", "not separated",
                 "not separated", "0.0035",
                 "not separated", "100 %, other initial weights", "not given", "not given")
    return table(("arrivals", "test accuracy (95 %)", "sd", "sd of seed", "sd of order", "sd of loss", "of order",
                  "weights that differ, one seed", "predictions that differ",
                  "inference: predictions changed"), [published, *rows])


def cycles_rows(t):
    return table(("n", "way", "cycles, at least"), [(row["n"], row["way"],
                                                     row["least_cycles"]) for row in t["alternatives"]["cycles"]])


def permutations_rows(t):
    return table(("n", "published: largest of 9", "ours: median sd of one array", "ours: largest"),
                 [(f"{row['n']:,}", {100: 2.2, 1000: 18.9, 10000: 8.9, 100000: 4.4, 1000000: 32.2}[row["n"]],
                   g(row["median_spread"]), g(row["max"])) for row in t["permutations"]["rows"]])


def overview(t):
    fit = {(row["dist"], row["arrival"]): row for row in t["vs"]["fits"]}
    largest = {(row["dist"], row["arrival"]): row["max"] for row in t["vs"]["rows"] if row["n"] == 10**6}
    spa = {(row["dist"], row["arrival"]): row for row in t["spa"]["rows"]}
    ao = {row["arrival"].partition("(")[0]: row for row in t["ao"]["rows"]}
    u, v = "uniform(0,10)", "normal(0,1)"
    index = {(row["n"], row["arrival"]): row["vc"] for row in t["index_add"]["rows"] if row["ratio"] == 0.5}
    scatter = {(kind, ratio): like_published(t["scatter_reduce"]["rows"], kind, ratio)
               for kind in SCATTER for ratio in SCATTER["sum"]}
    scan = pick(t["cumsum"]["rows"], n=10**6, arrival="jitter(20)", op="cumsum")
    wide = [row for row in t["cumsum"]["rows"] if row["n"] == 10**6 and "uniform" in row["op"]][0]
    train = pick(t["train"]["rows"], arrival="uniform", epoch=10)
    cg = {(row["format"], row["scale"]): row for row in t["cg"]["rows"]}
    means = [row["vc"] for row in t["conv"]["rows"]]
    perms = {row["n"]: row for row in t["permutations"]["rows"]}
    rows = [
        ("[Permuted terms](#permuted-terms)", "up to 32e-16 at n = 1e6 (9 permutations, one array)",
         f"largest {g(perms[10**6]['max'])}e-16 of {perms[10**6]['arrays']} arrays",
         "**agree** in size; it is the condition number of the array that sets it"),
        ("[Largest \\|Vs\\|, uniform terms](#vs-by-the-number-of-terms)", "121e-16 at n = 1e6; 0.128e-16 n^0.5",
         f"{g(largest[u, 'uniform'])}e-16 (`uniform`), {g(largest[u, 'v100_b64'])}e-16 (`v100_b64`); exponent "
         f"{fit[u, 'uniform']['exponent']:.2f}, {fit[u, 'v100_b64']['exponent']:.2f}",
         "**agree**"),
        ("[Largest \\|Vs\\|, normal terms](#vs-by-the-number-of-terms)", "about 22,000e-16 at n = 1e6; exponent 0.71",
         f"{g(largest[v, 'uniform'], 2)}e-16, {g(largest[v, 'v100_b64'], 2)}e-16; "
         f"exponent {fit[v, 'uniform']['exponent']:.2f} "
         f"({fit[v, 'uniform']['low']:.2f} to {fit[v, 'uniform']['high']:.2f})",
         "**exponent differs**: it is that of the sum nearest to zero among 100 arrays, not of the method"),
        ("[PDF of Vs, SPA](#distribution-of-vs)", "near Gaussian; peak 0.0195 (uniform terms), 0.012 (normal)",
         f"sd {g(spa['uniform', 'uniform']['sd'])}e-16, "
         f"excess kurtosis {g(spa['uniform', 'uniform']['kurtosis'], 1)} (uniform terms); "
         f"kurtosis {g(spa['normal', 'uniform']['kurtosis'], 3)} (normal)",
         "**agree** for uniform terms; pooled normal data are a mixture of scales"),
        ("[PDF of Vs, AO](#distribution-of-vs)", "several peaks on V100 and MI250X at n = 1e6",
         f"one peak, sd {g(ao['uniform']['sd'])}e-16 (`uniform`); several with arrivals near launch order",
         "**differ** with uniform arrivals; arrivals near launch order would explain the peaks"),
        ("[Kendall tau of recorded orders](#recorded-orders)", "V100 0.92, GH200 0.68, MI250X 0.61 to 0.69",
         f"V100 {t['tau']['tau']:.3f} recomputed from the recordings",
         "**agree**; GH200 and MI250X need their recordings"),
        ("[Sums equal on GPUs and CPUs](#the-same-bits-on-a-cpu)", "equal on the GPUs of three machines",
         f"{t['golden']['equal']} of {t['golden']['sums']} V100 sums have our bits",
         "**agree**") if "golden" in t else None,
        ("[Time of deterministic sums](#cost-of-deterministic-sums)",
         "SPTR +0.2 % (V100), +7.7 % (GH200), +4.4 % (MI250X)",
         "no time; height, error and guarantee of each", "**not reproducible** without the GPU"),
        ("[index_add](#index_add)", "Vc 0.0300 at n = 100, 0.0021 at n = 1000 (R = 0.5)",
         f"{index[100, 'h100_index_add']:.4f} and {index[1000, 'h100_index_add']:.4f} (`h100_index_add`); "
         f"{index[100, 'uniform']:.4f} and {index[1000, 'uniform']:.4f} (`uniform`)",
         "**agree** with fitted arrivals; uniform arrivals are too high for large n"),
        ("[scatter_reduce](#scatter_reduce)", "sum 0.0934, mean 0.0846 at R = 1; 0.003 to 0.017 below",
         f"sum {scatter['sum', 1]['uniform']['vc']:.4f}, mean {scatter['mean', 1]['uniform']['vc']:.4f} at R = 1; "
         f"sum at R = 0.5: {scatter['sum', 0.5]['uniform']['vc']:.4f} (`uniform`), "
         f"{scatter['sum', 0.5]['jitter(1)']['vc']:.4f} (`jitter(1)`)",
         "**agree** at R = 1 and, with arrivals near launch order, in size from R = 0.5 on; `uniform` is too high"),
        ("[ConvTranspose2d](#convtranspose2d)", ", ".join(f"{v:.3f}" for v in CONV.values()),
         ", ".join(f"{v:.3f}" for v in means),
         "**agree** within the spread of inputs: two fixed orders, no noise"),
        ("[cumsum](#cumsum)", "Vermv 5.6e-7 at n = 1e6, all runs differ; none below",
         f"{g(scan['vermv'], 2)} (`jitter(20)`), {g(wide['vermv'], 2)} (look-back 1 to 32)",
         "**differ**: about 2.5 times too large; runs differ at smaller n, too"),
        ("[Conjugate gradients](#conjugate-gradients)", "nothing measured",
         f"fp64: {cg['fp64', 0.0]['least']} iterations always; "
         f"two decades of scaling {cg['fp64', 2.0]['least']} to {cg['fp64', 2.0]['most']}",
         "ours only"),
        ("[GraphSAGE, training](#graphsage)", "test accuracy 0.782, sd 0.0104 (100 runs, no seeds set)",
         f"{train['test']:.4f}, sd {train['sd']:.4f}; sd of order alone {g(train['sd_order'], 2)}",
         "**agree**; the published spread is that of the seeds"),
        ("[GraphSAGE, inference](#graphsage)", "outputs differ from run to run",
         f"{sum(r['changes'] for r in t['train']['runs'])} "
         "predictions changed by order", "no class changes; how far outputs move is not computed"),
        ("[Deterministic hardware](#deterministic-hardware)", "Groq LPU: 10 to 15 µs for index_add, any n",
         "lower bounds on cycles", "**not reproducible** without the chip"),
    ]
    return table(("figure or table", "published", "ours", "result"), [row for row in rows if row])


TABLES = {"overview": overview, "sizes": sizes_table, "vs": vs_max_table, "fits": fits_table,
          "densities": densities_table,
          "tau": tau_rows, "cost": cost_table, "ledger": ledger_table, "index_add": index_add_rows,
          "scatter_reduce": scatter_rows,
          "conv": conv_rows, "cumsum": cumsum_rows, "cg": cg_rows, "train": train_rows, "cycles": cycles_rows,
          "permutations": permutations_rows}
END = "<!-- end of table -->"


def page(text, t):
    """The page with its tables made again."""
    for name, make in TABLES.items():
        begin = f"<!-- table: {name} -->"
        before, found, rest = text.partition(begin)
        if not found or END not in rest:
            raise SystemExit(f"{PAGE.name}: has no {begin} ... {END}")
        text = f"{before}{begin}\n\n{make(t)}\n\n{END}{rest.partition(END)[2]}"
    return text


def main():
    check, t = sys.argv[1:] == ["--check"], tables()
    made = {PAGE: page(PAGE.read_text(encoding="utf-8"), t)}
    if shutil.which("node"):
        made.update({HERE / f"{name}.svg": svg for name, svg in figures(t).items()})
    else:
        print("no node: figures are left as they are")
    stale = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if check:
        print("\n".join([f"{path}: is not what make_study.py makes" for path in stale] + [f"{len(stale)} complaints"]))
        return 1 if stale else 0
    for path in stale:
        path.write_text(made[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
