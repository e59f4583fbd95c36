// orderlab_capture: runs the kernels on the GPU of this machine and writes down what they gave. A program of its own,
// so that a machine with a GPU needs nvcc and nothing else.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "cuda/capture/options.hpp"
#include "cuda/capture/recordings.hpp"
#include "cuda/capture/runs.hpp"
#include "cuda/capture/tar.hpp"
#include "cuda/gpu_facts.hpp"
#include "cuda/gpu_kernels.hpp"
#include "cuda/prices.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cuda {

namespace {

constexpr int kFailed = 2;
constexpr std::size_t kArrivalOrders = 20;

void progress(const std::string& text) {
  if (isatty(STDERR_FILENO) != 0) std::cerr << text << "\n";
}

std::vector<const KernelInfo*> chosen_kernels(const std::string& only) {
  std::vector<const KernelInfo*> chosen;
  std::vector<std::string> known;
  for (const KernelInfo* kernel : gpu_kernels()) {
    if (only.empty() || kernel->name == only) chosen.push_back(kernel);
    known.emplace_back(kernel->name);
  }
  if (chosen.empty()) throw Error(ErrorKind::usage, unknown_name("kernel", only, known));
  return chosen;
}

void list_kernels(const std::vector<const KernelInfo*>& kernels) {
  constexpr std::size_t kTerms = 1000;
  std::cout << "kernel: formats; order over " << kTerms << " terms in its first shape\n";
  for (const KernelInfo* kernel : kernels) {
    std::cout << kernel->name << ":";
    for (const Format format : kernel->formats) std::cout << " " << info(format).name;
    for (const Formats& mixed : kernel->mixed_formats) std::cout << " " << to_string(mixed);
    std::cout << "; " << kernel->claim(kernel->shapes.front(), kTerms) << "\n";
  }
}

std::string today() {
  const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  const auto two_digits = [](unsigned number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  return std::to_string(static_cast<int>(date.year())) + "-" + two_digits(static_cast<unsigned>(date.month())) + "-" +
         two_digits(static_cast<unsigned>(date.day()));
}

Capture make_capture(const std::vector<const KernelInfo*>& kernels, bool quick, TermStore& store) {
  Capture capture{.facts = gpu_facts(), .probes = gpu_probes(), .runs = {}};
  capture.facts.push_back({"date", today()});
  std::size_t left_out = 0;  // a library may not tell its grid on this GPU
  std::string reason;
  for (const KernelInfo* kernel : kernels) {
    const std::vector<PlannedRun> plan = plan_of(*kernel, quick);
    progress(std::string(kernel->name) + ": " + std::to_string(plan.size()) + " runs");
    for (const PlannedRun& planned : plan) {
      try {
        capture.runs.push_back(make_run(planned, store));
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::unsupported)
          throw Error(error.kind(), std::string(kernel->name) + " in " + std::string(info(planned.format).name) +
                                        ", n=" + std::to_string(planned.n) + ": " + error.what());
        if (left_out++ == 0) reason = error.what();
      }
    }
  }
  if (left_out > 0) capture.facts.push_back({"left_out", std::to_string(left_out) + " runs; the first: " + reason});
  return capture;
}

[[noreturn]] void refuse_file(const std::string& path) {
  throw Error(ErrorKind::input, path + ": cannot be written; name a file in a folder that can");
}

std::string part_of(const std::string& path) { return path + ".part"; }

/// Before minutes of runs: Error(input) for a file that cannot be written.
void require_writable(const std::string& path) {
  if (path.empty()) return;
  const bool opened = std::ofstream(part_of(path)).is_open();
  static_cast<void>(std::remove(part_of(path).c_str()));
  if (!opened) refuse_file(path);
}

/// Writes to `path`, whole or not at all; to standard output where it is empty.
void write_text(const std::string& path, const std::string& text) {
  if (path.empty()) {
    std::cout << text;
    return;
  }
  const std::string part = part_of(path);
  std::ofstream file(part, std::ios::binary);
  file << text;
  file.close();
  if (!file || std::rename(part.c_str(), path.c_str()) != 0) {
    static_cast<void>(std::remove(part.c_str()));
    refuse_file(path);
  }
}

/// The facts of a recording: those of a capture, and the driver where Linux tells it.
std::vector<TextEntry> recording_facts() {
  std::vector<TextEntry> facts = gpu_facts();
  std::ifstream file("/proc/driver/nvidia/version");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (std::string version = driver_version(text); !version.empty()) facts.push_back({"driver", std::move(version)});
  return facts;
}

unsigned multiprocessors_in(const std::vector<TextEntry>& facts) {
  for (const TextEntry& fact : facts)
    if (fact.name == "sm_count") return static_cast<unsigned>(std::stoul(fact.value));
  return 1;
}

/// Files in the folder `folder`, each as soon as it is recorded, and all in one archive beside it.
void record(std::string folder, bool quick) {
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  const std::string name = std::filesystem::path(folder).filename().string();
  if (name.empty() || name == "." || name == "..") throw Error(ErrorKind::usage, "--record: name a folder to make");
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) refuse_file(folder);
  require_writable(folder + ".tar");

