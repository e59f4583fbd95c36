#include "simt/device_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>

namespace orderlab::simt {
namespace {

constexpr std::size_t kAlignment = 256;    // of cudaMalloc, CUDA C++ Programming Guide, "Device Memory Accesses"
constexpr std::size_t kGuardBytes = 4096;  // never touched, so it costs address space only

}  // namespace

void* DeviceMemory::allocate(const void* values, std::size_t bytes, bool writable) {
  const std::size_t total = (bytes + 2 * kGuardBytes + kAlignment - 1) / kAlignment * kAlignment;
  auto entry = std::make_unique<Entry>();
  entry->storage.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, total)));
  if (!entry->storage) throw std::bad_alloc();
  std::byte* const begin = entry->storage.get() + kGuardBytes;
  if (values != nullptr && bytes != 0)
    std::memcpy(begin, values, bytes);
  else
    std::memset(begin, 0, bytes);
  entry->array.begin = begin;
  entry->array.bytes = bytes;
  entry->array.writable = writable;
  entry->array.number = entries_.size();
  const auto place = std::upper_bound(entries_.begin(), entries_.end(), begin, [](const std::byte* p, const auto& e) {
    return std::less<>()(p, static_cast<const std::byte*>(e->array.begin));
  });
  entries_.insert(place, std::move(entry));
  return begin;
}

DeviceArray* DeviceMemory::search(const void* address) const {
  const auto* p = static_cast<const std::byte*>(address);
  const auto after = std::upper_bound(entries_.begin(), entries_.end(), p, [](const std::byte* q, const auto& e) {
    return std::less<>()(q, static_cast<const std::byte*>(e->array.begin));
  });
  return after == entries_.begin() ? nullptr : &(*std::prev(after))->array;
}

const DeviceArray* DeviceMemory::near(const void* address) const {
  const auto* p = static_cast<const std::byte*>(address);
  for (const auto& entry : entries_)
    if (std::less_equal<>()(static_cast<const std::byte*>(entry->array.begin) - kGuardBytes, p) &&
        std::less<>()(p, static_cast<const std::byte*>(entry->array.begin) + entry->array.bytes + kGuardBytes))
      return &entry->array;
  return nullptr;
}

}  // namespace orderlab::simt
