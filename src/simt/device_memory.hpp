// The arrays of a simulated GPU's memory, with exact bounds, and the variables that kernels' sources declare in it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simt/image.hpp"
#include "simt/shadow.hpp"

namespace orderlab::simt {

/// What an array holds before anything is written to it.
enum class Contents : std::uint8_t { values, zeros, unwritten };

enum class ArrayState : std::uint8_t {
  ready,
  freed,           ///< its addresses stay its own
  of_another_gpu,  ///< which the one that runs may not access
};

/// Bytes from `begin` to before `end`.
struct ByteInterval {
  std::size_t begin;
  std::size_t end;
};

/// The bytes of an array that a launch has accessed.
class AccessedBytes {
 public:
  /// That of the latest access.
  std::uint64_t launch() const { return launch_; }

  /// From the first to the last.
  ByteInterval hull() const { return hull_; }

  void add(std::uint64_t launch, std::size_t first, std::size_t last) {
    if (launch_ != launch) hull_ = {first, last};
    launch_ = launch;
    hull_ = {std::min(hull_.begin, first), std::max(hull_.end, last)};
    if (lines_.size() * kLine < last) lines_.resize((last + kLine - 1) / kLine);
    while (first < last) {
      const std::size_t next = std::min(last, (first / kLine + 1) * kLine);
      Line& line = lines_[first / kLine];
      if (line.launch != launch) line = {launch, 0};
      line.bits |= (~std::uint64_t{0} >> (kLine - (next - first))) << first % kLine;
      first = next;
    }
  }

  /// What the launch has accessed, by address, as far as it is not more than `most` intervals.
  std::vector<ByteInterval> intervals(std::size_t most) const;

 private:
  static constexpr std::size_t kLine = 64;  ///< bytes, as many as bits of a word

  struct Line {
    std::uint64_t launch = 0;
    std::uint64_t bits = 0;
  };

  std::uint64_t launch_ = 0;
  ByteInterval hull_{};
  std::vector<Line> lines_;
};

/// Some of the bytes of an array.
class ByteSet {
 public:
  ByteSet() = default;
  explicit ByteSet(std::size_t bytes) : words_(bytes / kBits + 1) {}

  bool empty() const { return words_.empty(); }

  /// Whether it holds all bytes of [begin, begin + count), or any.
  bool holds_all(std::size_t begin, std::size_t count) const {
    return for_each_word(begin, count, [&](std::size_t i, std::uint64_t mask) { return (words_[i] & mask) == mask; });
  }
  bool holds_any(std::size_t begin, std::size_t count) const {
    return !for_each_word(begin, count, [&](std::size_t i, std::uint64_t mask) { return (words_[i] & mask) == 0; });
  }
  void add(std::size_t begin, std::size_t count) {
    for_each_word(begin, count, [&](std::size_t i, std::uint64_t mask) {
      words_[i] |= mask;
      return true;
    });
  }

 private:
  static constexpr std::size_t kBits = 64;

  /// Calls f(index, bits) while it says so.
  template <class F>
  static bool for_each_word(std::size_t begin, std::size_t count, F&& f) {
    while (count != 0) {
      const std::size_t bits = std::min(count, kBits - begin % kBits);
      if (!f(begin / kBits, (~std::uint64_t{0} >> (kBits - bits)) << begin % kBits)) return false;
      begin += bits;
      count -= bits;
    }
    return true;
  }

  std::vector<std::uint64_t> words_;
};

/// One array, with guard zones on both sides that no other array touches; or one variable of the program, without.
struct DeviceArray : MemoryRange {
  bool writable = false;
  bool is_variable = false;
  bool has_guards = true;
  ArrayState state = ArrayState::ready;
  std::size_t number = 0;        ///< arrays are counted from 0 in the order of allocation
  std::string name = {};         ///< empty: none was given; of a variable as in the symbol table
  Shadow shadow = {};            ///< made at the first access of a kernel
  ByteSet written;               ///< of an array that began unwritten, what has been written; else empty
  ByteSet kept;                  ///< what the launch `kept_in` has read by __ldg
  bool without_records = false;  ///< there was no memory for them: nothing is known of its order and its uses
  std::uint64_t kept_in = 0;
  /// By thread blocks that are checked, by kind of access, where the memory records it.
  std::array<AccessedBytes, 3> accessed;
  std::vector<std::byte> values;   ///< a variable's values on this device, while none of its launches runs
  std::vector<std::byte> initial;  ///< and those of the program