  TermStore store;
  const std::vector<TextEntry> facts = recording_facts();
  std::vector<TarFile> files;
  std::cout << recording_summary_head();
  std::size_t failed = 0;
  for (const PlannedRecording& planned : recording_plan(multiprocessors_in(facts), quick)) {
    RecordedLaunches recorded;
    try {
      recorded = make_recording(planned, facts, store, record_on_gpu);
    } catch (const Error& error) {  // the others are worth having
      std::cout << planned.name << ": " << error.what() << std::endl;
      ++failed;
      continue;
    }
    const std::string file = std::string(planned.name) + ".arrivals";
    files.push_back({name + "/" + file, write_arrivals_text(recorded)});
    write_text(folder + "/" + file, files.back().content);
    std::cout << recording_summary(planned.name, recorded) << std::flush;
  }
  write_text(folder + ".tar", tar_archive(files));
  std::cout << "\nWrote " << files.size() << " files to " << folder << " and all of them to " << folder
            << ".tar.\nA machine with orderlab fits them: orderlab fit " << folder << "/spa64.arrivals\n"
            << "To send them: bzip2 " << folder << ".tar\n";
  if (failed > 0) throw Error(ErrorKind::device, std::to_string(failed) + " recordings failed; see above");
}

void run(const CaptureOptions& options) {
  if (options.help) {
    std::cout << capture_help();
    return;
  }
  const std::vector<const KernelInfo*> kernels = chosen_kernels(options.kernel);
  if (options.list) return list_kernels(kernels);
  require_writable(options.out);
  require_writable(options.tickets);
  if (!options.out.empty() && options.out == options.tickets)
    throw Error(ErrorKind::usage, options.out + ": is the file of --out and of --tickets; name two");
  if (const auto problem = gpu_problem()) throw Error(ErrorKind::device, *problem);
  if (!options.record.empty()) return record(options.record, options.quick);
  if (options.bench) {
    const std::vector<Price> prices = gpu_prices({options.kernel, options.quick, progress});
    std::cout << price_table(prices);
    if (!options.out.empty()) write_text(options.out, price_csv(prices));
    return;
  }
  TermStore store;
  write_text(options.out, write_capture(make_capture(kernels, options.quick, store)));
  if (!options.tickets.empty()) write_text(options.tickets, arrival_orders(kArrivalOrders, store));
}

}  // namespace

}  // namespace orderlab::cuda

int main(int argc, char** argv) {
  const orderlab::FloatEnvironment environment;
  using namespace orderlab::cuda;
  try {
    run(parse_capture_options({argv + 1, argv + argc}));
    std::cout.flush();
    if (std::cout) return 0;
    std::cerr << "orderlab_capture: standard output cannot be written\n";
  } catch (const std::exception& error) {
    std::cerr << "orderlab_capture: " << error.what() << "\n";
  }
  return kFailed;
}
