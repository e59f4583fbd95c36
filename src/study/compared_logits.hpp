// Logits of the same places of texts in two runs of a language model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orderlab::study {

/// The two likeliest tokens of a place; of equal ones that with the least number.
struct LeadingTokens {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  double margin = 0;  ///< nats
};

/// Of each row of `vocabulary` logits, two or more.
std::vector<LeadingTokens> leading_tokens(std::span<const float> logits, std::size_t vocabulary);

/// A place in another run.
struct ComparedToken {
  std::uint32_t first = 0;  ///< its likeliest token there
  double change = 0;        ///< of the margin between the first run's two leading tokens
  double sum_abs = 0;       ///< of the differences of all logits
  bool equal = false;       ///< all logits are bit-identical
};

/// Rows of `first`, whose leading tokens are known, beside those of `other`.
std::vector<ComparedToken> compared_tokens(std::span<const float> first, std::span<const LeadingTokens> leading,
                                           std::span<const float> other);

}  // namespace orderlab::study
