"""The JSON documents of the commands as classes. Their attributes, with types and meanings, are in _documents.pyi, which
make_result_stubs.py makes of the JSON Schemas."""

from ._record import Result

_SUMMARIES = {
    "Alternatives": "Each way to do an operation: its guarantee, error and cost.",
    "Check": "Whether results are explained by order.",
    "Comparison": "Two models by the scores of several runs.",
    "Crosscheck": "Kernels against the orders that they claim.",
    "Enumeration": "Every result of an order with its exact probability.",
    "Explanation": "Which kernel an operation runs, and which outputs can vary.",
    "Fit": "Arrival models fitted to recordings.",
    "OperationCheck": "Whether the outputs of an operation are explained by order.",
    "OperationEnumeration": "Every result of every output with its exact probability.",
    "OperationFit": "Arrival models fitted to a table of Vc.",
    "OperationSample": "How far the outputs of an operation move.",
    "OperationTolerance": "What to pass to a compare call of all outputs.",
    "Sample": "How far a sum moves.",
    "SampledOrders": "How far a sum moves in several orders.",
    "Solve": "What order does to an iterative solver.",
    "Sum": "The result of one fixed order.",
    "Tolerance": "What to pass to a compare call.",
    "Training": "Which of seeds and orders moves a score.",
    "Tree": "The explicit summation tree of one order.",
    "Verification": "Recorded runs of a GPU against the orders that their kernels claim.",
    "Worst": "The extreme orders.",
}

for _name, _summary in _SUMMARIES.items():
    globals()[_name] = type(_name, (Result,), {"__slots__": (), "__doc__": _summary, "__module__": "orderlab"})
