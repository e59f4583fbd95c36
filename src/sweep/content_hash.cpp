#include "sweep/content_hash.hpp"

#include <fmt/format.h>

// Needs the full definition, to hold the state of the stream by value.
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

namespace orderlab {

namespace {

constexpr std::string_view kPrefix = "xxh3:";
constexpr std::size_t kDigits = 16;  // hex digits of each half

ContentHash from(XXH128_hash_t hash) { return {hash.high64, hash.low64}; }

// By hand: plans have millions of hashes.
bool read_half(std::string_view digits, std::uint64_t& half) {
  bool valid = true;
  for (const char c : digits) {
    const auto digit = static_cast<unsigned>(c - '0');
    const auto letter = static_cast<unsigned>(c - 'a');
    valid = valid && (digit < 10 || letter < 6);
    half = half << 4 | (digit < 10 ? digit : letter + 10);
  }
  return valid;
}

}  // namespace

std::string ContentHash::text() const { return fmt::format("{}{:016x}{:016x}", kPrefix, high, low); }

std::string ContentHash::bytes() const {
  std::string all;
  for (const std::uint64_t half : {high, low})
    for (int shift = 56; shift >= 0; shift -= 8) all += static_cast<char>((half >> shift) & 255);
  return all;
}

std::optional<ContentHash> ContentHash::from_text(std::string_view text) {
  ContentHash hash;
  if (!text.starts_with(kPrefix) || text.size() != kPrefix.size() + 2 * kDigits) return std::nullopt;
  text.remove_prefix(kPrefix.size());
  if (!read_half(text.substr(0, kDigits), hash.high) || !read_half(text.substr(kDigits), hash.low)) return std::nullopt;
  return hash;
}

std::optional<ContentHash> ContentHash::from_bytes(std::string_view bytes) {
  if (bytes.size() != 16) return std::nullopt;
  ContentHash hash;
  for (std::size_t i = 0; i < 16; ++i) {
    std::uint64_t& half = i < 8 ? hash.high : hash.low;
    half = half << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return hash;
}

struct ContentHasher::State {
  XXH3_state_t state;
};

ContentHasher::ContentHasher() : state_(std::make_unique<State>()) { clear(); }

ContentHasher::~ContentHasher() = default;

void ContentHasher::clear() { XXH3_128bits_reset(&state_->state); }

void ContentHasher::add(std::string_view bytes) { XXH3_128bits_update(&state_->state, bytes.data(), bytes.size()); }

ContentHash ContentHasher::digest() const { return from(XXH3_128bits_digest(&state_->state)); }

ContentHash hash_of(std::string_view bytes) { return from(XXH3_128bits(bytes.data(), bytes.size())); }

}  // namespace orderlab
