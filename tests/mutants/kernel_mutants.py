#!/usr/bin/env python3
"""Changes the kernels' device code, one token or statement at a time, and counts how many changes a cross-check on the
CPU notices: by other bits, by the executor's own checks, or because the kernel no longer ends.

usage: kernel_mutants.py BUILD_DIR [--only FILE.cuh] [--change REGEX] [--every N] [--jobs N] [--list]

BUILD_DIR is a tree configured for Ninja and built (build/release). Every mutant of a kernel is a copy of its source in
a namespace of its own; some share a program, each runs as a process of its own. Survivors must be listed in
survivors.txt, each with the reason; exit status 1 if one is not.
"""

import argparse
import concurrent.futures
import json
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CUDA = ROOT / "src" / "cuda"
SURVIVORS = Path(__file__).with_name("survivors.txt")
MUTANTS_A_PROGRAM = 12
KERNELS_A_FUNCTION = 3
CPU_SECONDS_A_MUTANT = 6  # a kernel as it is takes less than one

# What is changed into what. Tokens are tried in this order; the first that matches at a place stands for it.
TOKENS = [
    (r"__syncthreads\(\);", ["", "__syncwarp();"]),
    (r"__threadfence\(\);", ["", "__threadfence_block();"]),
    (r"__shfl_down_sync", ["__shfl_up_sync", "__shfl_xor_sync"]),
    (r"__shfl_xor_sync", ["__shfl_down_sync", "__shfl_up_sync"]),
    (r"atomicAdd\(sum, value\)", ["(*sum += value)"]),
    (r"atomicInc\(tickets, gridDim\.x - 1\)", ["(*tickets)++", "atomicAdd(tickets, 0U)"]),
    (r"kWholeWarp", ["0x0000ffffU", "0x7fffffffU", "__activemask()"]),
    (r"(?<=[a-z])\{\}(?=;)", [""]),  # a local variable that is not set
    (r"0xffffffff", ["0x0000ffffU"]),
    (r"\bgrid_threads\(\)", ["blockDim.x", "(grid_threads() + 1)"]),
    (r"\bgrid_thread\(\)", ["threadIdx.x", "(grid_thread() + 1)"]),
    (r"\bthreadIdx\.x", ["blockIdx.x", "(threadIdx.x + 1)"]),
    (r"\bblockIdx\.x", ["threadIdx.x", "0U"]),
    (r"\bblockDim\.x", ["gridDim.x", "(blockDim.x - 1)"]),
    (r"\bgridDim\.x", ["blockDim.x", "(gridDim.x - 1)"]),
    (r"\bkWarp\b", ["(kWarp / 2)", "(kWarp - 1)", "(2 * kWarp)"]),
    (r"\bitems\b(?=[ ;])", ["(items + 1)", "1U"]),
    (r"\+=", ["-=", "="]),
    (r"-=", ["+="]),
    (r"\*=", ["+="]),
    (r"/=", ["-="]),
    (r"<=|>=|==|!=", {"<=": ["<"], ">=": [">"], "==": ["!=", ">="], "!=": ["=="]}),
    (r"&&", ["||"]),
    (r"\|\|", ["&&"]),
    (r"(?<=[ (])!(?=\w)", [""]),
    (r"\+\+", ["+=2,"]),
    (r"(?<= )<(?= )", ["<=", ">"]),
    (r"(?<= )>(?= )", [">=", "<"]),
    (r"(?<= )\+(?= )", ["-"]),
    (r"(?<= )-(?= )", ["+"]),
    (r"(?<= )\*(?= )", ["+"]),
    (r"(?<= )/(?= )", ["*"]),
    (r"(?<= )%(?= )", ["/"]),
    (r"(?<![\w.])0(?![\w.])", ["1"]),
    (r"(?<![\w.])1(U?)(?![\w.])", ["2", "0"]),
    (r"(?<![\w.])2(?![\w.])", ["1", "4"]),
    (r"(?<=\? )warp_sums\[lane\] : T\{\}|(?<=\? )x\[i\] : T\{\}", {
        "warp_sums[lane] : T{}": ["T{} : warp_sums[lane]"], "x[i] : T{}": ["T{} : x[i]"]}),
    (r"(?<=std::fabs\()sum|(?<=std::fabs\()x\[i\]", {"sum": ["x[i]"], "x[i]": ["sum"]}),
]
STATEMENT = re.compile(r"^ +(?!return|const|auto|T [a-z]|T\*|unsigned|__shared__|else|if|for|\}|//)[\w*\[({][^{}]*;", re.M)


