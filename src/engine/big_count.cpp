#include "engine/big_count.hpp"

namespace orderlab {

BigCount factorial(std::uint64_t m) {
  BigCount product = 1;
  for (std::uint64_t k = 2; k <= m; ++k) product *= k;
  return product;
}

BigCount tree_count(std::uint64_t m) {
  BigCount product = 1;
  for (std::uint64_t k = 2; k < m; ++k) product *= 2 * k - 1;
  return product;
}

}  // namespace orderlab
