#!/usr/bin/env python3
"""Every page says which scripts it runs, by their SHA-256, and that it loads nothing: those of all kinds of pages are
its scripts, each of them once.

usage: policy_test.py PROGRAM
"""

import base64
import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PAGES = {
    "sample": ["sample", "--n", "50", "--order", "random", "--samples", "5", "--html", "sample.html", "--quiet"],
    "compare": ["compare", "0.5,0.6,0.7", "0.6,0.7,0.9", "--html", "compare.html", "--quiet"],
    "host": ["host", "host.cu", "--html", "host.html", "--quiet"],
    "solve": ["solve", "cg", "--matrix", "poisson2d(4)", "--samples", "2", "--html", "solve.html", "--quiet"],
}
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
SCRIPT = re.compile(rb"<script>(.*?)</script>", re.S)  # those that run


def directives_of(html):
    policy = POLICY.search(html.decode("utf-8"))
    return {} if policy is None else {d.split()[0]: d.split()[1:] for d in policy.group(1).split(";")}


def main():
    program = str(Path(sys.argv[1]).resolve())
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "host.cu").write_text("int main() {}\n", encoding="ascii")
        for name, line in PAGES.items():
            subprocess.run([program, *line], cwd=folder, check=True)
            html = (Path(folder) / f"{name}.html").read_bytes()
            directives = directives_of(html)
            hashes = ["'sha256-" + base64.b64encode(hashlib.sha256(script).digest()).decode() + "'"
                      for script in SCRIPT.findall(html)]
            wrong = []
            if len(hashes) != 4 or directives.get("script-src") != hashes:
                wrong.append(f"script-src {directives.get('script-src')} of scripts {hashes}")
            for directive, value in {"default-src": ["'none'"], "base-uri": ["'none'"], "form-action": ["'none'"],
                                     "img-src": ["data:", "blob:"], "style-src": ["'unsafe-inline'"]}.items():
                if directives.get(directive) != value:
                    wrong.append(f"{directive} {directives.get(directive)}")
            if set(directives) != {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}:
                wrong.append(f"directives {sorted(directives)}")
            if html.find(b"<meta http-equiv") > html.find(b"<style"):
                wrong.append("something stands before the policy")
            for what in wrong:
                print(f"{name}: {what}", file=sys.stderr)
            failures += len(wrong)
    print(f"{len(PAGES)} pages, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
