// The cases of a cross-check, run and counted.
#include "orderlab/crosscheck.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/float_environment.hpp"
#include "core/stop.hpp"
#include "crosscheck/case_bench.hpp"
#include "crosscheck/contraction.hpp"
#include "crosscheck/seen_orders.hpp"
#include "engine/rounds.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

void count(Coverage& covered, std::uint64_t cases, std::uint64_t mismatches) {
  covered.cases += cases;
  covered.mismatches += mismatches;
}

void add_mismatches(CrossCheckRow& row, MismatchKind kind, std::uint64_t how_many, const Mismatch& first) {
  const auto known = std::find_if(row.kinds.begin(), row.kinds.end(), [&](const auto& k) { return k.kind == kind; });
  if (known == row.kinds.end())
    row.kinds.push_back({kind, how_many, first});
  else
    known->count += how_many;
}

/// Cases and mismatches by row; the first mismatch is the one of the smallest case number.
struct RowTally {
  std::vector<CrossCheckRow> rows;

  void merge(const RowTally& later) {
    for (std::size_t i = 0; i < rows.size(); ++i) merge(rows[i], later.rows[i]);
  }

 private:
  static void merge(CrossCheckRow& row, const CrossCheckRow& later) {
    row.cases += later.cases;
    row.replays += later.replays;
    row.unit_orders += later.unit_orders;
    row.mismatches += later.mismatches;
    if (!row.first) row.first = later.first;
    for (const MismatchesOfKind& kind : later.kinds) add_mismatches(row, kind.kind, kind.count, kind.first);
    for (std::size_t s = 0; s < row.shapes.size(); ++s)
      count(row.shapes[s], later.shapes[s].cases, later.shapes[s].mismatches);
    for (const auto& [n, covered] : later.sizes) count(row.sizes[n], covered.cases, covered.mismatches);
  }
};

void run_case(const Case& c, CrossCheckRow& row, const std::stop_token& stop) {
  const std::unique_ptr<CaseBench> bench = CaseBench::make(c);
  for (std::size_t shape = 0; shape < c.kernel().shapes.size(); ++shape)
    for (std::uint64_t sample = 0; sample < c.samples && !stop.stop_requested(); ++sample) {
      const std::optional<Mismatch> found = bench->check(shape, sample, row);
      ++row.cases;
      count(row.shapes[shape], 1, found ? 1 : 0);
      count(row.sizes[c.n], 1, found ? 1 : 0);
      if (!found) continue;
      ++row.mismatches;
      if (!row.first) row.first = found;
      add_mismatches(row, found->kind, 1, *found);
    }
}

// Mismatches that are shown are looked at once more.
void describe(Mismatch& mismatch, const Case& like) {
  const bool different_bits = mismatch.problem.empty();
  if (!different_bits) return;
  Case c = like;
  c.n = mismatch.n;
  c.seed = mismatch.seed;
  mismatch.basis = CaseBench::make(c)->detailed(mismatch).basis;
}

std::vector<Formats> formats_of(const KernelInfo& kernel, const std::vector<Format>& wanted) {
  std::vector<Formats> all;
  for (const Format format : wanted) {
    if (kernel.has(format)) all.push_back({format, format, format});
    for (const Formats& mixed : kernel.mixed_formats)
      if (mixed.terms == format) all.push_back(mixed);
  }
  return all;
}

/// A launch shape of a kernel without a claim, whose order is looked for.
struct UnclaimedShape {
  const Executor* executor = nullptr;
  std::size_t row = 0;
  std::size_t shape = 0;
};

/// The cases in the order of their numbers, and a row for each kernel, device and format.
struct CasePlan {
  std::vector<Case> cases;
  std::vector<UnclaimedShape> unclaimed;
  RowTally none;

  CasePlan(std::span<const Executor> executors, const CrossCheckOptions& options) {
    for (const Executor& executor : executors)
      for (const Formats& formats : formats_of(*executor.kernel, options.formats)) add(executor, formats, options);
  }

  std::uint64_t runs() const {
    std::uint64_t all = 0;
    for (const Case& c : cases) all += c.samples * c.kernel().shapes.size();
    return all;
  }

  std::uint64_t steps() const { return cases.size() + unclaimed.size(); }

