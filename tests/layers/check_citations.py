#!/usr/bin/env python3
"""Every citation key in include/ and src/, such as [Higham1993], must stand in the list of src/docs/references.md.

usage: check_citations.py SOURCE_DIR | --self-test
"""

import re
import sys
import tempfile
from pathlib import Path

from sources import code_files

KEY = re.compile(r"\[([A-Z][A-Za-z]+(?:[A-Z][A-Za-z]+)*\d{4}[a-z]?)\]")
HEADING = re.compile(r"^(#+)\s+(.*?)\s*#*$")


def keys_in_references(page):
    """The keys under the heading "References", up to the next heading of its level or above."""
    keys, level = set(), None
    for line in page.splitlines():
        heading = HEADING.match(line)
        if heading and level is not None and len(heading.group(1)) <= level:
            level = None
        if heading and heading.group(2).lower() == "references":
            level = len(heading.group(1))
        if level is not None:
            keys.update(KEY.findall(line))
    return keys


def citations(root):
    """Yields (place, key) for every key in the sources."""
    for folder in ["include", "src"]:
        for path in code_files(root / folder):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for key in KEY.findall(line):
                    yield f"{path.relative_to(root)}:{number}", key


def check(root):
    """(number of citations, complaints)"""
    page = root / "src/docs/references.md"
    known = keys_in_references(page.read_text(encoding="utf-8")) if page.is_file() else set()
    cited = list(citations(root))
    unknown = [f"{place}: [{key}] is not in src/docs/references.md" for place, key in cited if key not in known]
    return len(cited), unknown


def self_test():
    page = "# a\n[Other2001]\n## References\n- [Higham1993] Higham\n- [KaoWang2000] Kao\n# Licence\n[Late2002]\n"
    cases = [
        ("/// Source:  [Higham1993], the general class.\n", 1, 0),
        ('const char* source = "[KaoWang2000]";\n', 1, 0),
        ("/// [Higham1993] and [Absent1999]\n", 2, 1),
        ("/// [Other2001]\n", 1, 1),
        ("/// [Late2002]\n", 1, 1),
        ("int x = a[1993]; // [see below], [x2000]\n", 0, 0),
    ]
    failures = []
    for text, count, complaints in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "src/core").mkdir(parents=True)
            (root / "src/core/a.hpp").write_text(text, encoding="utf-8")
            (root / "src/core/build").mkdir()  # what a build left there is not read
            (root / "src/core/build/a.hpp").write_text("[Absent1999]", encoding="utf-8")
            without_page = check(root)
            (root / "src/docs").mkdir()
            (root / "src/docs/references.md").write_text(page, encoding="utf-8")
            found = check(root)
            if (found[0], len(found[1])) != (count, complaints) or len(without_page[1]) != count:
                failures.append(f"{text!r}: expected {count} citations, {complaints} unknown; got {found}")
    return failures


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    if sys.argv[1] == "--self-test":
        found = self_test()
    else:
        count, found = check(Path(sys.argv[1]))
        print(f"{count} citations read")
    print("\n".join(found + [f"{len(found)} unknown"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
