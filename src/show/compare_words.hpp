// A comparison of two models in words: its decision, what it rests on, and numbers to the digits that they have.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orderlab/study/compare.hpp"

namespace orderlab {

/// The difference as the text and the charts have it: the greater mean less the smaller one.
struct Lead {
  std::string greater = "A";
  std::string smaller = "B";
  double sign = 1;  ///< by which A - B is multiplied
  bool greater_is_better;
  double difference;  ///< >= 0
  std::optional<double> low;
  std::optional<double> high;

  explicit Lead(const study::CompareFinding& finding);

  const std::string& better() const { return greater_is_better ? greater : smaller; }
  const std::string& worse() const { return greater_is_better ? smaller : greater; }
};

/// What the comparison shows, and what it would take: sentences, the decision first.
std::vector<std::string> decision_of(const study::CompareFinding& finding);

/// What the numbers rest on: best-of-k, the test set, left-out seeds. Sentences.
std::vector<std::string> notes_of(const study::CompareFinding& finding);

/// "A" and the file that it came from.
std::string name_of(const char* arm, const study::ComparedArm& compared);

/// `value` with as many decimals as its error `scale` has down to its second digit: "0.7812" for a scale of 0.0034.
std::string to_scale(double value, double scale);

/// What such numbers are rounded by: the smallest half-width or sd of the comparison that is not 0.
double scale_of(const study::CompareFinding& finding);

/// "0.004 to 0.020".
std::string interval_to_scale(const study::CompareFinding& finding, double low, double high);

/// "p = 0.012".
std::string p_in_words(double p);

/// "95 %".
std::string compare_confidence();

}  // namespace orderlab
