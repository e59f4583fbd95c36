// The cases of a cross-check, and the verdict on each.
#include "orderlab/crosscheck.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "crosscheck/replay.hpp"
#include "engine/rounds.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

namespace {

// Terms biased to trouble, of five kinds in turn of the seeds; one is subnormal in the format.
std::string troubled_terms(Format format, std::uint64_t seed) {
  switch (seed % 5) {
    case 0: {
      const FormatInfo& f = info(format);
      const int least = f.e_min - f.precision + 1;
      return "logspread(" + std::to_string(least) + "," + std::to_string(f.e_min + 3) + ")";
    }
    case 1:
      return "uniform(0,10)";
    case 2:
      return "normal(0,1)";
    case 3:
      return "logspread(-12,12)";
    default:
      return "integers(3)";
  }
}

// What else a case chooses, each drawn for itself, so that sizes, terms, shapes and schedules meet in all combinations.
enum class Choice : std::size_t { shape, arrival, resident };

std::size_t chosen(Choice choice, std::size_t count, std::size_t n, std::uint64_t seed, std::uint64_t sample) {
  return RandomStream(seed, streams::kCrossCheckChoices, sample).block(n)[static_cast<std::size_t>(choice)] % count;
}

// What a GPU is free to choose, from nearly launch order to anything.
simt::Schedule drawn_schedule(std::size_t n, std::uint64_t seed, std::uint64_t sample) {
  constexpr std::array<std::string_view, 4> kArrivals{"uniform", "jitter(3)", "slots(8,0.2)", "launch"};
  constexpr std::array<std::size_t, 5> kResidents{1, 4, 2, 16, 8};
  return {seed, sample, std::string(kArrivals[chosen(Choice::arrival, kArrivals.size(), n, seed, sample)]),
          kResidents[chosen(Choice::resident, kResidents.size(), n, seed, sample)]};
}

struct Case {
  const Executor* executor;
  Format format;
  std::size_t row;
  std::size_t n;
  std::uint64_t seed;
  std::uint64_t samples;

  const KernelInfo& kernel() const { return *executor->kernel; }
  LaunchShape shape() const { return kernel().shapes[chosen(Choice::shape, kernel().shapes.size(), n, seed, 0)]; }
};

/// A case's terms, kept while samples run over them.
class CaseBench {
 public:
  explicit CaseBench(const Case& c)
      : case_(c), text_(troubled_terms(c.format, c.seed)), terms_(generate_terms(text_, c.n, c.format, c.seed)) {
    if (c.kernel().products) terms_.multiply_by(generate_terms(text_, c.n, c.format, c.seed, 1));
  }

  /// The mismatch of one sample, if there is one; counts replays.
  std::optional<Mismatch> check(std::uint64_t sample, std::uint64_t& replays) {
    const bool races = case_.kernel().unit != ArrivalUnit::none;
    std::optional<Mismatch> found;
    if (!races || case_.executor->tells_arrival) found = check(sample, false, replays);
    if (!found && races && case_.executor->tells_returned) found = check(sample, true, replays);
    return found;
  }

 private:
  std::optional<Mismatch> check(std::uint64_t sample, bool record, std::uint64_t& replays) {
    Mismatch mismatch{case_.n, case_.shape(), text_, case_.seed, sample, {}, {}, {}, {}};
    try {
      const KernelRun run =
          case_.executor->run({terms_.view(), case_.shape(), drawn_schedule(case_.n, case_.seed, sample), record});
      mismatch.got = run.bits;
      mismatch.claim = case_.kernel().claim(run.shape, case_.n);
      bind(mismatch.claim);
      if (!run.returned.empty()) {
        ++replays;
        const Replay replay = replay_atomics(*evaluator_, run.returned);
        mismatch.problem = replay.problem;
        if (!replay.problem.empty()) return mismatch;
        mismatch.expected = arranged(replay.order);
        if (mismatch.expected != mismatch.got || !case_.executor->tells_arrival) return verdict(mismatch);
      }
      if (evaluator_->order().random() && case_.kernel().unit == ArrivalUnit::none)
        throw Error(ErrorKind::usage, "the claim " + mismatch.claim +
                                          " leaves an order open, but the kernel has no unit of arrival; set "
                                          "KernelInfo::unit to what does one float atomic");
      mismatch.expected =
          evaluator_->order().random() ? arranged(run.arrival) : evaluator_->evaluate(0, *scratch_).bits;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::device)
        throw Error(error.kind(),
                    std::string(case_.kernel().name) + " with " + std::to_string(case_.n) + " terms: " + error.what());
      mismatch.problem = error.what();
    }
    return verdict(mismatch);
  }

