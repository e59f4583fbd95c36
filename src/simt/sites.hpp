// The places of a program from which memory was accessed, as small numbers that fit the record of an access.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <vector>

namespace orderlab::simt {

/// An instruction, or the call of an atomic.
struct Site {
  const void* instruction = nullptr;  ///< behind the call that tells of the access; null for an atomic
  std::source_location where{};       ///< where the atomic is called
};

class Sites {
 public:
  /// The number of that site; 0, which is no site, where the table is full.
  std::uint16_t number(const Site& site) {
    const std::uint64_t key = site.instruction != nullptr ? reinterpret_cast<std::uintptr_t>(site.instruction)
                                                          : ~reinterpret_cast<std::uintptr_t>(site.where.file_name()) -
                                                                (std::uint64_t{site.where.line()} << 40);
    std::size_t i = static_cast<std::size_t>(key * 0x9E3779B97F4A7C15 >> kShift);
    while (entries_[i].key != key) {
      if (entries_[i].key == 0) {
        if (count_ == kEntries / 2) return 0;
        ++count_;
        entries_[i] = {key, site};
        if (site.instruction != nullptr) entries_[i].site.where = {};
        break;
      }
      i = (i + 1) % kEntries;
    }
    return static_cast<std::uint16_t>(i + 1);
  }

  Site operator[](std::uint16_t number) const { return number == 0 ? Site{} : entries_[number - 1u].site; }

 private:
  struct Entry {
    std::uint64_t key = 0;
    Site site;
  };
  static constexpr std::size_t kEntries = 4096;
  static constexpr int kShift = 64 - std::countr_zero(kEntries);

  std::vector<Entry> entries_ = std::vector<Entry>(kEntries);
  std::size_t count_ = 0;
};

}  // namespace orderlab::simt