@dataclass
class Mutant:
    file: str
    function: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def name(self):
        return f"{self.file}:{self.line}: {self.function}: '{self.old}' -> '{self.new}'"

    def key(self, text):
        """What survivors.txt knows it by: no line number, but the line itself."""
        begin = text.rfind("\n", 0, self.start) + 1
        line = text[begin:text.index("\n", self.start)]
        column = len(re.findall(re.escape(self.old), line[:self.start - begin]))
        return f"{self.file} | {line.strip()} | {self.old.strip()} #{column + 1} | {self.new}"


def device_functions(text):
    """(name, begin, end) of the functions that run on a GPU, bodies only."""
    found = []
    for match in re.finditer(r"^(?:inline |__host__ )*__(?:global|device)__[^;{]*?(\w+)\([^{;]*\)\s*\{", text, re.M):
        depth, i = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[i], 0)
            i += 1
        found.append((match.group(1), match.end(), i - 1))
    return found


def without_comments(text):
    return re.sub(r"//[^\n]*", lambda m: " " * len(m.group()), text)


def mutants_of(path):
    original = path.read_text()
    text = without_comments(original)
    name = path.relative_to(CUDA).as_posix()
    for function, begin, end in device_functions(text):
        taken = set()
        for pattern, changes in TOKENS:
            for match in re.finditer(pattern, text[begin:end]):
                at = begin + match.start()
                if at in taken or (text[at - 1] == "<" and "kRecord" in text[at:at + 8]):
                    continue
                taken.update(range(at, begin + match.end()))
                old = match.group()
                for new in changes[old] if isinstance(changes, dict) else changes:
                    yield Mutant(name, function, text.count("\n", 0, at) + 1, at, at + len(old), old, new)
        for match in STATEMENT.finditer(text[begin:end]):
            old = match.group()
            if "__syncthreads" in old or "__threadfence" in old:
                continue
            at = begin + match.start()
            yield Mutant(name, function, text.count("\n", 0, at) + 1, at, at + len(old), old, " ;")


