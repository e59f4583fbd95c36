#!/usr/bin/env python3
"""Compares schemas that tables of fields give with those that were once written by hand (by_hand/), key by key. There,
shared.json has definitions that only those by hand refer to.
References are followed in both, the outermost description counts, and the order of keys does not. Where the table says it
better, BETTER has the description, or other keys.

usage: by_hand.py
"""

import json
import sys
from pathlib import Path

import schema_files

BY_HAND = Path(__file__).resolve().parent / "by_hand"
NO_LIMIT = "Absent where there is no tolerance."
DIFFERENCE = "/properties/captures/items/properties/differences/items/properties"
GIVEN_DIGITS = "Significant digits of a decimal that had fewer than the format needs. Absent for other results."
GIVEN = "/properties/config/properties/values/items"
ENTRY = "/properties/entries/items/properties"
LISTED = json.loads((BY_HAND / "list.json").read_text())["properties"]["entries"]["items"]["properties"]
BETTER = {
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
        "/properties/candidates/items/properties/orders":
            "Number of orders of a random one, as decimal text; null unless all were enumerated.",
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
            "Where it comes from: a key of the References in README, a file or a document. Absent in lists that name no "
            "source.",
    },
    "probe.json": {
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


def by_hand_file(file):
    return json.loads((BY_HAND / file).read_text(encoding="utf-8"))


def compared(schemas, file):
    definitions = schemas["shared.json"]["$defs"] | by_hand_file("shared.json")["$defs"]
    by_hand = {**schemas, "shared.json": {"$defs": definitions}, file: by_hand_file(file)}
    expected = resolved(by_hand, file, by_hand[file])
    for pointer, better in BETTER.get(file, {}).items():
        node = expected
        for part in pointer.strip("/").split("/"):
            node = node[int(part) if isinstance(node, list) else part]
        node.update(better if isinstance(better, dict) else {"description": better})
    return [f"{file}#{line}" for line in differences(resolved(schemas, file, schemas[file]), expected)]


def main():
    schemas = schema_files.load()
    files = sorted(path.name for path in BY_HAND.glob("*.json") if path.name != "shared.json")
    assert files and BETTER.keys() <= set(files)
    found = [line for file in files for line in compared(schemas, file)]
    print("\n".join(found) or f"{len(files)} schemas are those that were written by hand")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
