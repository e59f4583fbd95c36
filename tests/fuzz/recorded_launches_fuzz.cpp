// Recorded arrivals, with a checksum that is right or as they are: written out again they are the same, and their rows
// are orders of thread blocks, too.
#include <string>

#include "arrival/recording.hpp"
#include "core/recorded_launches.hpp"
#include "fuzz/fuzz.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(recorded_launches) {
  Choices choices(input);
  const bool checked = choices.flag();
  std::string text(choices.text());
  if (!checked) {
    text = std::string(kArrivalsFirstWords) + "1\n" + text;
    if (!text.ends_with('\n')) text += '\n';
    text += checksum_line(text) + "\n";
  }
  const RecordedLaunches recorded = read_arrivals_text(text, "file");
  const std::string written = accepted("recorded arrivals", [&] { return write_arrivals_text(recorded); });
  RecordedLaunches again = accepted("what was written", [&] { return read_arrivals_text(written, "again"); });
  require_equal("launches", recorded.launches.size(), again.launches.size());
  for (std::size_t i = 0; i < again.launches.size(); ++i) again.launches[i].line = recorded.launches[i].line;
  require(again == recorded, "recorded arrivals are read back as they were written");
  const auto rows = parse_rows(written, "file", ArrivalUnit::thread_block);
  for (const auto& row : rows->rows) accepted("an order", [&] { return check_permutation_row("row", row), true; });
}
