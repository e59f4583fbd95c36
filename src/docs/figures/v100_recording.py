#!/usr/bin/env python3
"""Prints the picture of an arrival order that a V100 recorded: row 1 of v100_arrival_orders.csv.bz2, every 8th of its
7813 thread blocks. Row 0 is a cold start. Where the file is missing, nothing is printed and the exit status is 77.

usage: v100_recording.py PROGRAM [FOLDER OF THE FILE] > v100_recording.svg

The file is from the repository minnervva/correctness of [Shanmugavelu2024], BSD licence; it is not part of orderlab.
"""

import bz2
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from scatters import EVERY, SIDE, kendall_tau, points

STYLE = """
.arrivals { color: #1f2328; font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
.arrivals text { fill: currentColor; font-size: 11px; }
.arrivals .frame { fill: none; stroke: currentColor; opacity: 0.4; }
.arrivals .points { fill: none; stroke: #2f81f7; stroke-width: 2.4; stroke-linecap: round; }
@media (prefers-color-scheme: dark) { .arrivals { color: #d7dde4; } }"""


def main():
    file = Path(sys.argv[2] if len(sys.argv) > 2 else ".") / "v100_arrival_orders.csv.bz2"
    if not file.is_file():
        return 77
    with bz2.open(file, "rt") as rows:
        order = [int(block) for block in rows.read().split("\n")[1].split(",")]
    assert sorted(order) == list(range(len(order)))
    title = (f"One launch of {len(order)} thread blocks on a V100: rank of arrival against launch order, "
             f"every {EVERY}th arrival; Kendall tau {kendall_tau(order):.3f}")
    print(f'<svg xmlns="http://www.w3.org/2000/svg" class="arrivals" viewBox="-20 -4 {SIDE + 24} {SIDE + 24}" '
          'role="img" aria-labelledby="v100-recording-title">')
    print(f'<title id="v100-recording-title">{title}</title>')
    print("<desc>Data: minnervva/correctness on GitHub, BSD licence, arXiv 2408.05148</desc>")
    print(f"<style>{STYLE}\n</style>")
    print(f'<rect class="frame" width="{SIDE}" height="{SIDE}"/>')
    print(f'<path class="points" d="{points(order)}"/>')
    print(f'<text x="{SIDE / 2}" y="{SIDE + 15}" text-anchor="middle">launch order</text>')
    print(f'<text transform="translate(-7 {SIDE / 2}) rotate(-90)" text-anchor="middle">rank of arrival</text>')
    print("</svg>")
    return 0


if __name__ == "__main__":
    sys.exit(main())
