#include "orderlab/flushing.hpp"

#include <iterator>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

std::string_view name_of(Flushing flushing) { return kFlushingNames[static_cast<std::size_t>(flushing)]; }

Flushing parse_flushing(std::string_view text) {
  for (std::size_t i = 0; i < std::size(kFlushingNames); ++i)
    if (kFlushingNames[i] == text) return static_cast<Flushing>(i);
  const std::vector<std::string> known(std::begin(kFlushingNames), std::end(kFlushingNames));
  throw Error(ErrorKind::usage, "flushing " + unknown_name("answer", text, known));
}

}  // namespace orderlab
