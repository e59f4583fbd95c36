#include "crosscheck/verify_outputs.hpp"

#include <algorithm>

#include "core/drawn_index.hpp"
#include "crosscheck/claimed_outputs.hpp"
#include "operation/tile_scan.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

void require_outputs(const CapturedRun& run, const KernelInfo& kernel) {
  const OutputsClaim& claim = *kernel.outputs;
  const std::string subject = run.kernel + " in " + to_string(run.formats()) + ": ";
  const auto refuse = [&](const std::string& problem) { throw Error(ErrorKind::input, subject + problem); };
  if (!kernel.runs_in(run.formats())) refuse("the kernel is not made in this format");
  if (!run.rows || run.outputs.empty())
    refuse("has many outputs; a run of it needs rows= and columns=, and a line of outputs");
  const bool indexed = claim.extents(run.n, run.seed).bins != 0;
  if (indexed != run.bins.has_value())
    refuse(indexed ? "adds where an index says; bins=, self_seed= and index_seed= must say to what"
                   : "takes no index; leave out bins=, self_seed= and index_seed=");
  if (!claim.looks_back && !run.looked_back.empty()) refuse("is no scan; nothing can have looked back");
  if (run.with_seed) refuse("adds no products; leave out with_seed=");
  if (claim.unit == 0 && !run.returned.empty()) refuse("has no float atomics; nothing can have returned");
  if (run.shape.threads == 0 || run.shape.items == 0) refuse("threads= and items= must be at least 1");
  constexpr std::size_t kWarpOfTile = 32;
  constexpr std::size_t kMostThreadsOfTile = 1024;
  if (claim.looks_back && (run.shape.threads % kWarpOfTile != 0 || run.shape.threads > kMostThreadsOfTile ||
                           run.shape.items > kMostTileItems))
    refuse("threads= must be a multiple of 32 up to 1024 and items= at most 64, not " +
           std::to_string(run.shape.threads) + " and " + std::to_string(run.shape.items));
}

SourceArrays arrays_of(const CapturedRun& run, const OutputsClaim& claim) {
  SourceArrays arrays{.extents = {static_cast<std::size_t>(*run.rows), static_cast<std::size_t>(*run.columns),
                                  static_cast<std::size_t>(run.bins.value_or(0))},
                      .source = generate_terms(run.input, run.n, run.format, run.seed),
                      .self = std::nullopt,
                      .index = {}};
  if (!run.bins) return arrays;
  arrays.self = generate_terms(run.input, arrays.extents.outputs(), run.format, *run.self_seed);
  arrays.index = drawn_index(claim.indices(arrays.extents), arrays.extents.bins, *run.index_seed);
  return arrays;
}

std::vector<std::uint64_t> canonical_outputs(const CapturedRun& run) {
  std::vector<std::uint64_t> bits;
  for (const std::uint64_t raw : run.outputs) bits.push_back(round_to_bits(run.format, value_of_bits(run.format, raw)));
  return bits;
}

void fail(VerifiedRun& verified, const std::string& problem) {
  verified.verdict = RunVerdict::impossible;
  verified.mismatch = true;
  verified.problem = problem;
}

void compare_outputs(const std::vector<std::uint64_t>& expected, const std::vector<std::uint64_t>& captured,
                     RunVerdict good, VerifiedRun& verified) {
  const auto differs = std::mismatch(expected.begin(), expected.end(), captured.begin());
  verified.verdict = good;
  if (differs.first == expected.end()) return;
  verified.output = static_cast<std::size_t>(differs.first - expected.begin());
  verified.expected = *differs.first;
  verified.captured = *differs.second;
  verified.verdict = RunVerdict::impossible;
  verified.mismatch = true;
}

/// Every output by itself: whether some order of its contributions gives it.
void judge_each(const ClaimedOutputs& claimed, const std::vector<std::uint64_t>& captured, VerifiedRun& verified) {
  verified.verdict = RunVerdict::explained;
  for (std::size_t r = 0; r < captured.size(); ++r) {
    const std::string problem = claimed.unreachable(r, captured[r]);
    if (problem.empty()) continue;
    verified.output = r;
    verified.captured = captured[r];
    return fail(verified, problem);
  }
}

}  // namespace

VerifiedRun verified_outputs(const CapturedRun& run, const KernelInfo& kernel) {
  require_outputs(run, kernel);
  const OutputsClaim& claim = *kernel.outputs;
  const ClaimedOutputs claimed(claim, arrays_of(run, claim));
  const std::vector<std::uint64_t> captured = canonical_outputs(run);
  LaunchShape shape = run.shape;
  shape.grid = thread_blocks(run.shape, run.n);
  VerifiedRun verified;
  verified.claim = text_of(claim, {*run.rows, *run.columns, run.bins.value_or(0)});
  if (claimed.looks_back()) {
    const ClaimedOutputs::Scanned scanned = claimed.scanned(run.shape, run.looked_back);
    if (!scanned.problem.empty())
      fail(verified, scanned.problem);
    else
      compare_outputs(scanned.outputs, captured, RunVerdict::replayed, verified);
    return verified;
  }
  if (!claimed.races()) {
    compare_outputs(claimed.fixed(), captured, RunVerdict::identical, verified);
    return verified;
  }
  if (run.returned.empty()) {
    judge_each(claimed, captured, verified);
    return verified;
  }
  const OutputArrivals replayed = claimed.replayed(shape, run.returned);
  if (!replayed.problem.empty())
    fail(verified, replayed.problem);
  else
    compare_outputs(claimed.added_as(replayed), captured, RunVerdict::replayed, verified);
  return verified;
}

}  // namespace orderlab
