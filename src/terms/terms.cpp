// Storage of terms: allocation that is refused rather than fatal, products, the hash.
#include "orderlab/terms.hpp"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "core/stop.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

static_assert(std::endian::native == std::endian::little, "hashes and raw files are little endian, as storage is");

namespace {

std::size_t bytes_each(Format format) { return info(format).held_bytes(); }

double bytes_of(std::size_t n, Format format) {
  return static_cast<double>(n) * static_cast<double>(bytes_each(format));
}

[[noreturn]] void refuse_size(std::size_t n, Format format) {
  throw Error(ErrorKind::unsupported, std::to_string(n) + " terms of " + std::string(info(format).name) + ": needs " +
                                          bytes_in_words(bytes_of(n, format)) + " of memory and " +
                                          bytes_in_words(available_bytes()) +
                                          " are free; take fewer terms or a narrower format");
}

constexpr std::size_t kHashedAtOnce = std::size_t{1} << 22;  // bytes between looks after a stop

void require_terms(std::size_t n) {
  if (n == 0) throw Error(ErrorKind::usage, "n = 0: there is nothing to add; a sum needs at least 1 term");
}

}  // namespace

Terms::Terms(Format format, std::size_t n) : format_(format), n_(n) {
  require_terms(n);
  constexpr double kSmall = 0x1p26;  // for fewer bytes, asking for the free memory costs more than it saves
  if (bytes_of(n, format) > kSmall && bytes_of(n, format) > available_bytes()) refuse_size(n, format);
  try {
    data_.resize(n * bytes_each(format));
  } catch (const std::bad_alloc&) {
    refuse_size(n, format);
  } catch (const std::length_error&) {
    refuse_size(n, format);
  }
}

Terms::Terms(Format format, std::size_t n, std::shared_ptr<const std::byte> numbers)
    : format_(format), n_(n), borrowed_(std::move(numbers)) {
  require_terms(n);
}

TermView Terms::view() const { return {format_, n_, bytes().data(), factors_ ? factors_->bytes().data() : nullptr}; }

void Terms::set(std::size_t i, double value) {
  const FloatEnvironment environment;
  with_type_of(format_, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    numbers<T>(*this)[i] = rounded_term<T>(format_, value);
  });
}

std::span<std::byte> Terms::bytes() {
  if (borrowed_) {
    Terms own(format_, n_);
    std::memcpy(own.data_.data(), borrowed_.get(), own.data_.size());
    data_ = std::move(own.data_);
    borrowed_.reset();
  }
  return data_;
}

std::span<const std::byte> Terms::bytes() const {
  if (borrowed_) return {borrowed_.get(), n_ * bytes_each(format_)};
  return data_;
}

Terms Terms::owned() const {
  Terms own = *this;
  own.bytes();
  if (factors_) own.factors_ = std::make_shared<const Terms>(factors_->owned());
  return own;
}

void Terms::multiply_by(Terms factors) {
  if (factors.n_ != n_)
    throw Error(ErrorKind::input, "a product of " + std::to_string(n_) + " terms and " + std::to_string(factors.n_) +
                                      " factors: the numbers differ; give as many factors as terms");
  if (factors.format_ != format_)
    throw Error(ErrorKind::input, "a product of " + std::string(info(format_).name) + " terms and " +
                                      std::string(info(factors.format_).name) +
                                      " factors: the formats differ; name one format for both");
  if (factors_ || factors.factors_)
    throw Error(ErrorKind::input, "a product of products: a term is one number or two factors; multiply once only");
  inexact_ += factors.inexact_;
  factors_ = std::make_shared<const Terms>(std::move(factors));
}

std::string Terms::hash() const {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  if (!state) throw std::bad_alloc();
  XXH3_128bits_reset(state.get());
  for (const Terms* each : {this, factors_.get()}) {
    if (each == nullptr) continue;
    const std::span<const std::byte> bytes = each->bytes();
    for (std::size_t first = 0; first < bytes.size(); first += kHashedAtOnce) {
      stop_point();
      XXH3_128bits_update(state.get(), bytes.data() + first, std::min(kHashedAtOnce, bytes.size() - first));
    }
  }
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state.get()));
  std::string text = "xxh3:";
  for (const unsigned char byte : canonical.digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

}  // namespace orderlab
