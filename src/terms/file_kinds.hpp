// Which reader takes which file: by its extension.
#pragma once

#include <filesystem>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "core/text.hpp"
#include "terms/files.hpp"

namespace orderlab {

/// An extension, with its dot, and what reads a file that has it.
template <class Reader>
struct FileKind {
  std::string_view extension;
  Reader reader;
};

/// call(reader, file) for the file at `path`, or standard input for "-". `text` reads what has no extension of its own:
/// standard input and pipes.
///
/// Errors: input for a file that cannot be opened or has another extension; unsupported for one larger than memory.
template <class Reader, std::size_t Kinds, class Call>
auto read_by_extension(const std::string& path, const FileKind<Reader> (&kinds)[Kinds], Reader text, Call call) {
  try {
    if (path == "-") {
      InputFile file = InputFile::standard_input();
      return call(text, file);
    }
    InputFile file(path, "name a file of numbers, or - for text on standard input");
    const std::string extension = std::filesystem::path(path).extension().string();
    std::string known;
    for (const FileKind<Reader>& kind : kinds) {
      if (kind.extension == extension) return call(kind.reader, file);
      known += std::string(kind.extension) + ", ";
    }
    if (!file.size()) return call(text, file);  // a pipe such as <(command) has no name of its own
    throw file_error(path, (extension.empty() ? "no extension" : "unknown extension " + in_quotes(extension)) +
                               std::string("; known: ") + known + "and - for text on standard input");
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::unsupported, path + ": needs more memory than this machine has; split the file");
  }
}

}  // namespace orderlab
