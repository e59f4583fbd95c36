"""The C++ reference: a page for each public header. Doxygen finds the names and where each is declared; what a page
shows is the text of the header."""

import itertools
import re
import subprocess
import tempfile
import textwrap
import xml.etree.ElementTree as ET
from pathlib import Path

from texts import plain, table, toctree

INCLUDE = Path(__file__).resolve().parents[2] / "include"
SETTINGS = f"""
INPUT = {INCLUDE}
RECURSIVE = YES
EXTRACT_ALL = YES
MACRO_EXPANSION = YES
QUIET = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
"""
GROUPS = [("Questions", "orderlab/study/", "A header for each question: a request, a finding and the function that "
           "answers."),
          ("Everything below", "orderlab/", "What the questions are made of.")]


class Entity:
    """A class, function, enumeration, alias or constant of a header, without what is inside it."""

    def __init__(self, node, name):
        place = node.find("location")
        self.id, self.name = node.get("id"), name
        self.header = Path(place.get("file")).relative_to(INCLUDE).as_posix()
        self.line = int(place.get("line"))
        self.end = max(int(place.get("bodyend") or -1), self.line)
        self.uses = {ref.get("refid") for ref in node.iter("ref")}


def entities():
    """All that is documented, in the order of the headers."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["doxygen", "-"], input=f"{SETTINGS}OUTPUT_DIRECTORY = {folder}\n", check=True, text=True,
                       cwd=folder)
        found = []
        for path in sorted(Path(folder, "xml").glob("*.xml")):
            for compound in ET.parse(path).getroot().iter("compounddef"):
                name = compound.findtext("compoundname")
                if "detail" in name.split("::"):
                    continue
                if compound.get("kind") in ("class", "struct", "union"):
                    if "<" not in name:
                        found.append(Entity(compound, name.rpartition("::")[2]))
                elif compound.get("kind") == "namespace":
                    found += [Entity(member, member.findtext("name")) for member in compound.iter("memberdef")]
    found.sort(key=lambda entity: (entity.header, entity.line, -entity.end))
    outer = []  # classes inside classes are shown with these
    for entity in found:
        if not outer or entity.header != outer[-1].header or entity.line > outer[-1].end:
            outer.append(entity)
        else:
            outer[-1].uses |= entity.uses
    return outer


def declaration(lines, entity):
    """The comment above an entity and its text, without bodies of functions and what is private."""
    start = entity.line - 1
    while lines[start - 1].startswith(("template", "[[", "inline", "constexpr")) and not lines[start - 1].endswith(";"):
        start -= 1
    above = start
    while lines[above - 1].startswith("///"):
        above -= 1
    comment = [line[4:] for line in lines[above:start]]
    end = entity.end
    while not lines[end - 1].rstrip().endswith((";", "}", "};")) and not re.search(r"[;}]\s*///<", lines[end - 1]):
        end += 1
    text = lines[start:end]
    head = next((number for number, line in enumerate(text) if line.endswith(" {") and "(" in "".join(text[:number + 1])
                 and not line.startswith(("struct", "class", "enum"))), None)
    if head is not None and not any(line.startswith(("struct", "class", "enum")) for line in text[:head + 1]):
        text = [*text[:head], f"{text[head][:-2]};"]
    shown, private = [], False
    for line in text:
        if re.fullmatch(r" (private|public|protected):", line):
            private = line != " public:"
        if not private or line == "};":
            shown.append(line)
    return comment, re.sub(r"\n\n};", "\n};", textwrap.dedent("\n".join(shown)))


def introduction(lines):
    """The comment that begins a header, its lines."""
    return [line[3:] for line in itertools.takewhile(lambda line: line.startswith("//"), lines)]


def paragraphs(comment):
    """The lines of a comment as Markdown: paragraphs, slots such as "Errors:", lists, and code, which is indented."""
    blocks = []  # of kind and lines
    for line in comment:
        kind = ("end" if not line else "code" if line.startswith("    ") and (not blocks or blocks[-1][0] in (
            "code", "end")) else "slot" if re.match(r"[A-Z][a-z]+: ", line) else "item" if line.startswith("- ") else "")
        if kind == "" and blocks and blocks[-1][0] in ("text", "slot", "item"):
            blocks[-1][1].append(line.strip())
        elif kind == "code" and blocks and blocks[-1][0] == "code":
            blocks[-1][1].append(line)
        else:
            blocks.append((kind or "text", [line if kind == "code" else line.strip()]))
    shown = []
    for kind, lines in blocks:
        if kind == "code":
            shown.append("```cpp\n" + textwrap.dedent("\n".join(lines)) + "\n```")
        elif kind == "item":
            shown.append("- " + plain(" ".join(lines)[2:]))
        elif kind != "end":
            shown.append(plain(re.sub(" +", " ", " ".join(lines))))
    return "\n\n".join(shown)


def put_cpp(site):
    """Writes the pages into a site."""
    found = entities()
    pages = {}
    for entity in found:
        pages.setdefault(entity.header, []).append(entity)
    places = {entity.id: entity for entity in found}
    index = ["# C++ headers",
             "[From C++](../../how-to/cpp.md) has examples. `#include <orderlab/NAME.hpp>` and link with "
             "`orderlab::orderlab`."]
    headers = {path.relative_to(INCLUDE).as_posix(): path.read_text(encoding="utf-8").split("\n")
               for path in sorted(INCLUDE.rglob("*.hpp"))}
    names = {header: header.removeprefix("orderlab/").removesuffix(".hpp") for header in headers}
    left = list(headers)
    for title, folder, text in GROUPS:
        here = [header for header in left if header.startswith(folder)]
        left = [header for header in left if header not in here]
        index += [f"## {title}", text, table(("header", "what it is for"), [
            (f"[{names[header]}]({names[header]}.md)",
             paragraphs(introduction(headers[header])).partition("\n")[0]) for header in here])]
    index.append(toctree(names.values()).replace(":maxdepth: 1", ":hidden:"))
    for header, lines in headers.items():
        page = [f"# {names[header]}.hpp", paragraphs(introduction(lines)),
                f"```cpp\n#include <{header}>\n```"]
        groups = []
        for entity in pages.get(header, []):  # overloads have one heading, an enumeration and its names, too
            if groups and entity.name in (groups[-1][0].name, "name_of"):
                groups[-1].append(entity)
            else:
                groups.append([entity])
        for group in groups:
            page += [f"({group[0].id})=\n## {plain(group[0].name)}"]
            shown, uses = "", set()
            for entity in group:
                comment, code = declaration(lines, entity)
                if comment:
                    page += [f"```cpp\n{shown}\n```"] if shown else []
                    page.append(paragraphs(comment))
                    shown = ""
                shown += ("\n" if shown else "") + code
                uses |= {places[use] for use in entity.uses if use in places and places[use].name != entity.name}
            page.append(f"```cpp\n{shown}\n```")
            if uses:
                page.append("Uses " + ", ".join(f"{{ref}}`{use.name} <{use.id}>`" for use in
                                               sorted(uses, key=lambda use: use.name)) + ".")
        site.write(f"reference/cpp/{names[header]}.md", "\n\n".join(page) + "\n")
    site.write("reference/cpp/index.md", "\n\n".join(index) + "\n")
