// Which kind of file is read by what, and which are not read.
#include "terms/array_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <utility>

#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "files/open_input.hpp"
#include "terms/array_files.hpp"

namespace orderlab {

namespace {

constexpr std::array<std::string_view, 1> kNpyNames{".npy"};
constexpr std::array<std::string_view, 1> kNpzNames{".npz"};
constexpr std::array<std::string_view, 1> kTensorNames{".safetensors"};
constexpr std::array<std::string_view, 3> kTableNames{".txt", ".csv", ".tsv"};
constexpr std::array<std::string_view, 1> kJsonNames{".json"};
constexpr std::array<std::string_view, 1> kMarketNames{".mtx"};
constexpr std::array<std::string_view, 2> kHdf5Names{".h5", ".hdf5"};
constexpr std::array<std::string_view, 1> kFp64Names{".f64"};
constexpr std::array<std::string_view, 1> kFp32Names{".f32"};
constexpr std::array<std::string_view, 1> kFp16Names{".f16"};
constexpr std::array<std::string_view, 1> kBf16Names{".bf16"};

constexpr ArrayFileKind kArrayFileKinds[] = {
    {kNpyMagic, kNpyNames, open_npy},
    {kZipMagic, kNpzNames, open_npz},
    {"", kTensorNames, open_safetensors},
    {"\x89HDF\r\n\x1a\n", kHdf5Names, open_hdf5},
    {"%%MatrixMarket", kMarketNames, open_market},
    {"", kTableNames, open_table},
    {"", kJsonNames, open_json},
    {"", kFp64Names, open_raw<Format::fp64>},
    {"", kFp32Names, open_raw<Format::fp32>},
    {"", kFp16Names, open_raw<Format::fp16>},
    {"", kBf16Names, open_raw<Format::bf16>},
};

/// A kind that is not read: what files begin with or are called, and how it becomes one that is read; FILE is the file.
struct OtherKind {
  std::string_view magic;
  std::string_view extension;
  std::string_view remedy;
};
constexpr std::string_view kFromPickle =
    "holds a pickle, which is a program, and is never run; in Python: "
    "safetensors.torch.save_file(torch.load('FILE', weights_only=True), 'FILE.safetensors')";
constexpr std::string_view kFromWorkbook = "is a workbook; save its sheet as CSV";
constexpr OtherKind kOtherKinds[] = {
    {"PAR1", ".parquet",
     "is Parquet; convert it by duckdb -c \"COPY (FROM 'FILE') TO 'FILE.csv'\", or in Python: "
     "pandas.read_parquet('FILE').to_csv('FILE.csv')"},
    {"ARROW1", ".feather", "is Arrow; in Python: pandas.read_feather('FILE').to_csv('FILE.csv')"},
    {"\x80\x02", ".pt", kFromPickle},
    {"\x80\x04", ".pth", kFromPickle},
    {"\x80\x05", ".pkl", kFromPickle},
    {"", ".pickle", kFromPickle},
    {"", ".ckpt", kFromPickle},
    {"GGUF", ".gguf", "is GGUF, whose weights are quantised; give the model's safetensors"},
    {"MATLAB 5.0", ".mat", "is of MATLAB; in Python: numpy.save('x.npy', scipy.io.loadmat('FILE')['x'])"},
    {"", ".xlsx", kFromWorkbook},
    {"", ".xls", kFromWorkbook},
};

[[noreturn]] void refuse_kind(const std::string& path, std::string_view remedy) {
  std::string text(remedy);
  constexpr std::string_view kMark = "FILE";
  for (auto at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at + path.size()))
    text.replace(at, kMark.size(), path);
  throw file_error(path, text);
}

/// The kind of files that are called so; null for an unknown extension.
const ArrayFileKind* kind_named(const std::string& path) {
  const std::string extension = extension_of(path);
  for (const ArrayFileKind& kind : kArrayFileKinds)
    if (std::ranges::find(kind.extensions, extension) != kind.extensions.end()) return &kind;
  return nullptr;
}

/// Whether text can begin so.
bool may_be_text(std::string_view begin) {
  constexpr std::string_view kInText = "\t\n\r";
  return std::ranges::none_of(
      begin, [&](char c) { return static_cast<unsigned char>(c) < ' ' && kInText.find(c) == std::string_view::npos; });
}

/// The kind of a file that begins so; null for one whose kind nothing says. Bytes of numbers are any, so that their
/// name decides.
const ArrayFileKind* find_kind(const std::string& path, std::string_view begin) {
  const ArrayFileKind* const named = kind_named(path);
  if (named != nullptr && named->magic.empty() && named->open != open_table) return named;
  for (const ArrayFileKind& kind : kArrayFileKinds)
    if (!kind.magic.empty() && begin.starts_with(kind.magic)) return &kind;
  const bool json = begin.starts_with('[') || begin.starts_with('{');
  for (const ArrayFileKind& kind : kArrayFileKinds)
    if (json && named == nullptr && is_pipe(path) && kind.open == open_json) return &kind;
  return named;
}

/// Refuses a file of a kind that is not read. What it begins with counts where its name says no kind, or text which it
/// is not; a .pt is a zip archive, too.
void refuse_other_kinds(const std::string& path, std::string_view begin) {
  const ArrayFileKind* const named = kind_named(path);
  const bool by_begin = named == nullptr || (named->open == open_table && !may_be_text(begin));
  const std::string extension = extension_of(path);
  for (const OtherKind& other : kOtherKinds)
    if ((by_begin && !other.magic.empty() && begin.starts_with(other.magic)) || other.extension == extension)
      refuse_kind(path, other.remedy);
}

const ArrayFileKind& kind_of(const std::string& path, std::string_view begin) {
  refuse_other_kinds(path, begin);
  if (const ArrayFileKind* kind = find_kind(path, begin)) return *kind;
  const bool pipe = is_pipe(path);
  std::string known;
  for (const ArrayFileKind& kind : kArrayFileKinds) {
    if (pipe && kind.open == open_table) return kind;
    for (const std::string_view one : kind.extensions) known += std::string(one) + ", ";
  }
  const std::string extension = extension_of(path);
  throw file_error(path, (extension.empty() ? "no extension" : "unknown extension " + in_quotes(extension)) +
                             std::string("; known: ") + known + "and - for text on standard input");
}

/// What `read` returns of the array that `source` names, of `file` if it is open already.
template <class Read>
auto with_array(const FileSource& source, std::unique_ptr<ArrayFile> file, std::optional<Format> raw, Read read) {
  const FloatEnvironment environment;
  try {
    if (file == nullptr) file = open_array_file(source);
    return read(*file->open(file_address(source.text).name, raw));
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::unsupported, source.text + ": needs more memory than this machine has; split the file");
  }
}

}  // namespace

