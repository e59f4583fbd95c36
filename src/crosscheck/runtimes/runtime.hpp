// Runtimes of this machine that add: OpenMP, oneTBB, MPI, BLAS. What one is, how a program of it is compiled and run,
// and which order it is said to add in. runtime_list.cpp has all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

/// The order in which the outputs from number `first` on are added, up to those of the next part.
struct OrderPart {
  std::size_t first = 0;
  std::string order;
};

/// One function of a runtime on rows of terms, and what it is said to do.
struct RuntimeCase {
  std::string call;              ///< as the program knows it
  std::string label;             ///< as people know it
  Format format = Format::fp64;  ///< of terms, sums and results
  std::size_t n = 1;             ///< terms of an output
  std::size_t outputs = 1;
  std::size_t workers = 1;    ///< threads or ranks
  std::size_t parameter = 0;  ///< what the call takes besides: a root, a grain size
  std::size_t calls = 1;      ///< on each input
  bool products = false;      ///< terms are products
  std::string terms = "logspread(-8,8)";

  std::string rule = {};                 ///< the name of the order with its parameters as letters: "openmp(t)"
  std::vector<OrderPart> orders = {};    ///< one, or more where outputs have orders of their own
  std::vector<std::string> others = {};  ///< orders that one could take for it: they show what equal bits say

  /// Every sum that the call can give, as bits in the format, ascending: for a call whose orders no pipeline has.
  std::vector<std::uint64_t> (*possible)(const RuntimeCase& one, const TermView& terms) = nullptr;
};

/// Cases that one process runs.
struct RuntimeSetting {
  std::vector<std::string> launcher = {};     ///< words before the program
  std::vector<std::string> environment = {};  ///< "NAME=VALUE"
  std::vector<RuntimeCase> cases = {};
};

/// What to run of a runtime.
struct RuntimeScope {
  std::vector<Format> formats;
  std::vector<std::size_t> sizes;  ///< terms of a sum, or elements of a message; empty: those of the runtime
  bool full = false;               ///< more threads or ranks, more sizes, every algorithm that can be forced
  std::string version = {};        ///< what the program said; empty before it ran
};

/// A way to compile and start the program, tried in the order listed.
struct RuntimeBuild {
  const char* compiler;
  const char* launcher = nullptr;  ///< what starts the program; null: nothing
};

struct Runtime {
  std::string_view name;      ///< "Open MPI"
  std::string_view device;    ///< "mpi"
  std::string_view packages;  ///< what has it in Debian
  std::string_view source;    ///< its file in `programs`
  std::span<const RuntimeBuild> builds;
  std::span<const char* const> flags;
  std::string_view version;  ///< how the version that the program prints begins

  /// What to run; nothing where no order is known for what the version names.
  std::vector<RuntimeSetting> (*settings)(const RuntimeScope& scope, const RuntimeBuild& build);
};

/// All of them, by device.
std::span<const Runtime* const> runtimes();

}  // namespace orderlab
