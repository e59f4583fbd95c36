// The arrays of a simulated GPU's memory, with exact bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "simt/image.hpp"
#include "simt/shadow.hpp"

namespace orderlab::simt {

/// One array, with guard zones on both sides that no other array touches.
struct DeviceArray : MemoryRange {
  bool writable = false;
  std::size_t number = 0;  ///< counted from 0 in the order of allocation
  Shadow shadow;           ///< made at the first access of a kernel
};

class DeviceMemory {
 public:
  /// A copy of `bytes` bytes at `values`, or as many zero bytes where that is null. Aligned as cudaMalloc does it.
  void* allocate(const void* values, std::size_t bytes, bool writable);

  /// The array that holds all of [address, address + bytes), or null.
  DeviceArray* find(const void* address, std::size_t bytes) {
    if (last_ != nullptr && last_->contains(address, bytes)) return last_;
    std::swap(last_, before_last_);
    if (last_ != nullptr && last_->contains(address, bytes)) return last_;
    DeviceArray* array = search(address);
    if (array == nullptr || !array->contains(address, bytes)) return nullptr;
    return last_ = array;
  }

  /// The array whose bytes or guard zones hold `address`, or null.
  const DeviceArray* near(const void* address) const;

 private:
  struct Free {
    void operator()(std::byte* storage) const { std::free(storage); }
  };
  struct Entry {
    DeviceArray array;
    std::unique_ptr<std::byte[], Free> storage;
  };

  DeviceArray* search(const void* address) const;

  std::vector<std::unique_ptr<Entry>> entries_;  ///< by address
  DeviceArray* last_ = nullptr;
  DeviceArray* before_last_ = nullptr;
};

}  // namespace orderlab::simt
