#include "files/safetensors_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include "core/text.hpp"
#include "files/json_members.hpp"
#include "files/json_scanner.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // as the library of the format has it
constexpr std::size_t kLongestField = 4096;            // of a tensor: far more than any dtype, shape or pair of offsets

/// Bits of a number.
struct StoredType {
  std::string_view name;
  std::uint64_t bits;
};
constexpr StoredType kStoredTypes[] = {
    {"BOOL", 8},    {"F4", 4},      {"F6_E2M3", 6},     {"F6_E3M2", 6},    {"U8", 8},   {"I8", 8},
    {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8},     {"I16", 16},       {"U16", 16}, {"F16", 16},
    {"BF16", 16},   {"I32", 32},    {"U32", 32},        {"F32", 32},       {"C64", 64}, {"F64", 64},
    {"I64", 64},    {"U64", 64},    {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}};

[[noreturn]] void refuse_tensors(const std::string& problem) { throw Error(ErrorKind::input, problem); }

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The header; `file` becomes the data after it.
std::string_view header_of(std::span<const std::byte>& file) {
  constexpr std::string_view kPointer = "version https://git-lfs";
  if (as_text(file).starts_with(kPointer)) refuse_tensors("is a pointer of Git LFS, not the file; run `git lfs pull`");
  if (file.size() < kLengthBytes)
    refuse_tensors(
        fmt::format("has {} bytes; a safetensors file begins with 8, the length of its header", file.size()));
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i) length |= std::to_integer<std::uint64_t>(file[i]) << (8 * i);
  file = file.subspan(kLengthBytes);
  if (length > kLongestHeader)
    refuse_tensors(fmt::format("says that its header has {} bytes, and the most are {}; it is not a safetensors file",
                               length, kLongestHeader));
  if (length > file.size())
    refuse_tensors(
        fmt::format("is cut short: {} bytes of its header of {} are there; fetch it again", file.size(), length));
  const auto bytes = static_cast<std::size_t>(length);
  const std::string_view header = as_text(file.first(bytes));
  if (!header.starts_with('{')) refuse_tensors("its header does not begin with '{'; it is not a safetensors file");
  file = file.subspan(bytes);
  return header;
}

/// A dtype may be newer than this reader; it is shown, so it has to be a name.
std::string dtype_in(std::string_view value) {
  constexpr std::string_view kCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  const std::string text = value.starts_with('"') ? JsonScanner(value).string() : "";
  if (text.empty() || text.size() > 32 || text.find_first_not_of(kCharacters) != std::string::npos)
    refuse_tensors("`dtype` is not the name of a type such as BF16");
  return text;
}

std::vector<std::uint64_t> counts_in(std::string_view value, std::string_view key) {
  const auto refuse = [&] { refuse_tensors(fmt::format("`{}` is not a list of counts", key)); };
  JsonScanner scanner(value);
  if (!scanner.take('[')) refuse();
  std::vector<std::uint64_t> counts;
  if (scanner.take(']')) return counts;
  do {
    if (const char first = scanner.next(); first < '0' || first > '9') refuse();
    const std::string_view digits = scanner.number();
    std::uint64_t count = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (code != std::errc{} || end != digits.data() + digits.size()) refuse();
    counts.push_back(count);
  } while (scanner.take(','));
  return counts;
}

/// Bytes of a tensor of this shape; nothing for a type that is not known. Error(input) where they are no whole number
/// or too many.
std::optional<std::uint64_t> tensor_bytes(std::string_view dtype, std::span<const std::uint64_t> shape) {
  const auto* const type = std::find_if(std::begin(kStoredTypes), std::end(kStoredTypes),
                                        [&](const StoredType& known) { return known.name == dtype; });
  if (type == std::end(kStoredTypes)) return std::nullopt;
  std::uint64_t bits = type->bits;
  for (const std::uint64_t extent : shape)
    if (__builtin_mul_overflow(bits, extent, &bits))
      refuse_tensors(fmt::format("has the shape {}, more than there can be", shape_text(shape)));
  if (bits % 8 != 0) refuse_tensors(fmt::format("has the shape {}, no whole number of bytes", shape_text(shape)));
  return bits / 8;
}

