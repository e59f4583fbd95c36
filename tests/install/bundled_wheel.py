#!/usr/bin/env python3
"""Puts the libraries that a wheel of the Python package needs into it, with their licences, and checks the wheel.

usage: bundled_wheel.py WHEEL FOLDER

Writes FOLDER/orderlab-VERSION-PYTHON-manylinux_GLIBC_MACHINE.whl. What stays outside is what every Linux has: the C and C++
libraries and the loader. The check unpacks the wheel, imports it, reads an HDF5 file, and sees that each library is loaded
from it. Needs patchelf. Exit status 77 where that is missing.
"""

import base64
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

EVERYWHERE = re.compile(r"(linux-vdso|ld-linux[\w-]*|libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s)\.so")
NAME = "orderlab.libs"


def run(*command, **more):
    return subprocess.run([*map(str, command)], check=True, capture_output=True, text=True, **more).stdout


def libraries_of(module):
    """What the loader finds for a module, by name, without what every Linux has."""
    found = re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", module), re.MULTILINE)
    return {name: Path(path).resolve() for name, path in found if not EVERYWHERE.match(name)}


def loaded_when_needed(module):
    """libhdf5, which the module loads by its name when a file needs it, where the module has that name."""
    names = {name.decode() for name in re.findall(rb"libhdf5\w*\.so\.\d+", module.read_bytes())}
    known = re.findall(r"^\s*(\S+) .*=> (/\S+)$", run("/sbin/ldconfig", "-p"), re.MULTILINE)
    return {name: Path(path).resolve() for name, path in reversed(known) if name in names}  # the first of a name


def licence_of(library):
    """Debian's copyright file of the package that a library is of."""
    for path in (library, Path("/usr") / library.relative_to("/"), Path("/") / Path(*library.parts[2:])):
        try:
            package = run("dpkg", "-S", path).partition(":")[0]
        except (subprocess.CalledProcessError, FileNotFoundError):
            continue
        return package, Path("/usr/share/doc", package, "copyright")
    sys.exit(f"bundled_wheel.py: no package of Debian has {library}, so its licence is not known")


def needed_glibc(files):
    """The greatest version of glibc that a file asks for, as in manylinux_2_36."""
    versions = {tuple(map(int, one.split("."))) for file in files
                for one in re.findall(r"GLIBC_(\d+\.\d+)", run("objdump", "-T", file))}
    return "_".join(map(str, max(versions)))


def bundle(folder):
    """Has the libraries in the unpacked wheel. Returns all its files of machine code."""
    (module,) = folder.glob("orderlab/_core*.so")
    needed = loaded_when_needed(module)
    libraries = libraries_of(module) | needed
    for library in needed.values():
        libraries |= libraries_of(library)
    home, licences = folder / NAME, folder / "orderlab" / "licenses"
    home.mkdir()
    own = {name: name if name in needed else own_name(name, library) for name, library in libraries.items()}
    for name, library in libraries.items():
        shutil.copy(library, home / own[name])
        (home / own[name]).chmod(0o755)
        run("patchelf", "--set-soname", own[name], "--set-rpath", "$ORIGIN", "--force-rpath", home / own[name])
        package, text = licence_of(library)
        shutil.copy(text, licences / f"{package}.txt")
    run("patchelf", "--set-rpath", f"$ORIGIN/../{NAME}", "--force-rpath", module)
    files = [module, *(home / name for name in own.values())]
    for file in files:
        for name in set(run("patchelf", "--print-needed", file).split()) & own.keys():
            run("patchelf", "--replace-needed", name, own[name], file)
    return files


def own_name(name, library):
    """A name that no other package has: a library of the same name that is loaded already would be taken instead."""
    stem, _, rest = name.partition(".so")
    return f"{stem}-{hashlib.sha256(library.read_bytes()).hexdigest()[:8]}.so{rest}"


def retag(folder, tag):
    """The wheel's own files: its tag, and the list of all files with their digests."""
    (info,) = folder.glob("*.dist-info")
    wheel = re.sub(r"^(Tag: \w+-\w+-).*$", rf"\g<1>{tag}", (info / "WHEEL").read_text(), flags=re.MULTILINE)
    (info / "WHEEL").write_text(wheel)
    (info / "RECORD").unlink()
    lines = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
        lines.append(f"{path.relative_to(folder)},sha256={digest},{path.stat().st_size}\n")
    (info / "RECORD").write_text("".join(lines) + f"{(info / 'RECORD').relative_to(folder)},,\n")


def pack(folder, wheel):
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            archive.write(path, path.relative_to(folder))


LOADED = """
import sys
import orderlab
assert orderlab.sum([1.0, 2.0], "sequential").value == 3
if len(sys.argv) > 1:
    assert orderlab.sum(sys.argv[1] + "::y", "sequential").value == 2.25
print(open("/proc/self/maps").read())
"""


def check(wheel):
    """The number of libraries in the wheel, all of which are loaded from it."""
    with tempfile.TemporaryDirectory() as place:
        run(sys.executable, "-m", "zipfile", "-e", wheel, place)
        clean = {"PATH": os.environ["PATH"], "PYTHONPATH": place, "PYTHONDONTWRITEBYTECODE": "1"}
        names = {path.name for path in Path(place, NAME).iterdir()}
        hdf5 = [Path(__file__).resolve().parents[1] / "files" / "run.h5"] if any("libhdf5" in name for name in names) else []
        maps = run(sys.executable, "-c", LOADED, *hdf5, env=clean)
        loaded = {Path(path).name for path in re.findall(r"\s(/\S+)$", maps, re.MULTILINE) if path.startswith(place)}
        if not names <= loaded:
            sys.exit(f"bundled_wheel.py: not loaded from the wheel: {', '.join(sorted(names - loaded))}")
        return len(names)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if not all(map(shutil.which, ("patchelf", "objdump", "ldd"))):
        print("skipped: needs patchelf")
        return 77
    wheel, out = Path(sys.argv[1]), Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        run(sys.executable, "-m", "zipfile", "-e", wheel, folder)
        tag = f"manylinux_{needed_glibc(bundle(folder))}_{platform.machine()}"
        retag(folder, tag)
        out.mkdir(parents=True, exist_ok=True)
        made = out / re.sub(r"-linux_\w+\.whl$", f"-{tag}.whl", wheel.name)
        pack(folder, made)
    print(f"{made}: {made.stat().st_size / 1e6:.1f} MB, {check(made)} libraries")
    return 0


if __name__ == "__main__":
    sys.exit(main())
