// Files of rows, as text or compressed: written out again they give the same rows.
#include <string>

#include "arrival/recording.hpp"
#include "fuzz/folder.hpp"
#include "fuzz/fuzz.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(rows) {
  static const Folder kFolder;
  const auto rows = read_rows(kFolder.write("in", text_of(input)));
  require_equal("rows and lines", rows->rows.size(), rows->lines.size());
  std::string text;
  for (const auto& row : rows->rows) {
    for (const std::uint32_t number : row) text += std::to_string(number) + " ";
    text += "\n";
  }
  const std::string again = kFolder.write("again", text);
  require_equal("rows and their text", rows->hash, accepted("the text", [&] { return read_rows(again); })->hash);
}
