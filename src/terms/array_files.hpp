// The kinds of files of numbers: what opens each, and what their readers share.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/zip_archive.hpp"
#include "terms/array_file.hpp"

namespace orderlab {

/// A file as its kind opens it.
struct OpenFile {
  std::unique_ptr<InputStream> content;  ///< decompressed, at its beginning
  FileSource source;
  FileAddress address;
};

/// A kind of file.
struct ArrayFileKind {
  std::string_view magic;                        ///< what it begins with; empty: its name decides
  std::span<const std::string_view> extensions;  ///< in small letters, with their dots
  std::unique_ptr<ArrayFile> (*open)(OpenFile file);
};

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

std::unique_ptr<ArrayFile> open_npy(OpenFile file);
std::unique_ptr<ArrayFile> open_npz(OpenFile file);
std::unique_ptr<ArrayFile> open_safetensors(OpenFile file);
std::unique_ptr<ArrayFile> open_hdf5(OpenFile file);
std::unique_ptr<ArrayFile> open_market(OpenFile file);
std::unique_ptr<ArrayFile> open_table(OpenFile file);
std::unique_ptr<ArrayFile> open_json(OpenFile file);
template <Format format>
std::unique_ptr<ArrayFile> open_raw(OpenFile file);

/// How an HDF5 file becomes one that is read without libhdf5.
inline std::string hdf5_in_python(const std::string& path) {
  return "in Python: numpy.save('x.npy', h5py.File('" + path + "')['x'][()])";
}

/// The extension in small letters, without the suffix of a codec; empty for standard input.
std::string extension_of(const std::string& path);

/// The entry of that name, or the only one where `name` is empty. Error(input) names those that are there; `one` is
/// what they are, such as "tensor".
const ArrayEntry& require_array(const std::string& file, std::string_view one, const std::string& name,
                                const std::vector<ArrayEntry>& entries);

/// Error(input) that says how the file becomes one that is read.
[[noreturn]] void refuse_pickle(const std::string& path);
[[noreturn]] void refuse_workbook(const std::string& path);

/// A .npy file whose beginning is next in `content`; a member of an archive, too.
std::unique_ptr<NumberArray> open_npy_array(std::unique_ptr<InputStream> content, std::optional<Format> raw);
ArrayEntry describe_npy(InputStream& content);

/// Numbers that are text, one after another.
class NumberTexts {
 public:
  virtual ~NumberTexts() = default;

  /// The next one, which stays until another is asked for; false after the last.
  virtual bool next(std::string_view& text) = 0;

  virtual std::string where() const = 0;             ///< "FILE:LINE", of the last one
  virtual std::string remedy() const = 0;            ///< what to write in place of what is not a number
  virtual Shape shape(std::size_t count) const = 0;  ///< when all were read
};

std::unique_ptr<NumberArray> array_of_texts(std::unique_ptr<NumberTexts> texts, const std::string& file);

/// Reads "17", "-3", "+1e3"; Error(input, "WHERE: ...").
std::int64_t parse_whole(const std::string& where, std::string_view text);

/// An array in C order. Error(unsupported), naming the file, for more than 2^31 - 1 elements.
Tensor in_c_order(const std::string& file, FileArray array);

}  // namespace orderlab
