#!/usr/bin/env python3
"""Compiles the hand-written kernels to PTX and compares what does their arithmetic with ptx_expectations.txt.

usage: ptx_test.py SOURCE_DIR [--nvcc FILE] | --self-test

Exits with 77 where there is no nvcc 13.
"""

import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
TYPES = {"f": ("f32", 1), "d": ("f64", 2)}  # mangled type: suffix, words
FORMATS = ["fp64", "fp32", "fp16", "bf16", "fp80", "tf32", "e4m3", "e5m2"]  # as numbered in orderlab/format.hpp
FLAGS = ["-arch=sm_90a", "-ptx", "-std=c++20"]

# All kernels of the list, in both formats, instantiated as their own host code launches them.
SOURCE = """
#include "cuda/kernels.cuh"
struct Device {
  template <class T> const T* input(std::span<const T>, const char* name = nullptr);
  template <class T> T* zeros(std::size_t, const char* name = nullptr);
  template <class T> T* copy(std::span<const T>, const char* name = nullptr);
  template <class T> T* uninitialised(std::size_t, const char* name = nullptr);
  template <class T> std::vector<T> read(const T*, std::size_t);
  template <class T> T result(const T*);
  template <class... P, class... V>
  void launch(std::string_view, void (*kernel)(P...), unsigned, unsigned, std::size_t, V... values) {
    kernel<<<1, 1>>>(static_cast<P>(values)...);
  }
};
template <class K> void instantiate(Device& device) {
  if constexpr (K::kInfo.mixed_formats.empty()) {
    K::run(device, orderlab::RunInput<float>{});
    K::run(device, orderlab::RunInput<double>{});
  } else {  // whose format is part of their name, not of what holds the terms
    K::template run<float, float, float>(device, orderlab::RunInput<float>{});
  }
}
void instantiate_all(Device& device) {
  using namespace orderlab::cuda;
#define ORDERLAB_ENTRY(K) instantiate<K>(device);
  ORDERLAB_KERNELS(ORDERLAB_ENTRY)
}
"""

ENTRY = re.compile(r"\.entry (\w+)\((.*?)\n}\n", re.S)
MANGLED = re.compile(r"_ZN8orderlab4cuda(\d+)(\w+)")
INSTRUCTION = re.compile(r"^\s*(?:@%?!?\w+\s+)?([a-z][\w.:]+)", re.M)
WATCHED = re.compile(  # arithmetic on floats; what lanes, threads and thread blocks tell each other
    r"(add|sub|mul|fma|mad|div|neg|min|max)\..*(f16|bf16|f32|f64)|(shfl|atom|red|redux|bar|barrier|membar|fence|mma|wgmma)\b.*")


def find_nvcc(given):
    """nvcc 13 or later, else None."""
    nvcc = given or shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if not nvcc or not os.path.exists(nvcc):
        return None
    version = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    release = re.search(r"release (\d+)", version)
    return nvcc if release and int(release.group(1)) >= 13 else None


def kernel_of(mangled):
    """("spa.record", "f") or ("mma_dot.fp16", "f") of an entry's name."""
    match = MANGLED.fullmatch(mangled)
    length = int(match.group(1))
    name, rest = match.group(2)[:length], match.group(2)[length:]
    format_number = re.match(r"ILNS_6FormatE(\d)E", rest)
    if format_number:
        return name + "." + FORMATS[int(format_number.group(1))], "f"
    arguments = re.match(r"I(?:Lj(\d+)E)?([fd])(Lb([01])E)?E", rest)
    suffix = "." + arguments.group(1) if arguments.group(1) else ".record" if arguments.group(4) == "1" else ""
    return name + suffix, arguments.group(2)


def counts_of(ptx):
    """{(kernel, type): Counter of watched instructions}."""
    found = {}
    for name, body in ENTRY.findall(ptx):
        words = INSTRUCTION.findall(body)
        found[kernel_of(name)] = collections.Counter(word for word in words if WATCHED.fullmatch(word))
    return found


def read_table(text):
    """{kernel: [(instruction, expected count)]}."""
    table = collections.defaultdict(list)
    for line in text.splitlines():
        words = line.partition("#")[0].split(None, 3)
        if words:
            if len(words) < 4:
                raise SystemExit(f"ptx_expectations.txt: '{line}': a line is KERNEL INSTRUCTION COUNT why")
            table[words[0]].append((words[1], words[2]))
    return table


def covers(pattern, word):
    return word == pattern or word.startswith(pattern + ".")


def differences(kernel, mangled_type, counts, expectations):
    """Lines on what of the expectations of one kernel does not hold."""
    suffix, words = TYPES[mangled_type]
    rest = dict(counts)
    for pattern, expected in expectations:
        pattern = re.sub(r"\bT$", suffix, pattern)
        matching = [word for word in rest if covers(pattern, word)]
        count = sum(rest.pop(word) for word in matching)
        if expected == "some":
            good = count > 0
        else:
            number, _, per_word = expected.partition("/")
            good = count == int(number) * (words if per_word else 1)
        if not good:
            yield f"{kernel} {suffix}: {pattern}: {count}, expected {expected}"
    for word, count in sorted(rest.items()):
        yield f"{kernel} {suffix}: {word}: {count}, expected none"


