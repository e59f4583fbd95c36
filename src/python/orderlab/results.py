"""What each command finds: its document, and what is computed from that or is too large for it."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from . import _charts, _core, _documents
from ._documents import (Alternatives, Arrivals, Comparison, Explanation, Fit, Flips, FusedProbe, Groups, ModelRuns, OperationEnumeration, OperationFit,
                         Probe, Solve, Training, Worst)
from ._environment import computes
from ._errors import UnsupportedError
from ._record import Record, frozen, read

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Alternatives", "Arrivals", "Check", "Comparison", "Crosscheck", "DifferenceCheck", "Elements",
           "Enumeration", "Explanation", "Fit", "Flips", "FusedProbe", "Groups", "HostRun", "Limits", "ModelRuns",
           "OperationCheck", "OperationEnumeration", "OperationFit", "OperationSample", "OperationSum", "OperationTolerance",
           "OrderCheck", "Probe", "Sample", "SampledOrder", "SampledOrders", "Solve", "Sum", "Tolerance", "Training",
           "Tree", "Verification", "Worst"]

_BITS = {"fp64": np.uint64, "fp32": np.uint32, "fp16": np.uint16, "bf16": np.uint16}


def __dir__():
    return __all__


class _Results:
    """The table of results as arrays. NaN and infinities are not in it: `nonfinite` counts them."""

    __slots__ = ()

    def _rows(self):
        if "results" not in self:
            raise ValueError("more different results than max_distinct: they were binned; see histogram")
        return self._all()["results"]

    @computes
    def _column(self, key, dtype):
        return frozen(np.array([row[key] for row in self._rows()], dtype=dtype))

    @property
    def values(self) -> NDArray[np.float64]:
        """Different results, ascending: float64."""
        return self._column("value", np.float64)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many samples gave each of them: int64."""
        return self._column("count", np.int64)


class SampledOrder(_Results, Record):
    """What one of several orders gave."""

    __slots__ = ()


def _histogram_of(result, height):
    """Errors of all results; None where they are binned."""
    if "results" not in result:
        return None
    rows = result._all()["results"]
    return _charts.histogram("error, ulp of the exact sum", [row["error_ulp"] for row in rows],
                             [float(row["count"]) for row in rows], [(0.0, "exact sum")], height)


class Sample(_Results, _documents.Sample):
    """How far a sum moves."""

    __slots__ = ()
    _brief = {"order": "order.name", "n": "input.n", "format": "input.format", "samples": "samples", "distinct":
              "distinct", "exact": "input.exact.value", "least_ulp": "error.ulp.min:.3g", "mean_ulp":
              "error.ulp.mean:.3g", "greatest_ulp": "error.ulp.max:.3g", "sd_ulp": "error.ulp.sd:.3g"}

    def _small_chart(self):
        return _histogram_of(self, "samples")

    @property
    def bits(self) -> NDArray[Any]:
        """Bit patterns of `values`: unsigned integers as wide as the result format."""
        return _bits_of(self)


class SampledOrders(_documents.SampledOrders):
    """How far a sum moves in several orders: `runs` has one of each."""

    __slots__ = ()
    _kinds = {"runs": SampledOrder}
    _brief = {"orders": "orders", "n": "input.n", "format": "input.format", "exact": "input.exact.value"}

    @property
    def orders(self) -> tuple[str, ...]:
        """Names of the orders."""
        return tuple(run["order"]["name"] or run["order"]["expression"] for run in self._all()["runs"])

    def _small_chart(self):
        errors = [run["error"]["ulp"] for run in self._all()["runs"]]
        rows = [(name, error["min"], error["max"], [])
                for name, error in zip(self.orders, errors) if error["min"] is not None]
        return _charts.ranges("error, ulp of the exact sum", rows)


def merged_counts(*found):
    """What `sample` would return for one order, or for several."""
    one = Sample(*found)
    return SampledOrders(*found) if "runs" in one else one


def _result_format(result):
    return result["input"]["format"].split(":")[-1]


def _bits_of(result):
    return frozen(np.array([int(row["bits"], 16) for row in result._rows()], dtype=_BITS[_result_format(result)]))


