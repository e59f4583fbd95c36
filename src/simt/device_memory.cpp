#include "simt/device_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <utility>

#include "simt/symbols.hpp"

namespace orderlab::simt {
namespace {

constexpr std::size_t kAlignment = 256;    // as cudaMalloc: CUDA C++ Programming Guide, "Device Memory Accesses"
constexpr std::size_t kGuardBytes = 4096;  // never touched, so it costs address space only

constexpr int kUnwrittenByte = 0xFF;  // floats: NaN; integers: -1

std::atomic<bool> some_records_dropped = false;

/// Held while storage of variables holds values of one device.
std::mutex variables_mutex;

}  // namespace

std::vector<ByteInterval> AccessedBytes::intervals(std::size_t most) const {
  std::vector<ByteInterval> found;
  for (std::size_t i = hull_.begin / kLine; i * kLine < hull_.end; ++i) {
    std::uint64_t bits = lines_[i].launch == launch_ ? lines_[i].bits : 0;
    while (bits != 0) {
      const auto skipped = static_cast<std::size_t>(std::countr_zero(bits));
      const auto count = static_cast<std::size_t>(std::countr_one(bits >> skipped));
      const std::size_t begin = i * kLine + skipped;
      if (!found.empty() && found.back().end == begin) {
        found.back().end += count;
      } else {
        if (found.size() == most) return found;
        found.push_back({begin, begin + count});
      }
      bits &= skipped + count == kLine ? 0 : ~std::uint64_t{0} << (skipped + count);
    }
  }
  return found;
}

bool records_were_dropped() { return some_records_dropped; }

void DeviceArray::drop_records() {
  some_records_dropped = true;
  without_records = true;
  shadow = {};
  accessed = {};
  kept = {};
  kept_in = 0;
}

void* DeviceMemory::allocate(const void* values, std::size_t bytes, bool writable, Contents contents,
                             std::string_view name) {
  auto entry = std::make_unique<Entry>();
  std::byte* const begin = take_storage(*entry, bytes) + kGuardBytes;
  if (contents != Contents::values)
    std::memset(begin, contents == Contents::zeros ? 0 : kUnwrittenByte, bytes);
  else if (bytes != 0)
    std::memcpy(begin, values, bytes);
  entry->array.begin = begin;
  entry->array.bytes = bytes;
  entry->array.writable = writable;
  entry->array.name = name;
  entry->array.number = arrays_++;
  try {
    if (contents == Contents::unwritten) entry->array.written = ByteSet(bytes);
  } catch (const std::bad_alloc&) {
    entry->array.drop_records();
  }
  return insert(std::move(entry))->begin;
}

std::byte* DeviceMemory::take_storage(Entry& entry, std::size_t bytes) {
  const std::size_t granule = arena_ == nullptr ? kAlignment : kGuardBytes;  // whole pages of an arena
  const std::size_t total = (bytes + 2 * kGuardBytes + granule - 1) / granule * granule;
  if (arena_ == nullptr) {
    entry.storage.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, total)));
    if (!entry.storage) throw std::bad_alloc();
    return entry.storage.get();
  }
  if (total < bytes || total > arena_->bytes) throw std::bad_alloc();
  arena_->bytes -= total;
  return std::exchange(arena_->begin, arena_->begin + total);
}

void DeviceMemory::adopt(MemoryRange memory, std::string_view name) {
  auto entry = std::make_unique<Entry>();
  static_cast<MemoryRange&>(entry->array) = memory;
  entry->array.writable = true;
  entry->array.has_guards = false;
  entry->array.name = name;
  entry->array.number = arrays_++;
  insert(std::move(entry));
}

void DeviceMemory::drop(const void* begin) {
  last_ = before_last_ = nullptr;
  std::erase_if(entries_, [&](const auto& entry) { return entry->array.begin == begin; });
}

void DeviceMemory::release(const void* begin) {
  DeviceArray& array = *search(begin);
  array.state = ArrayState::freed;
  array.shadow = {};
  array.written = {};
  array.accessed = {};
  array.kept = {};
  ::madvise(array.begin, (array.bytes + kGuardBytes - 1) / kGuardBytes * kGuardBytes, MADV_DONTNEED);
}

