#include "page/ranking.hpp"

#include <algorithm>

#include "page/number_words.hpp"

namespace orderlab {

namespace {

bool by_value(const Ranked& a, const Ranked& b) { return a.value < b.value; }

Tie tie_at(const std::vector<Ranked>& ranked, double value, const std::string& what) {
  constexpr std::size_t kMostNames = 6;
  std::vector<std::string> names;
  for (const Ranked& one : ranked)
    if (in_words(one.value) == in_words(value)) names.push_back(one.name);
  const bool several = names.size() > 1;
  const bool all = names.size() == ranked.size();
  const std::string count = std::to_string(ranked.size()) + " " + what;
  std::string text = listed(names);
  if (all && several) text = (names.size() == 2 ? "both " + what : "all " + count);
  if (!all && names.size() > kMostNames) text = std::to_string(names.size()) + " of the " + count;
  return {value, text, several, all};
}

}  // namespace

Tie least_of(const std::vector<Ranked>& ranked, const std::string& what) {
  return tie_at(ranked, std::min_element(ranked.begin(), ranked.end(), by_value)->value, what);
}

Tie greatest_of(const std::vector<Ranked>& ranked, const std::string& what) {
  return tie_at(ranked, std::max_element(ranked.begin(), ranked.end(), by_value)->value, what);
}

}  // namespace orderlab