class Enumeration(_Results, _documents.Enumeration):
    """Every result of an order with its exact probability."""

    __slots__ = ()
    _brief = {"order": "order.name", "n": "input.n", "format": "input.format", "orders": "orders", "distinct":
              "distinct", "exact": "input.exact.value", "least_ulp": "error.ulp.min:.3g", "greatest_ulp":
              "error.ulp.max:.3g", "sd_ulp": "error.ulp.sd:.3g"}

    def _small_chart(self):
        return _histogram_of(self, "orders")

    bits = Sample.bits

    @property
    def counts(self) -> tuple[int, ...]:
        """How many orders give each result: Python integers, which may be larger than 64 bits."""
        return tuple(int(row["count"]) for row in self._rows())

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The exact probability of each result, rounded once: float64."""
        return self._column("probability", np.float64)


class Sum(_documents.Sum):
    """The result of one fixed order."""

    __slots__ = ()
    _brief = {"value": "value", "bits": "bits:#x", "order": "order.name", "n": "input.n", "format": "input.format",
              "exact": "input.exact.value", "error_ulp": "error.ulp.mean:.3g", "height": "height"}

    @property
    def value(self) -> float:
        """The result."""
        if self._all()["results"]:
            return read(self._all()["results"][0]["value"])
        return next(float(name.replace("minus_", "-")) for name, count in self._all()["nonfinite"].items() if count)

    @property
    def bits(self) -> int:
        """Its bit pattern. Of a NaN the canonical one."""
        if self._all()["results"]:
            return int(self._all()["results"][0]["bits"], 16)
        return _core.exact_value(repr(self.value)).bits(_result_format(self))

    @property
    def height(self) -> int:
        """Additions on the longest path through the tree."""
        return self["order"]["height"]["max"]


class Tree(_documents.Tree):
    """The explicit summation tree of one order."""

    __slots__ = ()
    _brief = {"order": "expression", "terms": "terms", "height": "height"}
    _concludes = False

    @property
    def parents(self) -> NDArray[np.int64]:
        """The parent of every node, -1 of a root: int64. Terms are the nodes 0 to n-1."""
        return self._report.arrays()["parents"]

    @property
    def expression(self) -> str:
        """The order."""
        return self._report.arrays()["expression"]

    def newick(self) -> str:
        """In Newick format."""
        return self._report.newick()

    def dot(self) -> str:
        """For Graphviz."""
        return self._report.dot()


class _Judged:
    __slots__ = ()

    @property
    def explained(self) -> bool:
        """Whether every result is."""
        return self._status == 0

    def __bool__(self):
        raise TypeError("a Check is neither true nor false; ask for .explained")


class Check(_Judged, _documents.Check):
    """Whether results are explained by order."""

    __slots__ = ()
    _brief = {"explained": "explained", "verdicts": "verdicts", "pvalue": "pvalue", "order": "order.name", "n":
              "input.n", "format": "input.format", "samples": "samples", "least": "range.min", "greatest":
              "range.max"}

    def _small_chart(self):
        found = self._all()
        ends = found.get("range") or {}
        low, high = ends.get("min"), ends.get("max")
        given = [value for value in map(read, (one["value"] for one in found["values"])) if np.isfinite(value)]
        if low is None or high is None or not given:
            return None
        return _charts.ranges("sum", [("samples and given results", low, high, given)])

    @property
    @computes
    def verdicts(self) -> dict[float, str]:
        """The verdict on each different result, ascending: {value: "explained", "unlikely" or "impossible"}."""
        return {read(one["value"]): one["verdict"] for one in self._all()["values"]}

    @property
    def pvalue(self) -> float | None:
        """The p-value of all results together; None where the answer is certain."""
        return self["p"]


class DifferenceCheck(_Judged, _documents.DifferenceCheck):
    """Whether differences are explained by two orders."""

    __slots__ = ()
    _brief = {"explained": "explained", "pvalue": "pvalue", "samples": "samples", "rms": "rms:.3g", "largest":
              "largest:.3g", "bound": "bound:.3g"}

    @property
    def pvalue(self) -> float | None:
        """Probability that so many legitimate differences lie beyond all samples."""
        return self["p"]


class OperationCheck(_Judged, _documents.OperationCheck):
    """Whether the outputs of an operation are explained by order."""

    __slots__ = ()
    _brief = {"explained": "explained", "verdict": "verdict", "pvalue": "pvalue", "op": "op", "shape": "shape",
              "outputs": "outputs", "unlikely": "unlikely", "impossible": "impossible"}

    @property
    def pvalue(self) -> float | None:
        """Probability that so many outputs of an honest array lie outside the samples; 1 where none was sampled."""
        return self["outside_samples"]["p"]


class OrderCheck(_Judged, _documents.OrderCheck):
    """Which orders explain results."""

    __slots__ = ()
    _brief = {"explained": "explained", "verdict": "verdict", "n": "input.n", "format": "input.format", "orders":
              "orders"}

    @property
    def orders(self) -> list[str]:
        """The orders that explain all results, the best known first: texts that other functions take as `order`."""
        return [one["order"] for one in self._all()["candidates"] if one["verdict"] == "explained"]

    @property
    def pvalue(self) -> None:
        """None: orders that fit are counted, not tested."""
        return None


class Limits(TypedDict):
    """Keywords of numpy.testing.assert_allclose."""

    rtol: float
    atol: float


class _Limits:
    __slots__ = ()

    @property
    def rtol(self) -> float:
        """The relative tolerance of `kwargs`."""
        return self.kwargs["rtol"]

    @property
    def atol(self) -> float:
        """The absolute tolerance of `kwargs`."""
        return self.kwargs["atol"]

    @property
    @computes
    def kwargs(self) -> Limits:
        """{"rtol": ..., "atol": ...} for numpy.testing.assert_allclose(actual, desired, **kwargs), both in fp64: by rtol
        where that is steady, else by atol. UnsupportedError where there is no limit."""
        lines = self._all()["lines"] or {}
        found = re.search(r"rtol=(\S+), atol=([^\s)]+)", lines.get("numpy", lines.get("torch", "")))
        if found is None:
            raise UnsupportedError("no tolerance holds: inf or NaN is more frequent than the coverage allows")
        return {"rtol": float(found[1]), "atol": float(found[2])}


class Tolerance(_Limits, _documents.Tolerance):
    """What to pass to a compare call."""

    __slots__ = ()
    _brief = {"rtol": "rtol", "atol": "atol", "order": "order.name", "n": "input.n", "format": "input.format",
              "against": "against", "coverage": "tolerance.rtol.coverage:.4g", "confidence":
              "tolerance.rtol.confidence:.4g", "samples": "samples"}
    _concludes = False


class OperationTolerance(_Limits, _documents.OperationTolerance):
    """What to pass to a compare call of all outputs."""

    __slots__ = ()
    _brief = {"rtol": "rtol", "atol": "atol", "op": "op", "shape": "shape", "coverage": "coverage", "samples":
              "samples"}
    _concludes = False


class Elements:
    """An array for each property of the outputs of an operation, in the shape of the output."""

    __slots__ = ("_arrays",)

    @computes
    def __init__(self, arrays):
        shape = arrays["shape"]
        kinds = {"different": np.int64, "varies": np.bool_}
        shaped = {name: frozen(values.astype(kinds.get(name, np.float64)).reshape(shape))
                  for name, values in arrays.items() if name != "shape"}
        object.__setattr__(self, "_arrays", shaped)

    def __reduce__(self):
        return _elements_of, (dict(self._arrays),)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._arrays:
            raise AttributeError(f"elements have no {name}; they have {', '.join(self._arrays)}")
        return self._arrays[name]

    def __setattr__(self, name, value):
        raise AttributeError(f"elements are frozen: {name} cannot be set")

    def __dir__(self):
        return [*super().__dir__(), *self._arrays]

    def __repr__(self):
        return f"Elements({', '.join(f'{name}: {values.dtype} {values.shape}' for name, values in self._arrays.items())})"


def _elements_of(arrays):
    shape = next(iter(arrays.values())).shape
    return Elements({**{name: values.reshape(-1) for name, values in arrays.items()}, "shape": shape})


class OperationSample(_documents.OperationSample):
    """How far the outputs of an operation move."""

    __slots__ = ()
    _brief = {"op": "op", "shape": "shape", "samples": "samples", "vc": "vc.mean:.3g", "vermv": "vermv.mean:.3g",
              "can_vary": "can_vary", "max_ulp": "max_ulp.max", "distinct": "distinct"}

    @property
    def elements(self) -> "Elements":
        """Arrays in the shape of the output: exact, baseline, launch, least, greatest, different (samples with other
        bits than the baseline), varies, max_error_ulp."""
        if "elements" not in self._seen:
            self._seen["elements"] = Elements(self._report.arrays())
        return self._seen["elements"]

    @property
    def results(self) -> NDArray[Any]:
        """All results, samples x the shape of the output; they are kept with keep_results=True."""
        if not self._out:
            raise ValueError("results were not kept; give keep_results=True")
        if "results" not in self._seen:
            self._seen["results"] = frozen(np.load(io.BytesIO(self._out)))
        return self._seen["results"]


class OperationSum(_documents.OperationSum):
    """All outputs of an operation by one fixed order."""

    __slots__ = ()
    _brief = {"op": "op", "shape": "shape", "outputs": "outputs"}

    @property
    def elements(self) -> "Elements":
        """Arrays of float64 in the shape of the output: result, exact, error_ulp."""
        if "elements" not in self._seen:
            self._seen["elements"] = Elements(self._report.arrays())
        return self._seen["elements"]


class Crosscheck(_documents.Crosscheck):
    """Kernels against the orders that they claim."""

    __slots__ = ()
    _brief = {"passed": "passed", "cases": "cases", "mismatches": "mismatches"}

    @property
    def passed(self) -> bool:
        """Whether every case is bit-identical."""
        return self._status == 0


class HostRun(_documents.HostRun):
    """A CUDA program that was run on the host."""

    __slots__ = ()
    _brief = {"passed": "passed"}

    passed = Crosscheck.passed


class Verification(_documents.Verification):
    """Recorded runs of a GPU against the orders that their kernels claim."""

    __slots__ = ()
    _brief = {"passed": "passed"}

    passed = Crosscheck.passed
