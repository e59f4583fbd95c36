// The record of a run as the program writes it: findings, launches and copies, a line each.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "host_program/settings.hpp"
#include "orderlab/host_program.hpp"

namespace orderlab::host_program {

std::string_view name_of(NumberType type);

class RecordWriter {
 public:
  /// No file: findings go to standard error.
  explicit RecordWriter(const std::string& file);

  void find(const Finding& finding);

  /// The same finding a second time is not written.
  void find_once(const Finding& finding);

  /// To be counted up; written at the end.
  LaunchCount& launches_of(const std::string& kernel, const std::string& place) { return launches_[{place, kernel}]; }

  /// Copies are written in the order of these numbers, whenever they are done.
  std::uint64_t next_copy() { return next_copy_++; }

  /// `data`: copy.bytes bytes, which the copy brought.
  void write_copy(std::uint64_t number, CopiedBack copy, NumberType type, const void* data);

  /// What is not written yet.
  void finish();

 private:
  void write(const std::string& line);

  std::ofstream file_;
  std::set<std::string> found_;                                          ///< lines of find_once
  std::map<std::pair<std::string, std::string>, LaunchCount> launches_;  ///< by place and kernel
  std::map<std::uint64_t, std::string> copies_;                          ///< lines that wait for those of earlier calls
  std::uint64_t next_copy_ = 0;
  std::uint64_t written_copies_ = 0;
};

}  // namespace orderlab::host_program
