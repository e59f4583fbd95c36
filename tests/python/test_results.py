"""Results that show themselves: repr, notebooks, tables, plots, docstrings."""

import pickle

import numpy as np
import orderlab
import pytest

X = np.random.default_rng(1).random(500, dtype=np.float32)
MAKERS = {
    "sample": lambda: orderlab.sample(X, "warp", samples=50),
    "orders": lambda: orderlab.sample(X, ["warp", "pairwise"], samples=20),
    "enumerate": lambda: orderlab.enumerate(X[:6], "random"),
    "sum": lambda: orderlab.sum(X, "pairwise"),
    "check": lambda: orderlab.check(3.0, np.tile(X, 9), "warp"),
    "any": lambda: orderlab.check(float(np.sum(X)), X, "any"),
    "difference": lambda: orderlab.check(0.0, X, "warp", against="pairwise"),
    "tolerance": lambda: orderlab.tolerance(X, "warp"),
    "worst": lambda: orderlab.worst(X[:30], "random", evaluations=1000),
    "tree": lambda: orderlab.tree("pairwise", 6),
    "operation": lambda: orderlab.sample(op="index_add", shape=(50, 4), ratio=0.5, samples=5),
    "explain": lambda: orderlab.explain("index_add", shape=(50, 4)),
    "compare": lambda: orderlab.compare([1.0, 2.0, 3.0], [2.0, 3.0, 5.0]),
    "probe": lambda: orderlab.probe(np.sum, 9, sizes=[]),
}


@pytest.fixture(scope="module")
def made():
    return {name: make() for name, make in MAKERS.items()}


@pytest.mark.parametrize("name", MAKERS)
def test_a_result_shows_itself_in_three_lines_and_in_a_small_page(made, name):
    result = made[name]
    lines = repr(result).splitlines()
    assert 1 <= len(lines) <= 3 and max(map(len, lines)) <= 101
    assert lines[0].startswith(f"<orderlab.{type(result).__name__}: ") and "=" in lines[0] and lines[-1].endswith(">")
    page = result._repr_html_()
    assert len(page.encode()) < 50_000 and page.count("<svg") <= 1 and "<script" not in page
    assert result._repr_mimebundle_() == {"text/plain": str(result), "text/html": page}
    assert pickle.loads(pickle.dumps(result))._repr_html_() == page


def test_a_repr_has_the_numbers(made):
    limits = made["tolerance"]
    assert f"rtol={limits.rtol!r}, atol={limits.atol!r}, order='warp', n=500, format='fp32'" in repr(limits)
    total = made["sum"]
    assert f"value={total.value!r}, bits={total.bits:#x}, order='pairwise'" in repr(total)
    assert "samples=50, distinct=" in repr(made["sample"]) and "sd_ulp=" in repr(made["sample"])
    assert "explained=False, verdicts={3.0: 'impossible'}" in repr(made["check"])
    assert "height=3" in repr(made["tree"]) and "order='numpy'" in repr(made["probe"])


@pytest.mark.parametrize("name", ["sample", "orders", "enumerate", "check"])
def test_a_result_with_a_chart_is_drawn(made, name):
    assert made[name]._repr_html_().count("<svg") == 1
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    _, axes = pyplot.subplots()
    assert made[name].plot(axes) is axes and axes.patches
    assert made[name].plot().get_xlabel()
    pyplot.close("all")


def test_the_bars_of_a_chart_are_all_samples(made):
    chart = made["sample"]._small_chart()
    assert sum(total for _, _, total in chart.bars) == 50
    errors = [row.error_ulp for row in made["sample"]["results"]]
    assert chart.bars[0][0] == min(errors) and chart.bars[-1][1] == pytest.approx(max(errors))


def test_what_has_no_chart_says_so(made):
    with pytest.raises(ValueError, match="no chart"):
        made["sum"].plot()
    with pytest.raises(ValueError, match="backend='bokeh'"):
        made["sample"].plot(backend="bokeh")


def test_a_chart_for_altair(made):
    altair = pytest.importorskip("altair")
    if int(altair.__version__.partition(".")[0]) < 5:
        pytest.skip("altair 4 has Vega-Lite 4")
    assert isinstance(made["sample"].plot(backend="altair"), altair.TopLevelMixin)


