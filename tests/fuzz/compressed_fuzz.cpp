// Compressed files of every codec: decompressed or refused, in bounded memory.
#include <string>

#include "files/codec.hpp"
#include "files/open_input.hpp"
#include "fuzz/fuzz.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(compressed) {
  Choices choices(input);
  const Codec& codec = *codecs()[choices.below(codecs().size())];
  const bool whole = choices.flag();
  std::string data(choices.text());
  if (!whole) data.insert(0, codec.magic);
  constexpr std::uint64_t kMost = 1 << 18;
  require(decompressed(data, "file", kMost).size() <= std::max<std::uint64_t>(kMost, data.size()),
          "no more than the limit");
}
