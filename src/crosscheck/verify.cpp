#include "crosscheck/verify.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "crosscheck/claimed_runs.hpp"
#include "crosscheck/reachability.hpp"
#include "crosscheck/replay.hpp"
#include "crosscheck/verify_options.hpp"
#include "crosscheck/verify_outputs.hpp"
#include "engine/rounds.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

namespace {

std::unique_ptr<const Evaluator> evaluator_of(const std::string& claim, const TermView& terms, const Formats& formats,
                                              std::uint64_t seed) {
  return Evaluator::make(parse_order(claim), terms, formats, seed);
}

/// Verdicts on runs over the same terms, but for those that race.
class GroupBench {
 public:
  GroupBench(const InputGroup& group, std::uint64_t seed)
      : terms_(group.terms()), formats_(group.first().formats()), seed_(seed) {}

  void check(const ClaimedRun& one) {
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

  static void compare(const ClaimedRun& one, std::uint64_t expected, RunVerdict good) {
    one.verified->expected = expected;
    one.verified->mismatch = expected != canonical_bits(*one.run);
    one.verified->verdict = one.verified->mismatch ? RunVerdict::impossible : good;
  }

  const Bound& bound_to(const ClaimedRun& one) {
    Bound& bound = bound_[one.verified->claim];
    if (bound.scratch != nullptr) return bound;
    bound.evaluator = evaluator_of(one.verified->claim, terms_.view(), formats_, seed_);
    bound.scratch = bound.evaluator->make_scratch();
    if (one.fixed) {
      bound.fixed = bound.evaluator->evaluate(0, *bound.scratch).bits;
      bound.evaluator.reset();  // its partial sums take room
    }
    return bound;
  }

  Terms terms_;
  Formats formats_;
  std::uint64_t seed_;
  std::map<std::string, Bound> bound_;
};

// What makes two runs of a fixed order the same run.
auto repeat_key(const CapturedRun& run) {
  return std::tuple(run.kernel, run.shape.threads, run.shape.items, run.shape.grid, run.blocks, run.aligned,
                    run.temporary_bytes);
}

// A fixed order that gives other bits in the next run is none, whatever it should have given.
void compare_repeats(const InputGroup& group) {
  std::map<decltype(repeat_key(group.first())), std::vector<const CapturedRun*>> repeats;
  for (const ClaimedRun& one : group.runs)
    if (one.fixed) repeats[repeat_key(*one.run)].push_back(one.run);
  for (const ClaimedRun& one : group.runs) {
    if (!one.fixed || !one.verified->mismatch) continue;
    for (const CapturedRun* other : repeats[repeat_key(*one.run)]) {
      if (canonical_bits(*other) == canonical_bits(*one.run)) continue;
      one.verified->problem = "differs from run to run: line " + std::to_string(other->line) +
                              " is the same run and gave " + bits_text(other->formats().result, other->bits);
      break;
    }
  }
}

void check_group(const InputGroup& group, const std::string& file, std::uint64_t seed) {
  if (std::all_of(group.runs.begin(), group.runs.end(), [](const ClaimedRun& one) { return one.races(); })) return;
  const CapturedRun* at = &group.first();
  try {
    GroupBench bench(group, seed);
    for (const ClaimedRun& one : group.runs) {
      at = one.run;
      if (!one.races()) bench.check(one);
    }
  } catch (const Error& error) {
    refuse_run(file, *at, error.what());
  }
  compare_repeats(group);
}

/// Runs of one order over one input that race.
struct Race {
  const InputGroup* group = nullptr;
  const CapturedRun* first = nullptr;
  std::vector<std::uint64_t> bits;
  std::vector<VerifiedRun*> runs;
};

std::vector<Race> races_of(const std::vector<InputGroup>& groups) {
  std::vector<Race> races;
  for (const InputGroup& group : groups) {
    std::map<std::string, Race> by_claim;
    for (const ClaimedRun& one : group.runs) {
      if (!one.races()) continue;
      Race& race = by_claim[one.verified->claim];
      race.group = &group;
      if (race.first == nullptr) race.first = one.run;
      race.bits.push_back(canonical_bits(*one.run));
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

}  // namespace

std::vector<VerifiedRun> verify(const Capture& capture, const std::string& file,
                                std::span<const KernelInfo* const> kernels, const VerifyOptions& options) {
  kVerifyOptions.check(options);
  std::vector<VerifiedRun> verified(capture.runs.size());
  const std::vector<InputGroup> groups = group_by_input(capture, file, kernels, verified);
  std::vector<std::size_t> of_outputs;
  for (std::size_t i = 0; i < verified.size(); ++i)
    if (kernel_of(capture.runs[i], kernels).outputs != nullptr) of_outputs.push_back(i);
  const std::vector<Race> races = races_of(groups);
  const std::uint64_t fixed_steps = groups.size() + of_outputs.size();
  const std::uint64_t steps = fixed_steps + races.size();
  const auto progress = [&](std::uint64_t done) {
    if (options.progress) options.progress(done, steps);
  };

  const auto check_step = [&](std::uint64_t i) {
    if (i < groups.size()) return check_group(groups[i], file, options.seed);
    const std::size_t run = of_outputs[i - groups.size()];
    try {
      verified[run] = verified_outputs(capture.runs[run], kernel_of(capture.runs[run], kernels));
    } catch (const Error& error) {
      refuse_run(file, capture.runs[run], error.what());
    }
  };
  if (fixed_steps > 0)
    each_in_rounds(
        {0, fixed_steps, options.threads, options.stop, [&](std::uint64_t done, std::uint64_t) { progress(done); }},
        check_step);
  const std::uint64_t distinct = distinct_sums(races);
  const StopScope scope(options.stop);
  for (std::size_t i = 0; i < races.size() && !options.stop.stop_requested(); ++i) {
    const Race& race = races[i];
    try {
      const Terms terms = race.group->terms();
      const auto evaluator = evaluator_of(race.runs[0]->claim, terms.view(), race.first->formats(), options.seed);
      judge_reachability(*evaluator, terms.view(), race.bits, distinct, options, race.runs);
    } catch (const Stopped&) {
      break;
    } catch (const Error& error) {
      refuse_run(file, *race.first, error.what());
    }
    progress(fixed_steps + i + 1);
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
