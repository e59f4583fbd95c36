// Tensors of safetensors files as terms.
#include <cstring>
#include <utility>

#include "files/open_input.hpp"
#include "files/safetensors_file.hpp"
#include "terms/array_files.hpp"

namespace orderlab {

namespace {

struct TensorType {
  std::string_view dtype;
  Layout layout;
};
constexpr Layout whole_layout(NumberKind kind, std::size_t bytes) { return {kind, Format::fp64, bytes, false}; }
constexpr TensorType kTensorTypes[] = {
    {"F64", layout_of_format(Format::fp64)},       {"F32", layout_of_format(Format::fp32)},
    {"F16", layout_of_format(Format::fp16)},       {"BF16", layout_of_format(Format::bf16)},
    {"F8_E4M3", layout_of_format(Format::e4m3)},   {"F8_E5M2", layout_of_format(Format::e5m2)},
    {"I64", whole_layout(NumberKind::integer, 8)}, {"I32", whole_layout(NumberKind::integer, 4)},
    {"I16", whole_layout(NumberKind::integer, 2)}, {"I8", whole_layout(NumberKind::integer, 1)},
    {"U64", whole_layout(NumberKind::natural, 8)}, {"U32", whole_layout(NumberKind::natural, 4)},
    {"U16", whole_layout(NumberKind::natural, 2)}, {"U8", whole_layout(NumberKind::natural, 1)},
};

const TensorType* tensor_type(std::string_view dtype) {
  for (const TensorType& type : kTensorTypes)
    if (type.dtype == dtype) return &type;
  return nullptr;
}

Shape shape_of(const StoredTensor& tensor) { return {tensor.shape.begin(), tensor.shape.end()}; }

class TensorArray : public NumberArray {
 public:
  TensorArray(const StoredTensor& tensor, const TensorType& type, const std::string& name)
      : tensor_(tensor),
        type_(type),
        content_(name, {reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()}) {}

  FileArray read(std::optional<Format> format) override {
    return {read_binary(content_, type_.layout, count(), format.value_or(type_.layout.format)), shape_of(tensor_)};
  }

  IndexTensor read_index() override {
    if (type_.layout.kind == NumberKind::real)
      throw file_error(content_.name(), "holds " + numpy_name(type_.layout) + " numbers, not integers");
    require_elements(content_.name(), shape_of(tensor_));
    return {shape_of(tensor_), read_binary_whole(content_, type_.layout, count())};
  }

 private:
  std::size_t count() const { return tensor_.bytes.size() / type_.layout.bytes; }

  const StoredTensor& tensor_;
  const TensorType& type_;
  InputBytes content_;
};

class TensorFile : public ArrayFile {
 public:
  explicit TensorFile(const OpenFile& file)
      : path_(file.address.path),
        bytes_(path_, "name a safetensors file", *file.content),
        tensors_(std::as_bytes(std::span(bytes_.bytes())), path_) {}

  std::vector<ArrayEntry> list() override {
    std::vector<ArrayEntry> entries;
    for (const StoredTensor& tensor : tensors_.tensors()) {
      const TensorType* const type = tensor_type(tensor.dtype);
      entries.push_back({tensor.name, type == nullptr ? tensor.dtype : numpy_name(type->layout), shape_of(tensor)});
    }
    return entries;
  }

  std::unique_ptr<NumberArray> open(const std::string& name, std::optional<Format>) override {
    const std::string found = require_array(path_, "tensor", name, list()).name;
    const StoredTensor& tensor = *tensors_.find(found);
    const std::string full = path_ + "::" + found;
    const TensorType* const type = tensor_type(tensor.dtype);
    if (type == nullptr)
      throw file_error(full, "holds numbers of type " + tensor.dtype + ", which are not read; save it as float32");
    if (tensor.bytes.empty()) throw file_error(full, "holds an empty tensor; " + std::string(kNeedsNumber));
    return std::make_unique<TensorArray>(tensor, *type, full);
  }

 private:
  std::string path_;
  FileBytes bytes_;
  Safetensors tensors_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_safetensors(OpenFile file) { return std::make_unique<TensorFile>(file); }

}  // namespace orderlab
