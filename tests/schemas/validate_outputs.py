#!/usr/bin/env python3
"""Runs the program on the command lines of cases.py and validates every JSON document with its schema. Fails also where
a property of a schema is in no document, so that none is invented. Exit status 77: python3-jsonschema is not installed.

usage: validate_outputs.py PROGRAM [--unused]
    --unused  also list alternatives and words of schemas that no document has
"""

import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cases
import inputs
import schema_files

try:
    import jsonschema
except ImportError:
    print("skipped: no python3-jsonschema")
    sys.exit(77)

CAPTURES = Path(__file__).resolve().parents[1] / "captures"
PATIENCE_S = 300


def validators(schemas):
    """A validator for each schema, which finds the others by $id without a network."""
    by_id = {schema["$id"]: schema for schema in schemas.values()}
    try:
        import referencing.jsonschema
        make = referencing.jsonschema.DRAFT202012.create_resource
        more = {"registry": referencing.Registry().with_resources([(name, make(one)) for name, one in by_id.items()])}
        return {file: jsonschema.Draft202012Validator(schema, **more) for file, schema in schemas.items()}
    except ImportError:
        return {file: jsonschema.Draft202012Validator(
            schema, resolver=jsonschema.RefResolver(schema["$id"], schema, store=by_id))
            for file, schema in schemas.items()}


class Outputs:
    def __init__(self, program, folder):
        self.program = str(Path(program).resolve())
        self.folder = folder
        self.schemas = schema_files.load()
        self.validators = validators(self.schemas)
        self.seen = set()
        self.failures = []
        self.documents = 0

    def run(self, arguments):
        environment = {**os.environ, "TMPDIR": str(self.folder)}
        return subprocess.run([self.program, *arguments], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE_S, check=False)

    def prepare(self):
        inputs.write_inputs(self.folder)
        inputs.write_captures(self.folder, CAPTURES)
        for line in cases.PREPARED:
            done = self.run(shlex.split(line))
            if done.returncode != 0:
                self.failures.append(f"{line}: {done.stderr}")
        for name in cases.ONE_SAMPLE:
            inputs.drop_first_axis(self.folder / name)

    def validate(self, name, line, text):
        """Each line of an export is a document, other output is one."""
        for one in text.splitlines() if name.startswith("export") else [text]:
            document = json.loads(one)
            self.documents += 1
            for error in self.validators[f"{name}.json"].iter_errors(document):
                place = "/".join(map(str, error.absolute_path))
                self.failures.append(f"orderlab {line}\n  {name}.json, at /{place}: {error.message[:600]}")
            schema_files.mark(self.schemas, f"{name}.json", document, self.seen)

    def run_case(self, name, status, line):
        done = self.run([*shlex.split(line.format(captures=CAPTURES)), "--json", "-"])
        if status not in ("?", str(done.returncode)) or not done.stdout:
            self.failures.append(f"orderlab {line}: exit status {done.returncode}, expected {status}: {done.stderr}")
        else:
            self.validate(name, line, done.stdout)

    def interrupt(self, name, line):
        """Stops a command early; later where it had nothing to say yet."""
        for delay in (0.1, 0.4, 1.6, 6.4, 25.6, 102.4):
            alone = [] if name == "probe" else ["--threads", "1"]  # of other commands the work takes longer so
            process = subprocess.Popen([self.program, *shlex.split(line), *alone, "--json", "-"],
                                       cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            text = process.communicate(timeout=PATIENCE_S)[0]
            if process.returncode == 130 and text:
                return self.validate(name, line, text)
        return self.failures.append(f"orderlab {line}: nothing written when interrupted")

    def unused(self):
        """Properties that no document has, and exceptions that one has."""
        known = schema_files.properties(self.schemas)
        missing = {f"{file}#{pointer}" for file, pointer in known - self.seen}
        excused = {place: {one for one in missing if (one + "/").startswith(place + "/")} for place in cases.NEVER_SEEN}
        for place in sorted(missing.difference(*excused.values())):
            self.failures.append(f"{place}: in no document; leave it out of the schema, or add a case to cases.py")
        for place in sorted(place for place, of in excused.items() if not of):
            self.failures.append(f"{place}: listed in NEVER_SEEN of cases.py, but all of it is in documents, or gone")


def print_unused(outputs):
    for file, pointer, node in schema_files.all_schemas(outputs.schemas):
        places = [f"{pointer}/anyOf/{i}" for i in range(len(node.get("anyOf", [])))]
        places += [f"{pointer}/enum/{one}" for one in node.get("enum", []) if one is not None]
        places += [f"{pointer}/type/{one}" for one in node.get("type", []) if isinstance(node["type"], list)]
        for place in places:
            if (file, place) not in outputs.seen:
                print(f"never: {file}#{place}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        outputs = Outputs(sys.argv[1], Path(folder))
        outputs.prepare()
        for line in cases.CASES.strip().splitlines():
            outputs.run_case(*line.split(None, 2))
        for line in cases.INTERRUPTED.strip().splitlines():
            outputs.interrupt(*line.split(None, 1))
    outputs.unused()
    if "--unused" in sys.argv:
        print_unused(outputs)
    print("\n".join(outputs.failures + [f"{outputs.documents} documents, {len(outputs.failures)} failures"]))
    return 1 if outputs.failures else 0


if __name__ == "__main__":
    sys.exit(main())
