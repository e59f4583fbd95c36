// Cross-checks: kernels run over many inputs and arrival orders, every sum compared with the kernel's claim bit for
// bit. A kernel as a black box.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/kernel.hpp"
#include "orderlab/order.hpp"
#include "orderlab/probe.hpp"
#include "orderlab/simt.hpp"
#include "orderlab/term_view.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

/// One run of a kernel that an executor is asked for.
struct KernelJob {
  TermView terms;
  LaunchShape shape;
  simt::Schedule schedule;  ///< what the executor draws, where it draws
  bool record = false;      ///< let the float atomics return what they replaced
  Formats formats = {};     ///< formats of the terms, the kernel's sums and its result
  ArrayView arrays = {};    ///< arrays of a kernel with many outputs
};

/// What it gave.
struct KernelRun {
  std::uint64_t bits = 0;                    ///< in the result format
  std::vector<std::uint32_t> arrival = {};   ///< units in the order of their float atomics; empty: fixed, or not known
  std::vector<std::uint64_t> returned = {};  ///< in the accumulate format; by unit; empty: not recorded
  LaunchShape shape = {};                    ///< as it was launched; a library's grid is known only afterwards
  std::vector<double> added = {};            ///< beside `arrival`: what each atomic added; empty: not known
  std::size_t float_atomics = 0;             ///< whether the kernel describes them or not; 0 where that is not known

  /// Bits of a kernel with many outputs. `arrival` then holds threads of the grid, `returned` is by
  /// contribution.
  std::vector<std::uint64_t> outputs = {};
  std::vector<std::uint32_t> looked_back = {};  ///< as in RunResult
};

/// Whether an executor fuses a*b + c where nvcc would.
enum class Contraction : std::uint8_t {
  same,   ///< it does, or has nothing to fuse
  never,  ///< it does not, while nvcc does by default
  wide,   ///< it does in fp32 and fp64, not in 16-bit formats
};

/// A kernel on something that runs it: its own source on the CPU, a GPU, the model itself.
struct Executor {
  std::string_view device;  ///< "host", "cuda", "cpu", "model"
  const KernelInfo* kernel = nullptr;

  /// Errors: Error of kind device when the run itself is wrong, such as a race.
  std::function<KernelRun(const KernelJob& job)> run = {};

  /// What a run records of its float atomics: their order (a GPU does not), and what they returned, where that is asked
  /// for (the model does not).
  bool tells_arrival = true;
  bool tells_returned = true;

  Contraction contraction = Contraction::same;

  /// What the order adds, made of the inputs: numbers or products of any one format. Null: the inputs themselves.
  std::function<Terms(const TermView& inputs)> map = {};

  /// The result, in bits, made of the sum of n terms, in bits of formats.accumulate. Null: the sum itself.
  std::function<std::uint64_t(const Formats& formats, std::uint64_t sum, std::size_t n)> finish = {};
};

/// The hand-written kernels, their own source on the CPU.
std::span<const Executor> host_executors();

/// The model against itself: the claim of every kernel of one sum, written with the vocabulary, as an explicit tree,
/// node by node, against its pipeline.
std::vector<Executor> model_executors(std::span<const KernelInfo* const> kernels,
                                      const Vocabulary& vocabulary = built_in_vocabulary());

/// What to run.
struct CrossCheckOptions {
  std::vector<std::size_t> sizes;
  std::vector<Format> formats;  ///< formats of the terms; a kernel runs in those that it has
  std::uint64_t seed = 1;       ///< the first of `seeds` seeds
  std::uint64_t seeds = 5;      ///< each with terms of its own, at every size in every launch shape of the kernel
  std::uint64_t samples = 1;    ///< arrival orders of each, for kernels with float atomics
  int threads = 0;              ///< 0: all
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< called from one thread at a time
  Vocabulary vocabulary = built_in_vocabulary();                               ///< that the kernels' claims use
};

/// What is wrong in a case.
enum class MismatchKind : std::uint8_t {
  another_order,  ///< other bits, which some order of the same terms gives or may give
  outside_bound,  ///< other bits, farther from the exact sum than any order: a term lost or counted twice
  undecided,      ///< other bits; nothing bounds the sums of other orders
  atomics,        ///< the float atomics are not one for each partial sum of the claim
  returned,       ///< no order of the float atomics returns what they returned; a tile that looked back too far
  fault,          ///< the run itself is wrong
};