void DeviceMemory::forget_unwritten() {
  for (const auto& entry : entries_) entry->array.written = {};
}

DeviceArray* DeviceMemory::insert(std::unique_ptr<Entry> entry) {
  const auto place =
      std::upper_bound(entries_.begin(), entries_.end(), entry->array.begin, [](const std::byte* p, const auto& e) {
        return std::less<>()(p, static_cast<const std::byte*>(e->array.begin));
      });
  return &(*entries_.insert(place, std::move(entry)))->array;
}

DeviceArray* DeviceMemory::discover_variable(const void* address, std::size_t bytes) {
  const auto segment = segment_of(address);
  if (!segment) return nullptr;
  const VariableTable* const table = global_variables(segment->module);
  if (table == nullptr) return nullptr;
  const std::size_t i = table->find(reinterpret_cast<std::uintptr_t>(address) - segment->module.bias, bytes);
  if (i == VariableTable::kNone || (*table)[i].of_the_compiler) return nullptr;
  const Variable& found = (*table)[i];
  auto entry = std::make_unique<Entry>();
  DeviceArray& variable = entry->array;
  // An address of the file is a number, and so is where it was loaded.
  variable.begin = reinterpret_cast<std::byte*>(segment->module.bias + found.begin);
  variable.bytes = found.bytes;
  variable.writable = variable.is_variable = true;
  variable.has_guards = false;
  variable.name = found.name;
  if (managed_.contains(variable.begin, variable.bytes)) return insert(std::move(entry));
  own_variables();
  variable.initial.assign(variable.begin, variable.begin + variable.bytes);
  variable.values = variable.initial;
  variables_.push_back(insert(std::move(entry)));
  if (!running_) owns_variables_ = {};
  return variables_.back();
}

void DeviceMemory::own_variables() {
  if (!owns_variables_) owns_variables_ = std::unique_lock(variables_mutex);
}

void DeviceMemory::begin_launch() {
  running_ = true;
  if (variables_.empty()) return;
  own_variables();
  for (const DeviceArray* each : variables_) std::memcpy(each->begin, each->values.data(), each->bytes);
}

void DeviceMemory::end_launch() {
  running_ = false;
  for (DeviceArray* each : variables_) {
    std::memcpy(each->values.data(), each->begin, each->bytes);
    std::memcpy(each->begin, each->initial.data(), each->bytes);
  }
  owns_variables_ = {};
}

const std::byte* DeviceMemory::after_launches(const void* address, std::size_t bytes) {
  const DeviceArray* array = find(address, bytes);
  if (array == nullptr) array = discover_variable(address, bytes);
  if (array == nullptr) return nullptr;
  if (array->values.empty()) return static_cast<const std::byte*>(address);
  return array->values.data() + (static_cast<const std::byte*>(address) - array->begin);
}

DeviceArray* DeviceMemory::search(const void* address) const {
  const auto* p = static_cast<const std::byte*>(address);
  const auto after = std::upper_bound(entries_.begin(), entries_.end(), p, [](const std::byte* q, const auto& e) {
    return std::less<>()(q, static_cast<const std::byte*>(e->array.begin));
  });
  return after == entries_.begin() ? nullptr : &(*std::prev(after))->array;
}

const DeviceArray* DeviceMemory::near(const void* address) const {
  return near(static_cast<const std::byte*>(address), 1);
}

bool DeviceMemory::overlaps_array(const MemoryRange& memory) const {
  return near(memory.begin, memory.bytes) != nullptr;
}

// Compared as integers: arithmetic on a null or dangling pointer is undefined.
const DeviceArray* DeviceMemory::near(const std::byte* begin, std::size_t bytes) const {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  for (const auto& entry : entries_) {
    const DeviceArray& array = entry->array;
    const std::size_t guard = array.has_guards ? kGuardBytes : 0;
    const auto of_array = reinterpret_cast<std::uintptr_t>(array.begin);
    if (of_array - guard < first + bytes && first < of_array + array.bytes + guard) return &array;
  }
  return nullptr;
}

}  // namespace orderlab::simt
