#!/usr/bin/env python3
"""Puts what Sphinx reads into a folder: the pages of src/docs, pages that are elsewhere in the tree, and the reference
that the program writes. Nothing is written into the source tree.

usage: make_pages.py PROGRAM FOLDER

Of each page, links that leave src/docs become links to the page or the file that is copied for them, [Key2000] becomes
a link to the list of references, and blocks that begin with "$ " are coloured as sessions of a shell.
"""

import ast
import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from cpp_reference import put_cpp
from galleries import filled
from list_pages import put_lists
from texts import CITATION, cited, code, outside_code, plain, run, sentence, table, toctree

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parents[1]
ELSEWHERE = {  # pages that have their place in the tree elsewhere
    "CHANGELOG.md": "changelog.md",
    "bench/README.md": "explanation/measurements.md",
    "src/README.md": "explanation/design.md",
    "src/cuda/README.md": "reference/cuda.md",
}
TITLES = {"explanation/design.md": "How the program works: the source tree",
          "explanation/measurements.md": "All measurements", "reference/cuda.md": "CUDA kernels and captures"}
GENERATED = ["reference/commands", "reference/lists", "reference/schemas", "reference/configs.md", "reference/cuda.md",
             "reference/python.md", "reference/cpp"]
LINK = re.compile(r"\]\(([^)\s#]*)(#[^)\s]*)?\)")
INCLUDE = re.compile(r'```\{include\} (\S+)\n:start-after: "(.*)"\n:end-before: "(.*)"\n```\n')


def broken(line):
    """A command as lines that fit a page, broken before its flags."""
    if not line.startswith("$ ") or len(line) <= 84 or line.count("'") % 2 or line.count('"') % 2:
        return [line]
    lines = [""]
    for part in re.split(r""" (?=--|\| |> )(?=(?:[^'"]|'[^']*'|"[^"]*")*$)""", line):
        if lines[-1] and len(lines[-1]) + len(part) > 80:
            lines[-1] += " \\"
            lines.append(f"    {part}")
        else:
            lines[-1] += f" {part}" if lines[-1] else part
    return lines


class Site:
    """The folder that Sphinx reads."""

    def __init__(self, folder):
        self.folder = folder
        self.written = set()

    def write(self, path, text):
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text(encoding="utf-8") != text:  # else Sphinx reads it again
            target.write_text(text, encoding="utf-8")
        self.written.add(target)

    def copy(self, source, path):
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != source.read_bytes():
            shutil.copyfile(source, target)
        self.written.add(target)

    def remove_the_rest(self):
        for path in sorted(self.folder.rglob("*"), reverse=True):
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
            elif path.is_file() and path not in self.written:
                path.unlink()


# ---- Pages that people write


def config_anchor(path):
    """The anchor of a heading that is this path."""
    return re.sub(r"[^a-z0-9_-]", "", path.lower())


def linked(source, page, site):
    """A function that gives links of a file of the tree their place on the site."""

    def place(match):
        path, anchor = match[1], match[2] or ""
        if not path or "://" in path or path.startswith("mailto:"):
            return match[0]
        target = (source.parent / path).resolve()
        generated = any(target.is_relative_to(DOCS / folder) for folder in GENERATED)  # Sphinx looks for these
        if not target.exists() and not generated:
            raise SystemExit(f"{source}: there is no {path}")
        name = target.relative_to(ROOT).as_posix()
        if name in ELSEWHERE:
            home = ELSEWHERE[name]
        elif name.startswith("src/docs/"):
            home = name[len("src/docs/"):]
        elif name == "configs" or (name.startswith("configs/") and target.suffix != ".ipynb"):
            home, anchor = "reference/configs.md", "" if name == "configs" else f"#{config_anchor(name)}"
        elif target.is_dir():
            home = ELSEWHERE["src/README.md"]  # which describes the folders
        else:
            home = f"files/{target.name}" + (".txt" if target.suffix == ".md" else "")
        if not home.endswith(".md"):
            site.copy(target, home)
        return f"]({os.path.relpath(home, Path(page).parent)}{anchor})"

    return lambda text: LINK.sub(place, text)


def converted(source, page, site, text=None):
    """The text of a file of the tree as a page."""
    text = source.read_text(encoding="utf-8") if text is None else text
    links, lines, fence, session = linked(source, page, site), [], None, False

    include = INCLUDE.search(text)
    if include:
        other = (source.parent / include[1]).resolve()
        part = other.read_text(encoding="utf-8").partition(include[2])[2].partition(include[3])[0]
        return (converted(source, page, site, text[:include.start()])
                + converted(other, page, site, part.strip("\n") + "\n")
                + converted(source, page, site, text[include.end():]))
    all_lines = text.split("\n")
    for number, line in enumerate(all_lines):
        if fence is None and line.startswith("```"):
            fence = line
            following = all_lines[number + 1] if number + 1 < len(all_lines) else ""
            session = line == "```" and following.startswith("$ ")
            lines.append("```session" if session else line)
        elif fence is not None:
            lines += broken(line) if session else [line]
            fence = None if line == "```" else fence
        elif page == "references.md" and CITATION.match(line[2:]):
            key = CITATION.match(line[2:])[1]
            lines += [f"- ({key.lower()})=", f"  {line[2:]}"]
        elif line.startswith("    ") or page == "references.md":
            lines.append(line)
        else:
            lines.append(outside_code(line, lambda part: links(cited(part))))
    return "\n".join(lines)