class Source:
    """The kernels' files, who includes whom, and which kernels reach which device function."""

    def __init__(self):
        self.text = {}  # of the kernels and of what they include of this folder
        for path in sorted((CUDA / "kernels").glob("*.cuh")):
            self.read(path)
        self.kernels = {}  # file of a kernel: the name of its description
        for name, text in self.text.items():
            match = re.search(r"^struct (\w+) \{\n(?:(?!\};).*\n)*?  static constexpr KernelInfo kInfo", text, re.M)
            if name.startswith("kernels/") and match:
                self.kernels[name] = match.group(1)
        self.bodies = {}
        for name, text in self.text.items():
            for function, begin, end in device_functions(without_comments(text)):
                self.bodies.setdefault(function, "")
                self.bodies[function] += text[begin:end]

    def read(self, path):
        name = path.relative_to(CUDA).as_posix()
        if name not in self.text:
            self.text[name] = path.read_text()
            for include in re.findall(r'^#include "cuda/([^"]+)"', self.text[name], re.M):
                self.read(CUDA / include)

    def files_of(self, name, seen=None):
        """`name` and what it includes of this folder, each once, includes first."""
        seen = [] if seen is None else seen
        for include in re.findall(r'^#include "cuda/([^"]+)"', self.text[name], re.M):
            if include not in seen and include in self.text:
                self.files_of(include, seen)
        if name not in seen:
            seen.append(name)
        return seen

    def reached(self, file):
        """Device functions that the kernels of `file` reach, with what its host code launches."""
        todo = [file_text for file_text in [self.text[file]]]
        found = set()
        while todo:
            body = todo.pop()
            for function, text in self.bodies.items():
                if function not in found and re.search(rf"\b{function}\b", body):
                    found.add(function)
                    todo.append(text)
        return found

    def kernels_for(self, mutant):
        if mutant.file in self.kernels:
            return [mutant.file]
        return [f for f in self.kernels if mutant.file in self.files_of(f) and mutant.function in self.reached(f)][
            :KERNELS_A_FUNCTION]

    def program(self, mutants):
        """One translation unit with every mutant in a namespace, and main(number)."""
        system = sorted({line for text in self.text.values() for line in re.findall(r"^#include <.*>$", text, re.M)})
        parts = ['#include "orderlab/cuda_on_host.hpp"', *system, "#include <cstdlib>",
                 '#include "orderlab/host_kernel.hpp"']
        cases = []
        for i, mutant in enumerate(mutants):
            kernels = self.kernels_for(mutant)
            parts.append(f"namespace orderlab::mutant{i} {{ ORDERLAB_DYNAMIC_SHARED(unsigned char, dynamic_shared); }}")
            files = []
            for kernel in kernels:
                files += [f for f in self.files_of(kernel) if f not in files]
            for file in files:
                text = self.text[file]
                if file == mutant.file:
                    text = text[:mutant.start] + mutant.new + text[mutant.end:]
                text = re.sub(r"^#(include|pragma) .*$", "", text, flags=re.M)
                parts.append(text.replace("namespace orderlab::cuda {", f"namespace orderlab::mutant{i} {{"))
            executors = ", ".join(f"orderlab::host_executor<orderlab::mutant{i}::{self.kernels[k]}>()" for k in kernels)
            cases.append(f"    case {i}: executors = {{{executors}}}; break;")
        parts.append("""
int main(int, char** arguments) {
  using orderlab::Format;
  std::vector<orderlab::Executor> executors;
  switch (std::atoi(arguments[1])) {
%s
    default: return 3;
  }
  const orderlab::CrossChecks checks = orderlab::crosscheck(
      executors, {.sizes = {1, 2, 3, 31, 32, 33, 64, 65, 127, 128, 129, 255, 256, 257, 513, 1025, 4097, 9001},
                  .formats = {Format::fp32, Format::fp64}, .seeds = 6, .threads = 1});
  bool fault = false;
  for (const orderlab::CrossCheckRow& row : checks.rows) fault = fault || (row.first && !row.first->problem.empty());
  return checks.mismatches() == 0 ? 0 : fault ? 11 : 10;
}
""" % "\n".join(cases))
        return "\n".join(parts)


class Compiler:
    """The command that compiled host_kernels.cpp, and the libraries that it was linked to."""

    def __init__(self, build):
        commands = json.loads((build / "compile_commands.json").read_text())
        entry = next(c for c in commands if c["file"].endswith("crosscheck/host_kernels.cpp"))
        words = [w for w in shlex.split(entry["command"]) if "ccache" not in w and w != "-Werror"]
        self.command = []
        skip = False
        for word in words:
            if skip:
                skip = False
            elif word in ("-o", "-c"):
                skip = True
            else:
                self.command.append(word)
        self.directory = entry["directory"]
        self.libraries = self.libraries_of((build / "build.ninja").read_text())
        self.build_folder = build

    @staticmethod
    def libraries_of(ninja):
        """What the program orderlab is linked to: paths from the build folder on, and options."""
        statement = re.search(r"^build orderlab: .*\n((?:  .*\n)*)", ninja, re.M).group(1)
        words = shlex.split(" ".join(re.findall(r"^  LINK_(?:PATH|LIBRARIES) = (.*)$", statement, re.M)))
        return sorted((word for word in words if not word.startswith("-Wl,-rpath")), key=lambda word: word[:2] != "-L")

    def build(self, source, program):
        """Compiles and links in two steps: what is linked with -fsanitize=thread gets the sanitizer's own functions."""
        unit = program.with_suffix(".o")
        compiled = subprocess.run(self.command + ["-w", "-c", str(source), "-o", str(unit)], cwd=self.directory,
                                  capture_output=True, text=True)
        if compiled.returncode != 0:
            return False
        linker = self.command[0]
        linked = subprocess.run([linker, str(unit), "-o", str(program)] + self.libraries, cwd=self.build_folder,
                                capture_output=True, text=True)
        unit.unlink()
        if linked.returncode != 0:
            raise SystemExit(linked.stderr)
        return True


