#include "terms/hdf5_library.hpp"

#include <dlfcn.h>

#include <string>
#include <string_view>

#include "core/float_environment.hpp"
#include "orderlab/error.hpp"
#include "terms/array_files.hpp"

namespace orderlab {

namespace {

[[noreturn]] void refuse_library(const std::string& reason) {
  throw Error(ErrorKind::unsupported, std::string(ORDERLAB_HDF5_LIBRARY) + " cannot be loaded: " + reason);
}

/// Its addresses by their names.
class LoadedHdf5 {
 public:
  LoadedHdf5() {
    const CallersFloatEnvironment environment;  // which a library may change when it is loaded
    library_ = ::dlopen(ORDERLAB_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) refuse_library(reason());
  }

  template <class T>
  void find(const char* name, T*& address) const {
    void* const found = ::dlsym(library_, name);
    if (found == nullptr) refuse_library(reason());
    address = reinterpret_cast<T*>(found);
  }

 private:
  static std::string reason() {
    const char* const error = ::dlerror();
    std::string_view text = error == nullptr ? "no reason is known" : error;
    if (const std::string name = ORDERLAB_HDF5_LIBRARY ": "; text.starts_with(name)) text.remove_prefix(name.size());
    return std::string(text);
  }

  void* library_;  ///< for as long as the process lives: it runs code of its own when that ends
};

Hdf5Library load_hdf5() {
  const LoadedHdf5 loaded;
  Hdf5Library library{};
  loaded.find("H5open", library.open);
  loaded.find("H5get_libversion", library.version);
  loaded.find("H5Eset_auto2", library.set_printer);
  loaded.find("H5Fopen", library.open_file);
  loaded.find("H5Fclose", library.close_file);
  // The header may call it by the name of the version that it declares.
#define ORDERLAB_TEXT(text) #text
#define ORDERLAB_NAME_OF(function) ORDERLAB_TEXT(function)
  loaded.find(ORDERLAB_NAME_OF(H5Ovisit), library.visit);
#undef ORDERLAB_NAME_OF
#undef ORDERLAB_TEXT
  loaded.find("H5Dopen2", library.open_dataset);
  loaded.find("H5Dclose", library.close_dataset);
  loaded.find("H5Dget_space", library.space_of_dataset);
  loaded.find("H5Dget_type", library.type_of_dataset);
  loaded.find("H5Dread", library.read);
  loaded.find("H5Sclose", library.close_space);
  loaded.find("H5Sget_simple_extent_type", library.extent_type);
  loaded.find("H5Sget_simple_extent_ndims", library.dimensions);
  loaded.find("H5Sget_simple_extent_dims", library.extents);
  loaded.find("H5Tclose", library.close_type);
  loaded.find("H5Tget_class", library.class_of_type);
  loaded.find("H5Tget_size", library.bytes_of_type);
  loaded.find("H5Tget_sign", library.sign_of_type);
  loaded.find("H5Tget_precision", library.precision_of_type);
  loaded.find("H5Tget_ebias", library.exponent_bias_of_type);
  loaded.find("H5T_NATIVE_FLOAT_g", library.native_float);
  loaded.find("H5T_NATIVE_DOUBLE_g", library.native_double);
  loaded.find("H5T_NATIVE_INT64_g", library.native_int64);
  loaded.find("H5T_NATIVE_UINT64_g", library.native_uint64);
  if (library.open() < 0) refuse_library("it does not start");
  return library;
}

}  // namespace

const Hdf5Library& hdf5_library() {
  static const Hdf5Library library = load_hdf5();
  return library;
}

std::string hdf5_support() {
  try {
    unsigned major = 0;
    unsigned minor = 0;
    unsigned release = 0;
    hdf5_library().version(&major, &minor, &release);
    return std::string(ORDERLAB_HDF5_LIBRARY) + ", version " + std::to_string(major) + '.' + std::to_string(minor) +
           '.' + std::to_string(release);
  } catch (const Error& error) {
    return std::string("none: ") + error.what();
  }
}

}  // namespace orderlab
