#include "crosscheck/verify.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "core/text.hpp"
#include "crosscheck/reachability.hpp"
#include "crosscheck/replay.hpp"
#include "engine/rounds.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

namespace {

/// A run with its claim.
struct Claimed {
  const CapturedRun* run = nullptr;
  VerifiedRun* verified = nullptr;
  bool fixed = false;  ///< the claim is one order

  /// Nothing tells the order of its float atomics.
  bool races() const { return !fixed && run->returned.empty(); }
};

[[noreturn]] void refuse(const std::string& file, const CapturedRun& run, const std::string& problem) {
  throw Error(ErrorKind::input, file + ":" + std::to_string(run.line) + ": " + problem);
}

// NaN canonical: what a GPU puts into one is not the model's matter.
std::uint64_t canonical(const CapturedRun& run) {
  return round_to_bits(run.format, value_of_bits(run.format, run.bits));
}

const KernelInfo& kernel_of(const CapturedRun& run, std::span<const KernelInfo* const> kernels) {
  std::vector<std::string> known;
  for (const KernelInfo* kernel : kernels) {
    if (kernel->name == run.kernel) return *kernel;
    known.emplace_back(kernel->name);
  }
  throw Error(ErrorKind::input, unknown_name("kernel", run.kernel, known));
}

// Fills in the claim, or says in an Error what no launch of the kernel can be.
Claimed claimed(const CapturedRun& run, std::span<const KernelInfo* const> kernels, VerifiedRun& verified) {
  const KernelInfo& kernel = kernel_of(run, kernels);
  const std::string subject = run.kernel + " in " + std::string(info(run.format).name) + ": ";
  if (!kernel.has(run.format)) throw Error(ErrorKind::input, subject + "the kernel is not made in this format");
  if (kernel.products != run.with_seed.has_value())
    throw Error(ErrorKind::input, subject + (kernel.products ? "adds products; with_seed= must name the second factors"
                                                             : "adds no products; leave out with_seed="));
  if (kernel.unit == ArrivalUnit::none && !run.returned.empty())
    throw Error(ErrorKind::input, subject + "has no float atomics; nothing can have returned");
  if (run.shape.threads == 0 || run.shape.items == 0)
    throw Error(ErrorKind::input, subject + "threads= and items= must be at least 1");
  LaunchShape shape = run.shape;
  if (run.blocks) shape.grid = *run.blocks;
  verified.claim = kernel.claim(shape, run.n);
  const Order order = parse_order(verified.claim);
  order.check(run.n, kernel.products, run.format);
  return {&run, &verified, !order.random()};
}

/// The runs over one input: its terms are drawn once.
struct Group {
  std::vector<Claimed> runs;

  const CapturedRun& first() const { return *runs.front().run; }

  Terms terms() const {
    const CapturedRun& run = first();
    Terms terms = generate_terms(run.input, run.n, run.format, run.seed);
    if (run.with_seed) terms.multiply_by(generate_terms(run.input, run.n, run.format, *run.with_seed));
    return terms;
  }
};

std::vector<Group> group_by_input(const Capture& capture, const std::string& file,
                                  std::span<const KernelInfo* const> kernels, std::vector<VerifiedRun>& verified) {
  using Key = std::tuple<std::string, std::uint64_t, std::optional<std::uint64_t>, Format, std::uint64_t>;
  std::map<Key, std::size_t> places;
  std::vector<Group> groups;
  for (std::size_t i = 0; i < capture.runs.size(); ++i) {
    const CapturedRun& run = capture.runs[i];
    try {
      const Claimed one = claimed(run, kernels, verified[i]);
      const Key key{canonical_distribution(run.input), run.seed, run.with_seed, run.format, run.n};
      const auto [place, fresh] = places.try_emplace(key, groups.size());
      if (fresh) groups.emplace_back();
      groups[place->second].runs.push_back(one);
    } catch (const Error& error) {
      refuse(file, run, error.what());
    }
  }
  return groups;
}

std::unique_ptr<const Evaluator> evaluator_of(const std::string& claim, const TermView& terms, std::uint64_t seed) {
  return Evaluator::make(parse_order(claim), terms, {terms.format, terms.format, terms.format}, seed);
}

/// Verdicts on runs over the same terms, but for those that race.
class Bench {
 public:
  Bench(const Group& group, std::uint64_t seed) : terms_(group.terms()), seed_(seed) {}

  void check(const Claimed& one) {
    const Bound& bound = bound_to(one);
    if (one.fixed) return compare(one, bound.fixed, RunVerdict::identical);
    const Replay replay = replay_atomics(*bound.evaluator, one.run->returned);
    if (replay.problem.empty())
      return compare(one, bound.evaluator->evaluate_arranged(replay.order, *bound.scratch).bits, RunVerdict::replayed);
    one.verified->verdict = RunVerdict::impossible;
    one.verified->mismatch = true;
    one.verified->problem = replay.problem;
  }

 private:
  struct Bound {
    std::unique_ptr<const Evaluator> evaluator;
    std::unique_ptr<Evaluator::Scratch> scratch;
    std::uint64_t fixed = 0;
  };

  static void compare(const Claimed& one, std::uint64_t expected, RunVerdict good) {
    one.verified->expected = expected;
    one.verified->mismatch = expected != canonical(*one.run);
    one.verified->verdict = one.verified->mismatch ? RunVerdict::impossible : good;
  }

