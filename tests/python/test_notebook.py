"""The notebook runs from top to bottom, and its text form agrees with it."""

import pathlib

import notebook_text

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "src" / "python" / "examples"
NOTEBOOK = (EXAMPLES / "flaky_test.ipynb").read_text(encoding="utf-8")


def test_a_text_stands_before_each_of_ten_code_cells():
    kinds = [kind for kind, text in notebook_text.cells(NOTEBOOK)]
    assert kinds == ["markdown", "code"] * 10


def test_the_text_form_is_that_of_the_notebook():
    written = (EXAMPLES / "flaky_test.py").read_text(encoding="utf-8")
    assert written == notebook_text.percent(NOTEBOOK)


def test_the_cells_run_in_one_namespace(capsys):
    names = {"__name__": "__main__"}
    for kind, text in notebook_text.cells(NOTEBOOK):
        if kind == "code":
            exec(compile(text, "flaky_test.ipynb", "exec"), names)
    assert len(names["results"]) == 30
    assert names["chart"]["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
    assert names["order_value"].explained
    assert names["bug_value"].verdicts == ("impossible",)
    assert set(names["tolerance"].kwargs) == {"rtol", "atol"}
    assert names["finished"].returncode == 0, names["finished"].stdout + names["finished"].stderr
    printed = capsys.readouterr().out
    assert "Not equal to tolerance rtol=1e-09" in printed
    assert "Not explained by order 'random'" in printed
    assert "2 passed" in printed
