#!/usr/bin/env python3
"""Compares schemas that tables of fields give with those that were once written by hand (by_hand/), key by key.
References are followed in both, the outermost description counts, and the order of keys does not. Where the table says it
better, BETTER has the description.

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
    "train.json": {
        f"/properties/epochs/items/properties/{score}/properties/seed_difference":
            "The same of pairs of runs of two seeds; null where the runs do not say it."
        for score in ("loss", "train_accuracy", "validation_accuracy", "test_accuracy")
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
    if place.endswith("/required") and isinstance(made, list):
        made, by_hand = sorted(made), sorted(by_hand)
    if made != by_hand:
        yield f"{place}: {json.dumps(made)} by table, {json.dumps(by_hand)} by hand"


def compared(schemas, file):
    by_hand = {**schemas, file: json.loads((BY_HAND / file).read_text(encoding="utf-8"))}
    expected = resolved(by_hand, file, by_hand[file])
    for pointer, description in BETTER.get(file, {}).items():
        node = expected
        for part in pointer.strip("/").split("/"):
            node = node[int(part) if isinstance(node, list) else part]
        node["description"] = description
    return [f"{file}#{line}" for line in differences(resolved(schemas, file, schemas[file]), expected)]


def main():
    schemas = schema_files.load()
    files = sorted(path.name for path in BY_HAND.glob("*.json"))
    assert files and BETTER.keys() <= set(files)
    found = [line for file in files for line in compared(schemas, file)]
    print("\n".join(found) or f"{len(files)} schemas are those that were written by hand")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
