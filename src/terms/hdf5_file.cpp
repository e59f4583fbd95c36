// Datasets of HDF5 files, by libhdf5.
#include <cstring>
#include <span>
#include <utility>

#include "terms/array_files.hpp"
#include "terms/conversion.hpp"
#include "terms/hdf5_library.hpp"

namespace orderlab {

namespace {

/// An object of libhdf5, closed with this.
class Hdf5Handle {
 public:
  Hdf5Handle(hid_t handle, herr_t (*close)(hid_t)) : handle_(handle), close_(close) {}
  ~Hdf5Handle() {
    if (handle_ >= 0) close_(handle_);
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;

  hid_t get() const { return handle_; }
  bool valid() const { return handle_ >= 0; }

 private:
  hid_t handle_;
  herr_t (*close_)(hid_t);
};

Shape shape_of_dataset(hid_t dataset) {
  const Hdf5Handle space(hdf5_library().space_of_dataset(dataset), hdf5_library().close_space);
  const int dimensions = hdf5_library().dimensions(space.get());
  std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(0, dimensions)));
  if (dimensions > 0) hdf5_library().extents(space.get(), extents.data(), nullptr);
  return {extents.begin(), extents.end()};
}

/// How numbers of a dataset lie once the library has read them; nothing for what is not a number.
struct DatasetType {
  std::string name;
  std::optional<Layout> layout;
  Format own = Format::fp64;  ///< of real numbers; halves are read as floats
  hid_t memory = -1;
};

DatasetType type_of_dataset(hid_t dataset) {
  const Hdf5Handle type(hdf5_library().type_of_dataset(dataset), hdf5_library().close_type);
  const std::size_t bytes = hdf5_library().bytes_of_type(type.get());
  const std::string bits = std::to_string(8 * bytes);
  switch (hdf5_library().class_of_type(type.get())) {
    case H5T_FLOAT: {
      const auto is_float = [&](std::size_t size, std::size_t bias) {
        return bytes == size && hdf5_library().precision_of_type(type.get()) == 8 * size &&
               hdf5_library().exponent_bias_of_type(type.get()) == bias;
      };
      const auto read_as_fp32 = [](const char* name, Format own) {
        return DatasetType{name, layout_of_format(Format::fp32), own, *hdf5_library().native_float};
      };
      if (is_float(8, 1023))
        return {"float64", layout_of_format(Format::fp64), Format::fp64, *hdf5_library().native_double};
      if (is_float(4, 127)) return read_as_fp32("float32", Format::fp32);
      if (is_float(2, 15)) return read_as_fp32("float16", Format::fp16);
      if (is_float(2, 127)) return read_as_fp32("bfloat16", Format::bf16);
      return {"floats of " + bits + " bits of another kind", std::nullopt};
    }
    case H5T_INTEGER:
      if (hdf5_library().sign_of_type(type.get()) == H5T_SGN_NONE)
        return {"uint" + bits, Layout{NumberKind::natural}, Format::fp64, *hdf5_library().native_uint64};
      return {"int" + bits, Layout{NumberKind::integer}, Format::fp64, *hdf5_library().native_int64};
    case H5T_COMPOUND:
      return {"compound, such as complex numbers", std::nullopt};
    case H5T_STRING:
      return {"text", std::nullopt};
    default:
      return {"no numbers", std::nullopt};
  }
}

class Hdf5Array : public NumberArray {
 public:
  Hdf5Array(hid_t file, const std::string& dataset, std::string name)
      : dataset_(hdf5_library().open_dataset(file, dataset.c_str(), H5P_DEFAULT), hdf5_library().close_dataset),
        name_(std::move(name)),
        type_(type_of_dataset(dataset_.get())),
        shape_(shape_of_dataset(dataset_.get())) {
    const Hdf5Handle space(hdf5_library().space_of_dataset(dataset_.get()), hdf5_library().close_space);
    if (hdf5_library().extent_type(space.get()) == H5S_NULL)
      throw file_error(name_, "holds nothing; " + std::string(kNeedsNumber));
    if (!type_.layout)
      throw file_error(name_, "holds " + type_.name + ", which are not real numbers; write it as float64");
    for (const std::size_t extent : shape_)
      if (extent == 0 || __builtin_mul_overflow(count_, extent, &count_))
        throw file_error(name_, "has the shape " + to_string(shape_) + "; " + std::string(kNeedsNumber));
  }

