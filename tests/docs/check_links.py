#!/usr/bin/env python3
"""Every link of the built documentation leads somewhere: to a file that is there, to an anchor that is there. Nothing
is loaded from the network. With a source tree, links of its README files and of the sources of pages too.

usage: check_links.py HTML_FOLDER [SOURCE_DIR] | --self-test
"""

import re
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}  # without a click
GENERATED = re.compile(  # pages of the site only
    r"/reference/(commands|cpp|lists|schemas)/|/reference/(configs|cuda|python)\.md$")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)  # of Markdown


class Page(HTMLParser):
    """The links and anchors of one file."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.anchors = [], [], {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[name] for name in ("id", "name") if values.get(name))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag in LOADED and values.get(LOADED[tag]) and values.get("rel") not in ("canonical",):
            self.loaded.append(values[LOADED[tag]])


def check_site(folder):
    """(number of links, complaints)"""
    pages = {path.resolve(): Page(path) for path in sorted(folder.rglob("*.html"))}
    count, complaints = 0, []
    for path, page in pages.items():
        for link in page.links + page.loaded:
            count += 1
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded and parts.scheme != "data":
                    complaints.append(f"{path}: loads {link}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                complaints.append(f"{path}: there is no {link}")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                complaints.append(f"{path}: no such anchor: {link}")
    for style in folder.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        for url in re.findall(r"url\([\"']?([^)\"']*)", text):  # of a web server's root, too
            there = url.startswith("data:") or (style.parent / urlsplit(url).path).is_file()
            if re.match(r"https?:|/", url) or not there:
                complaints.append(f"{style}: loads {url}")
    return count, complaints


def anchors_of(text):
    """The anchors of the headings of Markdown, as GitHub makes them."""
    fences = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.*)$", fences.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def check_markdown(root):
    """(number of links, complaints) of README files and of the sources of pages."""
    count, complaints = 0, []
    paths = [root / "README.md", root / "src/README.md", root / "src/cuda/README.md", root / "bench/README.md",
             *sorted((root / "src/docs").rglob("*.md"))]
    for path in paths:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        for link in re.findall(r"\]\(([^)\s]+)\)", CODE.sub("", text)):
            file, _, anchor = link.partition("#")
            target = (path.parent / file).resolve() if file else path.resolve()
            if "://" in link or GENERATED.search(target.as_posix()):
                continue
            count += 1
            if not target.exists():
                complaints.append(f"{path}: there is no {link}")
            elif anchor and target.is_file() and anchor not in anchors_of(target.read_text(encoding="utf-8")):
                complaints.append(f"{path}: no such anchor: {link}")
    return count, complaints


def self_test():
    failures = []
    other = '<p id="there">b</p>'
    for text, complaints in [
        ('<a href="b.html#there">b</a> <a href="#here">a</a> <p id="here">', 0), ('<a href="c.html">c</a>', 1),
        ('<a href="b.html#gone">b</a>', 1), ('<a href="https://example.org">away</a>', 0),
        ('<script src="https://example.org/x.js"></script>', 1), ('<img src="none.svg">', 1),
    ]:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.html").write_text(text, encoding="utf-8")
            Path(folder, "b.html").write_text(other, encoding="utf-8")
            if len(check_site(Path(folder))[1]) != complaints:
                failures.append(f"{text!r}: {check_site(Path(folder))}")
    for text, complaints in [("@import url(/x.css);", 1), ("a { b: url('data:image/svg+xml,x') }", 0)]:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.css").write_text(text, encoding="utf-8")
            if len(check_site(Path(folder))[1]) != complaints:
                failures.append(f"{text!r}: {check_site(Path(folder))}")
    for text, complaints in [("# A b\n[a](#a-b) [b](b.md#x-y)", 0), ("[c](c.md)", 1), ("[b](b.md#z)", 1),
                             ("`[c](c.md)` [d](https://example.org)", 0),
                             ("[g](src/docs/reference/lists/orders.md)", 0)]:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "README.md").write_text(text, encoding="utf-8")
            Path(folder, "b.md").write_text("## X y\n", encoding="utf-8")
            if len(check_markdown(Path(folder))[1]) != complaints:
                failures.append(f"{text!r}: {check_markdown(Path(folder))}")
    return failures


def main():
    if sys.argv[1:] == ["--self-test"]:
        complaints = self_test()
    elif len(sys.argv) in (2, 3):
        count, complaints = check_site(Path(sys.argv[1])) if sys.argv[1] != "-" else (0, [])
        print(f"{count} links of the site")
        if len(sys.argv) == 3:
            count, more = check_markdown(Path(sys.argv[2]).resolve())
            print(f"{count} links of Markdown")
            complaints += more
    else:
        raise SystemExit(__doc__)
    print("\n".join(complaints + [f"{len(complaints)} complaints"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
