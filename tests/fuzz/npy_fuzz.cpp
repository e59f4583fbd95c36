// .npy files, with the number of bytes after the header that it asks for, or as they are.
#include <string>

#include "fuzz/folder.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/npy_files.hpp"
#include "orderlab/terms.hpp"
#include "terms/array_file.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(npy) {
  Choices choices(input);
  const std::string content = npy_file(choices);
  static const Folder kFolder;
  const std::string path = kFolder.write("in.npy", content);
  const Terms terms = read_terms(path, std::nullopt);
  require(terms.size() < content.size(), "no term is made up");  // a number takes a byte at least
  const bool integers = open_array_file({.text = path})->list().front().type.find("int") != std::string::npos;
  require(integers || terms.inexact_conversions() == 0, "no number changes in its own format");
  const Terms wide = accepted("a file in fp64", [&] { return read_terms(path, Format::fp64); });
  for (std::size_t i = 0; i < terms.size(); ++i)
    require_equal("a number and the same in fp64", bits_of(terms.view().left(i)), bits_of(wide.view().left(i)));

  const Tensor tensor = accepted("the file as an array", [&] { return read_tensor(path, std::nullopt); });
  require_equal("numbers of the array and of its shape", terms.size(), element_count(tensor.shape));
  const std::string again =
      kFolder.write("again.npy", npy_bytes(tensor.terms.format(), tensor.shape, tensor.terms.bytes()));
  const Tensor copy = accepted("the array, written", [&] { return read_tensor(again, std::nullopt); });
  require(copy.shape == tensor.shape, "the shape is that which was written");
  for (std::size_t i = 0; i < terms.size(); ++i)  // in fp32 where the file held bf16
    require_equal("a number and the same, written", bits_of(tensor.terms.view().left(i)),
                  bits_of(copy.terms.view().left(i)));
}
