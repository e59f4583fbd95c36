// Exact sums as bytes: 'E', version 1, a kind, and for a number that is not 0 its magnitude in units of 2^-2148,
// without the zero bytes below and above: how many there are below, how many bytes there are, and those, the lowest
// first.
#include <cstddef>

#include "core/arithmetic_guard.hpp"
#include "core/bytes.hpp"
#include "orderlab/exact.hpp"
#include "reference/exact_digits.hpp"

namespace orderlab {
namespace {

constexpr char kSumLetter = 'E';
constexpr char kSumVersion = 1;

/// What further terms can make a difference to: after an infinity no number does, after NaN nothing.
enum class SumKind : std::uint8_t { empty, zero, minus_zero, positive, negative, infinity, minus_infinity, nan };

constexpr std::size_t kWordBytes = 8;

// 2^63 products of two doubles are below 2^2111: 4259 bits. With no more than this, sums of hostile bytes, too, have
// room for more merges than anyone does.
constexpr std::size_t kMostBytes = 533;

std::uint8_t byte_of(std::span<const std::uint64_t> words, std::size_t i) {
  return static_cast<std::uint8_t>(words[i / kWordBytes] >> (8 * (i % kWordBytes)));
}

}  // namespace

std::string ExactSum::wire() const {
  const ExactValue sum = value();
  SumKind kind = sum.negative_ ? SumKind::negative : SumKind::positive;
  if (sum.kind_ == ExactValue::Kind::nan)
    kind = SumKind::nan;
  else if (sum.kind_ == ExactValue::Kind::infinite)
    kind = sum.negative_ ? SumKind::minus_infinity : SumKind::infinity;
  else if (sum.zero())
    kind = empty_ ? SumKind::empty : sum.negative_ ? SumKind::minus_zero : SumKind::zero;

  std::string bytes{kSumLetter, kSumVersion, static_cast<char>(kind)};
  if (kind != SumKind::positive && kind != SumKind::negative) return bytes;
  const auto words = sum.words();
  std::size_t begin = 0;
  std::size_t end = words.size() * kWordBytes;
  while (byte_of(words, begin) == 0) ++begin;
  while (byte_of(words, end - 1) == 0) --end;
  put_varint(bytes, sum.first_ * kWordBytes + begin);
  put_varint(bytes, end - begin);
  for (std::size_t i = begin; i < end; ++i) bytes += static_cast<char>(byte_of(words, i));
  return bytes;
}

ExactSum ExactSum::from_wire(std::string_view bytes) {
  ByteReader reader(bytes, "exact sum", "the wire form of an exact sum");
  reader.header(kSumLetter, kSumVersion);
  const std::uint8_t kind = reader.byte();
  ExactSum sum;
  sum.empty_ = kind == static_cast<std::uint8_t>(SumKind::empty);
  switch (static_cast<SumKind>(kind)) {
    case SumKind::empty:
    case SumKind::minus_zero:
      break;
    case SumKind::infinity:
      sum.positive_infinity_ = true;
      break;
    case SumKind::minus_infinity:
      sum.negative_infinity_ = true;
      break;
    case SumKind::nan:
      sum.nan_ = true;
      break;
    case SumKind::zero:
    case SumKind::positive:
    case SumKind::negative:
      sum.other_than_negative_zero_ = 1;
      break;
    default:
      reader.refuse("a kind of sum that there is not");
  }
  if (kind == static_cast<std::uint8_t>(SumKind::positive) || kind == static_cast<std::uint8_t>(SumKind::negative)) {
    const std::uint64_t begin = reader.varint();
    const std::string_view magnitude = reader.bytes();
    if (begin > kMostBytes || magnitude.size() > kMostBytes - begin) reader.refuse("a sum that is too large");
    if (magnitude.empty() || magnitude.front() == 0 || magnitude.back() == 0)
      reader.refuse("a magnitude that is not without zero bytes around it");
    for (std::size_t i = 0; i < magnitude.size(); ++i) {
      const std::size_t place = begin + i;
      sum.words_[place / kWordBytes].low |= std::uint64_t{static_cast<std::uint8_t>(magnitude[i])}
                                            << (8 * (place % kWordBytes));
    }
    if (kind == static_cast<std::uint8_t>(SumKind::negative))
      for (ExactSum::Word& word : sum.words_) word = {0 - word.low, word.low == 0 ? 0 : -1};
    sum.carry();
  }
  reader.end();
  return sum;
}

}  // namespace orderlab
