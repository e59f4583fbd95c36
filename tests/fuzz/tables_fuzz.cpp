// Tables of text: whatever rows there are have as many fields, and a column as many numbers as there are rows.
#include <string>

#include "files/codec.hpp"
#include "files/text_table.hpp"
#include "fuzz/folder.hpp"
#include "fuzz/fuzz.hpp"
#include "terms/array_file.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(tables) {
  Choices choices(input);
  static constexpr std::string_view kNames[] = {"in.txt", "in.csv", "in.tsv"};
  const std::string name(choices.pick(kNames));
  const bool comma = choices.flag();
  const std::string column = choices.flag() ? "1" : "x";
  InputBytes content(name, choices.text());
  TextTable table(content,
                  {.csv = name != "in.txt", .tabs = name == "in.tsv", .decimal_comma = comma, .asked = {column}});
  require(table.titles().empty() || table.titles().size() == table.columns(), "every column has a title, or none");
  std::size_t rows = 0;
  for (TableRow row; table.next(row); ++rows) require(row.fields.size() == table.columns(), "rows are complete");
  if (!is_text_file(name, choices.text()) || codec_of(name, choices.text()) != nullptr) return;
  static const Folder kFolder;
  const std::string path = kFolder.write(name, choices.text());
  const FileArray array = read_file_array({path + "::" + column, comma}, std::nullopt, std::nullopt);
  require_equal("numbers and rows", array.terms.size(), rows);
}
