#!/usr/bin/env python3
"""Compares schemas that tables of fields give with those that were once written by hand (by_hand/), key by key. There,
shared.json has definitions that only those by hand refer to.
References are followed in both, the outermost description counts, and the order of keys does not. Where the table says it
better, BETTER has the description, or other keys.

by_hand/shared.json has those definitions of shared.json that tables give now.

usage: by_hand.py
"""

import json
import sys
from pathlib import Path

import schema_files

BY_HAND = Path(__file__).resolve().parent / "by_hand"
NO_LIMIT = "Absent where there is no tolerance."
MODEL = "/properties/models/items/properties"
PARAMETER = f"{MODEL}/parameters/additionalProperties/properties"
SD_RATIO = f"{MODEL}/prediction/anyOf/0/properties/sd_ratio/properties"
DIFFERENCE = "/properties/captures/items/properties/differences/items/properties"
RESIDUAL = "/properties/divergence/items/properties/residual/properties"
UNSEEN = "/properties/unseen_changes/items/properties"
GIVEN_DIGITS = "Significant digits of a decimal that had fewer than the format needs. Absent for other results."
GIVEN = "/properties/config/properties/values/items"
ENTRY = "/properties/entries/items/properties"
LISTED = json.loads((BY_HAND / "list.json").read_text())["properties"]["entries"]["items"]["properties"]
NO_RESULT = "null where there is no finite result, or the unit has no value."
NO_STAGNATION = "null where none does, or less than 1 % of the sum is lost."
NO_VS = "null where S_d is 0 or not finite."
NOT_KNOWN = "null with bins or a single sample."
ERROR_ULP = ("Result minus exact sum, in ulps of the exact sum; next to an exact sum of 0 in smallest subnormals; null "
             "where the result or the exact sum is not finite.")
