#include "simt/shared_memory.hpp"

#include <cstring>

#include "orderlab/simt_thread.hpp"

namespace orderlab::cuda {

// The one that the kernels of this library declare.
ORDERLAB_DYNAMIC_SHARED(unsigned char, dynamic_shared);

}  // namespace orderlab::cuda

namespace orderlab::simt {
namespace {

constinit const DynamicSharedArray* first_array = nullptr;  // set before main, by the arrays themselves

}  // namespace

DynamicSharedArray::DynamicSharedArray(void* (*get)()) : address_(get), next_(first_array) { first_array = this; }

const DynamicSharedArray* DynamicSharedArray::first() { return first_array; }

void SharedImage::save() {
  for (Word& word : words_) std::memcpy(&word.value, word.address, sizeof word.value);
}

void SharedImage::restore() const {
  for (const Word& word : words_) std::memcpy(word.address, &word.value, sizeof word.value);
}

void SharedMemory::begin_launch(std::size_t dynamic_bytes) {
  dynamic_bytes_ = dynamic_bytes;
  dynamic_arrays_.clear();
  for (const auto* array = DynamicSharedArray::first(); array != nullptr; array = array->next())
    dynamic_arrays_.push_back({static_cast<std::byte*>(array->address()), kDynamicSharedBytes});
}

const SharedPlace* SharedMemory::find(const void* address, std::size_t bytes) {
  if (!place_.region.contains(address, bytes)) {
    std::size_t i = 0;
    while (i < regions_.size() && !regions_[i].contains(address, bytes)) ++i;
    if (i == regions_.size()) return nullptr;
    place_.region = regions_[i];
    place_.number = i;
  }
  place_.offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - place_.region.begin);
  return &place_;
}

const SharedPlace* SharedMemory::discover(const void* address, std::size_t bytes) {
  const auto segment = thread_local_segment(address);
  if (!segment || !segment->contains(address, bytes)) return nullptr;
  regions_.push_back(*segment);
  return find(address, bytes);
}

const MemoryRange* SharedMemory::dynamic_array(const void* address) const {
  for (const MemoryRange& array : dynamic_arrays_)
    if (array.contains(address, 1)) return &array;
  return nullptr;
}

}  // namespace orderlab::simt
