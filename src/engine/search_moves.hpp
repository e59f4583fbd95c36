// Local changes of an order that can be taken back.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "vectors/permutation.hpp"

namespace orderlab {

/// One change: two positions swapped, a piece reversed, or two adjacent pieces exchanged (an insertion if one is
/// short).
class Move {
 public:
  /// Change number `step` of a chain on m >= 2 positions.
  Move(WordReader& words, std::uint64_t step, std::uint32_t m) {
    const auto draw = [&](std::uint64_t word, std::uint32_t bound) { return words.below(bound, kWords * step + word); };
    kind_ = static_cast<Kind>(draw(0, 4));
    begin_ = draw(1, m);
    if (kind_ == Kind::swap_far) {
      end_ = draw(2, m - 1);
      if (end_ >= begin_) ++end_;
      return;
    }
    // Pieces of all sizes: of 2 to 2^k + 1 positions, k uniform
    const std::uint32_t magnitudes = static_cast<std::uint32_t>(std::bit_width(m - 1));
    const std::uint32_t length = std::min(m, 2 + draw(3, std::uint32_t{1} << draw(2, magnitudes)));
    begin_ = std::min(begin_, m - length);
    end_ = begin_ + length;
    middle_ = begin_ + 1 + draw(4, length - 1);
    if (kind_ == Kind::swap_near) --end_;
  }

  void apply(std::vector<std::uint32_t>& order) const { change(order, middle_); }
  void undo(std::vector<std::uint32_t>& order) const { change(order, begin_ + (end_ - middle_)); }

 private:
  enum class Kind : std::uint8_t { swap_far, swap_near, reverse, exchange };
  static constexpr std::uint64_t kWords = 8;

  void change(std::vector<std::uint32_t>& order, std::uint32_t middle) const {
    const auto at = [&](std::uint32_t k) { return order.begin() + static_cast<std::ptrdiff_t>(k); };
    if (kind_ == Kind::reverse)
      std::reverse(at(begin_), at(end_));
    else if (kind_ == Kind::exchange)
      std::rotate(at(begin_), at(middle), at(end_));
    else
      std::swap(order[begin_], order[end_]);
  }

  Kind kind_;
  std::uint32_t begin_;
  std::uint32_t end_ = 0;
  std::uint32_t middle_ = 0;
};

}  // namespace orderlab
