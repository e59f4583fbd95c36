"""The examples of docstrings, the stubs, the names that the package gives."""

import ast
import doctest
import importlib
import inspect
import subprocess
import sys

import orderlab
import pytest
from conftest import ROOT
from orderlab import _documents

MODULES = ["orderlab", "orderlab._functions", "orderlab.exact", "orderlab.array", "orderlab.results", "orderlab.testing"]


def documented(module):
    yield module.__name__, module
    for name, thing in list(vars(module).items()):
        if callable(thing) and thing.__doc__ and thing.__module__ == module.__name__ and not name.startswith("_"):
            yield f"{module.__name__}.{name}", thing


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_docstrings_run(name):
    attempted = 0
    for place, thing in documented(importlib.import_module(name)):
        for test in doctest.DocTestFinder(recurse=False).find(thing, place, module=False, globs={}):
            result = doctest.DocTestRunner(verbose=False).run(test)
            assert result.failed == 0, place
            attempted += result.attempted
    assert attempted > 0 or name == "orderlab.results"


def test_every_public_name_is_documented():
    for name in orderlab.__all__:
        thing = getattr(orderlab, name)
        assert inspect.isclass(thing) or name == "bits_version" or (thing.__doc__ or "").strip(), name


@pytest.mark.parametrize("what, stub", [("names", "__init__.pyi"), ("functions", "_functions.pyi")])
def test_stubs_are_those_of_the_flags(what, stub):
    script = ROOT / "src/python/make_function_stubs.py"
    made = subprocess.run([sys.executable, "-B", script, what], capture_output=True, text=True, check=True).stdout
    assert made == (script.parent / "orderlab" / stub).read_text(encoding="utf-8")
    ast.parse(made)


def test_classes_of_documents_are_those_of_the_stubs():
    text = (ROOT / "src/python/orderlab/_documents.pyi").read_text(encoding="utf-8")
    stubs = {node.name for node in ast.parse(text).body
             if isinstance(node, ast.ClassDef) and node.bases[0].id == "Result"}
    assert set(_documents._DOCUMENTS) == stubs - {"Listing", "SweepPoint", "OperationSweepPoint"}  # plain dictionaries
    for name, (schema, _) in _documents._DOCUMENTS.items():
        assert orderlab.schema(schema)["title"], name


@pytest.mark.parametrize("make", [
    lambda: orderlab.sample(n=100, order="warp", samples=10),
    lambda: orderlab.sample(n=100, order=["warp", "pairwise"], samples=10),
    lambda: orderlab.enumerate(n=6, order="random"), lambda: orderlab.sum(n=6, order="pairwise"),
    lambda: orderlab.tree("pairwise", 6), lambda: orderlab.check(1.0, n=6, order="random"),
    lambda: orderlab.tolerance(n=6, order="random"), lambda: orderlab.worst(n=6, order="random"),
    lambda: orderlab.sample(op="index_add", shape=(9, 2), samples=3),
    lambda: orderlab.explain("index_add", shape=(9, 2)), lambda: orderlab.compare([1.0, 2.0], [1.0, 3.0]),
    lambda: orderlab.probe(lambda x: sum(x.tolist()), 9),
], ids=range(12))
def test_a_result_has_the_attributes_of_its_schema(make):
    result = make()
    for key in orderlab.schema(result._document)["properties"]:
        getattr(result, key)
    with pytest.raises(AttributeError):
        result.no_such_key


def test_a_schema_that_there_is_not():
    with pytest.raises(ValueError, match="there are .*sample"):
        orderlab.schema("sampel")


def test_the_python_session_of_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    session = readme.partition("\n## From Python\n")[2].partition("\n## ")[0]
    test = doctest.DocTestParser().get_doctest(session.replace("```", ""), {}, "README", "README.md", 0)
    assert len(test.examples) > 8
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
