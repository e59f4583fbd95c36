#!/usr/bin/env python3
"""Makes the packages of a build and checks what is in them; nothing is installed.

usage: packages_test.py BUILD_DIR [--cpack PROGRAM] [--long]

--long: packs as users do and compares the bytes of two runs, and builds a project against the unpacked archive. What
needs a fresh Debian is in deb_in_fresh_root.sh. Exit status 77: without dpkg-deb, after the checks of the archive.
"""

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM_FILES = ["bin/orderlab", "share/bash-completion/completions/orderlab", "share/zsh/site-functions/_orderlab",
                 "share/orderlab/schemas/sample.json", "share/doc/orderlab/README.md",
                 "share/doc/orderlab/examples/ci/check_sums.sh", "share/doc/orderlab/examples/cluster/sweep.sbatch"]
LIBRARY_FILES = ["include/orderlab/study/sample.hpp", "share/doc/orderlab/examples/study/own_data.cpp"]
EPOCH = "1700000000"  # 14 November 2023


def output(*command, **more):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, check=False, **more)
    assert done.returncode == 0, (command, done.returncode, done.stdout)
    return done.stdout


def pack(options, generators, folder, *more):
    """What cpack makes in `folder`: archives, packages of Debian."""
    output(options.cpack, "-G", generators, "--config", options.build_dir / "CPackConfig.cmake", "-B", folder, *more,
           cwd=folder, env=os.environ | {"SOURCE_DATE_EPOCH": EPOCH})
    return sorted(folder.glob("*.tar.gz")), sorted(folder.glob("*.deb"))


def check_archive(options, archive, folder):
    """Unpacked anywhere, its program runs and CMake finds its library."""
    output("cmake", "-E", "tar", "xf", archive, cwd=folder)
    (prefix,) = folder.iterdir()
    for name in [*PROGRAM_FILES, *LIBRARY_FILES, "share/man/man1/orderlab.1", "share/doc/orderlab/LICENSE",
                 "share/doc/orderlab/LICENSES-vega.txt"]:
        assert (prefix / name).is_file(), name
    assert "0.6" in output(prefix / "bin/orderlab", "sum", "--values", "0.1,0.2,0.3", "--order", "seq")
    consumer = folder / "consumer"
    build_cache = (options.build_dir / "CMakeCache.txt").read_text(encoding="utf-8")
    generator = re.search(r"^CMAKE_GENERATOR:INTERNAL=(.*)$", build_cache, re.MULTILINE)  # there may be no make
    configure = ["cmake", "-G", generator[1], "-S", HERE, "-B", consumer, f"-DCMAKE_PREFIX_PATH={prefix}",
                 "-DCMAKE_BUILD_TYPE=Release", f"-Dexamples={prefix}/share/doc/orderlab/examples/study"]
    if options.compiler:
        configure.append(f"-DCMAKE_CXX_COMPILER={options.compiler}")
    output(*configure)
    cache = (consumer / "CMakeCache.txt").read_text(encoding="utf-8")
    assert re.search(rf"^orderlab_DIR:PATH={re.escape(str(prefix))}/", cache, re.MULTILINE), "found another orderlab"
    if options.long:
        output("cmake", "--build", consumer, "--target", "consumer", "page")
        output(consumer / "consumer")
        output(consumer / "page", cwd=folder)


def check_members(deb):
    """Nothing outside /usr, owned by root, with the modes of a package."""
    for line in output("dpkg-deb", "-c", deb).splitlines():
        mode, owner, *_, name = line.split()
        assert owner == "root/root", line
        runs = name.endswith(("/bin/orderlab", ".sh"))
        assert mode in ("drwxr-xr-x", "-rwxr-xr-x" if runs else "-rw-r--r--"), line
        assert name.startswith("./usr/"), line


