#!/usr/bin/env python3
"""Prints a stub module (.pyi) of the result classes of the Python package: one class for each document that has a JSON
Schema in FOLDER and each object inside one, with typed attributes and their descriptions.

usage: make_result_stubs.py FOLDER [--base MODULE]

A document derives from Result, an object inside one from Record, both of the module that --base names. An attribute is
None where its key is null or absent. Arrays of numbers are numpy.ndarray, other arrays tuples; the texts inf, -inf and
nan are floats. A key that is no identifier, or is a keyword, has no attribute and is read by Record.__getitem__.
"""

import argparse
import json
import keyword
import re
import sys
import textwrap
from pathlib import Path

NONFINITE = {"inf", "-inf", "nan"}
RESERVED = {"Literal", "Mapping", "NDArray", "Record", "Result"}
WIDTH = 100
SCALARS = {"string": "str", "boolean": "bool", "integer": "int", "number": "float", "null": "None"}
ARRAYS = {"int": "NDArray[numpy.int64]", "float": "NDArray[numpy.float64]"}
METHODS = {"to_json", "to_csv", "charts"}  # methods of Result


def class_name(title):
    return "".join(word[0].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", title))


def union(types):
    """Alternatives without repetition, None last; int is part of float."""
    types = list(dict.fromkeys(types))
    if "float" in types and "int" in types:
        types.remove("int")
    return " | ".join(sorted(types, key=lambda one: one == "None"))


def literal(values):
    words = [value for value in values if value is not None]
    return [f"Literal[{', '.join(json.dumps(word) if isinstance(word, str) else repr(word) for word in words)}]",
            *["None" for value in values if value is None]]


class Stubs:
    def __init__(self, schemas):
        self.schemas = schemas
        self.classes = {}  # by place in the schemas: (name, text)
        self.names = {}    # names of classes, with the place of each

    def chain(self, file, pointer, node):
        """A schema with its place, then the one that it refers to, and so on."""
        yield file, pointer, node
        while "$ref" in node:
            name, _, pointer = node["$ref"].partition("#")
            file = name or file
            node = self.schemas[file]
            for part in pointer.strip("/").split("/"):
                node = node[part]
            yield file, pointer, node

    def description(self, file, pointer, node):
        """The outermost one."""
        texts = [each["description"] for _, _, each in self.chain(file, pointer, node) if "description" in each]
        return texts[0] if texts else ""

    def types(self, file, pointer, node):
        """The Python types of what a schema allows."""
        file, pointer, node = list(self.chain(file, pointer, node))[-1]
        if "anyOf" in node:
            return [one for i, inner in enumerate(node["anyOf"])
                    for one in self.types(file, f"{pointer}/anyOf/{i}", inner)]
        if "enum" in node:
            return ["float"] if set(node["enum"]) <= NONFINITE else literal(node["enum"])
        if "const" in node:
            return literal([node["const"]])
        if "properties" in node:
            return [self.add_class(file, pointer, node, "Record")]
        kinds = node["type"] if isinstance(node["type"], list) else [node["type"]]
        return [self.array(file, pointer, node) if kind == "array" else
                self.mapping(file, pointer, node) if kind == "object" else SCALARS[kind] for kind in kinds]

    def array(self, file, pointer, node):
        if "prefixItems" in node:
            inner = [union(self.types(file, f"{pointer}/prefixItems/{i}", one))
                     for i, one in enumerate(node["prefixItems"])]
            return f"tuple[{', '.join(inner)}]"
        inner = union(self.types(file, f"{pointer}/items", node["items"]))
        return ARRAYS.get(inner, inner if inner in ARRAYS.values() else f"tuple[{inner}, ...]")

    def mapping(self, file, pointer, node):
        inner = union(self.types(file, f"{pointer}/additionalProperties", node["additionalProperties"]))
        return f"Mapping[str, {inner}]"

    def add_class(self, file, pointer, node, base):
        """The name of the class of an object; its text is made once."""
        place = (file, pointer)
        if place in self.classes:
            return self.classes[place][0]
        name = class_name(node["title"])
        if name in RESERVED or self.names.setdefault(name, place) != place:
            raise ValueError(f"{file}#{pointer}: the title {node['title']} gives the name {name}, which is taken")
        self.classes[place] = (name, "")  # before the objects inside, in the order of the module
        self.classes[place] = (name, self.class_text(file, pointer, node, name, base))
        return name

    def class_text(self, file, pointer, node, name, base):
        lines = [f"class {name}({base}):"]
        if node.get("description"):
            lines += docstring(node["description"])
        unnamed = []
        for key, one in node["properties"].items():
            place = f"{pointer}/properties/{key}"
            types = self.types(file, place, one)
            if key not in node.get("required", []):
                types.append("None")
            text = self.description(file, place, one)
            if key in METHODS:
                raise ValueError(f"{file}#{place}: {key} is a method of every result")
            if key.isidentifier() and not keyword.iskeyword(key):
                lines += ["", f"    {key}: {union(types)}", *docstring(text)]
            else:
                unnamed += textwrap.wrap(f'["{key}"]: {union(types)}. {text}', WIDTH, initial_indent="    # ",
                                         subsequent_indent="    #     ", break_on_hyphens=False)
        if unnamed:
            lines += ["", *unnamed]
        if len(lines) == 1:
            lines.append("    ...")
        return "\n".join(lines)


def docstring(text):
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    lines = textwrap.wrap(f'"""{text}"""', WIDTH, initial_indent="    ", subsequent_indent="    ",
                          break_on_hyphens=False, break_long_words=False)
    return lines if text else []


def module(schemas, base):
    stubs = Stubs(schemas)
    for file, schema in schemas.items():
        if "properties" in schema:
            stubs.add_class(file, "", schema, "Result")
    head = ["# Made from the JSON Schemas by src/python/make_result_stubs.py when the package was built.",
            "from collections.abc import Mapping", "from typing import Literal", "", "import numpy",
            "from numpy.typing import NDArray", "", f"from {base} import Record, Result"]
    return "\n".join(head) + "\n\n\n" + "\n\n\n".join(text for _, text in stubs.classes.values()) + "\n"


def main():
    parser = argparse.ArgumentParser(description="prints the stub module of the result classes")
    parser.add_argument("schemas", type=Path)
    parser.add_argument("--base", default="._record", help="module of Result and Record")
    options = parser.parse_args()
    schemas = {path.name: json.loads(path.read_text(encoding="utf-8"))
               for path in sorted(options.schemas.glob("*.json"))}
    if not schemas:
        sys.exit(f"make_result_stubs.py: {options.schemas} has no schemas")
    sys.stdout.write(module(schemas, options.base))


if __name__ == "__main__":
    main()
