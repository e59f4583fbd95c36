#!/usr/bin/env python3
"""Prints the picture of README: five orders of eight terms and their five sums, all from `orderlab tree --json`.

usage: five_orders.py PROGRAM > five_orders.svg
"""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from trees import contracted, layout

TERMS = "2,3,5,3,-1e8,1,1e8,1"
ORDERS = [  # title, subtitle, order, number of the drawn order
    ("A loop", "left to right", "seq", 0),
    ("SIMD", "four lanes", "strided(4) | seq", 0),
    ("numpy.sum", "pairwise", "numpy", 0),
    ("A GPU warp", "by shuffles", "halving(8)", 0),
    ("Atomics", "as they arrive", "shuffle | seq", 0),
]
WIDTH, HEIGHT = 340, 236  # of one panel
LEFT, TOP, STEP, LEAVES = 20, 54, 40, 190  # first leaf, root at most here, distance of leaves, height of leaves
STYLE = """
.five-orders { color: #1f2328; font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
.five-orders text { fill: currentColor; font-size: 15px; }
.five-orders .title { font-size: 17px; font-weight: 600; }
.five-orders .faint { opacity: 0.7; }
.five-orders .sum { font-size: 22px; font-weight: 700; text-anchor: end; }
.five-orders .term { text-anchor: middle; font-size: 13px; }
.five-orders path { stroke: currentColor; stroke-width: 1.4; fill: none; opacity: 0.75; }
.five-orders .kept { fill: #2f81f7; }
.five-orders .rounded { fill: #e5534b; }
@media (prefers-color-scheme: dark) { .five-orders { color: #d7dde4; } }"""


def tree(program, order, sample):
    command = [program, "tree", "--values", TERMS, "--format", "fp32", "--order", order, "--sample", str(sample),
               "--json", "-"]
    return contracted(json.loads(subprocess.run(command, check=True, capture_output=True).stdout))


def panel(nodes, title, subtitle):
    """The lines of one panel, its corner at the origin."""
    root = max(nodes)
    places, heights = layout(nodes, LEFT, STEP)
    step = (LEAVES - TOP) / heights[root]

    def point(node):
        return f"{places[node]:.1f} {LEAVES - step * heights[node]:.1f}"

    lines = [f'<text class="title" x="0" y="16">{title}</text>', f'<text class="faint" x="0" y="36">{subtitle}</text>',
             f'<text class="sum" x="{WIDTH - 20}" y="22">{nodes[root]["value"]:g}</text>']
    edges = "".join(f"M{point(child)}L{point(node['id'])}" for node in nodes.values() for child in node["children"])
    lines.append(f'<path d="{edges}"/>')
    for node in nodes.values():
        x, y = point(node["id"]).split()
        if node["children"]:
            exact = sum(Fraction(nodes[child]["value"]) for child in node["children"])
            kind = "kept" if exact == Fraction(node["value"]) else "rounded"
            lines.append(f'<circle class="{kind}" cx="{x}" cy="{y}" r="5"/>')
        else:
            text = f"{node['value']:g}".replace("e+0", "e").replace("-", "\N{MINUS SIGN}")
            lines.append(f'<text class="term" x="{x}" y="{LEAVES + 20}">{text}</text>')
    return lines


def legend(exact):
    return [f'<text class="title" x="0" y="16">Eight fp32 terms, five sums</text>',
            f'<text class="faint" x="0" y="44">The exact sum is {exact:g}.</text>',
            '<circle class="kept" cx="6" cy="76" r="5"/><text x="20" y="81">an addition that is exact</text>',
            '<circle class="rounded" cx="6" cy="106" r="5"/><text x="20" y="111">an addition that rounds</text>',
            '<text class="faint" x="0" y="146">Near 1e8 the fp32 numbers are 8 apart,</text>',
            '<text class="faint" x="0" y="168">so what is added there is rounded</text>',
            '<text class="faint" x="0" y="190">to a multiple of 8.</text>']


def main():
    panels, sums = [], []
    for title, subtitle, order, sample in ORDERS:
        nodes = tree(sys.argv[1], order, sample)
        sums.append(nodes[max(nodes)]["value"])
        panels.append(panel(nodes, title, subtitle))
    exact = sum(Fraction(text) for text in TERMS.split(","))
    assert len(set(sums)) == len(sums) == 5, sums
    panels.append(legend(float(exact)))
    print('<svg xmlns="http://www.w3.org/2000/svg" class="five-orders" '
          f'viewBox="0 0 {2 * WIDTH} {3 * HEIGHT}" role="img" aria-labelledby="five-orders-title">')
    print(f'<title id="five-orders-title">Five orders of the terms {TERMS} and their sums: '
          f'{", ".join(f"{value:g}" for value in sums)}; the exact sum is {float(exact):g}</title>')
    print(f"<style>{STYLE}\n</style>")
    for place, lines in enumerate(panels):
        print(f'<g transform="translate({place % 2 * WIDTH + 4} {place // 2 * HEIGHT + 4})">')
        print("\n".join(lines))
        print("</g>")
    print("</svg>")


if __name__ == "__main__":
    main()
