#include "orderlab/flushing.hpp"

#include <iterator>
#include <string>

#include "orderlab/error.hpp"

namespace orderlab {

std::string_view name_of(Flushing flushing) { return kFlushingNames[static_cast<std::size_t>(flushing)]; }

Flushing parse_flushing(std::string_view text) {
  for (std::size_t i = 0; i < std::size(kFlushingNames); ++i)
    if (kFlushingNames[i] == text) return static_cast<Flushing>(i);
  throw Error(ErrorKind::usage, std::string(text) + ": must be either, yes or no");
}

}  // namespace orderlab
