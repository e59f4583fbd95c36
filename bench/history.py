#!/usr/bin/env python3
"""Writes a page that shows what bench/compare --keep has kept in bench/results, drawn as the pages of sweeps.

usage: history.py > history.html
"""

import html
import json
from pathlib import Path

BENCH = Path(__file__).resolve().parent
ASSETS = BENCH.parent / "src/page/assets"
PARTS = (("waits", "What people wait for", "CPU seconds", "log"), ("growth", "Growth", "exponent", "linear"),
         ("peers", "Peers", "time / library's", "log"))


def rows_of(part):
    """A row for each number of each result."""
    for path in sorted((BENCH / "results").glob("*.json")):
        result = json.loads(path.read_text(encoding="utf-8"))
        for what, found in result[part].items():
            numbers = {what: found}
            if part == "growth":
                numbers = {f"{what}: {axis}": value for axis, value in found.items() if axis != "seconds"}
            elif part == "peers":
                numbers = {what: found[0] / found[1]}
            for name, value in numbers.items():
                yield {"run": f"{result['date']} {result['commit']}", "machine": result["machine"],
                       "what": name.replace("`", ""), "value": value}


def spec_of(part, title, scale):
    """A small chart for each number."""
    rows = list(rows_of(part))
    y = {"field": "value", "type": "quantitative", "title": title, "scale": {"type": scale, "zero": False}}
    return {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "data": {"values": rows}, "columns": 3,
            "facet": {"field": "what", "type": "nominal", "title": None, "header": {"labelLimit": 300, "labelFontSize": 11},
                      "sort": list(dict.fromkeys(row["what"] for row in rows))},
            "resolve": {"scale": {"y": "independent"}},
            "spec": {"width": 220, "height": 70, "mark": {"type": "line", "point": True, "tooltip": True},
                     "encoding": {"x": {"field": "run", "type": "nominal", "title": None}, "y": y,
                                  "color": {"field": "machine", "title": None}}}}


def main():
    def asset(name):
        return (ASSETS / name).read_text(encoding="utf-8")

    figures = "".join(f'<section><h2>{title}</h2><div class="chart" data-chart="{part}"></div></section>\n'
                      for part, title, _, _ in PARTS)
    specs = {part: spec_of(part, axis, scale) for part, _, axis, scale in PARTS}
    filled = {"TITLE": "Speed", "QUESTION": "What people wait for, from commit to commit", "VERDICT": "",
              "POLICY": "default-src 'self' 'unsafe-inline' data:", "FIGURES": figures, "POINTS_TITLE": "",
              "POINTS": "",
              "PROVENANCE": "<p>bench/compare --keep, bench/results</p>", "REFERENCES": "", "BUNDLED": "Vega-Lite",
              "LICENSES": html.escape(asset("vega/LICENSES.txt")), "STYLE": asset("page.css"),
              "THEMES": asset("themes.json"), "SPECS": json.dumps(specs).replace("<", "\\u003c"),
              "VEGA": asset("vega/vega.min.js"), "VEGA_LITE": asset("vega/vega-lite.min.js"),
              "VEGA_EMBED": asset("vega/vega-embed.min.js"), "SCRIPT": asset("page.js")}
    page = asset("page.html")
    for name in filled:  # texts that are filled in have no such names
        page = page.replace("{{" + name + "}}", filled[name])
    print(page)


if __name__ == "__main__":
    main()
