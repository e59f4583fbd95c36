// HDF5 where its library is not installed.
#include "terms/array_files.hpp"

namespace orderlab {

std::unique_ptr<ArrayFile> open_hdf5(OpenFile file) {
  const std::string& path = file.address.path;
  throw Error(ErrorKind::unsupported,
              path + ": is HDF5, which this build cannot read; build it with libhdf5-dev installed, or " +
                  hdf5_in_python(path));
}

std::string hdf5_support() { return "none: this build was made without libhdf5"; }

}  // namespace orderlab
