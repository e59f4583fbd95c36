// What is remembered of every word of writable memory: who wrote and read it last, and under which synchronisation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace orderlab::simt {

enum class AccessKind : std::uint8_t { read, write, atomic };

/// One access, dated by what had been synchronised before it.
struct Access {
  std::uint32_t block;  ///< linear index of the thread block
  std::uint32_t epoch;  ///< barriers that the thread block had passed
  std::uint32_t stamp;  ///< warp synchronisations that the warp had passed
  std::uint32_t time;   ///< fences of the launch before it
  std::uint16_t thread;
  AccessKind kind;
  bool present;  ///< there was such an access
};

/// The record of one word, or of one byte of a word that is accessed in parts. Records of another generation (a thread
/// block that is gone, an earlier launch) do not count.
struct Cell {
  std::uint64_t generation;
  Access write;               ///< the latest, as of all three
  Access atomic;              ///< since that write
  Access other_atomic;        ///< of another thread of its thread block, that nothing orders before it
  Access read;                ///< since that write
  std::uint32_t readers;      ///< lanes of the warp of `read` that read since the last write or synchronisation
  std::uint32_t other_block;  ///< a thread block other than that of `read` that read too
  std::uint32_t other_time;
  bool several_warps;  ///< of the thread block of `read`, in its epoch, read
  bool other_read;
  bool split;    ///< the records are those of the bytes
  bool touched;  ///< the word is in the list of those that a resident thread block owns

  void begin(std::uint64_t new_generation) {
    if (generation == new_generation) return;
    *this = Cell{};
    generation = new_generation;
  }
};

/// The cells of one stretch of memory. Empty pages of it are never touched.
class Shadow {
 public:
  Shadow() = default;
  explicit Shadow(std::size_t bytes) : words_(zeros(bytes / kWord + 1)), word_count_(bytes / kWord + 1) {}

  explicit operator bool() const { return words_ != nullptr; }
  static constexpr std::size_t kWord = 4;

  Cell& word(std::size_t offset, std::uint64_t generation) {
    Cell& cell = words_[offset / kWord];
    cell.begin(generation);
    return cell;
  }

  /// Calls f for the cells of the `bytes` bytes at `offset`: one for a whole word, else one for each byte.
  template <class F>
  void for_each(std::size_t offset, std::size_t bytes, std::uint64_t generation, F&& f) {
    const std::size_t end = offset + bytes;
    while (offset < end) {
      const std::size_t next = std::min(end, (offset / kWord + 1) * kWord);
      Cell& cell = word(offset, generation);
      if (!cell.split && next - offset == kWord) {
        f(cell);
      } else {
        if (!cell.split) split(cell, offset / kWord);
        for (std::size_t i = offset; i < next; ++i) {
          bytes_[i].begin(generation);
          f(bytes_[i]);
        }
      }
      offset = next;
    }
  }

 private:
  struct Free {
    void operator()(Cell* cells) const { std::free(cells); }
  };
  using Cells = std::unique_ptr<Cell[], Free>;

  static Cells zeros(std::size_t count) {
    auto* cells = static_cast<Cell*>(std::calloc(count, sizeof(Cell)));  // large ones come untouched from the system
    if (cells == nullptr) throw std::bad_alloc();
    return Cells(cells);
  }

  void split(Cell& cell, std::size_t word_index) {
    if (!bytes_) bytes_ = zeros(word_count_ * kWord);
    for (std::size_t i = 0; i < kWord; ++i) bytes_[word_index * kWord + i] = cell;
    cell.split = true;
  }

  Cells words_;
  Cells bytes_;
  std::size_t word_count_ = 0;
};

}  // namespace orderlab::simt
