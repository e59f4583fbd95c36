// Samples are compared block by block, those together that differ from launch order or the baseline in the block.
#include "orderlab/output_differences.hpp"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "metrics/output_blocks.hpp"
#include "operation/exact_rows.hpp"

namespace orderlab {

namespace {

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// Copies the numbers of these outputs.
template <class N, class Numbers>
void copy_outputs(const Numbers& from, std::span<const std::uint32_t> outputs, N* to) {
  if (outputs.back() - outputs.front() + 1 == outputs.size())
    std::copy_n(&from[outputs.front()], outputs.size(), to);
  else
    for (std::size_t i = 0; i < outputs.size(); ++i) to[i] = from[outputs[i]];
}

/// Sets the results of one sample.
template <class R>
void set_lane(BlockResults& results, std::size_t lane, const R* numbers, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) results[i][lane] = static_cast<double>(numbers[i]);
}

template <class R>
StoredBlock<R> stored_block(const OutputComparison& with, std::span<const std::uint32_t> outputs) {
  StoredBlock<R> block;
  copy_outputs(static_cast<const R*>(with.sums().launch().view().x), outputs, block.launch.data());
  copy_outputs(static_cast<const R*>(with.baseline().view().x), outputs, block.base.data());
  return block;
}

template <class R>
void set_block(OutputBlock& block, std::span<const std::uint32_t> outputs, const StoredBlock<R>& stored,
               const ExactRows& exact) {
  block.outputs = outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    block.launch[i] = static_cast<double>(stored.launch[i]);
    block.base[i] = static_cast<double>(stored.base[i]);
  }
  copy_outputs(exact.high, outputs, block.high.data());
  copy_outputs(exact.low, outputs, block.low.data());
  copy_outputs(exact.ulp, outputs, block.ulp.data());
  block.inverts = std::all_of(block.ulp.begin(), block.ulp.begin() + outputs.size(), inverts);
  copy_outputs(exact.magnitude, outputs, block.magnitude.data());
  prepare(block);
}

void compare_with_firsts(const OutputBlock& block, const BlockSamples& samples) {
  compare_block(block, samples);
  for (std::size_t s = 0; s < samples.count; ++s) {
    std::uint64_t& first = samples.sums[s]->first;
    for (std::size_t i = 0; i < block.outputs.size() && block.outputs[i] < first; ++i)
      if (!same_bits(samples.results[i][s], samples.in_pairs ? samples.against[i][s] : block.base[i]))
        first = block.outputs[i];
  }
}

void make_means(OutputDifferences& sum, std::size_t outputs) {
  const auto n = static_cast<double>(outputs);
  sum.vermv_paper /= n;
  sum.vermv_code /= n;
  sum.vermv_robust /= n;
}

}  // namespace

OutputTally::OutputTally(const OutputSums& sums)
    : different(sums.varying().size()),
      least(sums.varying().size(), std::numeric_limits<double>::infinity()),
      greatest(sums.varying().size(), -std::numeric_limits<double>::infinity()) {}

void OutputTally::absorb(OutputTally& other) {
  const FloatEnvironment environment;
  for (std::size_t i = 0; i < different.size(); ++i) {
    different[i] += std::exchange(other.different[i], 0U);
    if (other.least[i] < least[i]) least[i] = other.least[i];  // seldom, so that most of the memory is read alone
    if (other.greatest[i] > greatest[i]) greatest[i] = other.greatest[i];
  }
}

OutputComparison::OutputComparison(const OutputSums& sums, const Terms& baseline, const ExactRows& exact)
    : sums_(sums), baseline_(baseline), exact_(exact) {
  const FloatEnvironment environment;
  with_type_of(sums.result_format(), [&](auto* type) { measure_launch<std::remove_pointer_t<decltype(type)>>(); });
}

template <class R>
void OutputComparison::measure_launch() {
  const auto varying = sums_.varying();
  const TermView launch = sums_.launch().view();
  for (std::size_t begin = 0; begin < varying.size();) {
    const std::size_t end = std::min(begin + kBlockOutputs, sums_.part_end(begin));
    double& largest = launch_errors_.emplace_back(0);
    for (; begin < end; ++begin)
      largest = std::max(largest, ulp_error(exact_, varying[begin], launch.left(varying[begin])));
  }
  offset_.first = fixed_.first = baseline_.size();
  const auto block = std::make_unique<OutputBlock>();
  const auto samples = std::make_unique<BlockSamples>();
  samples->count = 1;
  const auto compare = [&](std::span<const std::uint32_t> outputs, OutputDifferences& sum) {
    if (outputs.empty()) return;
    const StoredBlock<R> stored = stored_block<R>(*this, outputs);
    set_block(*block, outputs, stored, exact_);
    set_lane(samples->results, 0, stored.launch.data(), outputs.size());
    samples->sums[0] = &sum;
    compare_with_firsts(*block, *samples);
  };
  std::size_t next = 0;
  std::vector<std::uint32_t> all;
  std::vector<std::uint32_t> fixed;
  for (std::size_t r = 0; r < baseline_.size(); ++r) {
    all.push_back(static_cast<std::uint32_t>(r));
    if (next < varying.size() && varying[next] == r)
      ++next;
    else
      fixed.push_back(all.back());
    if (all.size() < kBlockOutputs && r + 1 < baseline_.size()) continue;
    compare(all, offset_);
    compare(fixed, fixed_);
    all.clear();
    fixed.clear();
  }
  make_means(offset_, baseline_.size());
}