  static std::optional<Mismatch> verdict(const Mismatch& found) {
    if (found.problem.empty() && found.expected == found.got) return std::nullopt;
    return found;
  }

  std::uint64_t arranged(std::span<const std::uint32_t> order) {
    check_permutation(order);
    return evaluator_->evaluate_arranged(order, *scratch_).bits;
  }

  void check_permutation(std::span<const std::uint32_t> order) const {
    std::vector<bool> seen(evaluator_->random_count());
    bool good = order.size() == seen.size();
    for (const std::uint32_t unit : order) {
      good = good && unit < seen.size() && !seen[unit];
      if (good) seen[unit] = true;
    }
    if (!good)
      throw Error(ErrorKind::device, std::to_string(order.size()) + " float atomics for " +
                                         std::to_string(seen.size()) + " partial sums, or one of them twice");
  }

  void bind(const std::string& claim) {
    if (evaluator_ != nullptr && claim == claim_) return;
    claim_ = claim;
    evaluator_ =
        Evaluator::make(parse_order(claim), terms_.view(), {case_.format, case_.format, case_.format}, case_.seed);
    scratch_ = evaluator_->make_scratch();
  }

  const Case& case_;
  std::string text_;
  Terms terms_;
  std::string claim_;
  std::unique_ptr<const Evaluator> evaluator_;
  std::unique_ptr<Evaluator::Scratch> scratch_;
};

/// Cases and mismatches by row; the first mismatch is the one of the smallest case number.
struct RowTally {
  std::vector<CrossCheckRow> rows;

  void merge(const RowTally& later) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].cases += later.rows[i].cases;
      rows[i].replays += later.rows[i].replays;
      rows[i].mismatches += later.rows[i].mismatches;
      if (!rows[i].first) rows[i].first = later.rows[i].first;
    }
  }
};

void run_case(const Case& c, CrossCheckRow& row, const std::stop_token& stop) {
  CaseBench bench(c);
  for (std::uint64_t sample = 0; sample < c.samples && !stop.stop_requested(); ++sample) {
    ++row.cases;
    std::optional<Mismatch> found = bench.check(sample, row.replays);
    if (!found) continue;
    ++row.mismatches;
    if (!row.first) row.first = std::move(found);
  }
}

}  // namespace

CrossCheckReport crosscheck(std::span<const Executor> executors, const CrossCheckOptions& options) {
  if (options.sizes.empty() || *std::min_element(options.sizes.begin(), options.sizes.end()) == 0)
    throw Error(ErrorKind::usage, "a cross-check needs sizes, each at least 1");
  RowTally none;
  std::vector<Case> cases;
  for (const Executor& executor : executors)
    for (const Format format : options.formats) {
      if (!executor.kernel->has(format)) continue;
      const std::uint64_t samples = executor.kernel->unit == ArrivalUnit::none ? 1 : options.samples;
      for (const std::size_t n : options.sizes)
        for (std::uint64_t s = 0; s < options.seeds; ++s)
          cases.push_back({&executor, format, none.rows.size(), n, options.seed + s, samples});
      none.rows.push_back({executor.kernel, executor.device, format, 0, 0, 0, {}});
    }
  if (cases.empty()) throw Error(ErrorKind::usage, "none of these kernels has one of these formats; see list kernels");
  const SampleOptions loop{0, cases.size(), options.threads, options.stop, options.progress};
  const RowTally rows = sample_in_rounds(
      loop, [&] { return none; },
      [&](std::uint64_t i, RowTally& tally) { run_case(cases[i], tally.rows[cases[i].row], options.stop); });
  std::uint64_t expected = 0;
  std::uint64_t done = 0;
  for (const Case& c : cases) expected += c.samples;
  for (const CrossCheckRow& row : rows.rows) done += row.cases;
  return {rows.rows, done < expected};
}

}  // namespace orderlab
