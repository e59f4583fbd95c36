#include "probe/taken_terms.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "probe/random_places.hpp"

namespace orderlab {

namespace {

constexpr int kMostWeightExponent = 8;  // telling_terms leave so much room at either end
constexpr std::uint64_t kSignKey = 21;

}  // namespace

TakenTerms::TakenTerms(Summands summands, const std::vector<double>& weights, const BoxSetting& setting)
    : summands_(summands), weights_(weights) {
  if (!weights_.empty()) check(setting);
  if (summands_ != Summands::magnitudes) return;
  RandomPlaces draws(setting.n, kSignKey);
  for (std::size_t i = 0; i < setting.n; ++i) signs_.push_back(draws.below(2) == 0 ? 1 : -1);
}

void TakenTerms::check(const BoxSetting& setting) {
  if (summands_ != Summands::terms)
    throw Error(ErrorKind::usage, "weights go with sums of terms, not of " + std::string(name_of(summands_)) +
                                      "; leave one of the two out");
  if (weights_.size() != setting.n)
    throw Error(ErrorKind::usage, std::to_string(weights_.size()) + " weights for " + std::to_string(setting.n) +
                                      " terms: there must be one for each");
  const int most = setting.format == Format::fp16 ? 0 : kMostWeightExponent;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    int exponent = 0;
    const double fraction = std::frexp(weights_[i], &exponent);
    if (std::fabs(fraction) != 0.5 || std::abs(exponent - 1) > most)
      throw Error(
          ErrorKind::usage,
          "weights: number " + std::to_string(i + 1) + " is " + shortest(weights_[i]) + "; it must be " +
              (most == 0 ? "1 or -1 for fp16 terms; a wider format takes more"
                         : "a power of two from 2^-8 to 2^8, with either sign, so that its products are exact"));
    foot_ = std::max(foot_, exponent - 1);
    head_ = std::max(head_, 1 - exponent);
  }
}

std::span<const TermView> TakenTerms::of(std::span<const TermView> inputs) {
  if (!changes()) return inputs;
  views_.assign(inputs.begin(), inputs.end());
  for (TermView& view : views_) view.y = nullptr;
  if (squares()) return views_;
  const std::vector<double>& factors = weights_.empty() ? signs_ : weights_;  // t / s is t s where s is 1 or -1
  for (std::size_t k = 0; k < views_.size(); ++k) {
    if (terms_.size() == k) terms_.emplace_back(views_[k].format, views_[k].n);
    for (std::size_t i = 0; i < views_[k].n; ++i) terms_[k].set(i, views_[k].left(i) / factors[i]);
    views_[k] = terms_[k].view();
  }
  return views_;
}

}  // namespace orderlab
