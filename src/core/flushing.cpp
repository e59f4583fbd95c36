#include "orderlab/flushing.hpp"

#include <string>

#include "core/enum_names.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

Flushing parse_flushing(std::string_view text) {
  if (const auto flushing = enumerator_named<Flushing::no>(text)) return *flushing;
  throw Error(ErrorKind::usage, std::string(text) + ": must be either, yes or no");
}

}  // namespace orderlab
