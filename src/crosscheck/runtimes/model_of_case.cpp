#include "crosscheck/runtimes/model_of_case.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/float_environment.hpp"
#include "orderlab/check.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/error.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/order.hpp"
#include "orderlab/plan.hpp"

namespace orderlab {

namespace {

Formats formats_of_case(const RuntimeCase& one) { return {one.format, one.format, one.format}; }

TermRows rows_of_job(const RuntimeJob& job, std::size_t first, std::size_t count) {
  const RuntimeCase& one = *job.one;
  const Format f = one.format;
  const void* y = job.y ? job.y->view().x : nullptr;
  return {f, count, one.n, number_at(f, job.x.view().x, first * one.n), one.n, y, 0};
}

TermView terms_of_job(const RuntimeJob& job) { return rows_of_job(job, 0, 1).row(0); }

// The sums of outputs first, first + 1, ..., in bits.
void add_in_order(const RuntimeJob& job, const std::string& order, std::size_t first, std::span<std::uint64_t> bits) {
  const Format f = job.one->format;
  const RowSums plan(compile(parse_order(order), job.one->n, formats_of_case(*job.one), job.one->products));
  std::vector<double> sums(bits.size());
  plan.evaluate_alike(rows_of_job(job, first, bits.size()), sums, 0, 0);
  for (std::size_t i = 0; i < sums.size(); ++i) bits[i] = round_to_bits(f, sums[i]);
}

std::vector<std::uint64_t> fixed_sums(const RuntimeJob& job) {
  const RuntimeCase& one = *job.one;
  std::vector<std::uint64_t> bits(one.outputs);
  for (std::size_t i = 0; i < one.orders.size(); ++i) {
    const std::size_t first = std::min(one.orders[i].first, one.outputs);
    const std::size_t end = i + 1 < one.orders.size() ? std::min(one.orders[i + 1].first, one.outputs) : one.outputs;
    if (first < end) add_in_order(job, one.orders[i].order, first, std::span(bits).subspan(first, end - first));
  }
  return bits;
}

std::uint64_t most_distinct(const RuntimeJob& job) {
  const std::size_t outputs = job.one->outputs;
  std::size_t most = 1;
  for (std::size_t e = 0; e < outputs; ++e) {
    std::set<std::uint64_t> results;
    for (std::size_t call = 0; call < job.one->calls; ++call) results.insert(job.got[call * outputs + e]);
    most = std::max(most, results.size());
  }
  return most;
}

JudgedJob against_order(const RuntimeJob& job) {
  const std::size_t outputs = job.one->outputs;
  const std::vector<std::uint64_t> expected = fixed_sums(job);
  JudgedJob judged;
  for (std::size_t i = 0; i < job.got.size(); ++i) {
    if (job.got[i] == expected[i % outputs])
      ++judged.matching;
    else if (!judged.first)
      judged.first = study::RuntimeDifference{0, i % outputs, i / outputs, expected[i % outputs], job.got[i]};
  }
  if (!job.one->others.empty()) {
    std::vector<bool> other_bits(outputs);
    std::vector<std::uint64_t> bits(outputs);
    for (const std::string& other : job.one->others) {
      add_in_order(job, other, 0, bits);
      for (std::size_t e = 0; e < outputs; ++e)
        if (bits[e] != expected[e]) other_bits[e] = true;
    }
    judged.differs_elsewhere =
        static_cast<std::uint64_t>(std::count(other_bits.begin(), other_bits.end(), true)) * job.one->calls;
  }
  return judged;
}

template <class IsPossible>
JudgedJob against_results(const RuntimeJob& job, std::size_t possible, const IsPossible& is_possible) {
  JudgedJob judged;
  judged.possible = possible;
  for (std::size_t call = 0; call < job.got.size(); ++call) {
    if (is_possible(job.got[call]))
      ++judged.matching;
    else if (!judged.first)
      judged.first = study::RuntimeDifference{0, 0, call, {}, job.got[call]};
  }
  return judged;
}

// Arrivals of threads need not be equally likely: p says whether these look so, and decides nothing.
JudgedJob against_arrivals(const RuntimeJob& job, const Order& order) {
  const Format f = job.one->format;
  const TermView terms = terms_of_job(job);
  const auto evaluator = Evaluator::make(order, terms, formats_of_case(*job.one), 1);
  const RecognizedSpace recognized = order_space(*evaluator);
  if (!recognized.space)
    throw Error(ErrorKind::unsupported, order.expression() + " cannot be enumerated: " + recognized.reason);
  WalkOptions how;
  how.threads = 1;
  const std::optional<Enumeration> all = enumerate(*recognized.space, how);
  JudgedJob judged =
      against_results(job, all->results.size(), [&](std::uint64_t bits) { return all->find(bits) != nullptr; });
  if (judged.first || all->results.size() < 2) return judged;
  std::map<std::uint64_t, std::uint64_t> counts;
  for (const std::uint64_t bits : job.got) ++counts[bits];
  std::vector<GivenResult> given;
  for (const auto& [bits, count] : counts) given.push_back({bits, count});
  const CheckResult result = check(*all, exact_sum(terms), f, given, {});
  if (result.joint) judged.p = result.joint->p;
  return judged;
}

}  // namespace

JudgedJob judge(const RuntimeJob& job) {
  const FloatEnvironment environment;
  const RuntimeCase& one = *job.one;
  JudgedJob judged;
  if (one.possible != nullptr) {
    const std::vector<std::uint64_t> all = one.possible(one, terms_of_job(job));
    judged = against_results(job, all.size(),
                             [&](std::uint64_t bits) { return std::binary_search(all.begin(), all.end(), bits); });
  } else {
    const Order order = parse_order(one.orders.front().order);
    judged = order.random() ? against_arrivals(job, order) : against_order(job);
  }
  judged.sums = job.got.size();
  judged.distinct = most_distinct(job);
  return judged;
}

}  // namespace orderlab
