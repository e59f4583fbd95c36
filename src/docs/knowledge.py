"""What people know about entries of lists, one file for each page, reference/NAME.toml, and parts of cards."""

import tomllib
from html import escape
from pathlib import Path

REFERENCE = Path(__file__).resolve().parent / "reference"
GUARANTEES = {"any_device": "Fixed: the same bits on any machine",
              "run_to_run": "Fixed: the same bits in every run on one machine",
              "not_guaranteed": "Drawn: bits may differ from run to run"}


def knowledge(name):
    """The rows of a page's file."""
    return tomllib.loads((REFERENCE / f"{name}.toml").read_text(encoding="utf-8"))


def facts(*pairs):
    """A list of what is known, as Markdown."""
    return "\n".join(f"- **{title}**: {text}." for title, text in pairs if text)


def rows_of(name, listed):
    """The row of each listed entry; an entry without one has an empty row, and its card says less."""
    known = knowledge(name)
    return {entry: known.get(entry, {}) for entry in listed}


def complaints(name, listed, rows):
    """Listed entries without a row, and rows of nothing listed."""
    return [f"reference/{name}.toml: {entry}: " + ("no row" if entry in listed else "names nothing listed")
            for entry in sorted(set(listed) ^ set(rows))]


def raw(html):
    return f"```{{raw}} html\n{html}\n```"


def commands(lines):
    text = "\n".join(escape(f"$ {line}") for line in lines)
    return raw(f'<details class="commands"><summary>Commands</summary><pre>{text}</pre></details>')