  void drop_records();
};

/// Whether any array of this program had to do without.
bool records_were_dropped();

class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  bool records_accesses = false;

  /// An array of `bytes` bytes, copied from `values` where it holds values. Aligned as cudaMalloc does it.
  void* allocate(const void* values, std::size_t bytes, bool writable, Contents contents, std::string_view name);

  /// Arrays allocated from now on lie in `arena`, one behind the other, and stay there. It is what is free.
  void use_arena(MemoryRange& arena) { arena_ = &arena; }

  /// Memory of the host's that kernels may use, too, from now on until it is dropped. It has no guard zones.
  void adopt(MemoryRange memory, std::string_view name);
  void drop(const void* begin);

  /// Variables in this memory have one value for the host and the device.
  void set_managed(MemoryRange memory) { managed_ = memory; }

  /// Calls f for each array and variable.
  template <class F>
  void for_each(F&& f) {
    for (const auto& entry : entries_) f(entry->array);
  }

  /// The same without variables.
  template <class F>
  void for_each_array(F&& f) {
    for_each([&](DeviceArray& array) {
      if (!array.is_variable) f(array);
    });
  }

  /// Marks an array of the arena as freed and gives its memory back to the system. `begin`: as allocate returned it.
  void release(const void* begin);

  /// The arrays count as written, all of them: somebody may have written them unseen.
  void forget_unwritten();

  /// The variable of the program that holds all of [address, address + bytes), which becomes one of this device; null
  /// where there is none, or where it is not known. While a launch runs, its storage holds this device's values.
  DeviceArray* discover_variable(const void* address, std::size_t bytes);

  /// Bytes at `address` as a launch has left them, or null where no array holds them all. No launch is running.
  const std::byte* after_launches(const void* address, std::size_t bytes);

  /// A launch runs from begin to end. Storage of variables belongs to the whole program, so launches that use some run
  /// one at a time, from the first use on.
  void begin_launch();
  void end_launch();

  /// The array that holds all of [address, address + bytes), or null.
  DeviceArray* find(const void* address, std::size_t bytes) {
    if (last_ != nullptr && last_->contains(address, bytes)) return last_;
    std::swap(last_, before_last_);
    if (last_ != nullptr && last_->contains(address, bytes)) return last_;
    DeviceArray* array = search(address);
    if (array == nullptr || !array->contains(address, bytes)) return nullptr;
    return last_ = array;
  }

  /// Whether an array has bytes or guard zones of `memory`.
  bool overlaps_array(const MemoryRange& memory) const;

  /// The array whose bytes or guard zones hold `address`, or null.
  const DeviceArray* near(const void* address) const;

 private:
  struct Free {
    void operator()(std::byte* storage) const { std::free(storage); }
  };
  struct Entry {
    DeviceArray array;
    std::unique_ptr<std::byte[], Free> storage;  ///< null for a variable, and in an arena
  };

  std::byte* take_storage(Entry& entry, std::size_t bytes);
  DeviceArray* search(const void* address) const;
  const DeviceArray* near(const std::byte* begin, std::size_t bytes) const;
  DeviceArray* insert(std::unique_ptr<Entry> entry);
  void own_variables();

  std::vector<std::unique_ptr<Entry>> entries_;  ///< by address
  std::size_t arrays_ = 0;                       ///< so many were allocated or adopted
  std::vector<DeviceArray*> variables_;
  MemoryRange managed_;
  MemoryRange* arena_ = nullptr;  ///< null: arrays are the allocator's
  std::unique_lock<std::mutex> owns_variables_;
  bool running_ = false;
  DeviceArray* last_ = nullptr;
  DeviceArray* before_last_ = nullptr;
};

}  // namespace orderlab::simt
