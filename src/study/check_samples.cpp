#include "study/check_samples.hpp"

#include <string>

#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab::study {

std::uint64_t samples_to_check(std::optional<std::uint64_t> asked, double confidence, std::uint64_t given,
                               std::uint64_t n, bool nonfinite) {
  const std::uint64_t fewest = fewest_check_samples(confidence, given, nonfinite);
  if (asked && *asked < fewest)
    throw RequestError("samples", std::to_string(*asked),
                       "too few to judge " + std::to_string(given) + (given == 1 ? " result" : " results") +
                           " at confidence " + shortest(confidence) + "; at least " + std::to_string(fewest) +
                           ", or leave it out");
  return asked.value_or(check_samples(confidence, given, n, nonfinite));
}

}  // namespace orderlab::study
