// orderlab doctor: what this build can do on this machine, to be pasted into a report of a bug.
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <fstream>
#include <thread>

#include "box/program_path.hpp"
#include "cli/command.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "crosscheck/instructions/instruction.hpp"
#include "cuda/gpu_kernels.hpp"
#include "engine/arena.hpp"
#include "files/codec.hpp"
#include "orderlab/format.hpp"
#include "orderlab/study/sample.hpp"
#include "show/wrapped.hpp"
#include "terms/array_file.hpp"
#include "vectors/widest_vectors.hpp"

namespace orderlab::cli {

namespace {

std::string build_text() {
#ifdef __OPTIMIZE__
  const std::string_view optimized = "optimized";
#else
  const std::string_view optimized = "not optimized";
#endif
  return fmt::format("{}, bits version {}, compiled by {}, {}", program_version(), kBitsVersion,
#ifdef __clang__
                     __VERSION__,
#else
                     "g++ " __VERSION__,
#endif
                     optimized);
}

std::string system_text() {
  utsname system{};
  ::uname(&system);
  return fmt::format("{} {} {}, glibc {}", system.sysname, system.release, system.machine, gnu_get_libc_version());
}

std::string processor_text() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line))
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "not known";
}

std::string vectors_text() { return fmt::format("{} is used; results do not depend on it", widest_vectors()); }

std::string instructions_text() {
  std::string text;
  for (const Executor& executor : cpu_executors())
    text += fmt::format("{}{}", text.empty() ? "" : ", ", executor.kernel->name);
  return text.empty() ? "none of `crosscheck --device cpu`" : text;
}

std::string threads_text() {
  return fmt::format("{} used without --threads; {} in the machine", threads_used(0),
                     std::thread::hardware_concurrency());
}

std::string memory_text() {
  const double all = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  const double free = available_bytes();
  if (std::isinf(free)) return fmt::format("{:.1f} GiB; how much is free is not known", all / 0x1p30);
  return fmt::format("{:.1f} of {:.1f} GiB free", free / 0x1p30, all / 0x1p30);
}

std::string formats_text() {
  std::string text;
  for (const FormatInfo& format : kAllFormats) text += fmt::format("{}{}", text.empty() ? "" : ", ", format.name);
  return text;
}

std::string archives_text() {
  std::string text;
  for (const Codec* codec : codecs())
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", codec->open() == nullptr ? "no " : "", codec->name);
  return text;
}

std::string programs_text() {
  std::string text;
  for (const std::string_view name : {"g++", "clang++", "nvcc", "python3"}) {
    const std::string path = path_of_program(std::string(name));
    text += fmt::format("{}{}", text.empty() ? "" : ", ", path.empty() ? fmt::format("no {}", name) : path);
  }
  return text;
}

std::string gpu_text() {
  if (const auto problem = cuda::gpu_problem()) return "none: " + *problem;
  return fmt::format("{} kernels can run", cuda::gpu_kernels().size());
}

/// Variables that most often explain why a command does something else on another machine.
constexpr std::string_view kVariables[] = {"CXX",
                                           "TMPDIR",
                                           "COLUMNS",
                                           "NO_COLOR",
                                           "LC_ALL",
                                           "OMP_NUM_THREADS",
                                           "OMP_WAIT_POLICY",
                                           "ORDERLAB_PYTHON",
                                           "SLURM_JOB_ID",
                                           "SLURM_PROCID",
                                           "SLURM_ARRAY_TASK_ID"};

std::string variables_text(const Environment& environment) {
  std::string text;
  for (const std::string_view name : kVariables)
    if (const char* const value = environment(name.data()); value != nullptr)
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text.empty() ? "none set" : text;
}

/// Least and greatest of 100 sums of 1000 drawn numbers, which are the same on every machine.
std::array<double, 2> known_sums() {
  const study::Input input = study::generated_input({.n = 1000, .formats = parse_formats("fp32")});
  const study::SampleFinding found = study::sample(input, {.orders = {parse_order("random")}, .samples = 100});
  const auto extremes = *found.orders[0].counts.extremes();
  return {extremes.min, extremes.max};
}
constexpr std::array kKnownSums{4976.5087890625, 4976.5185546875};

int run_doctor(const CommandLine&, Session& session) {
  const std::array<double, 2> sums = known_sums();
  const bool right = sums == kKnownSums;
  const std::string verdict =
      right ? "100 sums of 1000 terms have the bits that they have everywhere"
            : fmt::format("WRONG: 100 sums of 1000 terms are {} to {}, and everywhere else {} to {}", sums[0], sums[1],
                          kKnownSums[0], kKnownSums[1]);
  const std::array<std::array<std::string, 2>, 13> facts{{{"build", build_text()},
                                                          {"system", system_text()},
                                                          {"processor", processor_text()},
                                                          {"vectors", vectors_text()},
                                                          {"instructions", instructions_text()},
                                                          {"threads", threads_text()},
                                                          {"memory", memory_text()},
                                                          {"formats", formats_text()},
                                                          {"archives", archives_text()},
                                                          {"HDF5", hdf5_support()},
                                                          {"programs", programs_text()},
                                                          {"GPU", gpu_text()},
                                                          {"variables", variables_text(session.environment)}}};
  constexpr std::size_t kNames = 14;
  const auto show = [&](std::string name, const std::string& text) {
    for (const std::string& line : broken(text, static_cast<std::size_t>(session.width) - kNames)) {
      name.resize(kNames, ' ');
      session.out << name + line + "\n";
      name.clear();
    }
  };
  for (const auto& [name, text] : facts) show(name, text);
  show("check", verdict);
  return right ? kDone : kExitNo;
}

}  // namespace

extern const Command kDoctor;
const Command kDoctor{
    .name = "doctor",
    .summary = "what this build can do on this machine; paste it into a report of a bug",
    .example = "orderlab doctor",
    .flags = {},
    .run = run_doctor,
};

}  // namespace orderlab::cli
