// INPUT: the terms that a command works on, from the flags that all commands share.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "experiment/input.hpp"

namespace orderlab::cli {

/// The flags as typed.
struct InputOptions {
  std::string n;
  std::string distribution = "uniform(0,10)";
  std::string input;
  std::string with;
  std::string values;
  std::string format;
  std::string seed = "1";
  std::string input_seed;
  bool takes_list = true;  ///< --values LIST is among the flags; set before add_to

  void add_to(CLI::App& app);

  std::uint64_t seed_value() const;

  /// The files that the terms are read from.
  std::vector<std::string> files() const { return {input, with}; }
};

/// Reads or generates the terms and sums them exactly. Error(unsupported) when they do not fit into memory.
Input load_input(const InputOptions& options);

/// Bytes of memory that are free, as far as the system says; infinite where it says nothing.
double available_bytes();

/// Error(unsupported) with both figures when `bytes` more are not to be had.
void require_memory(double bytes);

}  // namespace orderlab::cli
