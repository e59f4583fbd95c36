#include "crosscheck/case_bench.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "crosscheck/case_inputs.hpp"
#include "crosscheck/outputs_bench.hpp"
#include "crosscheck/replay.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

std::string partial_sums(std::size_t m) { return m == 1 ? "1 partial sum" : std::to_string(m) + " partial sums"; }
std::string unit_text(std::size_t unit) { return "unit " + std::to_string(unit); }
std::string no_partial_sum(std::size_t unit, std::size_t m) {
  return unit_text(unit) + " did a float atomic, and the claim has " + partial_sums(m) + ", those of units 0 to " +
         std::to_string(m - 1);
}

constexpr std::string_view kFusing = ",acc=fma";

/// The claim with one stage after the other fusing products.
std::vector<std::string> fused_claims(const std::string& claim) {
  std::vector<std::string> fused;
  for (std::size_t i = claim.find(')'); i != std::string::npos; i = claim.find(')', i + 1))
    fused.push_back(claim.substr(0, i) + std::string(kFusing) + claim.substr(i));
  return fused;
}

}  // namespace

CaseTerms::CaseTerms(const Case& c)
    : CaseTerms(c, c.kernel().products && c.formats.accumulate != c.formats.terms
                       ? troubled_factors(c.formats.terms, c.seed)
                       : same_factors(troubled_terms(c.formats.terms, c.seed))) {}

CaseTerms::CaseTerms(const Case& c, const FactorTexts& factors)
    : text(factors.text()), inputs(generate_terms(factors.x, c.n, c.formats.terms, c.seed)) {
  if (c.kernel().products) inputs.multiply_by(generate_terms(factors.y, c.n, c.formats.terms, c.seed, 1));
  if (c.executor->map) mapped = c.executor->map(inputs.view());
}

std::unique_ptr<CaseBench> CaseBench::make(const Case& c) {
  if (c.kernel().outputs != nullptr) return std::make_unique<OutputsBench>(c);
  return std::make_unique<SumBench>(c);
}

std::optional<Mismatch> CaseBench::check(std::size_t shape, std::uint64_t sample, CrossCheckRow& row) {
  const bool races = case_.kernel().unit != ArrivalUnit::none;
  std::optional<Mismatch> found;
  if (!races || case_.executor->tells_arrival) found = check(shape, sample, false, row);
  if (!found && races && case_.executor->tells_returned) found = check(shape, sample, true, row);
  return found;
}

std::optional<Mismatch> CaseBench::check(std::size_t shape, std::uint64_t sample, bool record, CrossCheckRow& row) {
  const LaunchShape& launch = case_.kernel().shapes[shape];
  Mismatch mismatch{.n = case_.n, .shape = launch, .terms = terms_text(), .seed = case_.seed, .sample = sample};
  try {
    KernelJob asked = job(launch);
    asked.schedule = drawn_schedule(case_.n, shape, case_.seed, sample);
    asked.record = record;
    const OutputsClaim* const outputs = case_.kernel().outputs;  // with few tiles in flight none looks back far
    if (outputs != nullptr && outputs->looks_back) asked.schedule.resident *= asked.schedule.resident;
    compare(case_.executor->run(asked), mismatch, row);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::device)
      throw Error(error.kind(),
                  std::string(case_.kernel().name) + " with " + std::to_string(case_.n) + " terms: " + error.what());
    mismatch.kind = MismatchKind::fault;
    mismatch.problem = error.what();
  }
  if (!mismatch.problem.empty()) return mismatch;
  if (mismatch.expected == mismatch.got) return std::nullopt;
  if (case_.claim != nullptr) return mismatch;  // a guess: what the other bits are is not asked
  const Diagnosis found = diagnosis(wrong_sum(mismatch));
  mismatch.kind = found.kind;
  mismatch.basis = found.basis;
  return mismatch;
}

SumBench::SumBench(const Case& c)
    : CaseBench(c),
      terms_(c),
      formats_{terms_.added().format, c.formats.accumulate,
               c.executor->finish ? c.formats.accumulate : c.formats.result} {}

KernelJob SumBench::job(const LaunchShape& shape) const {
  return {.terms = terms_.inputs.view(), .shape = shape, .schedule = {}, .formats = case_.formats};
}

void SumBench::compare(const KernelRun& run, Mismatch& mismatch, CrossCheckRow& row) {
  mismatch.got = run.bits;
  mismatch.claim = claim_of(run);
  if (mismatch.claim.empty()) {
    mismatch.expected = mismatch.got;
    return;
  }
  bind(mismatch.claim);
  const Idle idle = idle_units(run);
  if (!run.returned.empty()) {
    ++row.replays;
    const std::size_t m = evaluator_->random_count();
    const std::size_t beyond = run.returned.size() > m ? run.returned.size() - m : 0;
    const auto recorded = std::span(idle).first(std::min(idle.size(), beyond));
    const Replay replay = replay_atomics(*evaluator_, run.returned, recorded);
    mismatch.problem = replay.problem;
    mismatch.kind = MismatchKind::returned;
    if (!replay.problem.empty()) return;
    mismatch.expected = arranged(replay.order, idle).bits;
    if (mismatch.expected != mismatch.got || !case_.executor->tells_arrival) return;
  }
  if (!evaluator_->order().random()) {
    mismatch.expected = finished(evaluator_->evaluate(0, *scratch_).bits);
    return;
  }
  if (case_.kernel().unit == ArrivalUnit::none)
    throw Error(ErrorKind::usage, "the claim " + mismatch.claim +
                                      " leaves an order open, but the kernel has no unit of arrival; set "
                                      "KernelInfo::unit to what does one float atomic");
  const Arranged sum = arranged(run.arrival, idle);
  mismatch.expected = sum.bits;
  mismatch.problem = sum.problem;
  mismatch.kind = MismatchKind::atomics;
}

