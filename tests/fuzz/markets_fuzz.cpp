// Matrix Market files: entries lie in the matrix, and values are as many as the sizes announce.
#include <string>

#include "files/market_entries.hpp"
#include "fuzz/folder.hpp"
#include "fuzz/fuzz.hpp"
#include "terms/array_file.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(markets) {
  const std::string text = "%%MatrixMarket matrix coordinate " + std::string(text_of(input));
  InputBytes content("market", text);
  MarketEntries entries(content);
  std::uint64_t count = 0;
  for (MarketEntry entry{}; entries.next(entry); ++count)
    require(entry.row < entries.rows() && entry.column < entries.columns(), "an entry lies in the matrix");
  require_equal("entries", count, entries.count());
  static const Folder kFolder;
  const FileArray array = read_file_array({kFolder.write("in.mtx", text)}, std::nullopt, std::nullopt);
  require_equal("values", array.terms.size(), count);
}
