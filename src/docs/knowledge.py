"""What people know about entries of lists, one file for each page, reference/NAME.toml, and parts of cards."""

import tomllib
from html import escape
from pathlib import Path

REFERENCE = Path(__file__).resolve().parent / "reference"
GUARANTEES = {"any_device": "Fixed: the same bits on any machine", "not_guaranteed": "Drawn: bits may differ from run to run",
              "run_to_run": "Fixed: the same bits in every run on one machine"}


def knowledge(name):
    return tomllib.loads((REFERENCE / f"{name}.toml").read_text(encoding="utf-8"))


def require_rows(name, listed, rows):
    """Stops where a listed entry has no row, or a row no entry."""
    for entry in sorted(set(listed) ^ set(rows)):
        raise SystemExit(f"reference/{name}.toml: {entry}: " + ("no row" if entry in listed else "names nothing listed"))


def raw(html):
    return f"```{{raw}} html\n{html}\n```"


def commands(lines):
    text = "\n".join(escape(f"$ {line}") for line in lines)
    return raw(f'<details class="commands"><summary>Commands</summary><pre>{text}</pre></details>')
