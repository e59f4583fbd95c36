"""Parts of pages in Markdown, and what the program says of itself."""

import json
import os
import re
import subprocess

CITATION = re.compile(r"\[([A-Z][A-Za-z]+\d{4}[a-z]?)\](?![(:])")


def outside_code(line, change):
    """The line with what stands outside `code` changed."""
    parts = re.split(r"(`+[^`]+`+)", line)
    return "".join(part if place % 2 else change(part) for place, part in enumerate(parts))


def cited(text):
    return CITATION.sub(lambda match: f"{{ref}}`[{match[1]}] <{match[1].lower()}>`", text)


def run(program, *arguments, columns=100):
    environment = {**os.environ, "COLUMNS": str(columns), "LC_ALL": "C.UTF-8"}
    return subprocess.run([program, *arguments], check=True, capture_output=True, env=environment).stdout.decode()


def document(program, *arguments):
    """What a command writes as JSON."""
    return json.loads(run(program, *arguments, "--json", "-"))


def entries(program, name):
    """What `orderlab list NAME` lists."""
    return document(program, "list", name)["entries"]


def plain(text):
    """Text of the program as Markdown, for a cell of a table or a paragraph."""
    def escaped(part):
        return cited(re.sub(r"([\\*_<>|$#{}\[\]~])", r"\\\1", part).replace("\\[", "[").replace("\\]", "]"))
    return outside_code(text, escaped).replace("\n", " ")


def sentence(text):
    """A summary as a sentence."""
    text = plain(re.sub(r"\A(?!numpy|awk)[a-z]+(?=[ ,]|:(?!:))", lambda word: word[0].capitalize(), text))
    return text if text.endswith((".", "?", "!")) or not text else f"{text}."


def code(text):
    return f"`{text}`" if text else ""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    cells = [[re.sub(r"(?<!\\)\|", r"\\|", cell) for cell in row] for row in rows]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in cells])


def toctree(names):
    return "```{toctree}\n:maxdepth: 1\n\n" + "\n".join(names) + "\n```\n"
