#include "study/tolerance_words.hpp"

#include "core/text.hpp"

namespace orderlab::study {

std::string level_in_words(double coverage, std::uint64_t outputs, double confidence) {
  return "coverage " + shortest(coverage) +
         (outputs == 1 ? "" : " of the largest of " + std::to_string(outputs) + " outputs") + " with confidence " +
         shortest(confidence);
}

std::string rank_in_words(std::uint64_t rank) {
  if (rank == 1) return "largest";
  const bool teen = rank / 10 % 10 == 1;
  const char* ending = teen || rank % 10 == 0 || rank % 10 > 3 ? "th"
                       : rank % 10 == 1                        ? "st"
                       : rank % 10 == 2                        ? "nd"
                                                               : "rd";
  return std::to_string(rank) + ending + " largest";
}

}  // namespace orderlab::study
