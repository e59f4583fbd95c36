// Files of numbers of every kind: which arrays one has, and reading one of them. FILE::NAME says which.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/input_file.hpp"
#include "files/file_address.hpp"
#include "terms/files.hpp"

namespace orderlab {

/// What a user names, and says of it.
struct FileSource {
  std::string text;            ///< FILE, FILE::NAME, or "-" for standard input
  bool decimal_comma = false;  ///< of numbers in text
  bool one_column = false;     ///< a table of several is refused where none is named
  bool one_dimension = false;  ///< as is an array of several dimensions
};

/// Whether `path` is standard input, or a pipe such as <(command), which has no name of its own.
bool is_pipe(const std::string& path);

/// An array, or a column, of a file.
struct ArrayEntry {
  std::string name;            ///< empty where the file has one array, without a name
  std::string type;            ///< as who made the file calls it: "float32"; "numbers" of text
  std::optional<Shape> shape;  ///< where it is known without reading numbers
};

/// An array that is read once.
class NumberArray {
 public:
  virtual ~NumberArray() = default;

  /// Its numbers as terms of `format`, empty: its own; conversions that change a number are counted.
  virtual FileArray read(std::optional<Format> format) = 0;

  /// The same as an index, in C order. Error(input) for a number that is not whole.
  virtual IndexTensor read_index() = 0;
};

/// A file of numbers, open.
class ArrayFile {
 public:
  virtual ~ArrayFile() = default;

  virtual std::vector<ArrayEntry> list() = 0;

  /// The array of that name; the only one where it is empty. `raw` is what numbers are whose type does not say. Error
  /// (input) names what is there.
  virtual std::unique_ptr<NumberArray> open(const std::string& name, std::optional<Format> raw) = 0;

  /// Calls use("FILE:LINE", field) for every number of the column of that name, as it is written, where numbers are
  /// text; else returns false.
  virtual bool each_text(const std::string&, const std::function<void(const std::string&, std::string_view)>&) {
    return false;
  }
};

/// Opens the file of `source` by what it begins with, else by its name without the suffix of a codec; by its name alone
/// where its kind begins with any bytes. Standard input and pipes without a known beginning are text, or JSON from [ or
/// {.
///
/// Errors: input: absent, an unknown extension, a kind that is not read (with what converts it).
std::unique_ptr<ArrayFile> open_array_file(const FileSource& source);

/// The same of `content`, that of the file, at its beginning: standard input and pipes are opened once.
std::unique_ptr<ArrayFile> open_array_file(const FileSource& source, std::unique_ptr<InputStream> content);

/// The errors of open_array_file for a file that begins so.
void require_known_kind(const std::string& path, std::string_view begin);

/// Whether a file that begins so is read as text, or has an unknown extension. Error(input) for a kind that is not
/// read.
bool is_text_file(const std::string& path, std::string_view begin);

/// The array that `source` names, of `file` if it is open already. Errors: also unsupported for one that is larger than
/// memory.
FileArray read_file_array(const FileSource& source, std::optional<Format> format, std::optional<Format> raw,
                          std::unique_ptr<ArrayFile> file = nullptr);
IndexTensor read_file_index(const FileSource& source);

/// The library that reads HDF5, with its version; "none: " and why where there is none.
std::string hdf5_support();

}  // namespace orderlab
