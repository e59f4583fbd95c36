#!/usr/bin/env python3
"""Brings the bundled Vega libraries to what bundle.json says, from the npm registry; or checks the committed files.

usage: refresh.py            fetch the versions of bundle.json, write the files, their hashes and LICENSES.txt
       refresh.py --verify   fetch them, and fail where a committed file is another one
       refresh.py --check    without a network: the committed files have the hashes of bundle.json
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUNDLE = HERE / "bundle.json"
LICENSES = "LICENSES.txt"
# Packages that npm installs beside the libraries for command lines, which no minified file contains.
NOT_BUNDLED = {"ansi-regex", "ansi-styles", "cliui", "commander", "emoji-regex", "escalade", "get-caller-file",
               "get-east-asian-width", "iconv-lite", "rw", "safer-buffer", "string-width", "strip-ansi", "wrap-ansi",
               "y18n", "yargs", "yargs-parser"}


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def fetch(bundle, folder):
    """Files by name: the minified libraries, and all licences of what is in them. npm verifies its own hashes."""
    wanted = [f"{entry['package']}@{entry['version']}" for entry in bundle["files"]]
    subprocess.run(["npm", "install", "--ignore-scripts", "--no-save", "--prefix", folder, *wanted], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    modules = Path(folder) / "node_modules"
    files = {}
    for entry in bundle["files"]:
        about = json.loads((modules / entry["package"] / "package.json").read_text(encoding="utf-8"))
        if about["version"] != entry["version"] or about["license"] != entry["license"]:
            raise SystemExit(f"{entry['package']}: npm gave {about['version']} under {about['license']}")
        files[entry["file"]] = (modules / entry["package"] / "build" / entry["file"]).read_bytes()
    files[LICENSES] = licenses(modules)
    return files


def licenses(modules):
    """Every licence text once, below the packages that it is of."""
    packages_of = {}
    for manifest in sorted(modules.glob("*/package.json")) + sorted(modules.glob("@*/*/package.json")):
        about = json.loads(manifest.read_text(encoding="utf-8"))
        if about["name"] in NOT_BUNDLED or about["name"].startswith("@types/"):
            continue
        texts = sorted(path for path in manifest.parent.iterdir() if path.name.lower().startswith("licen"))
        text = texts[0].read_text(encoding="utf-8").strip() if texts else f"{about.get('license')} (no text is given)"
        packages_of.setdefault(text, []).append(f"{about['name']} {about['version']}")
    parts = [", ".join(names) + "\n\n" + text for text, names in sorted(packages_of.items(), key=lambda item: item[1])]
    return ("What the minified files in this folder contain, and its licences.\n\n" +
            ("\n\n" + "-" * 80 + "\n\n").join(parts) + "\n").encode("utf-8")


def check(digests, files):
    wrong = [name for name, digest in digests.items() if sha256(files(name)) != digest]
    for name in wrong:
        print(f"{name}: another SHA-256 than bundle.json says; run refresh.py", file=sys.stderr)
    print(f"{len(digests)} files, {len(wrong)} wrong")
    return 1 if wrong else 0


def main():
    bundle = json.loads(BUNDLE.read_text(encoding="utf-8"))
    libraries = {entry["file"]: entry["sha256"] for entry in bundle["files"]}
    if sys.argv[1:] == ["--check"]:
        committed = {**libraries, LICENSES: bundle["licenses_sha256"]}
        return check(committed, lambda name: (HERE / name).read_bytes())
    if sys.argv[1:] not in ([], ["--verify"]):
        raise SystemExit(__doc__)
    folder = tempfile.mkdtemp()
    try:
        files = fetch(bundle, folder)
    finally:
        shutil.rmtree(folder)
    if sys.argv[1:]:  # the licences' years move with every release of what the libraries were built from
        return check(libraries, files.get) | check(libraries, lambda name: (HERE / name).read_bytes())
    for name, data in files.items():
        (HERE / name).write_bytes(data)
    for entry in bundle["files"]:
        entry["sha256"] = sha256(files[entry["file"]])
    bundle["licenses_sha256"] = sha256(files[LICENSES])
    BUNDLE.write_text(json.dumps(bundle, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
