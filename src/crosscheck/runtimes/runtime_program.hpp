// The program of a runtime, compiled on this machine and run on cases.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "crosscheck/runtimes/runtime.hpp"

namespace orderlab {

/// A case on one input.
struct RuntimeJob {
  const RuntimeCase* one = nullptr;
  Terms x;                         ///< output by output
  std::optional<Terms> y = {};     ///< second factors of every output
  std::vector<std::uint64_t> got;  ///< bits, call by call; made by RuntimeProgram::run
};

/// The terms of a case, drawn with `seed`.
RuntimeJob make_job(const RuntimeCase& one, std::uint64_t seed);

/// A compiled program in a temporary folder, which goes with the object.
class RuntimeProgram {
 public:
  ~RuntimeProgram();
  RuntimeProgram(const RuntimeProgram&) = delete;
  RuntimeProgram& operator=(const RuntimeProgram&) = delete;

  /// The program, or null with a line of why this machine cannot have it: no compiler, a library that is missing.
  static std::unique_ptr<RuntimeProgram> make(const Runtime& runtime, const std::stop_token& stop,
                                              std::string& problem);

  const RuntimeBuild& build() const { return *build_; }

  /// What the runtime says of itself: "oneTBB 2021.8".
  const std::string& version() const { return version_; }

  /// Runs `jobs` in one process and sets what they gave. False when stopped.
  ///
  /// Errors: device where the program fails, hangs, or gives another number of sums.
  bool run(const RuntimeSetting& setting, std::span<RuntimeJob> jobs, const std::stop_token& stop);

 private:
  RuntimeProgram();

  std::string compile(const Runtime& runtime, const std::stop_token& stop);
  std::string start(const std::vector<std::string>& arguments, const std::stop_token& stop, bool& stopped) const;
  std::vector<std::string> command(const RuntimeSetting& setting) const;
  void write_jobs(std::span<const RuntimeJob> jobs) const;
  void read_sums(std::span<RuntimeJob> jobs) const;

  std::string folder_;
  std::string name_;
  const RuntimeBuild* build_ = nullptr;
  std::string version_;
};

}  // namespace orderlab
