#!/usr/bin/env python3
"""The stub module that src/python/make_result_stubs.py makes of the schemas: it is Python, equal from run to run, has a
class for each document and an attribute or a comment for each key.

usage: result_stubs.py
"""

import ast
import keyword
import subprocess
import sys
from pathlib import Path

import schema_files

SCRIPT = Path(__file__).resolve().parents[2] / "src/python/make_result_stubs.py"
DOCUMENTS = {"sample": "Sample", "sample_orders": "SampledOrders", "sample_operation": "OperationSample", "sum": "Sum", "sum_operation": "OperationSum",
             "enumerate": "Enumeration", "enumerate_operation": "OperationEnumeration", "tree": "Tree",
             "check": "Check", "check_any": "OrderCheck", "check_difference": "DifferenceCheck",
             "check_operation": "OperationCheck", "tolerance": "Tolerance", "tolerance_operation": "OperationTolerance", "probe": "Probe", "probe_fused": "FusedProbe", "worst": "Worst", "explain": "Explanation",
             "alternatives": "Alternatives", "solve": "Solve", "train": "Training", "compare": "Comparison", "infer": "Flips", "infer_model": "ModelRuns",
             "verify": "Verification", "host": "HostRun", "groups": "Groups", "arrivals": "Arrivals", "fit": "Fit", "fit_operation": "OperationFit", "crosscheck": "Crosscheck",
             "list": "Listing", "export": "SweepPoint", "export_operation": "OperationSweepPoint"}


def made():
    return subprocess.run([sys.executable, "-B", SCRIPT, schema_files.FOLDER], capture_output=True, text=True, check=True).stdout


def problems(text, schemas):
    if text != made():
        yield "two runs make different stubs"
    classes = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}
    documents = {name for name, node in classes.items() if node.bases[0].id == "Result"}
    if documents != set(DOCUMENTS.values()):
        yield f"documents are {sorted(documents ^ set(DOCUMENTS.values()))} too many or too few"
    if {f"{name}.json" for name in DOCUMENTS} | {"shared.json"} != schemas.keys():
        yield "a schema is not in the list of this test"
    for file, name in DOCUMENTS.items():
        properties = schemas[f"{file}.json"]["properties"]
        keys = [key for key in properties if key.isidentifier() and not keyword.iskeyword(key)]
        attributes = [node.target.id for node in classes[name].body if isinstance(node, ast.AnnAssign)]
        if attributes != keys:
            yield f"{name} has {attributes}, {file}.json has {keys}"
    for part in ('verdict: Literal["explained", "unlikely", "impossible"]', '# ["0.05"]: Quantile.',
                 "results: tuple[SampledResult, ...] | None", "scores: NDArray[numpy.float64]",
                 "bins: tuple[tuple[float, int], ...]", "parameters: Mapping[str, FittedParameter]",
                 "config: SampleConfig", "condition: float", "p: float | None", "partial: Literal[True] | None"):
        if part not in text:
            yield f"the stubs do not have {part}"


def main():
    found = list(problems(made(), schema_files.load()))
    print("\n".join(found) or "the stubs are complete")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
