"""The small tables that the chapter shows, from the stores and JSON files of `reproduce`."""

import json
import math
import random
import struct
import statistics
from pathlib import Path


def documents(folder):
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}


def points(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def rounded(value, digits=5):
    """Figures that a table keeps."""
    if isinstance(value, float):
        return float(f"{value:.{digits}g}") if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: rounded(inner, digits) for key, inner in value.items()}
    return [rounded(inner, digits) for inner in value] if isinstance(value, list) else value


ARRIVALS = {}  # names of models fitted to a GPU, by what they stand for


def arrival_name(text):
    return ARRIVALS.get(text, text)


def grouped(rows, key):
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def quantile(values, p):
    values = sorted(values)
    return values[min(len(values) - 1, int(p * len(values)))]


# ---- Sums


def slope(sizes, values):
    """Exponent and factor of a power law by least squares in logarithms."""
    x, y = [math.log(size) for size in sizes], [math.log(value) for value in values]
    middle = statistics.fmean(x)
    a = sum((u - middle) * v for u, v in zip(x, y)) / sum((u - middle) ** 2 for u in x)
    return a, math.exp(statistics.fmean(y) - a * middle)


def vs_table(folder):
    rows, fits = [], []
    read = points(folder / "paper_vs.json")
    groups = grouped(read, lambda row: (row["config"]["dist"], arrival_name(row["config"]["arrival"])))
    for (dist, arrival), members in groups.items():
        by_n = grouped(members, lambda row: row["config"]["n"])
        largest = {n: [row["vs"]["max_abs"] for row in inputs] for n, inputs in by_n.items()}
        for n, values in largest.items():
            rows.append({"dist": dist, "arrival": arrival, "n": n, "max": max(values) * 1e16,
                         "median": statistics.median(values) * 1e16})
        sizes = [n for n in largest if n >= 1000]
        exponent, factor = slope(sizes, [max(largest[n]) for n in sizes])
        draw, spread, arrays = random.Random(1), [], len(next(iter(largest.values())))
        for _ in range(2000):  # arrays drawn with replacement; prefixes of an array stay together
            chosen = [draw.randrange(arrays) for _ in range(arrays)]
            spread.append(slope(sizes, [max(largest[n][place] for place in chosen) for n in sizes])[0])
        middle = slope(sizes, [statistics.median(largest[n]) for n in sizes])[0]
        fits.append({"dist": dist, "arrival": arrival, "exponent": exponent, "low": quantile(spread, 0.025),
                     "high": quantile(spread, 0.975), "factor": factor * 1e16, "exponent_of_median": middle})
    config = read[0]["config"]
    return {"arrays": len(largest[sizes[0]]), "samples": config["samples"], "rows": rows, "fits": fits}


