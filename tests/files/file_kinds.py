#!/usr/bin/env python3
"""Kinds of files of numbers, made byte for byte: which are read, as what, and which are refused with which words.

usage: file_kinds.py ORDERLAB

Prints the table. Where numpy and h5py are installed, what they write is read too; what is skipped is counted.
"""

import bz2
import gzip
import io
import json
import lzma
import os
import re
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

NUMBERS = [1.5, -2.25, 3.0]
LINES = "1.5\n-2.25\n3\n"
TABLE = "id,price,note\n1,1.5,a\n2,-2.25,b\n3,3,c\n"


def npy(descr, data, shape=(3,), fortran=False):
    header = f"{{'descr': {descr!r}, 'fortran_order': {fortran}, 'shape': {shape!r}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def packed(code, numbers=NUMBERS):
    return struct.pack(code[0] + code[1] * len(numbers), *numbers)


def bfloat16(numbers=NUMBERS):
    return b"".join(struct.pack("<f", x)[2:] for x in numbers)


def npz(method, **arrays):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in arrays.items():
            archive.writestr(name + ".npy", content)
    return file.getvalue()


def wide_npz(content):
    """As numpy.savez writes it: sizes of 64 bits in the header of the member."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive, archive.open("x.npy", "w", force_zip64=True) as member:
        member.write(content)
    return file.getvalue()


def safetensors(**tensors):
    header, data = {}, b""
    for name, (dtype, shape, content) in tensors.items():
        header[name.replace("__", ".")] = {
            "dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def damaged(content, place):
    return content[:place] + bytes([content[place] ^ 0x40]) + content[place + 1:]


F8 = npy("<f8", packed("<d"))
WHOLE = [1, -2, 3]
BIG = 2**53 + 1
ZSTD = b"\x28\xb5\x2f\xfd\x20" + bytes([len(LINES)]) + struct.pack(
    "<I", (len(LINES) << 3) | 1)[:3] + LINES.encode()  # one raw block, the last
SKIPPED = b"\x5a*M\x18\x05\0\0\0notes"  # a frame that readers read over
MATRIX = "%%MatrixMarket matrix coordinate real general\n% by hand\n2 3 3\n1 1 1.5\n2 1 -2.25\n2 3 3\n"
MODEL = safetensors(layers__0__weight=("BF16", [3], bfloat16()), norm=("F32", [3], packed("<f")))
TWO = npz(zipfile.ZIP_STORED, grad=F8, loss=npy("<f4", packed("<f")))
INT64 = npy("<i8", packed("<q", [BIG, 1, 1]))

# name of the file, its content, further arguments, what is expected: (format, exact sum) or words of the refusal.
# "::NAME" in the arguments is put behind the file.
# Its header is as long as a pickle says that it is one: 640 is 80 02 in its first bytes.
LONG_HEADER = safetensors(x=("F32", [3], packed("<f")))
LONG_HEADER = struct.pack("<Q", 640) + LONG_HEADER[8:-12].ljust(640) + LONG_HEADER[-12:]

CASES = [
    ("numbers.txt", LINES, "", ("fp64", 2.25)),
    ("numbers.csv", LINES, "", ("fp64", 2.25)),
    ("crlf.txt", "# by hand\r\n1.5\r\n\r\n-2.25\r\n3", "", ("fp64", 2.25)),
    ("mark.csv", "\ufeffprice\n" + LINES, "", ("fp64", 2.25)),
    ("header.csv", "price\n" + LINES, "", ("fp64", 2.25)),
    ("header.txt", "price\n" + LINES, "", ":1: 'price' is not a number; write one number a line"),
    ("header.txt", "price\n" + LINES, "::price", ("fp64", 2.25)),
    ("table.csv", TABLE, "::price", ("fp64", 2.25)),
    ("table.csv", TABLE, "::2", ("fp64", 2.25)),
    ("table.csv", TABLE, "", "has 3 columns (id, price, note); name one, such as table.csv::id"),
    ("table.csv", TABLE, "::pryce", "table.csv: pryce: no such column; did you mean price?"),
    ("table.csv", TABLE, "::note", ":2, column note: 'a' is not a number"),
    ("quoted.csv", 'id,"the ""price"""\r\n"a,b","1.5"\r\n"c\nd",-2.25\r\ne, 3 \r\n', '::the "price"', ("fp64", 2.25)),
    ("open.csv", 'id,price\n"a,1.5\n', "::price", ":2: a quote \" that does not end"),
    ("short.csv", "id,price\n1,1.5\n2\n", "::price", ":3: has 1 field, and the first row 2"),
    ("missing.csv", "id,price\n1,1.5\n2,\n", "::price", ":3, column price: the number is missing"),
    ("missing.csv", "id,price\n1,1.5\n2,NA\n", "::price", ":3, column price: 'NA' is a missing value"),
    ("twice.csv", "price,price\n1,2\n", "::price", "two columns are called 'price'"),
    ("untitled.csv", "1,1.5\n2,-2.25\n3,3\n", "::2", ("fp64", 2.25)),
    ("untitled.csv", "1,1.5\n2,-2.25\n3,3\n", "::price", "its first row has no titles"),
    ("years.csv", "id,2019\n1,1.5\n2,-2.25\n3,3\n", "::2019", ("fp64", 2.25)),
    ("pandas.csv", ",0,1\n0,0.5,0.25\n1,0.5,0.25\n", "::2", ("fp64", 1.0)),
    ("index.csv", ",price\n0,0.5\n", "", "has 2 columns"),
    ("index.tsv", "\tprice\n0\t0.5\n", "::price", ("fp64", 0.5)),
    ("index.txt", "\tprice\n0\t0.5\n", "::price", ("fp64", 0.5)),
    ("tabs.txt", "\t0.5\n0.25\n", "", ("fp64", 0.75)),
    ("names.csv", "name,2019,2020\na,1,2\nb,3,4\n", "::2", "the first row may be titles or numbers"),
    ("names.csv", "name,2019,2020\na,1,2\nb,3,4\n", "::2019", ("fp64", 4)),
    ("named.csv", "a,1.5\nb,2\n", "::2", ("fp64", 3.5)),
    ("missing.csv", "x,NA\ny,1.5\nz,2\n", "::2", "'NA' is a missing value"),
    ("thousands.csv", "price\n1.234\n2,5\n", "::price --decimal ,", "has a point, and --decimal ,"),
    ("thousands.csv", 'price\n"1,234"\n2\n', "::price", "the comma may separate thousands"),
    ("hex.txt", "0x1.8p-1\n0,5\n", "--decimal ,", ("fp64", 1.25)),
    ("hash.csv", "id,price\n1,0.5\n#2,0.25\n", "::price", ("fp64", 0.75)),
    ("comment.txt", "# first\n0.5\n# more\n0.25\n", "", ("fp64", 0.75)),
    ("hole.tsv", "a\tb\n1\t2\n\t\n3\t4\n", "::b", "hole.tsv:3, column b: the number is missing"),
    ("hole.csv", "x\n0.1\n\n0.3\n", "", "hole.csv:3: a blank line among rows"),
    ("end.csv", "x\n0.5\n\n", "", ("fp64", 0.5)),
    ("inch.csv", 'h (5"),price\n1,0.5\n', "::price", ("fp64", 0.5)),
    ("lines.csv", '"a\nb",price\n1,0.5\n', "::price", ("fp64", 0.5)),
    ("a::b.csv", "x,y\n1,0.5\n", "::y", ("fp64", 0.5)),
    ("table.tsv", TABLE.replace(",", "\t"), "::price", ("fp64", 2.25)),
    ("gap.tsv", "id\tprice\n\t1.5\n\t-2.25\n\t3\n", "::price", ("fp64", 2.25)),
    ("blanks.txt", "1  1.5\n2 -2.25\n 3\t3\n", "::2", ("fp64", 2.25)),
    ("comma.csv", "id;price\n1;1,5\n2;-2,25\n3;3\n", "::price", "if the comma is a decimal point, add --decimal ,"),
    ("comma.csv", "id;price\n1;1,5\n2;-2,25\n3;3\n", "::price --decimal ,", ("fp64", 2.25)),
    ("comma.txt", "1,5\n-2,25\n3\n", "--decimal ,", ("fp64", 2.25)),
    ("comma.txt", "1,5\n", "--decimal ;", "must be a point or a comma"),
    ("wide.csv", "price\n1.5\n".encode("utf-16"), "", "is UTF-16; save it as UTF-8"),
    ("mac.txt", "1.5\r-2.25\r3\r", "", "carriage returns alone"),
    ("empty.csv", "", "", "is empty"),
    ("titles.csv", "id,price\n", "::price", "no number in it"),
    ("lines.txt.gz", gzip.compress(LINES.encode()), "", ("fp64", 2.25)),
    ("lines.txt", gzip.compress(LINES[:4].encode()) + gzip.compress(LINES[4:].encode()), "", ("fp64", 2.25)),
    ("table.csv.bz2", bz2.compress(TABLE.encode()), "::price", ("fp64", 2.25)),
    ("table.csv.xz", lzma.compress(TABLE.encode()), "::price", ("fp64", 2.25)),
    ("lines.txt.zst", ZSTD, "", ("fp64", 2.25)),
    ("skipped.txt.zst", SKIPPED + ZSTD + SKIPPED, "", ("fp64", 2.25)),
    ("skipped.txt", ZSTD + SKIPPED + ZSTD, "", ("fp64", 4.5)),
    ("skipped_first.txt", SKIPPED + ZSTD, "", ("fp64", 2.25)),
    ("cut_skipped.txt.zst", ZSTD + SKIPPED[:-1], "", "a truncated zstd archive"),
    ("follows.txt.zst", ZSTD + b"\x5a*M", "", "a truncated zstd archive"),
    ("follows.txt.zst", ZSTD + b"\x6a*M\x18", "", "something else follows its end"),
    ("cut.txt.gz", gzip.compress(LINES.encode())[:-4], "", "a truncated gzip archive"),
    ("cut.txt.xz", lzma.compress(LINES.encode())[:-4], "", "a truncated xz archive"),
    ("cut.txt.zst", ZSTD[:-4], "", "a truncated zstd archive"),
    ("bad.txt.bz2", damaged(bz2.compress(LINES.encode()), 12), "", "a damaged bzip2 archive"),
    ("more.txt.gz", gzip.compress(LINES.encode()) + b"more", "", "something else follows its end"),
    ("double.npy", F8, "", ("fp64", 2.25)),
    ("double.npy.gz", gzip.compress(F8), "", ("fp64", 2.25)),
    ("single.npy", npy("<f4", packed("<f")), "", ("fp32", 2.25)),
    ("half.npy", npy("<f2", packed("<e")), "", ("fp16", 2.25)),
    ("brain.npy", npy("<V2", bfloat16()), "", ("bf16", 2.25)),
    ("brain.npy", npy("|V2", bfloat16()), "--format fp32", ("fp32", 2.25)),
    ("big.npy", npy(">f8", packed(">d")), "", ("fp64", 2.25)),
    ("big4.npy", npy(">f4", packed(">f")), "", ("fp32", 2.25)),
    ("int8.npy", npy("|i1", packed("<b", WHOLE)), "", ("fp64", 2)),
    ("int16.npy", npy(">i2", packed(">h", WHOLE)), "", ("fp64", 2)),
    ("int32.npy", npy("<i4", packed("<i", WHOLE)), "--format fp32", ("fp32", 2)),
    ("uint8.npy", npy("|u1", packed("<B", [250, 5, 1])), "", ("fp64", 256)),
    ("uint64.npy", npy("<u8", packed("<Q", [2**63, 1, 1])), "", ("fp64", 2.0**63 + 2)),
    ("int64.npy", INT64, "", ("fp64", 2.0**53 + 2)),
    ("plane.npy", npy("<f8", packed("<d", [1, 2, 3, 4, 5, 6.0]), (2, 3)), "",
     "has the shape 2x3, and a sum takes one list: --axis K"),
    ("plane.npy", npy("<f8", packed("<d", [1, 2, 3, 4, 5, 6.0]), (2, 3)), "--axis all", ("fp64", 21)),
    ("column.npy", npy("<f8", packed("<d"), (3, 1)), "", ("fp64", 2.25)),
    ("fortran.npy", npy("<f8", packed("<d", [1, 2, 3, 4.0]), (2, 2), True), "--axis all", ("fp64", 10)),
    ("complex.npy", npy("<c16", packed("<d", [1, 2, 3, 4, 5, 6.0])), "", "save its parts: np.save('real.npy', array.real)"),
    ("truth.npy", npy("|b1", b"\1\0\1"), "", "holds booleans"),
    ("object.npy", npy("|O", b"\x80\x04."), "", "holds pickled Python objects"),
    ("record.npy", npy([("a", "<f8")], packed("<d")), "", "is a structured array; save one field of it"),
    ("long.npy", npy("<f16", bytes(48)), "", "convert it with .astype(np.float64)"),
    ("cut.npy", F8[:-1], "", "is truncated: its shape needs 24 bytes"),
    ("one.npz", npz(zipfile.ZIP_STORED, x=F8), "", ("fp64", 2.25)),
    ("wide.npz", wide_npz(F8), "", ("fp64", 2.25)),
    ("two.npz", TWO, "::loss", ("fp32", 2.25)),
    ("two.npz", TWO, "", "has 2 arrays (grad, loss); name one, such as two.npz::grad"),
    ("two.npz", TWO, "::los", "two.npz: los: no such array; did you mean loss?"),
    ("deflated.npz", npz(zipfile.ZIP_DEFLATED, x=F8, y=F8), "::y", ("fp64", 2.25)),
    ("method.npz", npz(zipfile.ZIP_BZIP2, x=F8), "", "is compressed by method 12 of zip"),
    ("bad.npz", npz(zipfile.ZIP_STORED, x=F8).replace(packed("<d"), packed("<d", [1.5, -2.25, 4.0])), "",
     "its checksum is another than its list says"),
    ("cut.npz", TWO[:-10], "", "a truncated zip archive"),
    ("model.safetensors", MODEL, "::layers.0.weight", ("bf16", 2.25)),
    ("model.safetensors", MODEL, "::norm", ("fp32", 2.25)),
    ("model.safetensors", MODEL, "", "has 2 tensors (layers.0.weight, norm); name one"),
    ("whole.safetensors", safetensors(x=("I32", [3], packed("<i", WHOLE))), "", ("fp64", 2)),
    ("cut.safetensors", MODEL[:-1], "::norm", "the file is cut short"),
    ("numbers.json", "[1.5, -2.25, 3]", "", ("fp64", 2.25)),
    ("object.json", '{"n": 3, "x": [1.5, -2.25, 3]}', "", ("fp64", 2.25)),
    ("object.json", '{"x": [1.5, -2.25, 3], "y": [1]}', "::x", ("fp64", 2.25)),
    ("object.json", '{"x": [1.5, -2.25, 3], "y": [1]}', "", "has 2 arrays (x, y); name one"),
    ("unnamed.json", '{"a": [1], "": [2]}', "", "has 2 arrays"),
    ("plane.json", "[[1, 2], [3, 4]]", "", "has the shape 2x2"),
    ("ragged.json", "[[1, 2], [3]]", "--axis all", "arrays of different lengths, 2 and 1"),
    ("text.json", '[1.5, "a"]', "", "is not a number; write an array of numbers"),
    ("matrix.mtx", MATRIX, "", ("fp64", 2.25)),
    ("matrix.mtx.gz", gzip.compress(MATRIX.encode()), "", ("fp64", 2.25)),
    ("pattern.mtx", "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n", "", "is a pattern"),
    ("numbers.f64", packed("<d"), "", ("fp64", 2.25)),
    ("numbers.f32.gz", gzip.compress(packed("<f")), "", ("fp32", 2.25)),
    ("numbers.f16", packed("<e"), "", ("fp16", 2.25)),
    ("numbers.bf16", bfloat16(), "", ("bf16", 2.25)),
    ("pickled.f64", b"\x80\x02" + b"\0" * 4 + b"\xf0\x3f", "", ("fp64", struct.unpack("<d", b"\x80\x02\0\0\0\0\xf0\x3f")[0])),
    ("gzipped.f64", b"\x1f\x8b" + b"\0" * 4 + b"\xf0\x3f", "", ("fp64", struct.unpack("<d", b"\x1f\x8b\0\0\0\0\xf0\x3f")[0])),
    ("long.safetensors", LONG_HEADER, "", ("fp32", 2.25)),
    ("par.csv", "PAR1,PAR2\n1,2\n", "::PAR2", ("fp64", 2)),
    ("bzh.csv", "BZh,c\n1,2\n", "::c", ("fp64", 2)),
    ("parquet.csv", b"PAR1\x15\x04", "", "is Parquet"),
    ("numbers.f64", packed("<d")[:-1], "", "23 bytes are not a multiple of 8"),
    ("table.parquet", b"PAR1....PAR1", "", "pandas.read_parquet('table.parquet').to_csv"),
    ("model.pt", npz(zipfile.ZIP_STORED, x=F8), "", "is never run; in Python: safetensors.torch.save_file"),
    ("model.pkl", b"\x80\x05.", "", "is never run"),
    ("model.bin", npz(zipfile.ZIP_STORED, x=F8).replace(b"x.npy", b"x.npy"), "", ("fp64", 2.25)),
    ("book.xlsx", b"PK\x03\x04", "", "is a workbook; save its sheet as CSV"),
    ("double.npy", F8, "::x", "holds one array, without a name; leave out ::x"),
    ("numbers.dat.gz", gzip.compress(LINES.encode()), "", "unknown extension '.dat'"),
    ("numbers.dat", LINES, "", "unknown extension '.dat'; known: .npy, .npz"),
    ("absent.csv", None, "::price", "absent.csv: no such file"),
]


