#include "simt/shared_memory.hpp"

#include <atomic>
#include <cstring>

#include "orderlab/simt.hpp"
#include "orderlab/simt_thread.hpp"
#include "simt/device_memory.hpp"

// The memory of all dynamic arrays: ORDERLAB_DYNAMIC_SHARED gives it more names.
extern thread_local unsigned char orderlab_dynamic_shared_memory[];
alignas(orderlab::simt::kSharedAlignment) thread_local unsigned char orderlab_dynamic_shared_memory
    [orderlab::simt::kMaxDynamicSharedBytes];

namespace orderlab::simt {
namespace {

std::atomic<bool> some_bounds_unknown = false;

}  // namespace

std::string unchecked() {
  std::string text;
  if (some_bounds_unknown)
    text =
        "bounds of static shared arrays were not checked: the program has no symbol table (stripped), or orderlab was "
        "built without libdw";
  if (records_were_dropped())
    text += std::string(text.empty() ? "" : "; ") +
            "conflicts were not looked for in some arrays: there was no memory for it; check smaller ones, or give the process more";
  return text;
}

void SharedImage::save() {
  for (Word& word : words_) std::memcpy(&word.value, word.address, sizeof word.value);
}

void SharedImage::restore() const {
  for (const Word& word : words_) std::memcpy(word.address, &word.value, sizeof word.value);
}

void SharedMemory::begin_launch(std::size_t dynamic_bytes) {
  dynamic_ = {reinterpret_cast<std::byte*>(orderlab_dynamic_shared_memory), kMaxDynamicSharedBytes};
  dynamic_bytes_ = dynamic_bytes;
  static_bytes_ = 0;
  ++launch_;
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
  const VariableTable* const variables = thread_local_variables(segment->module);
  regions_.push_back({*segment, variables, std::vector<std::uint64_t>(variables == nullptr ? 0 : variables->size())});
  return find(address, bytes);
}

SharedMemory::Use SharedMemory::use(const SharedPlace& place, std::size_t bytes) {
  const std::byte* const address = place.region.begin + place.offset;
  if (is_dynamic(address))
    return MemoryRange{dynamic_.begin, dynamic_bytes_}.contains(address, bytes) ? Use::allowed : Use::out_of_bounds;
  SharedRegion& region = regions_[place.number];
  if (region.variables == nullptr) {
    some_bounds_unknown = true;
    return Use::allowed;
  }
  const std::size_t i = region.variables->find(place.offset, bytes);
  if (i == VariableTable::kNone) return Use::out_of_bounds;
  if (region.used[i] != launch_) {
    const Variable& variable = (*region.variables)[i];
    if (variable.of_the_compiler) return Use::of_the_compiler;
    region.used[i] = launch_;
    static_bytes_ += variable.bytes;
  }
  return Use::allowed;
}

std::string SharedMemory::describe(const void* address) const {
  if (is_dynamic(address))
    return " at byte " + std::to_string(dynamic_offset(address)) + " of dynamic shared memory of " +
           std::to_string(dynamic_bytes_) + " bytes" +
           (dynamic_bytes_ == 0 ? " (a launch gives their number as its third argument)" : "");
  for (const SharedRegion& region : regions_) {
    if (!region.contains(address, 1) || region.variables == nullptr) continue;
    const std::ptrdiff_t offset = static_cast<const std::byte*>(address) - region.begin;
    const Variable* const variable = region.variables->nearest(static_cast<std::size_t>(offset));
    if (variable == nullptr) continue;
    const SourceName name = source_name(variable->name);
    return " at byte " + std::to_string(offset - static_cast<std::ptrdiff_t>(variable->begin)) +
           " of static shared array \"" + name.variable + "\"" +
           (name.function.empty() ? "" : " (" + name.function + ")") + " of " + std::to_string(variable->bytes) +
           " bytes";
  }
  return " of static shared memory";
}

}  // namespace orderlab::simt
