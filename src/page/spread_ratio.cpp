#include "page/spread_ratio.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "orderlab/philox.hpp"
#include "vectors/permutation.hpp"

namespace orderlab {

namespace {

// From the first value, which is as near as any: no cancellation to speak of.
template <class Count>
double sd_of(std::span<const Weighted> values, const std::vector<Count>& counts) {
  double n = 0;
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double count = static_cast<double>(counts[i]);
    const double d = values[i].value - values.front().value;
    n += count;
    sum += count * d;
    squares += count * d * d;
  }
  return std::sqrt(std::max(0.0, squares - sum * sum / n) / (n - 1));
}

/// More samples than this are thinned evenly, for resampling alone: intervals become wider.
constexpr std::uint64_t kMostPlaces = 1 << 20;

/// Samples as a list of which value each is: drawing one is drawing a place.
struct Places {
  std::span<const Weighted> values;
  std::vector<std::uint32_t> value_of;
  double sd = 0;

  explicit Places(std::span<const Weighted> list) : values(list) {
    std::vector<std::uint64_t> counts;
    std::uint64_t total = 0;
    for (const Weighted& value : list) total += counts.emplace_back(static_cast<std::uint64_t>(value.weight));
    const std::uint64_t share = total / kMostPlaces + 1;
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < list.size(); before += counts[i++])
      value_of.insert(value_of.end(), (before + counts[i]) / share - before / share, static_cast<std::uint32_t>(i));
    if (total > 1) sd = sd_of(values, counts);
  }

  /// Draws as many places as there are, place by place from word `next` on, and moves `next` behind the last word.
  double resampled_sd(const RandomStream& stream, std::uint64_t& next, std::vector<std::uint32_t>& counts) const {
    counts.assign(values.size(), 0);
    const std::uint64_t end = next + value_of.size();
    std::array<std::uint32_t, kDrawsAhead> buffer;
    for (std::uint64_t first = next - next % 4; next < end; first = next) {  // blocks have four words
      const auto places = std::span(buffer).first(std::min<std::uint64_t>(end - first, kDrawsAhead));
      draw_below(stream, static_cast<std::uint32_t>(value_of.size()), 0, first, places);
      for (const std::uint32_t place : places.subspan(next - first)) ++counts[value_of[place]];
      next = first + places.size();
    }
    return sd_of(values, counts);
  }
};

struct RatioInput {
  Places numerator;
  Places denominator;
  double log_ratio;
};

double replicate_of_inputs(const std::vector<RatioInput>& inputs, const RandomStream& stream) {
  WordReader words(stream);
  double sum = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    sum += inputs[words.below(static_cast<std::uint32_t>(inputs.size()), i)].log_ratio;
  return sum / static_cast<double>(inputs.size());
}

// A replicate in which one side happens not to move has no ratio: NaN, and is left out.
double replicate_of_samples(const std::vector<RatioInput>& inputs, const RandomStream& stream) {
  double sum = 0;
  std::uint64_t next = 0;
  std::vector<std::uint32_t> counts;
  for (const RatioInput& input : inputs) {
    const double above = input.numerator.resampled_sd(stream, next, counts);
    const double below = input.denominator.resampled_sd(stream, next, counts);
    if (!(above > 0) || !(below > 0)) return NAN;
    sum += std::log(above / below);
  }
  return sum / static_cast<double>(inputs.size());
}

}  // namespace

std::optional<SpreadRatio> spread_ratio(std::span<const SpreadPair> pairs, std::uint64_t seed, double confidence) {
  std::vector<RatioInput> inputs;
  double logs = 0;
  for (const SpreadPair& pair : pairs) {
    RatioInput input{Places(pair.numerator), Places(pair.denominator), 0};
    if (!(input.numerator.sd > 0) || !(input.denominator.sd > 0)) continue;
    input.log_ratio = std::log(input.numerator.sd / input.denominator.sd);
    logs += input.log_ratio;
    inputs.push_back(std::move(input));
  }
  if (inputs.empty()) return std::nullopt;
  const bool of_inputs = inputs.size() >= kInputsToResample;
  std::vector<double> replicates;
  for (std::uint64_t b = 0; b < kBootstrapReplicates; ++b) {
    const RandomStream stream(seed, streams::kBootstrap, b);
    const double log_ratio = of_inputs ? replicate_of_inputs(inputs, stream) : replicate_of_samples(inputs, stream);
    if (!std::isnan(log_ratio)) replicates.push_back(log_ratio);
  }
  if (replicates.empty()) return std::nullopt;
  std::sort(replicates.begin(), replicates.end());
  const auto rank = [&](double p) {  // the value with p (B + 1) replicates at or below it
    const double place = std::floor(p * static_cast<double>(replicates.size() + 1)) - 1;
    return std::exp(
        replicates[static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(replicates.size() - 1)))]);
  };
  return SpreadRatio{std::exp(logs / static_cast<double>(inputs.size())), rank((1 - confidence) / 2),
                     rank((1 + confidence) / 2), inputs.size(), of_inputs};
}

}  // namespace orderlab