SumBench::Idle SumBench::idle_units(const KernelRun& run) const {
  const std::size_t m = evaluator_->random_count();
  Idle idle;
  for (std::size_t k = 0; k < run.arrival.size() && k < run.added.size(); ++k) {
    if (run.arrival[k] < m) continue;
    const std::size_t place = run.arrival[k] - m;
    if (place >= run.arrival.size()) return {};  // units are numbered without gaps, or something is wrong
    if (place >= idle.size()) idle.resize(place + 1);
    idle[place] = run.added[k];
  }
  return idle;
}

SumBench::Arranged SumBench::arranged(std::span<const std::uint32_t> units, const Idle& idle) const {
  const std::size_t m = evaluator_->random_count();
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(m + idle.size());
  std::size_t last_zero = 0;  // partial sums before the last +0 that an idle unit added
  for (const std::uint32_t unit : units) {
    if (unit >= seen.size()) return {{}, no_partial_sum(unit, m)};
    if (seen[unit])
      return {{},
              unit_text(unit) + " did more than one float atomic; the claim has one for each of " + partial_sums(m)};
    seen[unit] = true;
    if (unit < m) {
      order.push_back(unit);
    } else {
      if (idle[unit - m] != 0) return {{}, no_partial_sum(unit, m) + ", but added " + shortest(idle[unit - m])};
      if (!std::signbit(idle[unit - m])) last_zero = order.size();
    }
  }
  if (order.size() != m) {
    const auto absent = static_cast<std::size_t>(std::find(seen.begin(), seen.end(), false) - seen.begin());
    return {{},
            std::to_string(order.size()) + " float atomics for " + partial_sums(m) + "; " + unit_text(absent) +
                " did none"};
  }
  std::uint64_t bits = evaluator_->evaluate_arranged(order, *scratch_).bits;
  if (last_zero != 0 && is_negative_zero(bits) && only_zeros_after(last_zero, order)) bits = 0;
  return {finished(bits), {}};
}

// A cell that flushed to -0 becomes +0 when +0 is added, and stays so if nothing but zeros follow.
bool SumBench::only_zeros_after(std::size_t k, std::span<const std::uint32_t> order) const {
  const std::vector<double> partial_sums = evaluator_->random_inputs();
  return std::all_of(order.begin() + static_cast<std::ptrdiff_t>(k), order.end(),
                     [&](std::uint32_t unit) { return partial_sums[unit] == 0; });
}

bool SumBench::is_negative_zero(std::uint64_t bits) const {
  const double value = value_of_bits(formats_.result, bits);
  return value == 0 && std::signbit(value);
}

std::uint64_t SumBench::finished(std::uint64_t sum) const {
  return case_.executor->finish ? case_.executor->finish(case_.formats, sum, case_.n) : sum;
}

WrongSum SumBench::wrong_sum(const Mismatch& mismatch) const {
  const bool flushes = case_.kernel().unit != ArrivalUnit::none && formats_.accumulate == Format::fp32;
  WrongSum wrong{terms_.added(), {formats_.terms, formats_.accumulate, case_.formats.result}, flushes, *mismatch.got};
  if (case_.executor->finish) wrong.finish = [this](std::uint64_t sum) { return finished(sum); };
  return wrong;
}

Diagnosis SumBench::detailed(const Mismatch& mismatch) const {
  Diagnosis found = CaseBench::detailed(mismatch);
  if (!case_.kernel().products || !mismatch.got) return found;
  const std::size_t fusing = mismatch.claim.find(kFusing);
  if (fusing != std::string::npos) {
    const std::string rounded = std::string(mismatch.claim).erase(fusing, kFusing.size());
    if (gives(rounded, *mismatch.got)) found.basis += "; with rounded products it fits: " + rounded;
    return found;
  }
  for (const std::string& fused : fused_claims(mismatch.claim))
    if (gives(fused, *mismatch.got)) {
      found.basis += "; with fused products it fits: " + fused;
      break;
    }
  return found;
}

bool SumBench::gives(const std::string& order, std::uint64_t bits) const {
  try {
    const auto evaluator =
        Evaluator::make(parse_order(order, {}, *case_.vocabulary), terms_.added(), formats_, case_.seed);
    return !evaluator->order().random() && finished(evaluator->evaluate(0, *evaluator->make_scratch()).bits) == bits;
  } catch (const Error&) {  // a stage that fuses nothing
    return false;
  }
}

std::string SumBench::claim_of(const KernelRun& run) const {
  if (case_.claim != nullptr) return *case_.claim;
  return case_.kernel().claim == nullptr ? "" : case_.kernel().claim(run.shape, case_.n);
}

void SumBench::bind(const std::string& claim) {
  if (evaluator_ != nullptr && claim == claim_) return;
  claim_ = claim;
  evaluator_ = Evaluator::make(parse_order(claim, {}, *case_.vocabulary), terms_.added(), formats_, case_.seed);
  scratch_ = evaluator_->make_scratch();
}

}  // namespace orderlab
