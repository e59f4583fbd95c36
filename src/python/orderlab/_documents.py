"""The JSON documents of the commands as classes. Their attributes, with types and meanings, are in _documents.pyi, which
the build makes of the JSON Schemas."""

from ._record import Result

_DOCUMENTS = {  # class: schema, summary
    "Alternatives": ("alternatives", "Each way to do an operation: its guarantee, error and cost."),
    "Arrivals": ("arrivals", "Features of recorded arrival orders and of arrival models."),
    "Check": ("check", "Whether results are explained by order."),
    "DifferenceCheck": ("check_difference", "Whether differences are explained by two orders."),
    "Comparison": ("compare", "Two models by the scores of several runs."),
    "Crosscheck": ("crosscheck", "Kernels against the orders that they claim."),
    "Enumeration": ("enumerate", "Every result of an order with its exact probability."),
    "Explanation": ("explain", "Which kernel an operation runs, and which outputs can vary."),
    "Fit": ("fit", "Arrival models fitted to recordings."),
    "Groups": ("groups", "The answer for each group of rows of a table."),
    "HostRun": ("host", "A CUDA program that was run on the host."),
    "Flips": ("infer", "Flips of tokens between runs of a language model."),
    "ModelRuns": ("infer_model", "Tokens that flip where a language model is served differently."),
    "OperationCheck": ("check_operation", "Whether the outputs of an operation are explained by order."),
    "OperationEnumeration": ("enumerate_operation", "Every result of every output with its exact probability."),
    "OperationFit": ("fit_operation", "Arrival models fitted to a table of Vc."),
    "OperationSample": ("sample_operation", "How far the outputs of an operation move."),
    "OperationSum": ("sum_operation", "All outputs of an operation by one fixed order."),
    "OperationTolerance": ("tolerance_operation", "What to pass to a compare call of all outputs."),
    "OrderCheck": ("check_any", "Which orders explain results."),
    "Probe": ("probe", "In which order a black box adds."),
    "FusedProbe": ("probe_fused", "In which fused steps a black box adds products."),
    "Sample": ("sample", "How far a sum moves."),
    "SampledOrders": ("sample_orders", "How far a sum moves in several orders."),
    "Solve": ("solve", "What order does to an iterative solver."),
    "Sum": ("sum", "The result of one fixed order."),
    "Tolerance": ("tolerance", "What to pass to a compare call."),
    "Training": ("train", "Which of seeds and orders moves a score."),
    "Tree": ("tree", "The explicit summation tree of one order."),
    "Verification": ("verify", "Recorded runs of a GPU against the orders that their kernels claim."),
    "Worst": ("worst", "The extreme orders."),
}

_BRIEF = {  # what repr shows of documents that have no further class in results
    "Alternatives": {"op": "op", "shape": "shape", "outputs": "outputs", "samples": "samples"},
    "Comparison": {"difference": "difference:.4g", "low": "low:.4g", "high": "high:.4g", "shown": "shown",
        "p_welch": "p_welch:.3g", "runs_needed": "runs_needed"},
    "Explanation": {"op": "op", "kernel": "launch.kernel", "shape": "shape", "outputs": "outputs", "contributions":
        "contributions"},
    "Fit": {"best": "best", "accepted": "accepted", "rows": "rows", "recorded": "recorded"},
    "Flips": {"observed": "observed", "expected": "expected:.4g", "per_1000": "per_1000:.4g", "explained":
        "explained"},
    "FusedProbe": {"verdict": "verdict", "order": "order", "calls": "calls"},
    "OperationEnumeration": {"op": "op", "shape": "shape", "outputs": "outputs", "several_results":
        "several_results", "most_results": "most_results.results"},
    "Probe": {"verdict": "verdict", "order": "order", "calls": "calls", "bits": "accumulator.narrowest", "height":
        "tree.height", "as_expected": "as_expected"},
    "Solve": {"samples": "samples", "exact": "iterations.exact", "launch": "iterations.launch", "not_converged":
        "not_converged.runs", "distinct_solutions": "distinct_solutions"},
    "Worst": {"least": "least.value", "greatest": "greatest.value", "least_ulp": "least.error_ulp:.4g",
        "greatest_ulp": "greatest.error_ulp:.4g", "method": "method", "n": "input.n", "evaluations": "evaluations"},
}

for _name, (_schema, _summary) in _DOCUMENTS.items():
    globals()[_name] = type(_name, (Result,), {"__slots__": (), "__doc__": _summary, "_document": _schema,
                                               "_brief": _BRIEF.get(_name, {}), "_concludes": _name != "Explanation"})
