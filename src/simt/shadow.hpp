// What is remembered of every word of writable memory: who wrote and read it last, and under which synchronisation.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace orderlab::simt {

enum class AccessKind : std::uint8_t { read, write, atomic };

/// One access, dated by what had been synchronised before it.
struct Access {
  std::uint32_t block;  ///< linear index of the thread block
  std::uint32_t clock;  ///< barriers and warp synchronisations of the thread block before it
  std::uint32_t time;   ///< fences of the launch before it
  std::uint16_t thread : 10;
  AccessKind kind : 2;
  bool strong : 1;   ///< an atomic, a volatile read, or a volatile write behind a fence: in no conflict with others
  bool present : 1;  ///< there was such an access
  std::uint16_t site;

  /// One that is present, made as two words: its fields one by one take longer than the check of a whole access. Bit
  /// fields begin at the lowest bit in the ABIs of x86-64 and AArch64.
  static Access made(std::uint32_t block, std::uint32_t clock, std::uint32_t time, std::uint16_t thread,
                     AccessKind kind, bool strong, std::uint16_t site) {
    const std::uint64_t bits = thread | static_cast<std::uint64_t>(kind) << 10 |
                               static_cast<std::uint64_t>(strong) << 12 | std::uint64_t{1} << 13;
    return std::bit_cast<Access>(
        Words{block | std::uint64_t{clock} << 32, time | bits << 32 | std::uint64_t{site} << 48});
  }

 private:
  struct Words {
    std::uint64_t first, second;
  };
};
static_assert(sizeof(Access) == 16);

/// What is kept of a cell that several threads use without order among them.
struct MoreAccesses {
  Access other_atomic;  ///< one by another thread of the thread block of `atomic`, that nothing orders before it
  Access other_warp;    ///< latest read by another warp of the thread block of `read`, since its last barrier
  /// Writes of the value of `write`, which nothing ordered before the one that followed: the latest by another warp of
  /// its thread block, and by another thread block.
  Access warp_write;
  Access block_write;
  std::uint32_t other_block;  ///< a thread block other than that of `read` that read too
  std::uint32_t other_time;
  bool other_read;
  bool other_strong;
};

/// The record of one word, or of one byte of a word that is accessed in parts. Records of another generation (a thread
/// block that is gone, an earlier launch) do not count.
struct Cell {
  Access write;           ///< the latest, as of all three
  Access atomic;          ///< since that write; or another strong write
  Access read;            ///< since that write
  std::uint32_t readers;  ///< lanes of the warp of `read` that read since the last write or synchronisation
  std::uint32_t generation;
  std::uint32_t more;  ///< index of its MoreAccesses; 0: none
  bool split;          ///< the records are those of the bytes
  bool touched;        ///< the word is in the list of those that a resident thread block owns
  bool strong_reads;   ///< `readers` did so by volatile reads only

  void begin(std::uint32_t new_generation) {
    if (generation == new_generation) return;
    *this = Cell{};
    generation = new_generation;
  }
};
static_assert(sizeof(Cell) == 64, "a line of the cache, 16 times the word");

/// The cells of one stretch of memory. Empty pages of it are never touched.
class Shadow {
 public:
  Shadow() = default;
  explicit Shadow(std::size_t bytes) : words_(bytes / kWord + 1), word_count_(bytes / kWord + 1) {}

  explicit operator bool() const { return word_count_ != 0; }
  static constexpr std::size_t kWord = 4;

  Cell& word(std::size_t offset, std::uint64_t generation) {
    Cell& cell = words_[offset / kWord];
    cell.begin(static_cast<std::uint32_t>(generation));
    return cell;
  }

  /// Calls f(cell, offset, bytes) for the cells of the `bytes` bytes at `offset`: one for a whole word, else one for
  /// each byte.
  template <class F>
  void for_each(std::size_t offset, std::size_t bytes, std::uint64_t generation, F&& f) {
    if (static_cast<std::uint32_t>(generation) != generation_) begin(static_cast<std::uint32_t>(generation));
    const std::size_t end = offset + bytes;
    while (offset < end) {
      const std::size_t next = std::min(end, (offset / kWord + 1) * kWord);
      Cell& cell = word(offset, generation);
      if (!cell.split && next - offset == kWord) [[likely]]
        f(cell, offset, kWord);
      else
        for_each_byte(cell, offset, next, f);
      offset = next;
    }
  }

  /// More of a cell of the generation that for_each walks; a reference until the next call.
  MoreAccesses& more(Cell& cell) {
    if (cell.more == 0) {
      if (more_.empty()) more_.emplace_back();
      cell.more = static_cast<std::uint32_t>(more_.size());
      more_.emplace_back();
    }
    return more_[cell.more];
  }
  const MoreAccesses& more(const Cell& cell) const { return more_[cell.more]; }

 private:
  /// Zeros, aligned to lines of the cache.
  class Cells {
   public:
    Cells() = default;
    explicit Cells(std::size_t count) : storage_(std::calloc(count + 1, sizeof(Cell))) {
      if (!storage_) throw std::bad_alloc();  // large ones come untouched from the system
      const auto address = reinterpret_cast<std::uintptr_t>(storage_.get());
      first_ = reinterpret_cast<Cell*>((address + sizeof(Cell) - 1) / sizeof(Cell) * sizeof(Cell));
    }
    Cell& operator[](std::size_t i) { return first_[i]; }
    explicit operator bool() const { return first_ != nullptr; }

   private:
    struct Free {
      void operator()(void* storage) const { std::free(storage); }
    };
    std::unique_ptr<void, Free> storage_;
    Cell* first_ = nullptr;
  };

  void begin(std::uint32_t generation) {
    generation_ = generation;
    more_.clear();
  }

  template <class F>
  void for_each_byte(Cell& word, std::size_t from, std::size_t to, F&& f) {
    if (!word.split) split(word, from / kWord);
    for (std::size_t i = from; i < to; ++i) {
      bytes_[i].begin(generation_);
      f(bytes_[i], i, std::size_t{1});
    }
  }

  void split(Cell& cell, std::size_t word_index) {
    if (!bytes_) bytes_ = Cells(word_count_ * kWord);
    for (std::size_t i = 0; i < kWord; ++i) {
      Cell& part = bytes_[word_index * kWord + i];
      part = cell;
      if (cell.more == 0) continue;
      const MoreAccesses copy = more_[cell.more];
      part.more = 0;
      more(part) = copy;
    }
    cell.split = true;
  }

  Cells words_;
  Cells bytes_;
  std::size_t word_count_ = 0;
  std::uint32_t generation_ = 0;
  std::vector<MoreAccesses> more_;  ///< the first one is nobody's
};

}  // namespace orderlab::simt