def outcome(program, number):
    limit = (CPU_SECONDS_A_MUTANT, CPU_SECONDS_A_MUTANT + 1)
    done = subprocess.run([str(program), str(number)], capture_output=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit))
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "does not end"
    return {0: "survived", 10: "other bits", 11: "fault"}.get(done.returncode, "crash")


def judge(source, compiler, folder, number, mutants):
    """The outcomes of a program's mutants; one that does not compile sends the others to programs of their own."""
    path = folder / f"mutants{number}.cpp"
    path.write_text(source.program(mutants))
    program = path.with_suffix("")
    if compiler.build(path, program):
        results = [outcome(program, i) for i in range(len(mutants))]
        program.unlink()
        return results
    if len(mutants) == 1:
        return ["does not compile"]
    return [judge(source, compiler, folder, f"{number}_{i}", [m])[0] for i, m in enumerate(mutants)]


def reasons(text):
    """For each mutant listed: the reason why it survives, and whether it gives the same sums on a GPU too."""
    found = {}
    for line in text.splitlines():
        match = re.fullmatch(r"(.*) \| (missed )?because (.*)", line)
        if match:
            found[match.group(1)] = (match.group(3), match.group(2) is None)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--only", help="mutants of this file, such as trees.cuh")
    parser.add_argument("--change", default="", help="only mutants whose change, OLD -> NEW, matches this expression")
    parser.add_argument("--every", type=int, default=1, help="only every N-th mutant")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="name every mutant with its outcome")
    parser.add_argument("--list", action="store_true", help="name the mutants and stop")
    arguments = parser.parse_args()

    source = Source()
    mutants = [m for file in source.text for m in mutants_of(CUDA / file)
               if not arguments.only or Path(file).name == arguments.only]
    mutants = [m for m in mutants if re.search(arguments.change, f"{m.old} -> {m.new}")]
    mutants = [m for m in mutants if source.kernels_for(m)][::arguments.every]
    if arguments.list:
        print("\n".join(m.name() for m in mutants), f"\n{len(mutants)} mutants")
        return 0
    explained = reasons(SURVIVORS.read_text())
    compiler = Compiler(arguments.build.resolve())
    chunks = [mutants[i:i + MUTANTS_A_PROGRAM] for i in range(0, len(mutants), MUTANTS_A_PROGRAM)]
    counts, unexplained, equivalent = {}, [], 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = [pool.submit(judge, source, compiler, Path(folder), i, chunk) for i, chunk in enumerate(chunks)]
        for chunk, job in zip(chunks, jobs):
            for mutant, result in zip(chunk, job.result()):
                counts[result] = counts.get(result, 0) + 1
                print(f"{result}: {mutant.name()}", flush=True) if arguments.verbose else None
                key = mutant.key(source.text[mutant.file])
                if result == "survived":
                    reason, same_sums = explained.get(key, (None, False))
                    print(f"survived: {mutant.name()}\n    {reason or key}", flush=True)
                    equivalent += same_sums
                    if not reason:
                        unexplained.append(mutant)
    judged = sum(counts.values()) - counts.get("does not compile", 0)
    caught = judged - counts.get("survived", 0)
    print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    different = judged - equivalent
    print(f"{caught} of {judged} mutants that compile are noticed ({100 * caught / max(judged, 1):.1f} %), "
          f"of those that can give other sums {caught} of {different} ({100 * caught / max(different, 1):.1f} %); "
          f"{len(unexplained)} survivors have no reason in {SURVIVORS.name}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