BETTER = {
    "fit.json": {
        "/properties/best":
            "The accepted model with the fewest parameters of those that are as near as the nearest, or of all models "
            "where none is accepted; null where none was fitted.",
        f"{PARAMETER}/error": "Its standard error; null where there is none.",
        f"{PARAMETER}/low": "Lower limit of its 95 % interval; null where there is none.",
        f"{PARAMETER}/high": "Upper limit of its 95 % interval; null where there is none.",
        f"{SD_RATIO}/low": "Lower limit of its 95 % interval; null where there is no ratio.",
        f"{SD_RATIO}/high": "Upper limit of its 95 % interval; null where there is no ratio.",
    },
    "fit_operation.json": {
        "/properties/config/properties/seed": "Seed of simulations, resampling, terms and orders.",
        **{f"/properties/{half}/items/properties/sizes": "Predicted and measured Vc of each size."
           for half in ("fitted_up_to_split", "fitted_above_split")},
    },
    "solve.json": {
        "/properties/iterations/properties/exact":
            "Iterations of the run with exact sums; null where it did not converge or was interrupted.",
        "/properties/iterations/properties/launch":
            "Iterations of the run in launch order; null where it did not converge.",
        f"{RESIDUAL}/launch": "|r| / |r0| of the run in launch order; null where it had ended.",
        f"{RESIDUAL}/exact": "|r| / |r0| of the run with exact sums; null where it had ended.",
    },
    "train.json": {
        f"/properties/epochs/items/properties/{score}/properties/seed_difference":
            "The same of pairs of runs of two seeds; null where the runs do not say it."
        for score in ("loss", "train_accuracy", "validation_accuracy", "test_accuracy")
    },
    "check.json": {
        f"{GIVEN}/prefixItems/2": GIVEN_DIGITS,
        "/properties/other_arrivals":
            "Sums of arrival orders that are not uniform: launch order, its reverse, sorted ones, fitted models; null "
            "where they were not needed. Absent where all orders were enumerated.",
        "/properties/suggestions/items/properties/terms": "How many terms would do; null where none is meant.",
    },
    "check_any.json": {
        GIVEN: {"title": "Given result"},
        f"{GIVEN}/prefixItems/2": GIVEN_DIGITS,
        **{f"/properties/{place}/items/properties/orders":
               "Number of orders of a random one, as decimal text; null unless all were enumerated."
           for place in ("candidates", "narrower/properties/orders")},
        "/properties/config/properties/arrival": "Arrival model; null: each order has its own.",
        "/properties/values/items/properties/digits":
            "Significant digits of a decimal with fewer than the format needs; null for other results.",
    },
    "crosscheck.json": {
        f"/properties/rows/items/properties/{mismatch}/properties/{name}": text
        for mismatch in ("first/anyOf/0", "kinds/items/properties/first")
        for name, text in (
            ("problem", "What went wrong, where it is more than different bits; null elsewhere."),
            ("model_value", "Value that the claim gives; null where there is none, or it is not finite."),
            ("value", "Value that the kernel gave; null where there is none, or it is not finite."))
    },
    "list.json": {
        **{f"{ENTRY}/{name}": f"{one['description']} Absent in other lists." for name, one in LISTED.items()
           if name not in ("name", "signature", "summary")},
        f"{ENTRY}/source":
            "Where it comes from: a key of the list of references, a file or a document. Absent in lists that name no "
            "source.",
    },
    "shared.json": {
        "/arrival/anyOf/0": "How far drawn arrival orders are from launch order and from each other.",
        "/enumerated_result/properties/error_ulp": ERROR_ULP,
        "/result/properties/error_ulp": ERROR_ULP,
        "/same_bits/properties/high": f"Upper limit of its 95 % interval; {NOT_KNOWN}",
        "/same_bits/properties/low": f"Lower limit of its 95 % interval; {NOT_KNOWN}",
        "/same_bits/properties/probability": f"Probability that two runs give the same bits; {NOT_KNOWN}",
        "/stagnation/properties/after": f"Number of partial sums that were added by then; {NO_STAGNATION}",
        "/stagnation/properties/partial_sums": f"Number of partial sums that there are; {NO_STAGNATION}",
        "/stagnation/properties/sum": f"The sum at which it stops; {NO_STAGNATION}",
        "/summary/properties/max": f"Greatest; {NO_RESULT}",
        "/summary/properties/max_abs": f"Greatest absolute value; {NO_RESULT}",
        "/summary/properties/min": f"Least; {NO_RESULT}",
        "/unseen_mass":
            "Expected probability of all results that were not seen yet: results seen once, divided by samples; 0 for a "
            "fixed order and for all orders; null where results are counted in bins.",
        "/vs/properties/max_abs": f"Greatest absolute value of Vs; {NO_VS}",
        "/vs/properties/offset": f"Mean of Vs: a fixed difference between two orders; {NO_VS}",
        "/vs/properties/spread": "Standard deviation of Vs: what differs from run to run; null also for a single sample.",
    },
    "sum.json": {  # where there is one result at most
        "/properties/results": "All results, ascending by value, -0 before +0.",
    },
    "probe.json": {
        **{f"/properties/{where}accumulator/anyOf/0/properties/{name}": text
           for where in ("", "settings/items/properties/") for name, text in (
               ("narrowest", "Least precision over all places that were tried; null where no bit is lost."),
               ("widest", "Greatest precision over these places; null where no bit is lost."))},
        "/properties/one_thread":
            "Where several numbers of threads gave one order that adds term after term, one thread did all: whether it "
            "did so of many terms too; null elsewhere.",
    },
    "verify.json": {
        f"{DIFFERENCE}/bits":
            "Bits that were captured; of many outputs, those of the first that differs; null where none does.",
        f"{DIFFERENCE}/format": "Format of the terms.",
        f"{DIFFERENCE}/model_bits": "Bits that the claim gives; null where that is not one result.",
        f"{DIFFERENCE}/problem": "What is wrong, where it is more than different bits; null elsewhere.",
        "/properties/captures/items/properties/rows/items/properties/format": "Format of its terms.",
    },
    "check_operation.json": {
        f"{UNSEEN}/dropped_unseen": "Number of these whose omission is not seen.",
        f"{UNSEEN}/doubled_unseen": "Number of these whose doubling is not seen.",
        "/properties/suspects/items/properties/p":
            "Probability of a result that is as improbable or more, where all results of the output are known and this "
            "is one of them; null for others.",
    },
    "tolerance.json": {
        "/properties/config/properties/order_assumed":
            "Random permutations, because no order was given. Absent where an order was given.",
        "/properties/lines/properties/numpy": f"For numpy.testing. {NO_LIMIT}",
        "/properties/lines/properties/torch": f"For torch.testing. {NO_LIMIT}",
        "/properties/lines/properties/googletest": f"For GoogleTest. {NO_LIMIT}",
        "/properties/lines/properties/doctest": f"For doctest. {NO_LIMIT}",
    },
}


