#!/usr/bin/env python3
"""What every schema of ORDERLAB_SCHEMAS, a folder, must have: a title, a description of every property, references that lead to a
schema, keys that are required or said to be absent. With a program, a schema for each of its commands that write JSON.

usage: check_schemas.py [PROGRAM] | --self-test
"""

import re
import subprocess
import sys

import schema_files

DRAFT = "https://json-schema.org/draft/2020-12/schema"
ID = re.compile(r"^https://orderlab\.invalid/schemas/[1-9][0-9]*/")
KNOWN = {"$schema", "$id", "$defs", "$ref", "title", "description", "type", "properties", "required", "enum", "const",
         "additionalProperties", "items", "prefixItems", "minItems", "maxItems", "anyOf", "pattern", "minLength",
         "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
         # what belongs together
         "oneOf", "allOf", "not", "if", "then", "else", "dependentRequired", "propertyNames"}
WRITES = {"merge": "sample"}  # commands that write the document of another one


def problems_of_file(file, schema):
    if schema.get("$schema") != DRAFT:
        yield f"{file}: $schema is not {DRAFT}"
    if not ID.match(schema.get("$id", "")) or not schema["$id"].endswith("/" + file):
        yield f"{file}: $id is not https://orderlab.invalid/schemas/VERSION/{file}"
    if not schema.get("title") or not schema.get("description"):
        yield f"{file}: has no title or no description"


def problems_of_object(place, node):
    if not node.get("title"):
        yield f"{place}: an object without a title"
    if node.get("additionalProperties") is not False:
        yield f"{place}: additionalProperties is not false"
    if "required" not in node and node["properties"] and "dependentRequired" not in node:
        yield f"{place}: an object without required"
    for name in node.get("required", []):
        if name not in node["properties"]:
            yield f"{place}: {name} is required and no property"


def problems(schemas):
    for file, schema in schemas.items():
        yield from problems_of_file(file, schema)
    if len({schema.get("$id", "").rpartition("/")[0] for schema in schemas.values()}) > 1:
        yield "schemas are of several versions"
    titles = {}
    used = set()
    for file, pointer, node in schema_files.all_schemas(schemas):
        place = f"{file}#{pointer}"
        for key in node.keys() - KNOWN:
            yield f"{place}: the keyword {key} is not known here"
        if "properties" in node and "$id" not in node:
            yield from problems_of_object(place, node)
            titles.setdefault(node.get("title"), []).append(place)
        if "$ref" in node:
            used.add(node["$ref"] if node["$ref"][0] != "#" else file + node["$ref"])
            try:
                schema_files.followed(schemas, file, pointer, node)
            except KeyError:
                yield f"{place}: $ref {node['$ref']} leads nowhere"
    for title, places in titles.items():
        if len(places) > 1:
            yield f"the title {title} is that of {' and '.join(places)}"
    for file, schema in schemas.items():
        for name in schema.get("$defs", {}):
            if f"{file}#/$defs/{name}" not in used:
                yield f"{file}#/$defs/{name}: nothing refers to it"


def property_problems(schemas):
    """Properties without a description, and optional ones whose description does not say when they are absent."""
    for file, pointer, node in schema_files.all_schemas(schemas):
        for name, one in node.get("properties", {}).items():
            place = f"{file}#{pointer}/properties/{name}"
            texts = [each.get("description", "") for _, _, each in schema_files.chain(schemas, file, pointer, one)]
            if not any(texts):
                yield f"{place}: no description"
            often = "dependentRequired" in node
            if name not in node.get("required", []) and not often and not any("bsent" in text for text in texts):
                yield f"{place}: neither required nor described as absent"


def command_problems(schemas, program):
    helps = subprocess.run([program, "help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  ([a-z]+) ", helps.partition("Subcommands:")[2], re.MULTILINE)
    if len(commands) < 10:
        yield f"{program} help: lists only {commands}"
    for command in commands:
        text = subprocess.run([program, "help", command], capture_output=True, text=True, check=True).stdout
        named = WRITES.get(command, command)
        if "--json" in text and f"{named}.json" not in schemas:
            yield f"{command}: has --json and no schema {named}.json"
    for file, schema in schemas.items():
        command = schema.get("properties", {}).get("command", {})
        for named in command.get("enum", [command.get("const", file.split(".")[0].split("_")[0])]):
            if named not in commands and file != "shared.json":
                yield f"{file}: of the command {named}, which there is not"


def self_test():
    """Breaks a copy of the schemas in every way that is looked for."""
    def broken(change):
        schemas = schema_files.load()
        change(schemas)
        return list(problems(schemas)) or list(property_problems(schemas))
    tree = "tree.json"
    changes = [
        lambda s: s[tree].pop("title"), lambda s: s[tree].update({"$id": "tree.json"}),
        lambda s: s[tree]["properties"]["terms"].pop("description"),
        lambda s: s[tree]["properties"]["nodes"]["items"].pop("title"),
        lambda s: s[tree]["properties"]["nodes"]["items"].pop("additionalProperties"),
        lambda s: s[tree]["properties"]["nodes"]["items"]["required"].append("nothing"),
        lambda s: s[tree]["properties"]["nodes"]["items"]["required"].remove("id"),
        lambda s: s[tree]["properties"]["nodes"]["items"].update({"title": "Input"}),
        lambda s: s[tree]["properties"].update({"more": {"description": "More.", "$ref": "shared.json#/$defs/more"}}),
        lambda s: s["shared.json"]["$defs"].update({"more": {"description": "More."}}),
        lambda s: s[tree]["properties"]["terms"].update({"minimun": 1})]
    missed = [i for i, change in enumerate(changes) if not broken(change)]
    return [f"change {i} was not noticed" for i in missed] + broken(lambda s: None)


def main():
    if sys.argv[1:] == ["--self-test"]:
        found = self_test()
    else:
        schemas = schema_files.load()
        found = list(problems(schemas)) or list(property_problems(schemas))
        for program in sys.argv[1:]:
            found += command_problems(schemas, program)
    print("\n".join(found) or "schemas are complete")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