def put_written_pages(site, program):
    for source in sorted(DOCS.rglob("*")):
        name = source.relative_to(DOCS).as_posix()
        if source.suffix == ".md":
            site.write(name, filled(converted(source, name, site), program))
        elif source.suffix in (".svg", ".css", ".txt"):
            site.copy(source, name)
    for script in (DOCS / "figures").glob("*.py"):
        site.copy(script, f"figures/{script.name}")
    for name, page in ELSEWHERE.items():
        text = converted(ROOT / name, page, site)
        if page in TITLES:
            text = re.sub(r"\A# .*\n", f"# {TITLES[page]}\n", text)
        site.write(page, text)


def put_configs(site):
    folder = ROOT / "configs"
    text = ["# Configs and examples",
            "What is in the folder `configs`. Each config begins with its question and how long it takes.", "## Sweeps"]
    parts = [("", sorted(folder.glob("*.toml"))), ("configs/cluster", sorted((folder / "cluster").iterdir())),
             ("configs/ci", sorted((folder / "ci").iterdir())),
             ("configs/notebooks", sorted((folder / "notebooks").glob("*.py")))]
    languages = {".toml": "toml", ".py": "python", ".sh": "sh", ".sbatch": "sh", ".yaml": "yaml", ".yml": "yaml",
                 ".cpp": "cpp"}
    for name, files in parts:
        if name:
            text.append(f"## {name}")
        for file in files:
            path = file.relative_to(ROOT).as_posix()
            content = file.read_text(encoding="utf-8").rstrip("\n")
            if file.suffix == ".txt" and content.count("\n") >= 10:  # numbers: some of them show what is there
                lines = content.split("\n")
                content = "\n".join([*lines[:4], f"... ({len(lines)} lines)"])
            text += [f"### {path}", f"````{languages.get(file.suffix, 'text')}\n{content}\n````"]
    site.write("reference/configs.md", "\n\n".join(text) + "\n")


# ---- What the program says of itself


def command_page(name, text):
    """`orderlab NAME --help` as Markdown."""
    lines = text.rstrip("\n").split("\n")
    page, rows, note = [f"# orderlab {name}", sentence(lines[0])], [], []

    def flush():
        if rows:
            page.append(table(("flag", "meaning"), rows))
            rows.clear()
        if note:
            page.append(plain(" ".join(note)))
            note.clear()

    for line in lines[1:]:
        entry = re.match(r"  (\S.*?)(?:\s{2,}(\S.*))?$", line)
        if line.startswith("Usage: "):
            page.append(f"```text\n{line[7:]}\n```")
        elif line.startswith("Example: "):
            flush()
            page.append(f"Example:\n\n```sh\n{line[9:]}\n```")
        elif entry and entry[2]:
            if note:
                flush()
            rows.append((code(entry[1]), plain(entry[2])))
        elif entry:  # a command or a line of text of its own
            flush()
            page.append(f"```sh\n{entry[1]}\n```")
        elif line.endswith(":") and len(line) < 40 and "," not in line:
            flush()
            page.append(f"## {line[:-1]}")
        elif line:
            if rows:
                flush()
            note.append(line)
        else:
            flush()
    flush()
    return "\n\n".join(page) + "\n"


def put_commands(site, program):
    wide = 10_000  # no text is broken into lines
    overview = run(program, "--help", columns=wide)
    commands = re.findall(r"^  ([a-z]+) {2,}\S", overview.partition("Subcommands:")[2], re.MULTILINE)
    for name in commands:
        site.write(f"reference/commands/{name}.md", command_page(name, run(program, name, "--help", columns=wide)))
    site.write("reference/commands/index.md",
               "# Commands\n\nThese pages are `orderlab COMMAND --help`; `orderlab help --man` prints all as a manual "
               "page. Counts may be written 1000, 1e6, 1_000_000 or 2^20.\n\n" + toctree(commands))


