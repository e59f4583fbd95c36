"""The schemas of ORDERLAB_SCHEMAS, a folder: read, references followed, walked beside a document. Needs no jsonschema."""

import json
import os
from pathlib import Path

FOLDER = Path(os.environ["ORDERLAB_SCHEMAS"])
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int,
         "number": (int, float)}


def load():
    """Schemas by file name."""
    return {path.name: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}


def chain(schemas, file, pointer, node):
    """A schema with its place, then the one that it refers to, and so on. KeyError where there is none."""
    yield file, pointer, node
    while "$ref" in node:
        name, _, pointer = node["$ref"].partition("#")
        file = name or file
        node = schemas[file]
        for part in pointer.strip("/").split("/"):
            node = node[part]
        yield file, pointer, node


def followed(schemas, file, pointer, node):
    """The last of the chain: a schema that refers to no other."""
    return list(chain(schemas, file, pointer, node))[-1]


def inside(node):
    """Schemas directly inside one, with the pointer to each: properties, elements, alternatives."""
    for key in ("properties", "$defs"):
        for name, one in node.get(key, {}).items():
            yield f"/{key}/{name}", one
    for key in ("anyOf", "prefixItems"):
        for i, one in enumerate(node.get(key, [])):
            yield f"/{key}/{i}", one
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), dict):
            yield f"/{key}", node[key]


def all_schemas(schemas):
    """(file, pointer, schema) of every schema in every file, outermost first."""
    stack = [(file, "", schema) for file, schema in schemas.items()]
    while stack:
        file, pointer, node = stack.pop()
        yield file, pointer, node
        stack.extend((file, pointer + more, one) for more, one in inside(node))


def properties(schemas):
    """(file, pointer) of every property."""
    return {(file, f"{pointer}/properties/{name}")
            for file, pointer, node in all_schemas(schemas) for name in node.get("properties", {})}


def may_be(value, node):
    """Whether a value has the type and the keys of a schema whose references were followed."""
    types = node.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(isinstance(value, TYPES[one]) for one in types):
        return False
    if "enum" in node and value not in node["enum"] or "const" in node and value != node["const"]:
        return False
    return not isinstance(value, dict) or (value.keys() >= set(node.get("required", [])) and
                                           (node.get("additionalProperties") is not False or
                                            value.keys() <= node.get("properties", {}).keys()))


def mark(schemas, file, value, seen, pointer="", node=None):
    """Adds to `seen` the (file, pointer) of each property that the value has, and of its alternatives, types, words."""
    file, pointer, node = followed(schemas, file, pointer, schemas[file] if node is None else node)
    for i, one in enumerate(node.get("anyOf", [])):
        if may_be(value, followed(schemas, file, "", one)[2]):
            seen.add((file, f"{pointer}/anyOf/{i}"))
            mark(schemas, file, value, seen, f"{pointer}/anyOf/{i}", one)
    if isinstance(value, dict):
        for name, element in value.items():
            place = f"{pointer}/properties/{name}"
            if name in node.get("properties", {}):
                seen.add((file, place))
                mark(schemas, file, element, seen, place, node["properties"][name])
            elif isinstance(node.get("additionalProperties"), dict):
                mark(schemas, file, element, seen, f"{pointer}/additionalProperties", node["additionalProperties"])
    if isinstance(value, list):
        first = node.get("prefixItems", [])
        for i, element in enumerate(value):
            if i < len(first):
                mark(schemas, file, element, seen, f"{pointer}/prefixItems/{i}", first[i])
            elif isinstance(node.get("items"), dict):
                mark(schemas, file, element, seen, f"{pointer}/items", node["items"])
    for one in node["type"] if isinstance(node.get("type"), list) else []:
        if isinstance(value, TYPES[one]):
            seen.add((file, f"{pointer}/type/{one}"))
    if isinstance(value, str) and value in node.get("enum", []):
        seen.add((file, f"{pointer}/enum/{value}"))
