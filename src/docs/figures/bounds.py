#!/usr/bin/env python3
"""Prints the picture of measured errors below the bounds D1, D2 and P3, from a sweep of configs/bounds.toml.

usage: bounds.py PROGRAM > bounds.svg
"""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

CONFIG = Path(__file__).resolve().parents[3] / "configs/bounds.toml"
UNIT_ROUNDOFF = 2.0**-24  # of fp32
TITLES = {"sequential": "Sequential", "pairwise": "Pairwise"}
BOUNDS = [  # class, label, where a point has it
    ("d2", "D2", lambda bounds: bounds["gamma"]),
    ("d1", "D1", lambda bounds: bounds["running"]["max"]),
    ("p3", "P3", lambda bounds: bounds["probabilistic"]["value"]),
]
WIDTH, HEIGHT, GAP, LEFT, TOP, BOTTOM = 300, 330, 50, 56, 30, 40  # of one panel and around
DECADES = -4, 6
STYLE = """
.bounds { color: #1f2328; font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
.bounds text { fill: currentColor; font-size: 13px; }
.bounds .title { font-size: 15px; font-weight: 600; }
.bounds .grid { stroke: currentColor; opacity: 0.15; }
.bounds .line { fill: none; stroke-width: 2; }
.bounds .d2 { stroke: #e5534b; }
.bounds .d1 { stroke: #c77700; }
.bounds .p3 { stroke: #2da44e; }
.bounds .error { fill: #2f81f7; opacity: 0.6; }
@media (prefers-color-scheme: dark) { .bounds { color: #d7dde4; } }"""


def sweep(program):
    """The points of the config, as `orderlab export` writes them."""
    with tempfile.TemporaryDirectory() as folder:
        store = f"{folder}/bounds.sqlite"
        subprocess.run([program, "sweep", CONFIG, "--db", store, "--quiet"], check=True)
        lines = subprocess.run([program, "export", store, "--json", "-"], check=True, capture_output=True).stdout
    return [json.loads(line) for line in lines.splitlines()]


def x_of(n):
    return (math.log2(n) - 4) / 16 * WIDTH


def y_of(value):
    return (DECADES[1] - math.log10(value)) / (DECADES[1] - DECADES[0]) * HEIGHT


def in_units(point, value):
    """A bound in units of u sum|x|."""
    return value / (UNIT_ROUNDOFF * point["input"]["sum_abs"])


def panel(title, points, with_axis):
    lines = [f'<text class="title" x="0" y="-12">{title}</text>']
    for decade in range(DECADES[0], DECADES[1] + 1, 2):
        y = y_of(10.0**decade)
        lines.append(f'<path class="grid" d="M0 {y:.1f}H{WIDTH}"/>')
        if with_axis:
            lines.append(f'<text x="-8" y="{y + 4:.1f}" text-anchor="end">1e{decade}</text>')
    sizes = sorted({point["input"]["n"] for point in points})
    for n in sizes[::2]:
        lines.append(f'<text x="{x_of(n):.1f}" y="{HEIGHT + 18}" text-anchor="middle">2^{int(math.log2(n))}</text>')
    lines.append(f'<text x="{WIDTH / 2}" y="{HEIGHT + 36}" text-anchor="middle">number of terms n</text>')
    for point in points:
        error = point["error"]["u_sum_abs"]["max_abs"]
        if error >= 10.0**DECADES[0]:
            lines.append(f'<circle class="error" cx="{x_of(point["input"]["n"]):.1f}" cy="{y_of(error):.1f}" r="2.5"/>')
    for kind, label, value in BOUNDS:
        path = []
        for n in sizes:
            bounds = [in_units(point, value(point["bounds"])) for point in points if point["input"]["n"] == n]
            path.append(f"{x_of(n):.1f} {y_of(max(bounds)):.1f}")
        lines.append(f'<path class="line {kind}" d="M{"L".join(path)}"/>')
        lines.append(f'<text x="{WIDTH + 5}" y="{float(path[-1].split()[1]) + 4:.1f}">{label}</text>')
    return lines


def main():
    points = sweep(sys.argv[1])
    print(f'<svg xmlns="http://www.w3.org/2000/svg" class="bounds" viewBox="0 0 {LEFT + 2 * (WIDTH + GAP)} '
          f'{TOP + HEIGHT + BOTTOM}" role="img" aria-labelledby="bounds-title">')
    print('<title id="bounds-title">Errors of sequential and pairwise fp32 sums of 16 to 1048576 terms from '
          'uniform(-1,1), in units of u sum|x|, below the bounds P3, D1 and D2</title>')
    print(f"<style>{STYLE}\n</style>")
    for place, (order, title) in enumerate(TITLES.items()):
        print(f'<g transform="translate({LEFT + place * (WIDTH + GAP)} {TOP})">')
        print("\n".join(panel(title, [point for point in points if point["order_text"] == order], place == 0)))
        print("</g>")
    print("</svg>")


if __name__ == "__main__":
    main()