def resolved(schemas, file, node):
    """The schema with what it refers to in place of each reference."""
    if isinstance(node, list):
        return [resolved(schemas, file, one) for one in node]
    if not isinstance(node, dict):
        return node
    own = {key: resolved(schemas, file, one) for key, one in node.items() if key not in ("$ref", "$defs")}
    if "$ref" not in node:
        return own
    (_, _, first), (place, _, target), *_ = schema_files.chain(schemas, file, "", node)
    return {**resolved(schemas, place, target), **own}


def differences(made, by_hand, place=""):
    """One line for each key or value in which two schemas differ."""
    if isinstance(made, dict) and isinstance(by_hand, dict):
        for key in sorted(made.keys() | by_hand.keys()):
            if key not in made or key not in by_hand:
                yield f"{place}/{key}: only {'by hand' if key in by_hand else 'by table'}"
            else:
                yield from differences(made[key], by_hand[key], f"{place}/{key}")
        return
    if place.endswith("/prefixItems") and len(made) == len(by_hand):
        for i, elements in enumerate(zip(made, by_hand)):
            yield from differences(*elements, f"{place}/{i}")
        return
    if place.endswith("/required") and isinstance(made, list):
        made, by_hand = sorted(made), sorted(by_hand)
    if made != by_hand:
        yield f"{place}: {json.dumps(made)} by table, {json.dumps(by_hand)} by hand"


def with_better(file, by_hand):
    for pointer, better in BETTER.get(file, {}).items():
        node = by_hand
        for part in pointer.strip("/").split("/"):
            node = node[int(part) if isinstance(node, list) else part]
        node.update(better if isinstance(better, dict) else {"description": better})
    return by_hand


def compared(schemas, file):
    by_hand = json.loads((BY_HAND / file).read_text(encoding="utf-8"))
    shared = with_better("shared.json", json.loads((BY_HAND / "shared.json").read_text(encoding="utf-8"))["$defs"])
    definitions = schemas["shared.json"]["$defs"]
    if file == "shared.json":  # those definitions that tables give
        names = shared.keys() & definitions.keys()
        made = {name: resolved(schemas, file, definitions[name]) for name in names}
        expected = {name: shared[name] for name in names}
    else:
        made = resolved(schemas, file, schemas[file])
        expected = by_hand
    before = {**schemas, file: expected, "shared.json": {"$defs": {**definitions, **shared}}}
    expected = resolved(before, file, expected)
    if file != "shared.json":
        with_better(file, expected)
    return [f"{file}#{line}" for line in differences(made, expected)]


def main():
    schemas = schema_files.load()
    files = sorted(path.name for path in BY_HAND.glob("*.json"))
    assert files and BETTER.keys() <= set(files)
    found = [line for file in files for line in compared(schemas, file)]
    print("\n".join(found) or f"{len(files)} schemas are those that were written by hand")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