constexpr std::string_view name_of(MismatchKind kind) {
  constexpr std::string_view kNames[] = {"another_order", "outside_bound", "undecided", "atomics", "returned", "fault"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// A case in which a kernel and its claim differ.
struct Mismatch {
  std::size_t n = 0;
  LaunchShape shape;
  std::string terms;  ///< distribution
  std::uint64_t seed = 0;
  std::uint64_t sample = 0;
  std::string claim = {};
  std::optional<std::uint64_t> expected = {};  ///< bits; null when there was nothing to compare
  std::optional<std::uint64_t> got = {};
  std::string problem = {};  ///< what went wrong where it is more than different bits
  MismatchKind kind = MismatchKind::undecided;
  std::string basis = {};                  ///< what the kind of different bits rests on
  std::optional<std::size_t> output = {};  ///< the first output that differs, of a kernel with many
};

/// The cases of one kind in a row.
struct MismatchesOfKind {
  MismatchKind kind = MismatchKind::undecided;
  std::uint64_t count = 0;
  Mismatch first;
};

/// What was run in one launch shape, or at one size.
struct Coverage {
  std::uint64_t cases = 0;
  std::uint64_t mismatches = 0;
};

/// The order in which a kernel without a claim was seen to add, in one launch shape at one size.
struct SeenOrder {
  LaunchShape shape;
  std::size_t n = 0;
  /// Named; random, whose orders have a bare `arrive`; ... Empty: see reason.
  std::optional<ProbeVerdict> verdict = {};
  std::vector<std::string> orders = {};  ///< as parse_order reads them, the best name first
  std::string reason = {};               ///< a line; empty where the verdict says all
  bool fault = false;                    ///< the run itself is wrong, as `reason` says
  std::uint64_t calls = 0;               ///< calls of the kernel that the probe made
};

/// All cases of one kernel in one format on one device.
struct CrossCheckRow {
  const KernelInfo* kernel = nullptr;
  std::string_view device;
  Format format = Format::fp64;  ///< format of the terms
  Formats formats = {};
  std::uint64_t cases = 0;
  std::uint64_t replays = 0;      ///< cases whose arrival order was reconstructed from returned values
  std::uint64_t unit_orders = 0;  ///< replays of many outputs that one order of the units explains
  std::uint64_t mismatches = 0;
  std::optional<Mismatch> first = {};        ///< the first of all mismatches
  std::vector<MismatchesOfKind> kinds = {};  ///< the kinds that occurred
  std::vector<Coverage> shapes = {};         ///< by launch shape of the kernel
  std::map<std::size_t, Coverage> sizes = {};
  std::vector<SeenOrder> seen = {};  ///< orders of a kernel without a claim, by launch shape, then by size
};

struct CrossChecks {
  std::vector<CrossCheckRow> rows;
  bool partial = false;                    ///< stopped before all cases were done
  std::vector<std::string> warnings = {};  ///< what identical sums do not show, a line each

  std::uint64_t mismatches() const {
    std::uint64_t all = 0;
    for (const CrossCheckRow& row : rows) all += row.mismatches;
    return all;
  }
};

/// The first mismatch of a row in a few lines: the kernel and the case, then what went wrong or both sums and what the
/// difference means; empty where there is none.
std::string first_difference(const CrossCheckRow& row);

/// The same of the first mismatch of each kind, after a line that counts the kinds, and one for launch shapes and
/// sizes.
std::string differences(const CrossCheckRow& row);

/// A row in a few lines: how many of its cases differ from the claim, and differences(row); of a kernel without a
/// claim, the orders that were seen.
std::string summary(const CrossCheckRow& row);

/// Runs every executor over sizes x launch shapes x formats x seeds (x samples where atomics race) and compares every
/// sum with the kernel's claim, as bits; NaN with NaN. Where float atomics race, with the claim in the order in which
/// they were done, and once more in the order reconstructed from the values they returned.
///
/// Every output of a kernel with many is compared with the operation that it claims: for the order in which its
/// contributions were added, for one reconstructed from what the atomics returned, output by output, and, where one
/// arrival order of the launch map's units explains all outputs, as OutputSums adds them in it; of a scan, for the
/// distances that its tiles looked back. Its sizes are elements of the source, rounded up to whole rows.
///
/// A kernel without a claim is run in the same cases, where only a fault is a mismatch; then the order in which it adds
/// is looked for, as study::probe does, in every launch shape at every size.
///
/// The terms rotate with the seed through distributions biased to trouble: wide exponents, subnormals, cancellation,
/// small integers. The rows are the same for any number of threads.
/// Errors: usage for no sizes, a size of 0, or no kernel that has one of the formats; for a claim that is no order of
///         so many terms; for a kernel without a claim, as kernel_box.
CrossChecks crosscheck(std::span<const Executor> executors, const CrossCheckOptions& options);

/// Runs of a kernel in one launch shape, for study::probe or probe_setting: the executor's, with schedules drawn from
/// `seed`, another one in every call, or with `schedule` in all of them. An order that is named under drawn schedules
/// depends on none; what adds atomically is random, and has a fixed tree under launch_order().
///
/// Errors: usage for a kernel with many outputs; unsupported for one with a `map` or a `finish`, whose result is not
///         the sum of its terms. Of the box: device for a fault of the kernel; usage for terms in another format than
///         `formats`, for offsets and for threads.
BoxMaker kernel_box(const Executor& executor, const LaunchShape& shape, const Formats& formats,
                    const std::optional<simt::Schedule>& schedule = {}, std::uint64_t seed = 1);

/// Thread blocks run one after the other in launch order, and the threads of each do their atomics in turn.
simt::Schedule launch_order();

}  // namespace orderlab
