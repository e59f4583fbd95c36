// XXH3-128, by which sweeps tell points, plans and rows of a store from each other.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace orderlab {

struct ContentHash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  auto operator<=>(const ContentHash&) const = default;

  /// "xxh3:" and 32 hex digits.
  std::string text() const;

  /// 16 bytes, the high ones first.
  std::string bytes() const;

  /// What text() or bytes() wrote; empty for anything else.
  static std::optional<ContentHash> from_text(std::string_view text);
  static std::optional<ContentHash> from_bytes(std::string_view bytes);

  /// For hash tables.
  struct Key {
    std::size_t operator()(const ContentHash& hash) const { return hash.low; }
  };
};

/// Hashes bytes that come piece by piece; the pieces' limits do not count.
class ContentHasher {
 public:
  ContentHasher();
  ~ContentHasher();
  ContentHasher(const ContentHasher&) = delete;
  ContentHasher& operator=(const ContentHasher&) = delete;

  void add(std::string_view bytes);
  ContentHash digest() const;

  /// As new.
  void clear();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

ContentHash hash_of(std::string_view bytes);

}  // namespace orderlab
