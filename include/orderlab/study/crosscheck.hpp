// Kernels against the orders that they claim, and runtimes of this machine against their documented orders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orderlab/crosscheck.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

struct CrossCheckRequest {
  std::vector<std::size_t> sizes = {};            ///< empty: around every power of two up to 4096, and 20000
  std::vector<Format> formats = {};               ///< empty: fp32, fp64, fp16 and bf16, those of them that a kernel has
  std::uint64_t seed = 1;                         ///< first one of terms and schedules; the others follow it
  std::uint64_t seeds = 5;                        ///< each with terms of its own at every size
  std::uint64_t samples = 1;                      ///< arrival orders of each case with float atomics
  int threads = 0;                                ///< 0: all; findings never depend on it
  Vocabulary vocabulary = built_in_vocabulary();  ///< what the kernels' claims are read with
};

/// Every size up to one thread block, and large ones, in fp32 and fp64.
CrossCheckRequest full_crosscheck();

/// What to check of the runtimes of one device.
struct RuntimeCheckRequest {
  std::string device;                   ///< openmp, tbb, mpi, blas
  std::vector<std::size_t> sizes = {};  ///< terms of a sum, elements of a message; empty: those of each runtime
  std::vector<Format> formats = {};     ///< empty: fp64 and fp32
  bool full = false;                    ///< more threads or ranks, more sizes, every algorithm that can be forced
  std::uint64_t seed = 1;               ///< the first of terms; the others follow it
  int threads = 0;                      ///< 0: all; of the model, not of the runtimes
};

/// A runtime that was run.
struct UsedRuntime {
  std::string name;      ///< "Open MPI"
  std::string version;   ///< what it says of itself
  std::string compiler;  ///< what compiled its program
};

/// A sum that the order does not give.
struct RuntimeDifference {
  std::uint64_t seed = 0;  ///< of the terms
  std::size_t output = 0;
  std::size_t call = 0;
  std::optional<std::uint64_t> expected = {};  ///< bits; null where several sums are possible
  std::uint64_t got = 0;                       ///< bits
};

/// One function of a runtime with one number of workers, in one format, on one number of terms.
struct RuntimeRow {
  std::string runtime;
  std::string call;  ///< as people know it: "MPI_Reduce"
  Format format = Format::fp64;
  std::size_t n = 0;        ///< terms of each sum
  std::size_t outputs = 1;  ///< sums of a call
  std::size_t workers = 1;  ///< threads or ranks
  std::string rule;         ///< the name of the order, parameters as letters
  std::string order;        ///< as parse_order reads it, unless rule says that no pipeline has it; of the first output
  std::string terms;        ///< distribution
  std::uint64_t inputs = 0;
  std::uint64_t calls = 0;
  std::uint64_t sums = 0;      ///< of all calls
  std::uint64_t matching = 0;  ///< sums with the order's bits, or those of one that is possible
  std::optional<std::uint64_t> differs_elsewhere = {};  ///< sums that would have other bits in another of the orders
  std::uint64_t distinct = 1;                           ///< most different results of one sum of one input
  std::optional<std::uint64_t> possible = {};           ///< most that it can have; null for one order
  std::optional<double> p = {};                 ///< joint test that arrival orders are equally likely, all inputs
  std::optional<RuntimeDifference> first = {};  ///< the first sum that does not match
};

/// The runtimes of one device.
struct RuntimeChecks {
  std::string device;
  std::vector<UsedRuntime> used;
  std::vector<std::string> skipped;  ///< "MPICH: skipped, ...", a line each
  std::vector<RuntimeRow> rows;
  std::uint64_t inputs = 0;  ///< of each row
  bool partial = false;

  std::uint64_t mismatches() const {
    std::uint64_t all = 0;
    for (const RuntimeRow& row : rows) all += row.sums - row.matching;
    return all;
  }
};

struct CrossCheckFinding {
  CrossChecks checks;
  std::optional<RuntimeChecks> runtimes = {};  ///< in place of kernels
  CrossCheckOptions options;                   ///< what was run
  std::vector<std::string> devices;            ///< devices of the executors, in their order
  std::vector<std::string> kernels;            ///< those that the caller asked for by name; none: all
  std::vector<std::string> skipped;            ///< kernels that this CPU cannot run, "NAME: skipped, ..."
  std::string unchecked;  ///< what of the kernels' accesses could not be checked, a line; empty: nothing

  std::uint64_t cases() const {
    std::uint64_t all = 0;
    for (const CrossCheckRow& row : checks.rows) all += row.cases;
    if (runtimes)
      for (const RuntimeRow& row : runtimes->rows) all += row.calls;
    return all;
  }
  std::uint64_t mismatches() const { return checks.mismatches() + (runtimes ? runtimes->mismatches() : 0); }
  bool partial() const { return checks.partial || (runtimes && runtimes->partial); }
};

/// Runs every executor in all cases. The finding is partial when interrupted. Errors as orderlab::crosscheck.
CrossCheckFinding crosscheck(std::span<const Executor> executors, const CrossCheckRequest& request = {},
                             const Watch& watch = {});

/// The devices whose runtimes can be checked.
std::vector<std::string> runtime_devices();

/// Compiles a program for each runtime of the device, runs it, and compares the bits of every sum with the
/// documented order of the runtime. Where threads add as they finish, every sum has to be one that some order of them
/// gives. A runtime that this machine lacks is skipped. The finding is partial when interrupted.
///
/// Errors: usage for another device, and for formats other than fp64 and fp32;
///         device where all its runtimes are skipped, with the reasons,
///         and where a program fails.
CrossCheckFinding crosscheck_runtimes(const RuntimeCheckRequest& request, const Watch& watch = {});

}  // namespace orderlab::study