def kind_of(schema):
    """What a value is, in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        shared = schema["$ref"].startswith("shared.json")
        return f"{{ref}}`{name} <shared-{name.replace('_', '-')}>`" if shared else code(name)
    if "const" in schema:
        return code(json.dumps(schema["const"]))
    if "enum" in schema:
        return ", ".join(code(json.dumps(value)) for value in schema["enum"])
    kind = schema.get("type", "")
    if kind == "array" and isinstance(schema.get("items"), dict):
        return f"array of {kind_of(schema['items'])}"
    return plain(" or ".join(kind) if isinstance(kind, list) else kind)


def keys_of(schema, prefix=""):
    """Rows of (key, kind, meaning) of an object, with those of objects inside."""
    rows = []
    for key, value in schema.get("properties", {}).items():
        rows.append((code(prefix + key), kind_of(value), plain(value.get("description", ""))))
        inner, more = value, "."
        if isinstance(value.get("items"), dict):
            inner, more = value["items"], "[]."
        rows += keys_of(inner, prefix + key + more)
    return rows


def put_schemas(site, program):
    with tempfile.TemporaryDirectory() as folder:
        run(program, "help", "--schemas", folder)
        files = sorted(Path(folder).glob("*.json"))
        schemas = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in files}
    for name, schema in schemas.items():
        page = [f"# {name}.json", plain(schema["description"])]
        parts = {**schema.get("$defs", {})}
        if name != "shared":
            page.append(table(("key", "is", "meaning"), keys_of(schema)))
        for part, inner in parts.items():
            page += [f"(shared-{part.replace('_', '-')})=" if name == "shared" else "", f"## {part.replace('_', ' ')}"]
            kind = kind_of({key: value for key, value in inner.items() if key != "$ref"})
            page.append(plain(inner.get("description", "")) + (f" {kind}." if kind and kind != "object" else ""))
            rows = keys_of(inner)
            page.append(table(("key", "is", "meaning"), rows) if rows else "")
        site.write(f"reference/schemas/{name}.md", "\n\n".join(part for part in page if part.strip()) + "\n")
    site.write("reference/schemas/index.md",
               "# JSON schemas\n\nOne page for each document that `--json` writes, key by key. The schemas themselves "
               "are written by `orderlab help --schemas FOLDER`; [JSON](../json.md) says how to validate with them.\n\n"
               + toctree(schemas))


# ---- What the Python package says of itself, read from its sources: it need not be built


def docstring_page(text):
    """A docstring as Markdown: its sections as bold words, what they name as lists, its examples as sessions of Python."""
    lines, result, block = text.replace("\\*", "*").split("\n"), [], []

    def flush():
        if block:
            result.append("```python\n" + "\n".join(block) + "\n```")
            block.clear()

    for number, line in enumerate(lines):
        if set(line) == {"-"}:
            continue
        if number + 1 < len(lines) and lines[number + 1] and set(lines[number + 1]) == {"-"}:
            flush()
            result.append(f"\n**{line}**\n")
        elif line.startswith((">>>", "...")) or (block and line.strip()):
            block.append(line)
        else:
            flush()
            named = number + 1 < len(lines) and lines[number + 1].startswith("    ") and line and line[0] != " "
            indent = "  " if line.startswith("    ") else ""  # of what is said of a name
            result.append(f"- {code(line)}:" if named else indent + plain(line.strip()))
    flush()
    return "\n".join(result)


def put_python(site):
    package = ROOT / "src/python/orderlab"
    page = ["# Python package",
            "[From Python](../how-to/python.md) shows how it is installed and used. Every flag of a "
            "[command](commands/index.md) is a keyword of the function with its name, without dashes; "
            "`help(orderlab.sample)` lists them."]
    modules = [
        ("Commands as functions", "orderlab.", "_functions.py"),
        ("Tables of orders", "orderlab.", "_surveys.py"), ("Exact sums", "orderlab.", "exact.py"),
        ("Arrays", "orderlab.array.", "array.py"), ("Assertions", "orderlab.testing.", "testing.py"),
        ("Strategies of Hypothesis", "orderlab.strategies.", "strategies.py"),
        ("Fixtures of pytest", "", "pytest_plugin.py"), ("Results", "orderlab.results.", "results.py"),
    ]
    for title, prefix, file in modules:
        module = ast.parse((package / file).read_text(encoding="utf-8"))
        page.append(f"## {title}")
        for node in module.body:
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or node.name.startswith(("_", "pytest_")):
                continue
            text = ast.get_docstring(node)
            if not text:
                continue
            page += [f"### {prefix}{node.name}".replace("_", "\\_"), docstring_page(text)]
            for inner in node.body if isinstance(node, ast.ClassDef) else []:
                public = isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_")
                inner_text = public and ast.get_docstring(inner)
                if inner_text:
                    page += [f"#### {node.name}.{inner.name}".replace("_", "\\_"), docstring_page(inner_text)]
    site.write("reference/python.md", "\n\n".join(page) + "\n")


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    program, site = sys.argv[1], Site(Path(sys.argv[2]))
    site.folder.mkdir(parents=True, exist_ok=True)
    put_written_pages(site, program)
    put_configs(site)
    put_commands(site, program)
    put_lists(site, program)
    put_schemas(site, program)
    put_python(site)
    put_cpp(site)
    site.copy(DOCS / "conf.py", "conf.py")
    site.remove_the_rest()


if __name__ == "__main__":
    main()
