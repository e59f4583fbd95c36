// Numbers of one format and nothing else, little endian: .f64, .f32, .f16, .bf16.
#include <utility>

#include "terms/array_files.hpp"

namespace orderlab {

namespace {

/// Binary numbers whose number is known.
class RawArray : public NumberArray {
 public:
  RawArray(std::unique_ptr<InputStream> content, Format own, std::size_t n)
      : content_(std::move(content)), own_(own), n_(n) {}

  FileArray read(std::optional<Format> format) override {
    return one_dimension(read_binary(*content_, layout_of_format(own_), n_, format.value_or(own_)));
  }
  IndexTensor read_index() override {
    throw file_error(content_->name(), "holds " + std::string(info(own_).name) + " numbers, not integers");
  }

 private:
  std::unique_ptr<InputStream> content_;
  Format own_;
  std::size_t n_;
};

template <Format own>
class RawFile : public ArrayFile {
 public:
  explicit RawFile(OpenFile file) : file_(std::move(file)) {}

  std::vector<ArrayEntry> list() override { return {{"", numpy_name(layout_of_format(own)), Shape{count()}}}; }

  std::unique_ptr<NumberArray> open(const std::string& name, std::optional<Format>) override {
    const std::size_t n = count();
    require_array(file_.address.path, "array", name, {{"", "", {}}});
    return std::make_unique<RawArray>(std::move(file_.content), own, n);
  }

 private:
  /// A compressed file says how many only at its end, so it is decompressed first.
  std::size_t count() {
    if (!file_.content->size()) {
      text_ = file_.content->rest();
      file_.content = std::make_unique<InputBytes>(file_.content->name(), text_);
    }
    const std::uint64_t size = binary_size(*file_.content);
    const auto each = static_cast<std::uint64_t>(info(own).bits) / 8;
    if (size % each != 0)
      throw file_error(file_.content->name(), std::to_string(size) + " bytes are not a multiple of " +
                                                  std::to_string(each) + ", the size of one " +
                                                  std::string(info(own).name) + " number; " +
                                                  std::to_string(size % each) + " left over");
    return size / each;
  }

  OpenFile file_;
  std::string text_;
};

}  // namespace

template <Format own>
std::unique_ptr<ArrayFile> open_raw(OpenFile file) {
  return std::make_unique<RawFile<own>>(std::move(file));
}

template std::unique_ptr<ArrayFile> open_raw<Format::fp64>(OpenFile);
template std::unique_ptr<ArrayFile> open_raw<Format::fp32>(OpenFile);
template std::unique_ptr<ArrayFile> open_raw<Format::fp16>(OpenFile);
template std::unique_ptr<ArrayFile> open_raw<Format::bf16>(OpenFile);

}  // namespace orderlab
