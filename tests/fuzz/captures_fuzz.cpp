// Captures, with a checksum that is right or as they are: written out again they are the same.
#include <string>

#include "cuda/capture_file.hpp"
#include "fuzz/fuzz.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(captures) {
  Choices choices(input);
  const bool checked = choices.flag();
  std::string text(choices.text());
  if (!checked) {
    text = "orderlab capture 1\n" + text;
    if (!text.ends_with('\n')) text += '\n';
    text += checksum_line(text) + "\n";
  }
  const Capture capture = read_capture(text, "file");
  const std::string written = accepted("a capture", [&] { return write_capture(capture); });
  Capture again = accepted("what was written", [&] { return read_capture(written, "again"); });
  require_equal("runs", capture.runs.size(), again.runs.size());
  for (std::size_t i = 0; i < again.runs.size(); ++i) again.runs[i].line = capture.runs[i].line;
  require(again == capture, "a capture is read back as it was written");
}
