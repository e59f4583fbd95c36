#include "host_program/record_writer.hpp"

#include <xxhash.h>

#include <cstring>
#include <iostream>

namespace orderlab::host_program {

namespace {

constexpr std::size_t bytes_of(NumberType type) {
  constexpr std::size_t kBytes[] = {1, 2, 2, 4, 8, 4, 4, 8, 8};
  return kBytes[static_cast<std::size_t>(type)];
}

}  // namespace

std::string_view name_of(NumberType type) {
  constexpr std::string_view kNames[] = {"bytes", "fp16", "bf16", "fp32", "fp64", "int32", "uint32", "int64", "uint64"};
  return kNames[static_cast<std::size_t>(type)];
}

RecordWriter::RecordWriter(const std::string& file) {
  if (!file.empty()) file_.open(file, std::ios::app);
}

void RecordWriter::find(const Finding& finding) {
  write(line_of(finding));
  if (!file_.is_open() && is_fault(finding.kind)) std::cerr << finding.place << ": " << finding.text << std::endl;
}

void RecordWriter::find_once(const Finding& finding) {
  if (found_.insert(line_of(finding)).second) find(finding);
}

void RecordWriter::write_copy(std::uint64_t number, CopiedBack copy, NumberType type, const void* data) {
  if (!file_.is_open()) return;
  copy.hash = XXH3_64bits(data, copy.bytes);
  const std::size_t size = bytes_of(type);
  for (std::size_t i = 0; i < kMostNumbers && (i + 1) * size <= copy.bytes; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, static_cast<const std::byte*>(data) + i * size, size);
    copy.numbers.push_back(bits);
  }
  copies_[number] = line_of(copy);
  while (!copies_.empty() && copies_.begin()->first == written_copies_) {
    write(copies_.begin()->second);
    copies_.erase(copies_.begin());
    ++written_copies_;
  }
}

void RecordWriter::finish() {
  for (const auto& [number, line] : copies_) write(line);
  copies_.clear();
  for (auto& [key, count] : launches_) {
    count.place = key.first;
    count.kernel = key.second;
    write(line_of(count));
  }
  launches_.clear();
}

void RecordWriter::write(const std::string& line) {
  if (file_.is_open()) file_ << line << std::flush;
}

}  // namespace orderlab::host_program
