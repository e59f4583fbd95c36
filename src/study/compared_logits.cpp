#include "study/compared_logits.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/arena.hpp"

namespace orderlab::study {

namespace {

std::size_t likeliest(std::span<const float> logits) {
  return static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

LeadingTokens leading_of(std::span<const float> logits) {
  const std::size_t first = likeliest(logits);
  std::size_t second = first == 0 ? 1 : 0;
  for (std::size_t i = second + 1; i < logits.size(); ++i)
    if (i != first && logits[i] > logits[second]) second = i;
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second),
          static_cast<double>(logits[first]) - static_cast<double>(logits[second])};
}

ComparedToken compared(std::span<const float> a, const LeadingTokens& of_a, std::span<const float> b) {
  ComparedToken token;
  token.equal = std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
  if (token.equal) {
    token.first = of_a.first;
    return token;
  }
  token.first = static_cast<std::uint32_t>(likeliest(b));
  token.change = static_cast<double>(b[of_a.first]) - static_cast<double>(b[of_a.second]) - of_a.margin;
  for (std::size_t i = 0; i < a.size(); ++i)
    token.sum_abs += std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
  return token;
}

}  // namespace

std::vector<LeadingTokens> leading_tokens(std::span<const float> logits, std::size_t vocabulary) {
  std::vector<LeadingTokens> leading(logits.size() / vocabulary);
  parallel_for(0, leading.size(), Grain::joined,
               [&](std::uint64_t r) { leading[r] = leading_of(logits.subspan(r * vocabulary, vocabulary)); });
  return leading;
}

std::vector<ComparedToken> compared_tokens(std::span<const float> first, std::span<const LeadingTokens> leading,
                                           std::span<const float> other) {
  std::vector<ComparedToken> tokens(leading.size());
  const std::size_t width = leading.empty() ? 0 : first.size() / leading.size();
  parallel_for(0, tokens.size(), Grain::joined, [&](std::uint64_t r) {
    tokens[r] = compared(first.subspan(r * width, width), leading[r], other.subspan(r * width, width));
  });
  return tokens;
}

}  // namespace orderlab::study
