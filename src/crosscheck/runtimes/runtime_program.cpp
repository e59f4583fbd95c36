#include "crosscheck/runtimes/runtime_program.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "box/child.hpp"
#include "box/one_line.hpp"
#include "box/program_path.hpp"
#include "crosscheck/runtimes/program_sources.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::chrono::seconds kLongestRun{600};  // a compiler too
constexpr const char* kEnvironmentProgram = "/usr/bin/env";

void write_file(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) throw Error(ErrorKind::device, "cannot write " + path + ": " + std::strerror(errno));
}

std::size_t bytes_of(Format format) { return static_cast<std::size_t>(info(format).bits) / 8; }

std::string job_line(const RuntimeCase& one) {
  std::string line = one.call + " " + std::string(info(one.format).name);
  for (const std::size_t number :
       {one.n, one.outputs, std::size_t{one.products}, one.workers, one.parameter, one.calls})
    line += " " + std::to_string(number);
  return line + "\n";
}

// The line that tells most: the first of an error, else the last one. Without the folder's name.
std::string telling_line(const std::string& path, const std::string& folder) {
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    last = line;
    if (line.find("error: ") != std::string::npos) break;
  }
  for (std::size_t at = last.find(folder + "/"); at != std::string::npos; at = last.find(folder + "/"))
    last.erase(at, folder.size() + 1);
  return one_line(last);
}

std::string first_line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return one_line(line);
}

}  // namespace

RuntimeJob make_job(const RuntimeCase& one, std::uint64_t seed) {
  RuntimeJob job{&one, generate_terms(one.terms, one.outputs * one.n, one.format, seed), {}, {}};
  if (one.products) job.y = generate_terms(one.terms, one.n, one.format, seed, 1);
  return job;
}

RuntimeProgram::RuntimeProgram() {
  folder_ = (std::filesystem::temp_directory_path() / "orderlab-XXXXXX").string();
  if (::mkdtemp(folder_.data()) == nullptr)
    throw Error(ErrorKind::device, "cannot make a folder in " + std::filesystem::temp_directory_path().string() + ": " +
                                       std::strerror(errno));
}

RuntimeProgram::~RuntimeProgram() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::unique_ptr<RuntimeProgram> RuntimeProgram::make(const Runtime& runtime, const std::stop_token& stop,
                                                     std::string& problem) {
  std::unique_ptr<RuntimeProgram> program(new RuntimeProgram);
  program->name_ = runtime.name;
  problem = program->compile(runtime, stop);
  if (!problem.empty()) return nullptr;
  return program;
}

// Tries one build after the other; the problem is that of the first that got farthest.
std::string RuntimeProgram::compile(const Runtime& runtime, const std::stop_token& stop) {
  write_file(folder_ + "/jobs.hh", jobs_header());
  write_file(folder_ + "/program.cc", program_source(runtime.source));
  std::string absent;
  std::string problem;
  for (const RuntimeBuild& build : runtime.builds) {
    if (stop.stop_requested()) return "stopped";
    const auto misses = [&](const char* program) {
      if (program == nullptr || !path_of_program(program).empty()) return false;
      if (absent.empty()) absent = std::string(program) + " is not installed";
      return true;
    };
    if (misses(build.compiler) || misses(build.launcher)) continue;
    std::vector<std::string> arguments{
        kEnvironmentProgram, build.compiler, "-std=c++17",         "-O2",
        "-ffp-contract=off", "-o",           folder_ + "/program", folder_ + "/program.cc"};
    for (const char* flag : runtime.flags) arguments.emplace_back(flag);
    build_ = &build;
    bool stopped = false;
    std::string wrong = start(arguments, stop, stopped);
    if (!wrong.empty()) wrong = std::string(build.compiler) + " cannot compile a program that uses it, and " + wrong;
    if (wrong.empty()) {
      write_jobs({});
      const RuntimeSetting setting = runtime.settings({{Format::fp64}, {1}}, build).front();
      wrong = start(command(setting), stop, stopped);
      if (!wrong.empty()) wrong = "a program built by " + std::string(build.compiler) + " " + wrong;
    }
    if (stopped) return "stopped";
    if (wrong.empty()) {
      version_ = first_line_of(folder_ + "/version");
      if (version_.starts_with(runtime.version)) return "";
      wrong = std::string(build.compiler) + " builds for another runtime: " + version_;
    }
    if (problem.empty()) problem = wrong;
  }
  return problem.empty() ? absent : problem;
}

// Empty when it succeeded, else how it ended.
std::string RuntimeProgram::start(const std::vector<std::string>& arguments, const std::stop_token& stop,
                                  bool& stopped) const {
  ChildSetup setup;
  setup.arguments = {"/bin/sh", "-c", R"(errors=$1; shift; exec "$@" 2> "$errors")", "sh", folder_ + "/errors"};
  setup.arguments.insert(setup.arguments.end(), arguments.begin(), arguments.end());
  Child child(setup);
  switch (child.wait({}, {std::chrono::steady_clock::now() + kLongestRun, stop})) {
    case Child::Wake::stopped:
      stopped = true;
      return "stopped";
    case Child::Wake::exited: {
      if (child.succeeded()) return "";
      const std::string line = telling_line(folder_ + "/errors", folder_);
      return child.ending("") + (line.empty() ? "" : ": " + line);
    }
    default:
      return "ran longer than " + std::to_string(kLongestRun.count()) + " s";
  }
}

std::vector<std::string> RuntimeProgram::command(const RuntimeSetting& setting) const {
  std::vector<std::string> arguments{kEnvironmentProgram};
  arguments.insert(arguments.end(), setting.environment.begin(), setting.environment.end());
  arguments.insert(arguments.end(), setting.launcher.begin(), setting.launcher.end());
  arguments.push_back(folder_ + "/program");
  arguments.push_back(folder_);
  return arguments;
}

void RuntimeProgram::write_jobs(std::span<const RuntimeJob> jobs) const {
  std::string lines;
  std::string terms;
  const auto append = [&](const Terms& numbers) {
    const std::span<const std::byte> bytes = numbers.bytes();
    terms.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  for (const RuntimeJob& job : jobs) {
    lines += job_line(*job.one);
    append(job.x);
    if (job.y) append(*job.y);
  }
  write_file(folder_ + "/jobs", lines);
  write_file(folder_ + "/terms", terms);
}

void RuntimeProgram::read_sums(std::span<RuntimeJob> jobs) const {
  std::ifstream file(folder_ + "/sums", std::ios::binary);
  for (RuntimeJob& job : jobs) {
    const std::size_t bytes = bytes_of(job.one->format);
    job.got.assign(job.one->calls * job.one->outputs, 0);
    for (std::uint64_t& bits : job.got) {
      file.read(reinterpret_cast<char*>(&bits), static_cast<std::streamsize>(bytes));  // little endian, as Terms are
      bits = round_to_bits(job.one->format, value_of_bits(job.one->format, bits));
    }
  }
  if (!file || file.peek() != std::ifstream::traits_type::eof())
    throw Error(ErrorKind::device, name_ + ": its program gave another number of sums than it was asked for");
}

bool RuntimeProgram::run(const RuntimeSetting& setting, std::span<RuntimeJob> jobs, const std::stop_token& stop) {
  write_jobs(jobs);
  bool stopped = false;
  const std::string wrong = start(command(setting), stop, stopped);
  if (stopped) return false;
  if (!wrong.empty()) throw Error(ErrorKind::device, name_ + ": its program " + wrong);
  read_sums(jobs);
  return true;
}

}  // namespace orderlab
