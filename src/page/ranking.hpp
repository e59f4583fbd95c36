// Who is first and who is last, ties being ties.
#pragma once

#include <string>
#include <vector>

namespace orderlab {

struct Ranked {
  double value;
  std::string name;
};

/// The orders that share a rank, in words.
struct Tie {
  double value;
  std::string names;  ///< "all 7 orders", "a, b and c", "9 of the 14 orders"
  bool several;
  bool all;

  const char* is() const { return several ? "are" : "is"; }
};

/// Values are equal where they are in the two digits that a page shows, and 0 is equal to nothing else. `what` they
/// are, in plural. `ranked` is not empty.
Tie least_of(const std::vector<Ranked>& ranked, const std::string& what = "orders");
Tie greatest_of(const std::vector<Ranked>& ranked, const std::string& what = "orders");

}  // namespace orderlab
