// The files of one command, so that nothing that it reads or writes is lost to what it writes.
#pragma once

#include <string>
#include <vector>

#include "cli/file_place.hpp"

namespace orderlab::cli {

/// Every path that a command line names is here before anything is written, in any order; not the files that a config
/// names, beside which only a store is written. Two paths are of one file if device and inode say so, whatever the
/// paths look like. "" is no path; pipes and devices may be named twice; "-", and what else leads to standard output,
/// may be written once.
class FileTable {
 public:
  /// Error(usage) where it is already known as an output: it would be lost. "-" is standard input.
  void reads(const std::string& path);

  /// `flag`: who asks for it, such as "--json". Error(usage) where it is read, or written by another flag. Naming the
  /// same flag and path again changes nothing.
  void writes(const std::string& flag, const std::string& path);

 private:
  struct Entry {
    FilePlace place;
    std::string path;
    std::string flag;
  };
  std::vector<Entry> inputs_;
  std::vector<Entry> outputs_;
};

}  // namespace orderlab::cli