OutputDifferences OutputComparison::compare(std::span<const std::byte> results, OutputTally& tally,
                                            std::span<const std::byte> against) const {
  OutputDifferences found;
  SampleComparison sample(*this, tally, {&found, 1});
  const std::size_t size = info(sums_.result_format()).held_bytes();
  for (std::size_t begin = 0; begin < sums_.varying().size();) {
    const std::size_t end = sums_.part_end(begin);
    const auto part = [&](std::span<const std::byte> all) {
      return all.empty() ? all : all.subspan(begin * size, (end - begin) * size);
    };
    const ComparedSample compared{part(results), part(against)};
    sample.add({&compared, 1});
    begin = end;
  }
  sample.finish();
  return found;
}

struct SampleComparison::State {
  struct FreeHash {
    void operator()(XXH3_state_t* hash) const { XXH3_freeState(hash); }
  };

  explicit State(std::size_t samples) {
    for (std::size_t s = 0; s < samples; ++s) {
      hashes.emplace_back(XXH3_createState());
      if (hashes.back() == nullptr) throw std::bad_alloc();
      XXH3_128bits_reset(hashes.back().get());
    }
  }

  OutputBlock block{};
  BlockSamples lanes{};
  std::vector<std::unique_ptr<XXH3_state_t, FreeHash>> hashes;  ///< one for each sample
};

SampleComparison::SampleComparison(const OutputComparison& with, OutputTally& tally, std::span<OutputDifferences> found)
    : with_(with), found_(found), state_(std::make_unique<State>(found.size())) {
  state_->block.tally = &tally;
  std::fill(found.begin(), found.end(), with.fixed_);
}

SampleComparison::~SampleComparison() = default;

void SampleComparison::add(std::span<const ComparedSample> parts) {
  const FloatEnvironment environment;
  with_type_of(with_.sums_.result_format(), [&](auto* type) { add_as<std::remove_pointer_t<decltype(type)>>(parts); });
}

template <class R>
void SampleComparison::add_as(std::span<const ComparedSample> parts) {
  OutputBlock& block = state_->block;
  BlockSamples& lanes = state_->lanes;
  lanes.in_pairs = !parts.front().against.empty();
  if (place_ == 0 && lanes.in_pairs)  // outputs that do not vary are alike in both
    std::fill(found_.begin(), found_.end(),
              OutputDifferences{.first = with_.baseline_.size(), .largest_error = with_.fixed_.largest_error});
  const std::size_t begin = place_;
  const std::size_t end = begin + parts.front().results.size() / sizeof(R);
  while (place_ < end) {
    const auto outputs = with_.sums_.varying().subspan(place_, std::min(kBlockOutputs, end - place_));
    const std::size_t bytes = outputs.size() * sizeof(R);
    const double launch_error = with_.launch_errors_[blocks_++];
    const StoredBlock<R> stored = stored_block<R>(with_, outputs);
    bool is_set = false;
    const auto compare_lanes = [&] {
      if (lanes.count == 0) return;
      if (!std::exchange(is_set, true)) set_block(block, outputs, stored, with_.exact_);
      block.place = place_;
      compare_with_firsts(block, lanes);
      lanes.count = 0;
    };
    for (std::size_t s = 0; s < parts.size(); ++s) {
      const auto of_block = [&](std::span<const std::byte> part) {
        return reinterpret_cast<const R*>(part.data()) + (place_ - begin);
      };
      const R* const results = of_block(parts[s].results);
      const R* const base = lanes.in_pairs ? of_block(parts[s].against) : stored.base.data();
      if (std::memcmp(results, stored.launch.data(), bytes) == 0 && std::memcmp(results, base, bytes) == 0) {
        found_[s].largest_error = std::max(found_[s].largest_error, launch_error);
        continue;
      }
      set_lane(lanes.results, lanes.count, results, outputs.size());
      if (lanes.in_pairs) set_lane(lanes.against, lanes.count, base, outputs.size());
      lanes.sums[lanes.count] = &found_[s];
      if (++lanes.count == kBlockSamples) compare_lanes();
    }
    compare_lanes();
    place_ += outputs.size();
  }
  for (std::size_t s = 0; s < parts.size(); ++s)
    XXH3_128bits_update(state_->hashes[s].get(), parts[s].results.data(), parts[s].results.size());
}

void SampleComparison::finish() {
  const FloatEnvironment environment;
  for (std::size_t s = 0; s < found_.size(); ++s) {
    make_means(found_[s], with_.baseline_.size());
    const XXH128_hash_t hash = XXH3_128bits_digest(state_->hashes[s].get());
    found_[s].hash = {hash.low64, hash.high64};
  }
}

}  // namespace orderlab
