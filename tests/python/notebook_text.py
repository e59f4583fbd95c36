"""A notebook as a Python file in percent format, and back:

python3 notebook_text.py NOTEBOOK.ipynb > NOTEBOOK.py
python3 notebook_text.py NOTEBOOK.py > NOTEBOOK.ipynb
"""

import json
import re
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


def notebook(percent_text):
    made, numbers = [], {"markdown": 0, "code": 0}
    for head, text in re.findall(r"^# %%( \[markdown\])?\n(.*?)(?=^# %%|\Z)", percent_text, re.MULTILINE | re.DOTALL):
        kind = "markdown" if head else "code"
        numbers[kind] += 1
        text = text.strip("\n")
        if head:
            text = re.sub(r"^# ?", "", text, flags=re.MULTILINE)
        cell = {"cell_type": kind, "id": f"{'text' if head else 'code'}-{numbers[kind]}", "metadata": {},
                "source": text.splitlines(keepends=True)}
        made.append(cell if head else {**cell, "execution_count": None, "outputs": []})
    metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                "language_info": {"name": "python"}}
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1,
                      ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write((percent if sys.argv[1].endswith(".ipynb") else notebook)(file.read()))
