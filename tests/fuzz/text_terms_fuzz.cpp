// Files with a number a line: written out again they give the same terms.
#include <string>

#include "core/text.hpp"
#include "fuzz/folder.hpp"
#include "fuzz/fuzz.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(text_terms) {
  Choices choices(input);
  const Format format = choices.format();
  static const Folder kFolder;
  const Terms terms = read_terms(kFolder.write("in.txt", choices.text()), format);
  std::string lines;
  for (std::size_t i = 0; i < terms.size(); ++i) lines += shortest(terms.view().left(i)) + "\n";
  const std::string again = kFolder.write("again.csv", lines);
  require_equal("terms and their shortest texts", terms.hash(),
                accepted("the file", [&] { return read_terms(again, format); }).hash());
}