  const Bound& bound_to(const Claimed& one) {
    Bound& bound = bound_[one.verified->claim];
    if (bound.scratch != nullptr) return bound;
    bound.evaluator = evaluator_of(one.verified->claim, terms_.view(), seed_);
    bound.scratch = bound.evaluator->make_scratch();
    if (one.fixed) {
      bound.fixed = bound.evaluator->evaluate(0, *bound.scratch).bits;
      bound.evaluator.reset();  // its partial sums take room
    }
    return bound;
  }

  Terms terms_;
  std::uint64_t seed_;
  std::map<std::string, Bound> bound_;
};

// What makes two runs of a fixed order the same run.
auto repeat_key(const CapturedRun& run) {
  return std::tuple(run.kernel, run.shape.threads, run.shape.items, run.shape.grid, run.blocks, run.aligned,
                    run.temporary_bytes);
}

// A fixed order that gives other bits in the next run is none, whatever it should have given.
void compare_repeats(const Group& group) {
  std::map<decltype(repeat_key(group.first())), std::vector<const CapturedRun*>> repeats;
  for (const Claimed& one : group.runs)
    if (one.fixed) repeats[repeat_key(*one.run)].push_back(one.run);
  for (const Claimed& one : group.runs) {
    if (!one.fixed || !one.verified->mismatch) continue;
    for (const CapturedRun* other : repeats[repeat_key(*one.run)]) {
      if (canonical(*other) == canonical(*one.run)) continue;
      one.verified->problem = "differs from run to run: line " + std::to_string(other->line) +
                              " is the same run and gave " + bits_text(other->format, other->bits);
      break;
    }
  }
}

void check_group(const Group& group, const std::string& file, std::uint64_t seed) {
  if (std::all_of(group.runs.begin(), group.runs.end(), [](const Claimed& one) { return one.races(); })) return;
  const CapturedRun* at = &group.first();
  try {
    Bench bench(group, seed);
    for (const Claimed& one : group.runs) {
      at = one.run;
      if (!one.races()) bench.check(one);
    }
  } catch (const Error& error) {
    refuse(file, *at, error.what());
  }
  compare_repeats(group);
}

/// Runs of one order over one input that race.
struct Race {
  const Group* group = nullptr;
  std::vector<std::uint64_t> bits;
  std::vector<VerifiedRun*> runs;
};

std::vector<Race> races_of(const std::vector<Group>& groups) {
  std::vector<Race> races;
  for (const Group& group : groups) {
    std::map<std::string, Race> by_claim;
    for (const Claimed& one : group.runs) {
      if (!one.races()) continue;
      Race& race = by_claim[one.verified->claim];
      race.group = &group;
      race.bits.push_back(canonical(*one.run));
      race.runs.push_back(one.verified);
    }
    for (auto& [claim, race] : by_claim) races.push_back(std::move(race));
  }
  return races;
}

std::uint64_t distinct_sums(const std::vector<Race>& races) {
  std::uint64_t distinct = 0;
  for (const Race& race : races) distinct += std::set<std::uint64_t>(race.bits.begin(), race.bits.end()).size();
  return distinct;
}

// Groups write their verdicts themselves; there is nothing to add up.
struct Nothing {
  void merge(const Nothing&) {}
};

}  // namespace

std::string_view name_of(RunVerdict verdict) {
  static constexpr std::string_view kNames[] = {"unchecked", "identical", "replayed",
                                                "explained", "unlikely",  "impossible"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::vector<VerifiedRun> verify(const Capture& capture, const std::string& file,
                                std::span<const KernelInfo* const> kernels, const VerifyOptions& options) {
  std::vector<VerifiedRun> verified(capture.runs.size());
  const std::vector<Group> groups = group_by_input(capture, file, kernels, verified);
  const std::vector<Race> races = races_of(groups);
  const std::uint64_t steps = groups.size() + races.size();
  const auto progress = [&](std::uint64_t done) {
    if (options.progress) options.progress(done, steps);
  };

  if (!groups.empty())
    sample_in_rounds(
        {0, groups.size(), options.threads, options.stop, [&](std::uint64_t done, std::uint64_t) { progress(done); }},
        [] { return Nothing{}; }, [&](std::uint64_t i, Nothing&) { check_group(groups[i], file, options.seed); });
  const std::uint64_t distinct = distinct_sums(races);
  for (std::size_t i = 0; i < races.size() && !options.stop.stop_requested(); ++i) {
    const Race& race = races[i];
    try {
      const Terms terms = race.group->terms();
      const auto evaluator = evaluator_of(race.runs[0]->claim, terms.view(), options.seed);
      judge_reachability(*evaluator, terms.view(), race.bits, distinct, options, race.runs);
    } catch (const Error& error) {
      refuse(file, race.group->first(), error.what());
    }
    progress(groups.size() + i + 1);
  }
  return verified;
}

std::vector<VerifyRow> rows_of(const Capture& capture, std::span<const VerifiedRun> verified) {
  std::vector<VerifyRow> rows;
  for (std::size_t i = 0; i < verified.size(); ++i) {
    const CapturedRun& run = capture.runs[i];
    auto row = std::find_if(rows.begin(), rows.end(),
                            [&](const VerifyRow& r) { return r.kernel == run.kernel && r.format == run.format; });
    if (row == rows.end()) row = rows.insert(rows.end(), VerifyRow{run.kernel, run.format});
    ++row->runs;
    if (verified[i].mismatch) ++row->mismatches;
    if (verified[i].verdict == RunVerdict::identical) ++row->identical;
    if (verified[i].verdict == RunVerdict::replayed) ++row->replayed;
    if (verified[i].verdict == RunVerdict::explained) ++row->explained;
    if (verified[i].verdict == RunVerdict::unlikely) ++row->unlikely;
  }
  return rows;
}

}  // namespace orderlab