StoredTensor stored_tensor(const std::string& name, std::string_view text, std::span<const std::byte> data) {
  StoredTensor tensor{.name = name, .dtype = {}, .shape = {}, .bytes = {}};
  std::vector<std::uint64_t> offsets;
  bool shaped = false;
  for (const JsonMember& member : json_members(text)) {
    if (member.value.size() > kLongestField) refuse_tensors(in_quotes(member.key) + " is too long");
    if (member.key == "dtype") tensor.dtype = dtype_in(member.value);
    if (member.key == "shape") tensor.shape = counts_in(member.value, member.key);
    if (member.key == "data_offsets") offsets = counts_in(member.value, member.key);
    shaped = shaped || member.key == "shape";
  }
  if (tensor.dtype.empty() || !shaped || offsets.size() != 2)
    refuse_tensors("needs `dtype`, `shape` and `data_offsets`, which are begin and end");
  const std::uint64_t begin = offsets[0];
  const std::uint64_t end = offsets[1];
  if (begin > end) refuse_tensors(fmt::format("begins at byte {} and ends at byte {}", begin, end));
  if (end > data.size())
    refuse_tensors(fmt::format("ends at byte {} of the data, which has {}: the file is cut short; fetch it again", end,
                               data.size()));
  const auto bytes = tensor_bytes(tensor.dtype, tensor.shape);
  if (bytes && *bytes != end - begin)
    refuse_tensors(fmt::format("has {} bytes, and {} of shape {} has {}", end - begin, tensor.dtype,
                               shape_text(tensor.shape), *bytes));
  tensor.bytes = data.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  return tensor;
}

/// So no byte has two meanings, and none is hidden.
void require_filled(std::span<const StoredTensor> tensors, std::span<const std::byte> data) {
  std::vector<const StoredTensor*> order;
  for (const StoredTensor& tensor : tensors) order.push_back(&tensor);
  const auto begin = [&](const StoredTensor* tensor) { return tensor->bytes.data() - data.data(); };
  std::sort(order.begin(), order.end(), [&](const StoredTensor* a, const StoredTensor* b) {
    return std::tuple(begin(a), a->bytes.size()) < std::tuple(begin(b), b->bytes.size());
  });
  std::ptrdiff_t filled = 0;
  for (const StoredTensor* tensor : order) {
    if (begin(tensor) != filled)
      refuse_tensors(fmt::format("tensor {} begins at byte {} of the data, and the one before it ends at byte {}",
                                 in_quotes(tensor->name), begin(tensor), filled));
    filled += static_cast<std::ptrdiff_t>(tensor->bytes.size());
  }
  const std::size_t rest = data.size() - static_cast<std::size_t>(filled);
  if (rest > 0) refuse_tensors(fmt::format("has {} bytes after its last tensor", rest));
}

void require_metadata(std::string_view text) {
  for (const JsonMember& member : json_members(text))
    if (!member.value.starts_with('"')) refuse_tensors(in_quotes(member.key) + " is not a text");
}

std::vector<StoredTensor> stored_tensors(std::span<const std::byte> file) {
  const std::string_view header = header_of(file);
  std::vector<StoredTensor> tensors;
  for (const JsonMember& member : json_members(header)) {
    const bool metadata = member.key == "__metadata__";
    try {
      if (metadata)
        require_metadata(member.value);
      else
        tensors.push_back(stored_tensor(member.key, member.value, file));
    } catch (const Error& error) {
      refuse_tensors((metadata ? "" : "tensor ") + in_quotes(member.key) + ": " + error.what());
    }
  }
  require_filled(tensors, file);
  std::sort(tensors.begin(), tensors.end(),
            [](const StoredTensor& a, const StoredTensor& b) { return a.name < b.name; });
  return tensors;
}

}  // namespace

Safetensors::Safetensors(std::span<const std::byte> file, std::string name) : name_(std::move(name)) {
  try {
    tensors_ = stored_tensors(file);
  } catch (const Error& error) {
    throw Error(ErrorKind::input, name_ + ": " + error.what());
  }
}

const StoredTensor* Safetensors::find(std::string_view tensor) const {
  const auto found = std::lower_bound(tensors_.begin(), tensors_.end(), tensor,
                                      [](const StoredTensor& one, std::string_view name) { return one.name < name; });
  return found != tensors_.end() && found->name == tensor ? &*found : nullptr;
}

std::optional<Format> weight_format(std::string_view dtype) {
  if (dtype == "BF16") return Format::bf16;
  if (dtype == "F16") return Format::fp16;
  if (dtype == "F32") return Format::fp32;
  return std::nullopt;
}

std::string shape_text(std::span<const std::uint64_t> shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

}  // namespace orderlab
