// Merging extents, and extents as bytes: 'X', version 1, the format, the reference in as many bytes as its format has,
// the lowest first, the three counts, and where a result is finite the least and the greatest.
#include <algorithm>
#include <cmath>

#include "core/arithmetic_guard.hpp"
#include "core/bytes.hpp"
#include "core/float_environment.hpp"
#include "orderlab/counts.hpp"
#include "orderlab/error.hpp"

namespace orderlab {
namespace {

constexpr char kExtentLetter = 'X';
constexpr char kExtentVersion = 1;

}  // namespace

void Extent::add(std::uint64_t bits) {
  const FloatEnvironment environment;
  ++samples_;
  if (bits != reference_) ++different_;
  const double value = value_of_bits(format_, bits) + 0.0;  // -0 and +0 are one extreme, whichever came first
  if (std::isfinite(value)) {
    least_ = std::min(least_, value);
    greatest_ = std::max(greatest_, value);
  } else {
    ++nonfinite_;
  }
}

void Extent::merge(const Extent& other) {
  const FloatEnvironment environment;
  if (other.format_ != format_ || other.reference_ != reference_)
    throw Error(ErrorKind::usage, "extents: results compared with " + bits_text(format_, reference_) + " and with " +
                                      bits_text(other.format_, other.reference_) +
                                      " cannot be merged; both must have one reference in one format");
  samples_ += other.samples_;
  different_ += other.different_;
  nonfinite_ += other.nonfinite_;
  least_ = std::min(least_, other.least_);
  greatest_ = std::max(greatest_, other.greatest_);
}

std::string Extent::wire() const {
  std::string bytes{kExtentLetter, kExtentVersion, static_cast<char>(format_)};
  for (int shift = 0; shift < info(format_).bits; shift += 8) bytes += static_cast<char>((reference_ >> shift) & 255);
  put_varint(bytes, samples_);
  put_varint(bytes, different_);
  put_varint(bytes, nonfinite_);
  if (finite()) {
    put_fp64(bytes, least_);
    put_fp64(bytes, greatest_);
  }
  return bytes;
}

/// Whether some samples have these counts and extremes.
bool Extent::possible() const {
  if (different_ > samples_ || nonfinite_ > samples_) return false;
  const auto is_result = [&](double value) {
    return std::isfinite(value) && value_of_bits(format_, round_to_bits(format_, value)) == value &&
           !(value == 0 && std::signbit(value));
  };
  if (finite() && !(is_result(least_) && is_result(greatest_) && least_ <= greatest_)) return false;
  if (different_ == samples_) return true;  // no result is the reference
  const double reference = value_of_bits(format_, reference_);
  if (!std::isfinite(reference)) return nonfinite_ >= samples_ - different_;
  return nonfinite_ <= different_ && finite() && least_ <= reference && reference <= greatest_;
}

Extent Extent::from_wire(std::string_view bytes) {
  const FloatEnvironment environment;
  ByteReader reader(bytes, "extent", "the wire form of an extent");
  reader.header(kExtentLetter, kExtentVersion);
  const Format format = reader.result_format();
  Extent extent(format, 0);
  for (int shift = 0; shift < info(format).bits; shift += 8) extent.reference_ |= std::uint64_t{reader.byte()} << shift;
  extent.samples_ = reader.varint();
  extent.different_ = reader.varint();
  extent.nonfinite_ = reader.varint();
  if (extent.finite()) {
    extent.least_ = reader.fp64();
    extent.greatest_ = reader.fp64();
  }
  if (!extent.possible()) reader.refuse("counts and extremes that no samples have");
  reader.end();
  return extent;
}

}  // namespace orderlab
