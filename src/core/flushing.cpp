#include "orderlab/flushing.hpp"

#include <iterator>
#include <string>

#include "orderlab/error.hpp"

namespace orderlab {

Flushing parse_flushing(std::string_view text) {
  for (std::size_t i = 0; i < std::size(kFlushingNames); ++i)
    if (kFlushingNames[i] == text) return static_cast<Flushing>(i);
  throw Error(ErrorKind::usage, std::string(text) + ": must be either, yes or no");
}

}  // namespace orderlab