# Written by libhdf5: big-endian fp64, fp32, int16, fp16, a deflated plane, text.
HDF5 = (Path(__file__).parent / "run.h5").read_bytes()
HDF5_CASES = [
    ("run.h5", HDF5, "::/group/x", ("fp64", 2.25)),
    ("run.h5", HDF5, "::group/x", ("fp64", 2.25)),
    ("run.h5", HDF5, "::y", ("fp32", 2.25)),
    ("run.h5", HDF5, "::z", ("fp64", 2)),
    ("run.h5", HDF5, "::h", ("fp16", 2.25)),
    ("run.h5", HDF5, "::p", "has the shape 2x2"),
    ("run.h5", HDF5, "::s", "holds text"),
    ("run.h5", HDF5, "", "has 6 datasets"),
    ("cut.h5", HDF5[:300], "::y", "is not an HDF5 file, or is damaged"),
]


def hdf5_cases(orderlab):
    """Where the program was built without HDF5, one refusal."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "run.h5").write_bytes(HDF5)
        if "which this build cannot read" not in answer(orderlab, folder, "run.h5", "::y").stderr:
            check_without_libhdf5(orderlab, folder)
            return HDF5_CASES + h5py_cases()
    print("built without HDF5: its files are refused")
    return [("run.h5", HDF5, "::y", "is HDF5, which this build cannot read; build it with libhdf5-dev installed")]


def check_without_libhdf5(orderlab, folder):
    """Where the library cannot be loaded, files are refused, and the doctor says so; all else works."""
    doctor = [orderlab, "doctor"]
    (library,) = re.findall(r"^HDF5 +(libhdf5\S*), version \d+\.\d+\.\d+$", subprocess.check_output(doctor, text=True), re.M)
    Path(folder, library).write_bytes(b"no library")
    Path(folder, "three.txt").write_text(LINES)
    environment = os.environ | {"LD_LIBRARY_PATH": folder}
    refused = answer(orderlab, folder, "run.h5", "::y", environment)
    wrong = wrong_with(refused, f"run.h5: is HDF5, and {library} cannot be loaded: ")
    said = " ".join(subprocess.check_output(doctor, text=True, env=environment).split())
    if wrong or "h5py.File('run.h5')" not in refused.stderr or f"HDF5 none: {library} cannot be loaded: " not in said:
        sys.exit(f"without libhdf5: {wrong}\n{refused.stderr}\n{said}")
    if answer(orderlab, folder, "three.txt", "", environment).returncode != 0:
        sys.exit("without libhdf5 no other file is read")


def h5py_cases():
    """Files that h5py writes now, as the installed library writes them."""
    try:
        import h5py
        import numpy
    except ImportError:
        print("h5py is not installed: 0 of its cases")
        return []

    def file(write, **options):
        content = io.BytesIO()
        with h5py.File(content, "w", **options) as made:
            write(made)
        return content.getvalue()

    def of(data, **options):
        return file(lambda made: made.create_dataset("x", data=data, **options))

    cases = []
    for dtype, name in {"<f2": "fp16", ">f2": "fp16", "<f4": "fp32", ">f4": "fp32", "<f8": "fp64", ">f8": "fp64",
                        "i1": "fp64", "u1": "fp64", "<i2": "fp64", ">i2": "fp64", "<i4": "fp64", ">u4": "fp64",
                        "<i8": "fp64", "<u8": "fp64"}.items():
        cases.append((f"h5py_{dtype.replace('<', 'little_').replace('>', 'big_')}.h5",
                      of(numpy.array([1, 2, 3], dtype)), "", (name, 6)))
    many = numpy.arange(1000.0)
    for options in [{"chunks": (64,)}, {"chunks": (64,), "compression": "gzip"}, {"compression": "gzip", "shuffle": True},
                    {"chunks": (7,), "fletcher32": True}, {"chunks": (100,), "maxshape": (None,)}]:
        cases.append((f"h5py_{'_'.join(options)}.h5", of(many, **options), "", ("fp64", 499500)))

    def groups(made):
        made["run/first/loss"] = numpy.float32([1.5, -2.25, 3])
        made["run/second/loss"] = numpy.array([2.0**53, 1, 1])
        made["alias"] = h5py.SoftLink("/run/first/loss")

    tree = file(groups)
    bad = of(numpy.arange(3000.0), chunks=(3000,), fletcher32=True)
    cases += [
        ("h5py_tree.h5", tree, "::run/first/loss", ("fp32", 2.25)),
        ("h5py_tree.h5", tree, "::/run/second/loss", ("fp64", 2.0**53 + 2)),
        ("h5py_tree.h5", tree, "", "has 2 datasets (/run/first/loss, /run/second/loss); name one"),
        ("h5py_tree.h5", tree, "::run/first/los", "/run/first/los: no such dataset; did you mean /run/first/loss?"),
        ("h5py_tree.h5", tree, "::run/first", "/run/first: no such dataset"),
        ("h5py_latest.h5", file(groups, libver="latest"), "::run/first/loss", ("fp32", 2.25)),
        ("h5py_int64.h5", of(numpy.array([BIG, 1, 1])), "", ("fp64", 2.0**53 + 2)),
        ("h5py_uint64.h5", of(numpy.array([2**63, 1, 1], "u8")), "", ("fp64", 2.0**63 + 2)),
        ("h5py_plane.h5", of(numpy.ones((2, 3))), "", "has the shape 2x3, and a sum takes one list: --axis K"),
        ("h5py_plane.h5", of(numpy.ones((2, 3))), "--axis all", ("fp64", 6)),
        ("h5py_text.h5", of(["a", "b"]), "", "holds text, which are not real numbers"),
        ("h5py_fixed_text.h5", of(numpy.array([b"ab", b"c"])), "", "holds text, which are not real numbers"),
        ("h5py_complex.h5", of(numpy.array([1j, 2])), "", "holds compound, such as complex numbers"),
        ("h5py_truth.h5", of(numpy.array([True, False])), "", "which are not real numbers"),
        ("h5py_long.h5", of(numpy.ones(3, numpy.longdouble)), "", "holds floats of 128 bits of another kind"),
        ("h5py_nothing.h5", file(lambda made: made.create_dataset("x", data=h5py.Empty("f8"))), "", "holds nothing"),
        ("h5py_empty.h5", of(numpy.ones(0)), "", "has the shape 0"),
        ("h5py_group.h5", file(lambda made: made.create_group("x")), "", "no dataset"),
        ("h5py_cut.h5", tree[:len(tree) // 2], "::run/first/loss", "is not an HDF5 file, or is damaged"),
        ("h5py_bad.h5", bad.replace(packed("<d", [7.0, 8.0]), packed("<d", [7.0, 9.0])), "", "cannot be read: the file"),
        ("h5py_packed.h5.gz", gzip.compress(tree), "::run/first/loss", "HDF5 is read from a file as it is"),
    ]
    return cases


def numpy_cases():
    try:
        import numpy
    except ImportError:
        print("numpy is not installed: 0 of its cases")
        return []
    cases = []
    for dtype in ["f2", "f4", "f8", ">f4", ">f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4"]:
        array = numpy.array([1, 2, 3], dtype)
        file = io.BytesIO()
        numpy.save(file, array)
        name = {"f2": "fp16", "f4": "fp32"}.get(dtype.lstrip(">"), "fp64")
        cases.append((f"numpy_{dtype.replace('>', 'big_')}.npy", file.getvalue(), "", (name, 6)))
    for save in [numpy.savez, numpy.savez_compressed]:
        file = io.BytesIO()
        save(file, x=numpy.arange(10000.0), y=numpy.float32([1.5, 2]))
        cases.append((f"{save.__name__}.npz", file.getvalue(), "::y", ("fp32", 3.5)))
    text = io.StringIO()
    numpy.savetxt(text, numpy.array([[1, 1.5], [2, -2.25], [3, 3]]), header="id price")
    cases.append(("savetxt.txt", text.getvalue(), "::2", ("fp64", 2.25)))
    return cases


def wrong_with_streams(orderlab, folder):
    """What is wrong with streams, which are read once: longer ones than are read at a time."""
    faults = []
    wide = "9.9\n" + "0.6\n" * 20000
    array = npy("<f8", struct.pack("<d", 9.5) + struct.pack("<d", 0.5) * 20000, shape=(20001,))
    check = ["check", "--n", "4", "--order", "random", "--json", "-"]

    def run(arguments, stdin):
        done = subprocess.run([orderlab, *arguments], cwd=folder, input=stdin, capture_output=True, check=False)
        return json.loads(done.stdout) if done.stdout else {"error": done.stderr.decode()}

    def judge(what, document, count):
        found = sum(value[1] for value in document["config"]["values"]) if "config" in document else document
        if found != count:
            faults.append(f"{what}: expected {count} results, found {found}")

    for address, content in [("-", wide.encode()), ("-::1", wide.encode()), ("-", array)]:
        judge(f"--values {address}", run([*check, "--values", address], content), 20001)
    compare = ["compare", "/dev/stdin::1", "0.1,0.2,0.3", "--json", "-"]
    document = run(compare, wide.encode())
    if "20001" not in json.dumps(document):
        faults.append(f"compare: {json.dumps(document)[:300]}")
    Path(folder, "results.json").write_text("[0.6, 0.7]")
    judge("results.json", run([*check, "--format", "fp32", "--values", "results.json"], b""), 2)
    for name, words in [("o.parquet", "is Parquet"), ("o.pkl", "is never run")]:
        Path(folder, name).write_bytes(b"PAR1\x15" if "parquet" in name else b"\x80\x05.")
        for arguments in [[*check, "--values", name], ["sample", "--order", "random", "--input", name, "--by", "g"]]:
            document = run(arguments, b"")
            if words not in document.get("error", ""):
                faults.append(f"{arguments}: expected a refusal with {words}, found {json.dumps(document)[:300]}")
    return faults


def answer(orderlab, folder, name, arguments, environment=None):
    words = arguments.split(" --")
    address = name + words[0] if words[0].startswith("::") else name
    rest = words[1:] if words[0].startswith("::") else [word.removeprefix("--") for word in words if word]
    command = [orderlab, "sum", "--order", "sequential", "--json", "-", "--input", address]
    for word in rest:
        command += ("--" + word).split(" ")
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)


def wrong_with(run, expected):
    """What is wrong with an answer; empty if nothing is."""
    if isinstance(expected, str):
        lines = run.stderr.splitlines()
        good = run.returncode == 2 and len(lines) == 1 and expected in run.stderr and not run.stdout
        return "" if good else f"expected a refusal with: {expected}"
    if run.returncode != 0:
        return "was refused"
    document = json.loads(run.stdout)["input"]
    found = (document["format"], document["exact"]["value"])
    return "" if found == expected else f"expected {expected}, found {found}"


def main():
    orderlab = str(Path(sys.argv[1]).resolve())
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, content, arguments, expected in CASES + hdf5_cases(orderlab) + numpy_cases():
            path = Path(folder, name)
            if content is not None:
                path.write_bytes(content.encode() if isinstance(content, str) else content)
            run = answer(orderlab, folder, name, arguments)
            wrong = wrong_with(run, expected)
            faults += bool(wrong)
            shown = f"{expected[0]}, sum {expected[1]}" if isinstance(expected, tuple) else run.stderr.strip()
            print(f"{name + ' ' + arguments:36} {shown}" + (f"\n  WRONG: {wrong}\n  {run.stderr}" if wrong else ""))
        for wrong in wrong_with_streams(orderlab, folder):
            faults += 1
            print(f"WRONG: {wrong}")
    if faults:
        sys.exit(f"{faults} wrong")


if __name__ == "__main__":
    main()
