// Answers of two runs, matched, and tokens of them, compared.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "orderlab/study/infer.hpp"

namespace orderlab::study {

/// One answer in both runs.
struct AnswerPair {
  const Answer* first = nullptr;
  const Answer* second = nullptr;
};

struct AnswerPairs {
  MatchedBy by = MatchedBy::order;
  std::vector<AnswerPair> pairs;  ///< in the order of the first run
  std::size_t unmatched = 0;      ///< answers of both runs without a partner
};

/// By custom_id where all answers have one; else by id, if the runs share one; else by order.
///
/// Errors: input for a key that occurs twice, custom_ids of which none is in both runs, different numbers of answers
/// without keys.
AnswerPairs matched_answers(const AnswerRun& first, const AnswerRun& second);

/// What became of one token in the second run.
struct TokenChange {
  std::optional<double> change = {};  ///< D; empty where one of the two candidates is not listed
  double largest = 0;                 ///< largest change of a margin of the leading token that is known, a magnitude
  bool at_least = false;              ///< `largest` is a lower bound
  bool flip = false;                  ///< another token leads
  bool unrelated = false;             ///< neither leading token is in the other list
};

TokenChange change_of(const AnsweredToken& first, const AnsweredToken& second);

}  // namespace orderlab::study
