// The functions of libhdf5 that are used. The library is loaded when the first file needs it: with all that it needs it
// takes longer than all that the program does before it begins.
#pragma once

#define H5_USE_110_API  // which versions from 1.10 on have
#include <hdf5.h>

namespace orderlab {

/// Addresses in libhdf5, with the types that its header declares.
struct Hdf5Library {
  decltype(&::H5open) open;
  decltype(&::H5get_libversion) version;
  decltype(&::H5Eset_auto2) set_printer;  ///< of errors
  decltype(&::H5Fopen) open_file;
  decltype(&::H5Fclose) close_file;
  decltype(&::H5Ovisit) visit;
  decltype(&::H5Dopen2) open_dataset;
  decltype(&::H5Dclose) close_dataset;
  decltype(&::H5Dget_space) space_of_dataset;
  decltype(&::H5Dget_type) type_of_dataset;
  decltype(&::H5Dread) read;
  decltype(&::H5Sclose) close_space;
  decltype(&::H5Sget_simple_extent_type) extent_type;
  decltype(&::H5Sget_simple_extent_ndims) dimensions;
  decltype(&::H5Sget_simple_extent_dims) extents;
  decltype(&::H5Tclose) close_type;
  decltype(&::H5Tget_class) class_of_type;
  decltype(&::H5Tget_size) bytes_of_type;
  decltype(&::H5Tget_sign) sign_of_type;
  decltype(&::H5Tget_precision) precision_of_type;
  decltype(&::H5Tget_ebias) exponent_bias_of_type;

  // Types of this machine's numbers, which H5open() sets; the macros without _g would call the library by its name.
  const hid_t* native_float;
  const hid_t* native_double;
  const hid_t* native_int64;
  const hid_t* native_uint64;
};

/// The library, initialised.
///
/// Errors: unsupported, where it cannot be loaded: why not; the message continues "FILE: is HDF5, and ".
const Hdf5Library& hdf5_library();

}  // namespace orderlab
