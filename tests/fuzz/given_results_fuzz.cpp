// Files of given results: written out as bit patterns they give the same results.
#include <string>

#include "fuzz/folder.hpp"
#include "fuzz/fuzz.hpp"
#include "terms/given_results.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(given_results) {
  Choices choices(input);
  const Format format = choices.format();
  static const Folder kFolder;
  const GivenResults given = read_given_results(kFolder.write("in", choices.text()), format);
  std::string list;
  for (const std::uint64_t bits : given.bits) list += "bits:" + bits_text(format, bits) + " ";
  const std::string again = kFolder.write("again", list);
  require(accepted("the list", [&] { return read_given_results(again, format); }).bits == given.bits,
          "results and their bit patterns");
}
