// What holds of every tally with a wire form: splits, merges and wires in any order, and bytes that were damaged.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"
#include "reference/hard_inputs.hpp"

namespace orderlab::testing {

/// A tally of 0 ... n-1, added in any order to parts that are merged in any order, some of them written and read
/// between that. `empty()` makes a part, `add(part, i)` adds i to it.
template <class Empty, class Add>
auto tallied_in_parts(IndexGenerator& draw, std::size_t n, Empty empty, Add add) {
  using Tally = decltype(empty());
  const auto sent = [&](Tally& tally, std::uint64_t one_in) {
    if (chance(draw, one_in)) tally = Tally::from_wire(tally.wire());
  };
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[below(draw, i)]);
  std::vector<Tally> parts;
  for (std::size_t begin = 0; begin < n || parts.empty();) {
    const std::size_t end = std::min(n, begin + below(draw, n + 1));  // some parts are empty
    parts.push_back(empty());
    for (; begin < end; ++begin) {
      add(parts.back(), order[begin]);
      sent(parts.back(), 100);
    }
  }
  while (parts.size() > 1) {
    const std::size_t a = below(draw, parts.size());
    const std::size_t b = (a + 1 + below(draw, parts.size() - 1)) % parts.size();
    sent(parts[a], 3);
    sent(parts[b], 3);
    parts[a].merge(parts[b]);
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(b));
  }
  sent(parts.front(), 2);
  return parts.front();
}

/// The tally of these bytes, which are then its wire form; empty where they are refused.
template <class Tally>
std::optional<Tally> read_or_refused(const std::string& bytes) {
  try {
    const Tally tally = Tally::from_wire(bytes);
    CHECK(tally.wire() == bytes);
    return tally;
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return std::nullopt;
  }
}

/// Reads every beginning of a tally's bytes, more than them, and many with a few changed; calls `use` with what is
/// read.
template <class Tally, class Use>
void check_damaged(IndexGenerator& draw, const Tally& tally, std::uint64_t changes, Use use) {
  const std::string wire = tally.wire();
  for (std::size_t size = 0; size < wire.size(); ++size) CHECK_FALSE(read_or_refused<Tally>(wire.substr(0, size)));
  for (const char more : {'\0', '\1', '\x7f'}) read_or_refused<Tally>(wire + more);
  for (const char version : {'\0', static_cast<char>(wire[1] + 1)}) {
    std::string other = wire;
    other[1] = version;
    CHECK_FALSE(read_or_refused<Tally>(other));
  }
  for (std::uint64_t i = 0; i < changes; ++i) {
    std::string damaged = wire;
    for (std::uint64_t flips = 1 + below(draw, 3); flips > 0; --flips) {
      char& byte =
          damaged[chance(draw, 2) ? below(draw, std::min<std::uint64_t>(wire.size(), 40)) : below(draw, wire.size())];
      byte =
          static_cast<char>(chance(draw, 2) ? static_cast<std::uint64_t>(byte) ^ (1u << below(draw, 8)) : draw() & 255);
    }
    if (chance(draw, 10)) damaged.erase(below(draw, damaged.size()), 1 + below(draw, 9));
    if (const std::optional<Tally> read = read_or_refused<Tally>(damaged)) use(*read);
  }
}

}  // namespace orderlab::testing
