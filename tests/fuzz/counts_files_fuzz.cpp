// Files of counts whose hash fits, whatever they say: refused, or written as what reads the same.
#include "fuzz/fuzz.hpp"
#include "sweep/content_hash.hpp"
#include "sweep/counts_file.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(counts_files) {
  Choices choices(input);
  std::string bytes = "orderlab counts 1\n" + std::string(choices.text());
  bytes += hash_of(bytes).bytes();
  const CountsFile file = counts_from_bytes(bytes, "a file");
  const std::string written = to_bytes(file);
  const CountsFile again = accepted("a file", [&] { return counts_from_bytes(written, "written"); });
  require_equal("a file", to_bytes(again), written);
}
