"""Sphinx's settings. The pages that it reads are those that make_pages.py has put into the build folder."""

import re
from pathlib import Path

from docutils import nodes
from pygments.lexer import RegexLexer, bygroups, using
from pygments.lexers import BashLexer
from pygments.token import Generic, Text

project = "orderlab"
copyright = "the orderlab developers, Apache-2.0"
extensions = ["myst_parser"]
myst_heading_anchors = 4
exclude_patterns = ["figures"]
nitpicky = True
smartquotes = False  # --flags keep their dashes

html_theme = "furo"
html_title = "orderlab"
html_copy_source = False
html_show_sphinx = False
html_use_index = False  # there is nothing in it
html_static_path = ["static"]
html_css_files = ["orderlab.css"]
html_theme_options = {"navigation_with_keys": True}
highlight_language = "none"
pygments_style = "default"
pygments_dark_style = "github-dark"


class Session(RegexLexer):
    """A command after "$ ", which goes on after a backslash, and what it prints."""

    name = "Session"
    tokens = {"root": [
        (r"^(\$ )((?:.*\\\n)*.*\n)", bygroups(Generic.Prompt, using(BashLexer))),
        (r".*\n", Text),
    ]}


def make_self_contained(app, exception):
    """Debian's furo takes normalize.css from the root of a web server, and its script is a module, which browsers do
    not load from files. static/orderlab.css has the rules that matter; both scripts become one.
    Its style sheet lacks the rule that makes pages dark where the browser asks for it, so it is added here."""
    folder = Path(app.outdir) / "_static"
    style, script = folder / "styles/furo.css", folder / "scripts/furo.js"
    if exception or not style.is_file():
        return
    text = re.sub(r"@import url\([\"']?/[^)]*\);\n?", "", style.read_text(encoding="utf-8"))
    dark = re.search(r'body\[data-theme="dark"\] \{([^}]*)\}', text)
    if dark and "prefers-color-scheme" not in text:  # it has dark colours for readers who choose them by hand only
        text += ("@media not print { @media (prefers-color-scheme: dark) { "
                 f"body:not([data-theme=\"light\"]) {{{dark[1]}}} }} }}\n")
    style.write_text(text, encoding="utf-8")
    found = re.match(r'import \w+ from "\./(.*)";\n', script.read_text(encoding="utf-8"))
    if found:
        module = (script.parent / found[1]).read_text(encoding="utf-8")
        script.write_text(f"{module}\n{script.read_text(encoding='utf-8')[found.end():]}", encoding="utf-8")


def mark_short_cells(app, doctree, name):
    """A number such as 4.03e-09 has a hyphen, after which browsers would break its line."""
    for entry in doctree.findall(nodes.entry):
        text = entry.astext()
        if len(text) <= 12 and " " not in text:
            entry["classes"].append("short")


def setup(app):
    app.add_lexer("session", Session)
    app.connect("doctree-resolved", mark_short_cells)
    app.connect("build-finished", make_self_contained)
