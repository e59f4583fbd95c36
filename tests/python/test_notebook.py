"""The notebooks run from top to bottom, and their text forms agree with them."""

import importlib.util
import json
import os
import subprocess
import sys

import notebook_text
import pytest
from conftest import ROOT

FOLDER = ROOT / "configs/notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))


def text_of(name):
    return (FOLDER / f"{name}.ipynb").read_text(encoding="utf-8")


def test_there_are_three():
    assert NAMES == ["flaky_test", "irreproducible_training", "library_order"]


@pytest.mark.parametrize("name", NAMES)
def test_a_text_stands_before_each_code_cell_and_the_text_form_is_that_of_the_notebook(name):
    kinds = [kind for kind, text in notebook_text.cells(text_of(name))]
    assert set(kinds[::2]) == {"markdown"} and set(kinds[1::2]) == {"code"} or kinds[:2] == ["markdown", "code"]
    written = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    assert written == notebook_text.percent(text_of(name)) and notebook_text.notebook(written) == text_of(name)


def run(name):
    """All cells in one namespace."""
    names = {"__name__": "__main__"}
    for kind, text in notebook_text.cells(text_of(name)):
        if kind == "code":
            exec(compile(text, f"{name}.ipynb", "exec"), names)
    return names


def test_a_flaky_test_gets_a_tolerance(capsys):
    names = run("flaky_test")
    assert len(names["results"]) == 30
    assert names["chart"]["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
    assert names["order_value"].explained
    assert set(names["bug_value"].verdicts.values()) == {"impossible"}
    assert set(names["tolerance"].kwargs) == {"rtol", "atol"}
    assert names["finished"].returncode == 0, names["finished"].stdout + names["finished"].stderr
    printed = capsys.readouterr().out
    assert "Not equal to tolerance rtol=1e-09" in printed
    assert "Not explained by order 'random'" in printed
    assert "2 passed" in printed


def test_an_irreproducible_training_has_its_operation(capsys):
    names = run("irreproducible_training")
    assert names["messages"].launch.kernel == "indexFuncLargeIndex" and names["varying"].vc.mean > 0
    assert len(names["training"].epochs) == 5
    assert (names["honest"].verdict, names["wrong"].verdict) == ("explained", "impossible")
    assert "deterministic form" in capsys.readouterr().out


JUPYTER = all(map(importlib.util.find_spec, ("nbclient", "nbformat", "ipykernel")))


@pytest.mark.skipif(JUPYTER, reason="a kernel runs it")
def test_a_library_s_order_is_found(capsys):
    names = run("library_order")
    assert names["total"].order == "numpy" and names["mine"].order
    assert {row["order"] for row in names["columns"]} != {row["order"] for row in names["rows"]}
    printed = capsys.readouterr().out
    assert "Not added in order" in printed and "orders of numpy:sum" in printed


@pytest.mark.skipif(not JUPYTER, reason="needs nbclient and ipykernel")
def test_a_kernel_of_jupyter_runs_one_and_shows_its_results():
    """In a process of its own, which ends with its event loop and kernel."""
    script = ("import json, sys, nbclient, nbformat\n"
              "notebook = nbformat.read(sys.argv[1], 4)\n"
              "nbclient.NotebookClient(notebook, timeout=120).execute()\n"
              "json.dump([cell.get('outputs', []) for cell in notebook.cells], sys.stdout)\n")
    done = subprocess.run([sys.executable, "-c", script, FOLDER / "library_order.ipynb"], capture_output=True, text=True,
                          env=os.environ, check=False)
    assert done.returncode == 0, done.stderr
    shown = [output["data"] for outputs in json.loads(done.stdout) for output in outputs
             if output["output_type"] == "execute_result"]
    assert len(shown) == 2 and all("text/html" in data and len(json.dumps(data)) < 50_000 for data in shown)
    assert "<table>" in "".join(shown[1]["text/html"])
    assert "Not added in order" in done.stdout and "orders of numpy:sum" in done.stdout
