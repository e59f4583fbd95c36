#include "crosscheck/case_bench.hpp"

#include "crosscheck/case_inputs.hpp"
#include "crosscheck/replay.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

CaseBench::CaseBench(const Case& c)
    : case_(c),
      text_(troubled_terms(c.formats.terms, c.seed)),
      terms_(generate_terms(text_, c.n, c.formats.terms, c.seed)) {
  if (c.kernel().products) terms_.multiply_by(generate_terms(text_, c.n, c.formats.terms, c.seed, 1));
}

std::optional<Mismatch> CaseBench::check(std::size_t shape, std::uint64_t sample, std::uint64_t& replays) {
  const bool races = case_.kernel().unit != ArrivalUnit::none;
  std::optional<Mismatch> found;
  if (!races || case_.executor->tells_arrival) found = check(shape, sample, false, replays);
  if (!found && races && case_.executor->tells_returned) found = check(shape, sample, true, replays);
  return found;
}

std::optional<Mismatch> CaseBench::check(std::size_t shape, std::uint64_t sample, bool record, std::uint64_t& replays) {
  const LaunchShape& launch = case_.kernel().shapes[shape];
  Mismatch mismatch{.n = case_.n, .shape = launch, .terms = text_, .seed = case_.seed, .sample = sample};
  try {
    const KernelRun run = case_.executor->run(
        {terms_.view(), launch, drawn_schedule(case_.n, shape, case_.seed, sample), record, case_.formats});
    mismatch.got = run.bits;
    mismatch.claim = case_.kernel().claim(run.shape, case_.n);
    compare(run, mismatch, replays);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::device)
      throw Error(error.kind(),
                  std::string(case_.kernel().name) + " with " + std::to_string(case_.n) + " terms: " + error.what());
    mismatch.kind = MismatchKind::fault;
    mismatch.problem = error.what();
  }
  if (!mismatch.problem.empty()) return mismatch;
  if (mismatch.expected == mismatch.got) return std::nullopt;
  const Diagnosis found = diagnosis(wrong_sum(*mismatch.got));
  mismatch.kind = found.kind;
  mismatch.basis = found.basis;
  return mismatch;
}

void CaseBench::compare(const KernelRun& run, Mismatch& mismatch, std::uint64_t& replays) {
  bind(mismatch.claim);
  if (!run.returned.empty()) {
    ++replays;
    const Replay replay = replay_atomics(*evaluator_, run.returned);
    mismatch.problem = replay.problem;
    mismatch.kind = MismatchKind::returned;
    if (!replay.problem.empty()) return;
    mismatch.expected = arranged(replay.order).bits;
    if (mismatch.expected != mismatch.got || !case_.executor->tells_arrival) return;
  }
  if (!evaluator_->order().random()) {
    mismatch.expected = evaluator_->evaluate(0, *scratch_).bits;
    return;
  }
  if (case_.kernel().unit == ArrivalUnit::none)
    throw Error(ErrorKind::usage, "the claim " + mismatch.claim +
                                      " leaves an order open, but the kernel has no unit of arrival; set "
                                      "KernelInfo::unit to what does one float atomic");
  const Arranged sum = arranged(run.arrival);
  mismatch.expected = sum.bits;
  mismatch.problem = sum.problem;
  mismatch.kind = MismatchKind::atomics;
}

CaseBench::Arranged CaseBench::arranged(std::span<const std::uint32_t> units) const {
  std::vector<bool> seen(evaluator_->random_count());
  bool good = units.size() == seen.size();
  for (const std::uint32_t unit : units) {
    good = good && unit < seen.size() && !seen[unit];
    if (good) seen[unit] = true;
  }
  if (!good)
    return {{},
            std::to_string(units.size()) + " float atomics for " + std::to_string(seen.size()) +
                " partial sums, or one of them twice"};
  return {evaluator_->evaluate_arranged(units, *scratch_).bits, {}};
}

WrongSum CaseBench::wrong_sum(std::uint64_t bits) const {
  const bool flushes = case_.kernel().unit != ArrivalUnit::none && case_.formats.accumulate == Format::fp32;
  return {terms_.view(), case_.formats, flushes, bits};
}

void CaseBench::bind(const std::string& claim) {
  if (evaluator_ != nullptr && claim == claim_) return;
  claim_ = claim;
  evaluator_ = Evaluator::make(parse_order(claim), terms_.view(), case_.formats, case_.seed);
  scratch_ = evaluator_->make_scratch();
}

}  // namespace orderlab