def test_a_result_becomes_a_table(made):
    pandas = pytest.importorskip("pandas")
    table = made["sample"].to_dataframe()
    assert isinstance(table, pandas.DataFrame)
    assert table.value.tolist() == made["sample"].values.tolist() and table["count"].sum() == 50
    assert len(made["operation"].to_dataframe()) == made["operation"].outputs


def test_docstrings_have_the_fields_with_their_units():
    text = orderlab.results.Sample.__doc__
    assert text.startswith("How far a sum moves.\n\nAttributes\n----------\n")
    for key, one in orderlab.schema("sample")["properties"].items():
        assert f"\n{key}" in text
        assert one.get("description", "") in text
    assert "Number of orders that were drawn" in text and "samples : int\n" in text


def test_defaults_are_in_signatures_and_equal_what_is_left_out():
    import inspect

    parameters = inspect.signature(orderlab.sample).parameters
    assert (parameters["samples"].default, parameters["seed"].default) == (1000, 1)
    assert parameters["dist"].default == "uniform(0,10)" and parameters["op"].default == "sum"
    assert inspect.signature(orderlab.check).parameters["strict"].default is False
    given = {name: parameter.default for name, parameter in parameters.items()
             if parameter.default is not None and name not in ("ratio", "gpu", "decimal")}  # of operations and files
    assert orderlab.sample(n=100, order="warp", **given) == orderlab.sample(n=100, order="warp")
    for name in dir(orderlab):
        function = getattr(orderlab, name)
        if inspect.isfunction(function):
            assert "self" not in inspect.signature(function).parameters, name
            several = [one for one in inspect.signature(function).parameters.values()
                       if one.kind is one.POSITIONAL_OR_KEYWORD]
            assert len(several) <= 3, name


def test_first_values_are_called_initial():
    x, index = np.ones((4, 2), np.float32), np.array([0, 1, 0, 1])
    first = np.full((2, 2), 10, np.float32)
    by_name = orderlab.sum(x, op="index_add(dim=0)", index=index, initial=first)
    assert (by_name.elements.result == 12).all()
    assert orderlab.array.index_add(x, index, first, samples=2).elements.exact.tolist() == [[12, 12], [12, 12]]


def test_nothing_foreign_is_listed():
    assert [name for name in dir(orderlab) if not name.startswith("__") and name not in orderlab.__all__
            and name not in orderlab._BUILTINS] == []
    assert dir(orderlab.testing) == orderlab.testing.__all__


@pytest.mark.parametrize("ends", [(0.0, 5e-324), (-1e-310, 1e-310), (-1.7e308, 1.7e308), (1.7e308, 1.7e308)], ids=str)
def test_a_range_without_an_axis_has_no_chart(ends):
    from orderlab import _charts

    assert _charts.histogram("sum", ends, [1.0, 1.0]) is None
    assert _charts.ranges("sum", [("one", *ends, [])]) is None


def test_ticks_are_told_apart():
    from orderlab import _charts

    page = _charts.svg(_charts.histogram("sum", [1000000.0, 1000002.0], [1.0, 1.0]))
    assert ">1000000.5</text>" in page and ">1000001.5</text>" in page


def test_rows_without_a_named_order_are_not_compared():
    row = {"dtype": "float32", "shape": 8, "n": 8, "verdict": "unnamed", "order": None, "bits": 24, "height": 3, "calls": 1}
    named = [{**row, "order": order, "verdict": "named"} for order in ("<b>", "numpy")]
    table = orderlab.OrderTable("f", [row, row])
    assert not table.changes and "Rows without a named order: 2; these were not compared." in str(table)
    assert "same order" not in str(table)
    table = orderlab.OrderTable("f", [row, named[0], named[0], row])
    assert not table.changes and "The same order in each of 2 rows of a dtype. Rows without" in str(table)
    table = orderlab.OrderTable("<i>", named)
    assert [one["order"] for one in table.changes] == ["numpy"] and "<b>" not in table._repr_html_()
