#include "cli/file_table.hpp"

#include "files/file_address.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

// What is written to a pipe or a device adds to what was written before, and undoes nothing.
bool can_be_lost(const FilePlace& place) {
  return place.error == 0 && (place.kind == FileKind::absent || place.kind == FileKind::regular);
}

bool same_file(const FilePlace& a, const FilePlace& b) {
  return can_be_lost(a) && can_be_lost(b) && a.identity == b.identity;
}

[[noreturn]] void refuse_loss(const std::string& output, const std::string& written, const std::string& read) {
  const std::string what = read == "-"       ? "is standard input"
                           : read == written ? "is read by this command"
                                             : "is the same file as " + read + ", which is read";
  throw Error(ErrorKind::usage,
              output + " " + written + ": " + what + ", and would be lost; name another file to write");
}

}  // namespace

void FileTable::reads(const std::string& path) {
  if (path.empty()) return;
  const std::string file = file_address(path).path;
  inputs_.push_back({file == "-" ? place_of_standard_input() : place_of(file), file, {}});
  for (const Entry& output : outputs_)
    if (same_file(inputs_.back().place, output.place)) refuse_loss(output.flag, output.path, file);
}

void FileTable::writes(const std::string& flag, const std::string& path) {
  if (path.empty()) return;
  FilePlace place;
  if (path == "-") {
    place.kind = FileKind::pipe;
    place.standard_output = true;
  } else {
    place = place_of(path);
  }
  for (const Entry& input : inputs_)
    if (same_file(input.place, place)) refuse_loss(flag, path, input.path);
  for (const Entry& other : outputs_) {
    if (other.flag == flag && other.path == path) return;
    const std::string both = other.flag + " " + other.path + " and " + flag + " " + path + ": ";
    if (other.place.standard_output && place.standard_output)
      throw Error(ErrorKind::usage, both + "both want standard output; name a file for one of them");
    if (same_file(other.place, place)) throw Error(ErrorKind::usage, both + "name the same file; name two");
  }
  outputs_.push_back({std::move(place), path, flag});
}

}  // namespace orderlab::cli
