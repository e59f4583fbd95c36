#include "arrival/order_size.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "orderlab/error.hpp"

namespace orderlab {

void check_order_size(std::size_t m) {
  if (static_cast<std::uint64_t>(m) >> 32 != 0)
    throw Error(
        ErrorKind::unsupported,
        fmt::format(
            "{} partial sums arrive, and at most 4294967295 can: put a stage that adds before `arrive`, such as "
            "halving(256)",
            m));
}

}  // namespace orderlab