def check_debian_files(package, root, version):
    """What Debian's policy asks of every package."""
    documents = root / "usr/share/doc" / package
    packed = (documents / "changelog.gz").read_bytes()
    assert packed[4:8] == bytes(4), "changelog.gz has a time"
    changelog = gzip.decompress(packed).decode("utf-8").splitlines()
    assert re.fullmatch(rf"orderlab \({re.escape(version)}\) \w+; urgency=medium", changelog[0]), changelog[0]
    assert re.fullmatch(r" -- .+ <\S+@\S+>  Tue, 14 Nov 2023 22:13:20 \+0000", changelog[-1]), changelog[-1]
    assert max(map(len, changelog)) < 100, max(changelog, key=len)
    assert sum(line.startswith("  * ") for line in changelog) > 40
    right = (documents / "copyright").read_text(encoding="utf-8")
    assert right.startswith("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n")
    for words in ("License: Apache-2.0", "/usr/share/common-licenses/Apache-2.0", "Mike Bostock",
                  "University of Washington Interactive Data Lab", "Files: html/_static/*", "Pradyun Gedam",
                  "Redistributions in binary form"):
        assert words in right, words
    assert not list(documents.glob("LICENSE*")), documents
    sums = dict(reversed(line.split()) for line in (root / "DEBIAN/md5sums").read_text(encoding="utf-8").splitlines())
    for path in root.glob("usr/**/*"):
        if path.is_file():
            name = str(path.relative_to(root))
            assert sums.pop(name) == hashlib.md5(path.read_bytes()).hexdigest(), name
    assert not sums, sums


def check_debs(debs, folder):
    """Both packages, unpacked but not installed."""
    roots = {}
    for deb in debs:
        package, version, depends, description = (
            output("dpkg-deb", "-f", deb, field).strip() for field in ("Package", "Version", "Depends", "Description"))
        assert deb.name == f"{package}_{version}_{output('dpkg', '--print-architecture').strip()}.deb", deb
        assert output("dpkg-deb", "-f", deb, "Priority").strip() == "optional"
        summary, *text = description.splitlines()
        assert len(summary) < 80 and len(text) > 3 and max(map(len, text)) <= 80, description
        root = roots[package] = folder / package
        output("dpkg-deb", "-R", deb, root)
        check_members(deb)
        check_debian_files(package, root, version)
        if package == "orderlab":
            assert "libc6 (>=" in depends and "libtbb" in depends and "-dev" not in depends, depends
            assert version in output(root / "usr/bin/orderlab", "--version")
            hdf5 = "made without libhdf5" not in " ".join(output(root / "usr/bin/orderlab", "doctor").split())
            assert hdf5 == ("libhdf5" in output("dpkg-deb", "-f", deb, "Recommends")), "HDF5 is not recommended"
        else:
            assert "libtbb-dev" in depends, depends
    program, library = roots["orderlab"] / "usr", roots["liborderlab-dev"] / "usr"
    for name in PROGRAM_FILES:
        assert (program / name).is_file(), name
    assert gzip.decompress((program / "share/man/man1/orderlab.1.gz").read_bytes()).startswith(b".TH")
    for name in LIBRARY_FILES:
        assert (library / name).is_file(), name
    for folder in ("include", "lib"):
        assert not (program / folder).exists(), folder
    assert not (library / "bin").exists()
    (pc,) = library.glob("lib/**/orderlab.pc")
    places = dict(re.findall(r"^(\w+)=\$\{pcfiledir\}/(.*)$", pc.read_text(encoding="utf-8"), re.MULTILINE))
    assert (pc.parent / places["libdir"] / "liborderlab.a").is_file(), places
    assert (pc.parent / places["includedir"] / "orderlab/order.hpp").is_file(), places


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build_dir", type=Path)
    parser.add_argument("--cpack", default="cpack")
    parser.add_argument("--compiler")
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    options.build_dir = options.build_dir.resolve()
    with tempfile.TemporaryDirectory() as work:
        first, second, unpacked, roots = (Path(work) / name for name in ("first", "second", "unpacked", "roots"))
        for folder in (first, second, unpacked, roots):
            folder.mkdir()
        debian = shutil.which("dpkg-deb")
        fast = [] if options.long else ["-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none"]
        (archive,), debs = pack(options, "TGZ;DEB" if debian else "TGZ", first, *fast)
        check_archive(options, archive, unpacked)
        if not debian:
            print("skipped: no dpkg-deb, so no packages of Debian")
            return 77
        check_debs(debs, roots)
        if options.long:
            _, again = pack(options, "DEB", second)
            assert [path.read_bytes() for path in debs] == [path.read_bytes() for path in again], "two runs differ"
    return 0


if __name__ == "__main__":
    sys.exit(main())