bool is_pipe(const std::string& path) {
  std::error_code code;
  return path == "-" || !std::filesystem::is_regular_file(path, code);
}

std::string extension_of(const std::string& path) {
  if (path == "-") return "";
  return lower_case(std::filesystem::path(without_codec_suffix(path)).extension().string());
}

std::unique_ptr<ArrayFile> open_array_file(const FileSource& source) {
  return open_array_file(
      source, open_input(file_address(source.text).path, "name a file of numbers, or - for text on standard input"));
}

std::unique_ptr<ArrayFile> open_array_file(const FileSource& source, std::unique_ptr<InputStream> content) {
  FileAddress address = file_address(source.text);
  const ArrayFileKind& kind = kind_of(address.path, content->next_bytes());
  return kind.open({std::move(content), source, std::move(address)});
}

void require_known_kind(const std::string& path, std::string_view begin) { kind_of(path, begin); }

bool is_text_file(const std::string& path, std::string_view begin) {
  refuse_other_kinds(path, begin);
  const ArrayFileKind* const kind = find_kind(path, begin);
  return kind == nullptr || kind->open == open_table;
}

void refuse_pickle(const std::string& path) { refuse_kind(path, kFromPickle); }

void refuse_workbook(const std::string& path) { refuse_kind(path, kFromWorkbook); }

FileArray read_file_array(const FileSource& source, std::optional<Format> format, std::optional<Format> raw,
                          std::unique_ptr<ArrayFile> file) {
  FileArray read = with_array(source, std::move(file), raw, [&](NumberArray& array) { return array.read(format); });
  if (source.one_dimension && std::ranges::count_if(read.shape, [](std::size_t extent) { return extent > 1; }) > 1)
    throw file_error(source.text, "has the shape " + to_string(read.shape) +
                                      ", and a sum takes one list: --axis K for sums along an axis, from 0; --axis all "
                                      "for one sum of all numbers, as they lie");
  return read;
}

IndexTensor read_file_index(const FileSource& source) {
  return with_array(source, nullptr, std::nullopt, [](NumberArray& array) { return array.read_index(); });
}

const ArrayEntry& require_array(const std::string& file, std::string_view one, const std::string& name,
                                const std::vector<ArrayEntry>& entries) {
  if (entries.empty()) throw file_error(file, "has no " + std::string(one));
  if (entries.size() == 1 && name.empty()) return entries.front();
  if (entries.size() == 1 && entries.front().name.empty())
    throw file_error(file, "holds one " + std::string(one) + ", without a name; leave out ::" + name);
  std::vector<std::string> known;
  for (const ArrayEntry& entry : entries) {
    if (entry.name == name && !name.empty()) return entry;
    if (!entry.name.empty()) known.push_back(entry.name);
  }
  if (!name.empty()) throw file_error(file, unknown_name(one, name, known));
  constexpr std::size_t kMostShown = 8;
  const std::size_t more = known.size() > kMostShown ? known.size() - kMostShown : 0;
  std::string listed;
  for (std::size_t i = 0; i + more < known.size(); ++i) listed += (i == 0 ? "" : ", ") + known[i];
  throw file_error(file, "has " + std::to_string(entries.size()) + " " + std::string(one) + "s (" + listed +
                             (more > 0 ? " and " + std::to_string(more) + " more" : "") + "); name one, such as " +
                             file + "::" + known.front());
}

Terms read_terms(const std::string& path, std::optional<Format> format) {
  return read_file_array({.text = path, .one_column = true}, format, format).terms;
}

Tensor read_tensor(const std::string& path, std::optional<Format> format, std::optional<Format> raw) {
  return in_c_order(path, read_file_array({path}, format, raw ? raw : format));
}

IndexTensor read_index(const std::string& path) { return read_file_index({path}); }

}  // namespace orderlab