 private:
  void add(const Executor& executor, const Formats& formats, const CrossCheckOptions& options) {
    const KernelInfo& kernel = *executor.kernel;
    if (kernel.shapes.empty())
      throw Error(ErrorKind::usage, std::string(kernel.name) + ": KernelInfo::shapes is empty; give a launch shape");
    const bool open = kernel.unit != ArrivalUnit::none || (kernel.outputs != nullptr && kernel.outputs->looks_back);
    const std::uint64_t samples = open ? options.samples : 1;
    if (kernel.claim == nullptr && kernel.outputs == nullptr) {
      kernel_box(executor, kernel.shapes.front(), formats);  // throws where there can be none
      for (std::size_t shape = 0; shape < kernel.shapes.size(); ++shape)
        unclaimed.push_back({&executor, none.rows.size(), shape});
    }
    for (const std::size_t n : options.sizes)
      for (std::uint64_t s = 0; s < options.seeds; ++s)
        cases.push_back({&executor, formats, none.rows.size(), n, options.seed + s, samples, &options.vocabulary});
    CrossCheckRow row{.kernel = &kernel, .device = executor.device, .format = formats.terms, .formats = formats};
    row.shapes.resize(kernel.shapes.size());
    none.rows.push_back(std::move(row));
  }
};

void note_seen(const std::vector<SeenOrder>& seen, CrossCheckRow& row) {
  for (const SeenOrder& one : seen) {
    row.seen.push_back(one);
    if (!one.fault || row.first) continue;
    row.first = {
        .n = one.n, .shape = one.shape, .terms = "of a probe", .problem = one.reason, .kind = MismatchKind::fault};
    ++row.mismatches;
    add_mismatches(row, MismatchKind::fault, 1, *row.first);
  }
}

/// Looks for the orders of kernels without a claim; a kernel whose runs failed is left out. False when stopped.
bool see_orders(const CasePlan& plan, const CrossCheckOptions& options, std::vector<CrossCheckRow>& rows) {
  if (plan.unclaimed.empty()) return true;
  std::vector<std::vector<SeenOrder>> seen(plan.unclaimed.size());
  SampleOptions loop{0, plan.unclaimed.size(), options.threads, options.stop, {}};
  if (options.progress)
    loop.progress = [&](std::uint64_t done, std::uint64_t) {
      options.progress(plan.cases.size() + done, plan.steps());
    };
  each_in_rounds(loop, [&](std::uint64_t i) {
    const UnclaimedShape& one = plan.unclaimed[i];
    const CrossCheckRow& row = rows[one.row];
    if (row.mismatches == 0) seen[i] = seen_orders(*one.executor, row.formats, one.shape, options);
  });
  for (std::size_t i = 0; i < seen.size(); ++i) note_seen(seen[i], rows[plan.unclaimed[i].row]);
  return !options.stop.stop_requested();
}

}  // namespace

CrossChecks crosscheck(std::span<const Executor> executors, const CrossCheckOptions& options) {
  const FloatEnvironment environment;
  if (options.sizes.empty() || *std::min_element(options.sizes.begin(), options.sizes.end()) == 0)
    throw Error(ErrorKind::usage, "a cross-check needs sizes, each at least 1");
  const CasePlan plan(executors, options);
  const std::vector<Case>& cases = plan.cases;
  if (cases.empty()) throw Error(ErrorKind::usage, "none of these kernels has one of these formats; see list kernels");
  SampleOptions loop{0, cases.size(), options.threads, options.stop, {}};
  if (options.progress)
    loop.progress = [&](std::uint64_t done, std::uint64_t) { options.progress(done, plan.steps()); };
  RowTally tally = sample_in_rounds(
      loop, [&] { return plan.none; },
      [&](std::uint64_t i, RowTally& part) { run_case(cases[i], part.rows[cases[i].row], options.stop); });
  std::uint64_t done = 0;
  for (CrossCheckRow& row : tally.rows) done += row.cases;
  for (const Case& c : cases) {
    CrossCheckRow& row = tally.rows[c.row];
    for (MismatchesOfKind& kind : row.kinds) {
      if (kind.first.n != c.n || kind.first.seed != c.seed) continue;
      unless_stopped([&] {
        describe(kind.first, c);
        return true;
      });
      if (row.first->kind == kind.kind) row.first = kind.first;  // the first of all is the first of its kind
    }
  }
  const bool all_seen = see_orders(plan, options, tally.rows);
  return {std::move(tally.rows), done < plan.runs() || !all_seen, contraction_warnings(executors, options)};
}

}  // namespace orderlab