  FileArray read(std::optional<Format> format) override {
    const Format own = type_.own;
    const Format wanted = format.value_or(own);
    if (type_.layout->kind != NumberKind::real) {
      const std::string bytes = read_bytes();
      InputBytes content(name_, bytes);
      return {read_binary(content, *type_.layout, count_, wanted), shape_};
    }
    Terms terms(type_.layout->format, count_);
    read_into(terms.bytes().data());
    return {converted(std::move(terms), wanted), shape_};
  }

  IndexTensor read_index() override {
    if (type_.layout->kind == NumberKind::real)
      throw file_error(name_, "holds " + type_.name + " numbers, not integers");
    require_elements(name_, shape_);
    const std::string bytes = read_bytes();
    InputBytes content(name_, bytes);
    return {shape_, read_binary_whole(content, *type_.layout, count_)};
  }

 private:
  void read_into(void* memory) {
    if (hdf5_library().read(dataset_.get(), type_.memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, memory) < 0)
      throw file_error(name_, "cannot be read: the file is damaged, or compressed by a filter that is not installed");
  }
  std::string read_bytes() {
    std::string bytes(count_ * type_.layout->bytes, '\0');
    read_into(bytes.data());
    return bytes;
  }

  Hdf5Handle dataset_;
  std::string name_;
  DatasetType type_;
  Shape shape_;
  std::size_t count_ = 1;
};

herr_t add_dataset(hid_t, const char* name, const H5O_info_t* about, void* names) {
  if (about->type == H5O_TYPE_DATASET)
    static_cast<std::vector<std::string>*>(names)->push_back("/" + std::string(name));
  return 0;
}

Hdf5Handle open_to_read(const std::string& path) {
  constexpr unsigned kReadOnly = 0;  // H5F_ACC_RDONLY, which would call the library by its name
  try {
    const Hdf5Library& library = hdf5_library();
    library.set_printer(H5E_DEFAULT, nullptr, nullptr);  // or it would print what this throws
    return {library.open_file(path.c_str(), kReadOnly, H5P_DEFAULT), library.close_file};
  } catch (const Error& error) {
    throw Error(ErrorKind::unsupported,
                path + ": is HDF5, and " + error.what() + "; install it, or " + hdf5_in_python(path));
  }
}

class Hdf5File : public ArrayFile {
 public:
  explicit Hdf5File(const OpenFile& file) : path_(file.address.path), file_(open_to_read(path_)) {
    if (!file.content->size()) throw file_error(path_, "is compressed, or a pipe; HDF5 is read from a file as it is");
    if (!file_.valid()) throw file_error(path_, "is not an HDF5 file, or is damaged; write it again");
    if (hdf5_library().visit(file_.get(), H5_INDEX_NAME, H5_ITER_INC, add_dataset, &names_) < 0)
      throw file_error(path_, "is a damaged HDF5 file; write it again");
  }

  std::vector<ArrayEntry> list() override {
    std::vector<ArrayEntry> entries;
    for (const std::string& name : names_) {
      const Hdf5Handle dataset(hdf5_library().open_dataset(file_.get(), name.c_str(), H5P_DEFAULT),
                               hdf5_library().close_dataset);
      entries.push_back({name, type_of_dataset(dataset.get()).name, shape_of_dataset(dataset.get())});
    }
    return entries;
  }

  std::unique_ptr<NumberArray> open(const std::string& name, std::optional<Format>) override {
    std::vector<ArrayEntry> entries;
    for (const std::string& one : names_) entries.push_back({one, "", {}});
    const std::string full = name.empty() || name.starts_with('/') ? name : "/" + name;
    const std::string found = require_array(path_, "dataset", full, entries).name;
    return std::make_unique<Hdf5Array>(file_.get(), found, path_ + "::" + found);
  }

 private:
  std::string path_;
  Hdf5Handle file_;
  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_hdf5(OpenFile file) { return std::make_unique<Hdf5File>(file); }

}  // namespace orderlab
