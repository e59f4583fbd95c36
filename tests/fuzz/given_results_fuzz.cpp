// Files of given results: written out as bit patterns they give the same results.
#include <string>
#include <vector>

#include "fuzz/folder.hpp"
#include "fuzz/fuzz.hpp"
#include "terms/given_results.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(given_results) {
  Choices choices(input);
  const Format format = choices.format();
  const Formats formats{format, format, format};
  constexpr std::uint64_t kTerms = 8;
  static const Folder kFolder;
  const GivenResults given = read_given_results({kFolder.write("in", choices.text())}, formats, kTerms);
  std::vector<std::uint64_t> bits;
  std::string list;
  for (const GivenResult& one : given.results) {
    bits.push_back(one.bits);
    list += "bits:" + bits_text(format, one.bits) + " ";
  }
  const std::string again = kFolder.write("again", list);
  std::vector<std::uint64_t> same;
  for (const GivenResult& one :
       accepted("the list", [&] { return read_given_results({again}, formats, kTerms); }).results)
    same.push_back(one.bits);
  require(same == bits, "results and their bit patterns");
}
