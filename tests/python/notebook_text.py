"""A notebook as a Python file in percent format: python3 notebook_text.py NOTEBOOK.ipynb > NOTEBOOK.py"""

import json
import sys


def cells(notebook):
    """(kind, text) of each cell."""
    return [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(notebook)["cells"]]


def percent(notebook):
    parts = []
    for kind, text in cells(notebook):
        if kind == "markdown":
            parts.append("# %% [markdown]\n" + "\n".join(f"# {line}".rstrip() for line in text.splitlines()))
        else:
            parts.append("# %%\n" + text)
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(percent(file.read()))