def compare(found, table):
    for kernel in sorted(set(table) - {kernel for kernel, _ in found}):
        yield f"{kernel}: has expectations, but is not compiled"
    for (kernel, mangled_type), counts in sorted(found.items()):
        if kernel in table:
            yield from differences(kernel, mangled_type, counts, table[kernel])
        else:
            yield f"{kernel}: has no line in ptx_expectations.txt"


def as_rounded(found):
    """With -fmad=true a plain addition is add.f32: it may be fused with an unrounded product, of which there is none."""
    plain = re.compile(r"^(add|sub)\.(f32|f64)")
    return {key: collections.Counter(plain.sub(r"\1.rn.\2", word) for word in counts.elements())
            for key, counts in found.items()}


def unlisted_kernels(source):
    """Files in kernels/ that the list does not name, and the other way round."""
    listed = re.findall(r"KERNEL\((\w+)\)", (source / "src/cuda/kernels.cuh").read_text(encoding="utf-8"))
    listed = {re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower() for name in listed if name != "KERNEL"}
    files = {path.stem for path in (source / "src/cuda/kernels").glob("*.cuh")}
    return [f"{name}: a file in src/cuda/kernels or a line of kernels.cuh, but not both"
            for name in sorted(listed ^ files)]


def compile_ptx(nvcc, source, flags):
    with tempfile.TemporaryDirectory() as folder:
        code, ptx = Path(folder) / "all.cu", Path(folder) / "all.ptx"
        code.write_text(SOURCE, encoding="utf-8")
        command = [nvcc, *FLAGS, *flags, f"-I{source}/src", f"-I{source}/include", str(code), "-o", str(ptx)]
        subprocess.run(command, check=True)
        return ptx.read_text(encoding="utf-8")


# A line of the table, instructions of kernel "k" in fp64, and a part of the complaint (None: no complaint).
SELF_TEST = [
    ("k add.rn.T 2 why", "add.rn.f64 add.rn.f64", None),
    ("k add.rn.T 2 why", "add.rn.f64", "1, expected 2"),
    ("k add.rn.T some why", "", "0, expected some"),
    ("k add.rn.T some why", "add.f64", "add.f64: 1, expected none"),
    ("k add.rn.T 1 why", "add.rn.f64 fma.rn.f64", "fma.rn.f64: 1, expected none"),
    ("k shfl.sync.down 1/word why", "shfl.sync.down.b32 shfl.sync.down.b32", None),
    ("k shfl.sync.down 1/word why", "shfl.sync.down.b32", "expected 1/word"),
    ("k shfl.sync.down 1/word why", "shfl.sync.bfly.b32 shfl.sync.bfly.b32", "0, expected 1/word"),
    ("k membar.gl 1 why", "", "membar.gl: 0"),
    ("k bar.sync 1 why", "bar.sync add.s64 mul.wide.u32", None),
    ("other bar.sync 1 why", "bar.sync", "k: has no line"),
]


def self_test():
    failures = []
    for line, words, expected in SELF_TEST:
        body = "".join(f"\n\t{word} \t%fd1, %fd2;" for word in words.split())
        ptx = f".visible .entry _ZN8orderlab4cuda1kIdEEvPKT_m(\n)\n{{{body}\n\tret;\n\n}}\n"
        said = [text for text in compare(counts_of(ptx), read_table(line)) if "is not compiled" not in text]
        if (expected is None and said) or (expected is not None and not any(expected in text for text in said)):
            failures.append(f"'{line}' and '{words}': expected {expected!r}, got {said}")
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", nargs="?", type=Path)
    parser.add_argument("--nvcc")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        found = self_test()
        print("\n".join(found + [f"{len(found)} failures"]))
        return 1 if found else 0

    nvcc = find_nvcc(options.nvcc)
    wrong = unlisted_kernels(options.source)
    if nvcc:
        table = read_table(Path(__file__).with_name("ptx_expectations.txt").read_text(encoding="utf-8"))
        rounded = counts_of(compile_ptx(nvcc, options.source, ["--fmad=false"]))
        wrong += compare(rounded, table)
        contracting = as_rounded(counts_of(compile_ptx(nvcc, options.source, [])))
        wrong += [f"without --fmad=false: {text}" for text in compare(contracting, table)]
        print(f"{len(rounded)} kernels compiled twice")
    print("\n".join(wrong + [f"{len(wrong)} differences"]))
    if not nvcc and not wrong:
        print("skipped: there is no nvcc 13")
        return SKIPPED
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
