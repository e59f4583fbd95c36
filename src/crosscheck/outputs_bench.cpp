#include "crosscheck/outputs_bench.hpp"

#include <utility>

#include "core/drawn_index.hpp"
#include "crosscheck/case_inputs.hpp"

namespace orderlab {

namespace {

SourceArrays drawn_arrays(const Case& c, const std::string& distribution) {
  const OutputsClaim& claim = *c.kernel().outputs;
  const Format format = c.formats.terms;
  SourceArrays arrays{
      .extents = claim.extents(c.n, c.seed), .source = Terms(format, 1), .self = std::nullopt, .index = {}};
  const ArrayExtents& extents = arrays.extents;
  arrays.source = generate_terms(distribution, extents.elements(), format, c.seed);
  if (extents.bins == 0) return arrays;
  arrays.self = generate_terms(distribution, extents.outputs(), format, c.seed, 1);
  arrays.index = drawn_index(claim.indices(extents), extents.bins, c.seed);
  return arrays;
}

/// Notes the first output that differs, or, of none, an output with equal bits.
void note_difference(const std::vector<std::uint64_t>& expected, const std::vector<std::uint64_t>& got,
                     Mismatch& mismatch) {
  std::size_t r = 0;
  while (r + 1 < got.size() && expected[r] == got[r]) ++r;
  mismatch.output = r;
  mismatch.expected = expected[r];
  mismatch.got = got[r];
}

}  // namespace

OutputsBench::OutputsBench(const Case& c)
    : CaseBench(c),
      text_(troubled_terms(c.formats.terms, c.seed)),
      arrays_(drawn_arrays(c, text_)),
      claimed_(*c.kernel().outputs, arrays_) {}

KernelJob OutputsBench::job(const LaunchShape& shape) const {
  return {.terms = arrays_.source.view(),
          .shape = shape,
          .schedule = {},
          .formats = case_.formats,
          .arrays = arrays_.view()};
}

void OutputsBench::compare(const KernelRun& run, Mismatch& mismatch, CrossCheckRow& row) {
  mismatch.claim = text_of(*case_.kernel().outputs, arrays_.extents);
  mismatch.kind = MismatchKind::atomics;
  if (run.outputs.size() != arrays_.extents.outputs()) {
    mismatch.problem =
        std::to_string(run.outputs.size()) + " outputs; the claim has " + std::to_string(arrays_.extents.outputs());
    return;
  }
  if (claimed_.looks_back()) {
    const ClaimedOutputs::Scanned scanned = claimed_.scanned(run.shape, run.looked_back);
    mismatch.problem = scanned.problem;
    mismatch.kind = MismatchKind::returned;
    if (mismatch.problem.empty()) note_difference(scanned.outputs, run.outputs, mismatch);
    return;
  }
  if (!claimed_.races()) return note_difference(claimed_.fixed(), run.outputs, mismatch);
  mismatch.problem = claimed_.map_problem(run.shape);
  if (!mismatch.problem.empty()) return;
  if (!run.returned.empty()) {
    ++row.replays;
    const OutputArrivals replayed = claimed_.replayed(run.shape, run.returned);
    mismatch.kind = MismatchKind::returned;
    mismatch.problem = replayed.problem;
    if (!mismatch.problem.empty()) return;
    note_difference(claimed_.added_as(replayed), run.outputs, mismatch);
    if (mismatch.expected != mismatch.got) return;
    if (const auto units = claimed_.unit_order(replayed)) {
      ++row.unit_orders;
      note_difference(claimed_.arranged(*units), run.outputs, mismatch);
      if (mismatch.expected != mismatch.got) return;
    }
  }
  if (!case_.executor->tells_arrival) return;
  const OutputArrivals arrivals = claimed_.arrivals_of(run.shape, run.arrival);
  mismatch.kind = MismatchKind::atomics;
  mismatch.problem = arrivals.problem;
  if (!mismatch.problem.empty()) return;
  note_difference(claimed_.added_as(arrivals), run.outputs, mismatch);
  if (mismatch.expected != mismatch.got) return;
  if (const auto units = claimed_.unit_order(arrivals))
    note_difference(claimed_.arranged(*units), run.outputs, mismatch);
}

WrongSum OutputsBench::wrong_sum(const Mismatch& mismatch) const {
  return claimed_.wrong_sum(*mismatch.output, *mismatch.got, operands_);
}

}  // namespace orderlab
