"""The examples of docstrings, the stubs, the names that the package gives."""

import ast
import doctest
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import orderlab
import pytest
from conftest import ROOT
from orderlab import _documents
from orderlab._record import schema_folder

PACKAGE = Path(orderlab.__file__).parent
MODULES = ["orderlab", "orderlab._functions", "orderlab.exact", "orderlab.array", "orderlab.results", "orderlab.testing",
           "orderlab._surveys", "orderlab.strategies"]


def documented(module):
    yield module.__name__, module
    for name, thing in list(vars(module).items()):
        if callable(thing) and thing.__doc__ and thing.__module__ == module.__name__ and not name.startswith("_"):
            yield f"{module.__name__}.{name}", thing


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_docstrings_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # they write files
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


def stub(name):
    return (PACKAGE / name).read_text(encoding="utf-8")


def test_the_package_is_typed():
    assert (PACKAGE / "py.typed").exists()
    for name in ["__init__.pyi", "_core.pyi", "_documents.pyi", "_functions.pyi"]:
        assert ast.parse(stub(name)).body, name


def test_the_stub_of_the_package_has_its_names():
    names = set()
    for node in ast.parse(stub("__init__.pyi")).body:
        if isinstance(node, ast.ImportFrom):
            assert all(each.asname == each.name for each in node.names)  # else a type checker takes them for private
            names |= {each.name for each in node.names}
        else:
            names.add(node.target.id)
    assert names == {*orderlab.__all__, *orderlab._BUILTINS, "__version__"}


def test_the_stubs_of_functions_are_those_of_the_flags():
    functions = {node.name: node for node in ast.parse(stub("_functions.pyi")).body if isinstance(node, ast.FunctionDef)}
    assert set(functions) == set(orderlab._MODULES["_functions"])
    for name, node in functions.items():
        function = getattr(orderlab, name)
        kinds = {inspect.Parameter.POSITIONAL_OR_KEYWORD: node.args.args, inspect.Parameter.KEYWORD_ONLY: node.args.kwonlyargs}
        for kind, arguments in kinds.items():
            expected = [each.name for each in inspect.signature(function).parameters.values() if each.kind is kind]
            assert [each.arg for each in arguments] == expected, name
        assert ast.get_docstring(node) == inspect.getdoc(function), name
    assert "\n    samples: int | float | str | None = 1000,\n" in stub("_functions.pyi")
    for name, kinds in kinds_of_overloads().items():
        returns = inspect.signature(getattr(orderlab, name)).return_annotation
        expected = {one.__name__ for one in getattr(returns, "__args__", [returns])}
        assert kinds - {"Groups"} == expected, name
        assert ("Groups" in kinds) == ("by" in inspect.signature(getattr(orderlab, name)).parameters), name


def kinds_of_overloads():
    """What the overloads of each function that has some return, all of them together."""
    kinds = {}
    for node in ast.parse(stub("_functions.pyi")).body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            kinds.setdefault(node.name, set()).update(
                one.rpartition(".")[2] for one in ast.unparse(node.returns).split(" | "))
    assert {"sample", "check", "tolerance", "solve"} <= kinds.keys()
    return kinds


def test_the_stubs_of_documents_are_those_of_the_schemas():
    script = ROOT / "src/python/make_result_stubs.py"
    made = subprocess.run([sys.executable, "-B", script, schema_folder()], capture_output=True, text=True,
                          check=True).stdout
    assert stub("_documents.pyi") == made


def test_classes_of_documents_are_those_of_the_stubs():
    text = stub("_documents.pyi")
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


PAGES = [path for path in sorted((ROOT / "src/docs").rglob("*.md")) if ">>> " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_the_python_sessions_of_a_page(page):
    text = page.read_text(encoding="utf-8").replace("```", "")
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def test_pages_have_sessions():
    assert "python" in [page.stem for page in PAGES]