def pooled(folder, width, limit):
    """Histograms of Vs over all arrays, and moments of it."""
    rows = []
    by_label = grouped(documents(folder).items(), lambda item: item[0].rpartition("-")[0])
    for label, members in by_label.items():
        counts, means, standard, values = {}, [], [], []
        for _, found in members:
            baseline = struct_float(found["vs"]["baseline_bits"])
            pairs = [(1.0 - abs(row["value"] / baseline), row["count"]) for row in found["results"]]
            assert sum(count for _, count in pairs) == found["samples"], label
            values += pairs
            mean = sum(v * c for v, c in pairs) / found["samples"]
            variance = sum((v - mean) ** 2 * c for v, c in pairs) / found["samples"]
            means.append(mean * 1e16)
            if variance:
                fourth = sum((v - mean) ** 4 * c for v, c in pairs) / found["samples"]
                standard.append((math.sqrt(variance) * 1e16, fourth / variance**2 - 3))
        total = sum(count for _, count in values)
        mean = sum(v * c for v, c in values) / total
        variance = sum((v - mean) ** 2 * c for v, c in values) / total
        kurtosis = sum((v - mean) ** 4 * c for v, c in values) / total / variance**2 - 3
        for value, count in values:
            place = math.floor(value * 1e16 / width)
            if abs(place * width) <= limit:
                counts[place] = counts.get(place, 0) + count
        bins = [counts.get(place, 0) for place in range(-limit // width, limit // width)]
        order, arrival, dist = label.split("-")
        rows.append({"order": order, "arrival": arrival, "dist": dist, "sums": total, "arrays": len(members),
                     "samples": members[0][1]["samples"], "mean": mean * 1e16, "sd": math.sqrt(variance) * 1e16,
                     "kurtosis": kurtosis, "median_sd_of_array": statistics.median(s for s, _ in standard),
                     "median_kurtosis_of_array": statistics.median(k for _, k in standard),
                     "sd_of_means": statistics.pstdev(means), "width": width, "first": -limit,
                     "density": [count / total / width for count in bins]})
    return {"rows": rounded(rows, 4)}


def struct_float(bits):
    return struct.unpack("<d", struct.pack("<Q", int(bits, 16)))[0]


def permutations_table(folder):
    rows = []
    for n, members in grouped(points(folder / "permutations.json"), lambda row: row["config"]["n"]).items():
        rows.append({"n": n, "arrays": len(members), "samples": members[0]["samples"],
                     "median_spread": statistics.median(row["vs"]["spread"] for row in members) * 1e16,
                     "max": max(row["vs"]["max_abs"] for row in members) * 1e16})
    return {"rows": rows}


def tau_table(folder):
    found = documents(folder)["fit"]
    rows = [{"arrival": model["arrival"], "held_out_misfit": model["held_out_misfit"],
             "tau": model["features"]["tau_to_launch"]["fitted"], "between": model["features"]["tau_between"]["fitted"],
             "sd_ratio": model["prediction"]["sd_ratio"] if model["prediction"] else None} for model in found["models"]]
    recorded = {name: feature["value"] for name, feature in found["recorded"].items()}
    return {"recordings": len(found["rows"]["fitted"]), "folds": found["config"]["folds"],
            "floor": found["held_out_floor"], "tau": recorded["tau_to_launch"], "between": recorded["tau_between"],
            "sd_of_tau": recorded["tau_sd"], "outlier_tau": [row["tau_to_launch"] for row in found["rows"]["outliers"]],
            "rows": rows}


def alternatives_table(folder):
    found = documents(folder)
    sums = [{"order": name, "guarantee": d["order"]["guarantee"], "height": d["order"]["height"]["max"],
             "results": d["distinct"], "samples": d["samples"], "max_error_ulp": d["error"]["ulp"]["max_abs"]}
            for name, d in found.items() if d["command"] == "sample"]
    order = ["spa", "sptr", "sprg", "tprc", "tprc_neumaier", "cub"]
    keys = ("name", "guarantee", "results", "error", "additions", "height", "passes")
    cycles = [{"n": int(name.rpartition("-")[2]), "way": row["name"], "least_cycles": row["least_cycles"]}
              for name, d in found.items() if name.startswith("adders") for row in d["alternatives"]
              if row["name"] in ("static schedule", "fixed tree", "exact")]
    return {"sums": sorted(sums, key=lambda row: order.index(row["order"])),
            "index_add": [{key: row[key] for key in keys} for row in found["index_add"]["alternatives"]],
            "samples": found["index_add"]["samples"], "cycles": cycles}


# ---- Operations


def operation_rows(path, keep):
    """Means over inputs of what each point says; `keep` names the columns of a point."""
    rows = []
    for key, members in grouped(points(path), lambda row: tuple(keep(row).items())).items():
        vc = [row["vc"]["mean"] for row in members]
        rows.append({**dict(key), "inputs": len(members), "samples": members[0]["samples"],
                     "vc": statistics.fmean(vc), "vc_low": quantile(vc, 0.05), "vc_high": quantile(vc, 0.95),
                     "vc_sd": statistics.fmean(row["vc"]["sd"] or 0 for row in members),
                     "vc_of_order": statistics.fmean(row["vc_of_order"]["mean"] for row in members),
                     "vermv": statistics.fmean(row["vermv"]["code"]["mean"] for row in members),
                     "distinct": max(row["distinct"] for row in members)})
    return rows


def index_add_table(folder):
    def keep(row):
        return {"n": int(row["config"]["shape"].partition("x")[0]), "ratio": row["config"].get("ratio", 1),
                "arrival": arrival_name(row["config"]["arrival"])}
    rows = operation_rows(folder / "index_add.json", keep)
    kept = ("n", "ratio", "arrival", "vc", "vc_sd", "vermv", "distinct")
    return {"inputs": rows[0]["inputs"], "samples": max(row["samples"] for row in rows),
            "rows": [{key: row[key] for key in kept} for row in rows]}


def scatter_reduce_table(folder):
    def keep(row):
        kind = "mean" if "mean" in row["config"]["op"] else "sum"
        return {"kind": kind, "ratio": row["shape"][0] / 10000, "arrival": row["config"]["arrival"],
                "baseline": row["config"]["baseline"]}
    rows = operation_rows(folder / "scatter_reduce.json", keep)
    kept = ("kind", "ratio", "arrival", "baseline", "vc", "vc_low", "vc_high")
    return {"inputs": rows[0]["inputs"], "samples": max(row["samples"] for row in rows),
            "rows": [{key: row[key] for key in kept} for row in rows]}


def conv_table(folder):
    rows = operation_rows(folder / "conv.json", lambda row: {"kernel": int(row["op"].split(",")[4])})
    return {"inputs": rows[0]["inputs"], "samples": max(row["samples"] for row in rows), "rows": rows}


def cumsum_table(folder):
    def keep(row):
        return {"op": row["config"]["op"], "n": int(row["config"]["shape"].partition("x")[0]),
                "arrival": row["config"]["arrival"]}
    rows = operation_rows(folder / "scan.json", keep)
    return {"inputs": rows[0]["inputs"], "samples": max(row["samples"] for row in rows), "rows": rows}


# ---- Solvers and training


def cg_table(folder):
    rows = []
    for found in documents(folder).values():
        counts = [entry["value"] for entry in found["iterations"]["results"]]
        middle = {entry["iteration"]: entry["residual"]["spread"] for entry in found["divergence"]}
        rows.append({"format": found["config"]["format"], "scale": found["config"]["scale"],
                     "samples": found["samples"], "least": min(counts), "most": max(counts), "counts": len(counts),
                     "residual_spread": {key: middle[key] for key in (10, 100) if key in middle},
                     "solution_apart": found["solution_distance"]["max"]})
    return {"rows": rows}


def train_table(folder):
    rows, runs = [], []
    for name, found in documents(folder).items():
        arrival = name.partition("-")[2]
        for epoch in found["epochs"]:
            test = epoch["test_accuracy"]
            rows.append({"arrival": arrival, "epoch": epoch["epoch"], "test": test["mean"], "sd": test["sd"],
                         "sd_seed": test["sd_seed"], "sd_order": test["sd_order"], "loss": epoch["loss"]["mean"],
                         "loss_sd": epoch["loss"]["sd"], "loss_sd_order": epoch["loss"]["sd_order"],
                         "weights_differ": epoch["weights_differ"]["mean"],
                         "weight_distance": epoch["weight_distance"]["mean"],
                         "predictions_differ": epoch["predictions_differ"]["mean"]})
        last = found["epochs"][-1]["test_accuracy"]
        margins = found["inference"]["by_margin"]
        runs.append({"arrival": arrival, "seeds": len(found["seeds"]), "orders": found["config"]["orders"],
                     "test_low": last["low"], "test_high": last["high"], "pairs": last["pairs"],
                     "pairs_that_differ": last["pairs_that_differ"], "pairs_differ_high": last["pairs_differ_high"],
                     "evaluations": found["inference"]["evaluations"], "nodes": sum(row["nodes"] for row in margins),
                     "changes": sum(row["changes"] for row in margins)})
    return {"rows": rows, "runs": runs}


TABLES = {
    "permutations": permutations_table, "vs": vs_table, "spa": lambda folder: pooled(folder, 10, 200),
    "ao": lambda folder: pooled(folder, 20, 1000), "tau": tau_table,
    "golden": lambda folder: documents(folder)["golden"],
    "alternatives": alternatives_table, "index_add": index_add_table, "scatter_reduce": scatter_reduce_table,
    "conv": conv_table, "cumsum": cumsum_table, "cg": cg_table, "train": train_table,
}


def lines(table):
    """JSON with one row per line."""
    parts = []
    for key, value in table.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            inner = ",\n  ".join(json.dumps(row) for row in value)
            parts.append(f'"{key}": [\n  {inner}]')
        else:
            parts.append(f'"{key}": {json.dumps(value)}')
    return "{" + ",\n".join(parts) + "}\n"


def write(target, finished, arrivals):
    """Writes the tables of all finished parts. `finished` has their sizes and folders, by name; `arrivals` the names of
    arrival models, by what they stand for."""
    ARRIVALS.update(arrivals)
    target.mkdir(parents=True, exist_ok=True)
    for name, (size, folder) in finished.items():
        table = {"size": size, **rounded(TABLES[name](folder))}
        (target / f"{name}.json").write_text(lines(table), encoding="utf-8")
