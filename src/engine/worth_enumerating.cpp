#include "engine/worth_enumerating.hpp"

namespace orderlab {

bool worth_enumerating(const OrderSpace& space) {
  const std::size_t m = space.partial_sums.size();
  switch (space.family) {
    case OrderFamily::fixed:
      return true;
    case OrderFamily::sequences:
      return m <= 20;  // 2^20 subsets; 20! < 2^62
    case OrderFamily::trees:
      return m <= 15;  // 3^15 splits
    default:
      return m <= 16;
  }
}

}  // namespace orderlab
