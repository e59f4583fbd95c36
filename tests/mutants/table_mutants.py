#!/usr/bin/env python3
"""Changes the help and the name of one field in every table of fields, and fails where no test notices.

usage: table_mutants.py BUILD_DIR [--only PATTERN] [--suites FILES] [--list]

BUILD_DIR is a tree configured for Ninja and built with its tests (build/release); it is not changed. All tables are
changed at once, help in one program and names in another: a change is noticed if schemas/by_hand names it. A name that
was changed hides what is inside, so tables that are left are changed once more without the others. Then schemas/outputs
may notice. What is left are tables that no schema has, such as rows of CSV and what stores keep: each is changed alone,
its name, and a unit test must fail.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "tests" / "schemas"
SOURCES = ("src/show/*.cpp", "src/metrics/*.cpp", "src/sweep/*_fields.cpp", "src/cli/listing.cpp")
TABLE = re.compile(r"^constexpr Field (\w+)\[\] = \{$.*?^\};$", re.M | re.S)
FIELD = re.compile(r'\b(?P<form>value|word|part|group|either)\b(?:<(?:[^()]|\(\))*?>)?\(\s*"(?P<name>\w[^"]*)",\s*'
                   r'(?P<of>[\w:]+(?:<[\w:<>&, ]*>)?)'  # its kind or its table
                   r'(?:,\s*(?:k::\w+,\s*)?(?:"(?P<help>[^"]+)"|(?P<constant>k[A-Z]\w*Help)\b))?')
NAMELESS = re.compile(r"\.fields = (\w+),\s*\.form = Form::(?:numbers|member)")  # neither names nor helps are written
ARRAY = re.compile(r"\.fields = (\w+),\s*\.form = Form::array")  # nor are the names of these
PATIENCE_S = 1200


@dataclass
class Mutant:
    path: Path
    table: str
    name: str  # of the field
    place: dict  # what is replaced of the file for another name or help: from, to, and by which text
    named: bool  # whether names are written

    def marker(self, what):
        return f"{what}_of_{self.table}"


def mutants_of(path):
    text = path.read_text(encoding="utf-8")
    nameless, arrays = set(NAMELESS.findall(text)), set(ARRAY.findall(text))
    for table in TABLE.finditer(text):
        if table.group(1) in nameless:
            continue
        fields = [field for field in FIELD.finditer(text, table.start(), table.end()) if places_of(field, "")]
        ends = [field.start() for field in fields[1:]] + [table.end()]
        in_json = [field for field, end in zip(fields, ends)
                   if not re.search("Where::(csv|text)", text[field.start():end])]
        for field in sorted(in_json or fields, key=lambda one: one["form"] not in ("value", "word"))[:1]:
            yield Mutant(path, table.group(1), field["name"], places_of(field, table.group(1)),
                         table.group(1) not in arrays)
        if not fields:
            print(f"{path.name}: {table.group(1)} has no field with a name of its own")


def places_of(field, table):
    """Mutant.place; None where its help is written in another way."""
    at = field.end("name")
    places = {"name": (at, at, f"_name_of_{table}")}
    if field["help"] is not None:
        at = field.end("help")
        places["help"] = (at, at, f" help_of_{table} ")  # more of it may follow
    elif field["constant"] is not None:
        places["help"] = (*field.span("constant"), f'"help_of_{table}"')
    elif field["form"] in ("part", "group"):  # its help is that of its table
        at = field.end("of")
        places["help"] = (at, at, f', "help_of_{table}"')
    else:
        return None
    return places


class Build:
    """Programs that are linked of changed sources and the libraries of a build."""

    def __init__(self, folder):
        self.folder = folder.resolve()
        self.made = self.folder / "table_mutants"
        commands = json.loads((self.folder / "compile_commands.json").read_text(encoding="utf-8"))
        self.commands = {command["file"]: shlex.split(command["command"]) for command in commands}

    def changed_sources(self, mutants, what):
        """Copies of the sources, each with its changes, by source."""
        copies = {}
        for path in {mutant.path for mutant in mutants}:
            text = path.read_text(encoding="utf-8")
            places = (mutant.place[what] for mutant in mutants if mutant.path == path)
            for begin, end, changed in sorted(places, reverse=True):
                text = text[:begin] + changed + text[end:]
            copies[path] = self.made / path.name
            copies[path].write_text(text, encoding="utf-8")
        return copies

    def objects(self, copies):
        """What the copies compile to, by the object of the build in whose place it is: whole units of a unity build."""
        found = {}
        for file, command in self.commands.items():
            unit = Path(file)
            text = unit.read_text(encoding="utf-8") if "Unity" in file else f'#include "{file}"\n'
            used = [path for path in copies if f'"{path}"' in text]
            if not used:
                continue
            for path in used:
                text = text.replace(f'"{path}"', f'"{copies[path]}"')
            old = command[command.index("-o") + 1]
            source = self.made / old.replace("/", "_").removesuffix(".o")  # units of two libraries may have one name
            source.write_text(text, encoding="utf-8")
            made = source.with_suffix(".o")
            arguments = [str(source) if one == file else one for one in command]
            arguments[arguments.index("-o") + 1] = str(made)
            subprocess.run(arguments, cwd=self.folder, check=True)
            found[old] = str(made)
        return found

    def linked(self, target, mutants, what):
        """The target, an executable, with these changes. What it takes from objects it does not take from a library;
        objects without these changes are left out."""
        shutil.rmtree(self.made, ignore_errors=True)
        self.made.mkdir()
        lines = subprocess.run(["ninja", "-t", "commands", target], cwd=self.folder, capture_output=True, text=True,
                               check=True).stdout.splitlines()
        link = next(part for part in lines[-1].split(" && ") if " -o " in part)
        command = shlex.split(link)
        at = command.index("-o") + 1
        command[at] = str(self.made / Path(command[at]).name)
        objects = self.objects(self.changed_sources(mutants, what))
        made = command[at]
        command[at + 1:at + 1] = objects.values()
        subprocess.run([one for one in command if one not in objects], cwd=self.folder, check=True)
        return made


def schemas_of(program, folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "src" / "show" / "schemas", folder)
    subprocess.run([program, "help", "--schemas", str(folder)], check=True)
    return {**os.environ, "ORDERLAB_SCHEMAS": str(folder)}


def run(arguments, environment):
    return subprocess.run([sys.executable, "-B", *map(str, arguments)], env=environment, capture_output=True, text=True,
                          timeout=PATIENCE_S, check=False)


def missed_by_hand(build, mutants, what):
    """Mutants that schemas/by_hand does not name."""
    program = build.linked("orderlab_program", mutants, what)
    said = run([SCHEMAS / "by_hand.py"], schemas_of(program, build.made / "schemas")).stdout
    return [mutant for mutant in mutants if not re.search(rf"{mutant.marker(what)}\b", said)]


def missed_by_schemas(build, mutants):
    """Mutants whose name neither schemas/by_hand nor schemas/outputs names."""
    left, before = missed_by_hand(build, mutants, "name"), mutants
    while left and len(left) < len(before):
        left, before = missed_by_hand(build, left, "name"), left
    if not left:
        return []
    program = build.made / "orderlab"  # with those that are left
    environment = {**os.environ, "ORDERLAB_SCHEMAS": str(build.made / "schemas")}
    said = run([SCHEMAS / "validate_outputs.py", program], environment).stdout
    return [mutant for mutant in left if not re.search(rf"{mutant.marker('name')}\b", said)]


def missed_by_tests(build, mutant, suites):
    program = build.linked("orderlab_tests", [mutant], "name")
    done = subprocess.run([program, f"-sf={suites}"], cwd=build.folder, capture_output=True, timeout=PATIENCE_S,
                          check=False)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description="mutants of the tables of fields")
    parser.add_argument("build", type=Path)
    parser.add_argument("--only", default="", metavar="PATTERN", help="only tables whose file and name have it")
    parser.add_argument("--suites", default="*study/*,*show/*,*cli/operation_test*", metavar="FILES", help="of unit tests")
    parser.add_argument("--list", action="store_true", help="print the mutants and change nothing")
    options = parser.parse_args()
    paths = sorted(path for pattern in SOURCES for path in ROOT.glob(pattern))
    mutants = [mutant for path in paths for mutant in mutants_of(path)
               if re.search(options.only, f"{path.name}: {mutant.table}")]
    if options.list:
        print("\n".join(f"{mutant.path.name}: {mutant.table}: {mutant.name}" for mutant in mutants))
        return 0
    assert mutants
    build = Build(options.build)
    helps = missed_by_hand(build, mutants, "help")
    names = missed_by_schemas(build, [mutant for mutant in mutants if mutant.named])
    missed = [mutant for mutant in names if missed_by_tests(build, mutant, options.suites)]
    unsaid = [mutant for mutant in helps if mutant not in names]
    for mutant in unsaid:
        print(f"no test notices the help of {mutant.path.name}: {mutant.table}: {mutant.name}")
    for mutant in missed:
        print(f"no test notices the name of {mutant.path.name}: {mutant.table}: {mutant.name}")
    print(f"{len(mutants)} tables; schemas notice the help of {len(mutants) - len(helps)}, the name of a field of "
          f"{len(mutants) - len(names)}; unit tests that of {len(names) - len(missed)} more")
    shutil.rmtree(build.made)
    return 1 if missed or unsaid else 0


if __name__ == "__main__":
    sys.exit(main())
