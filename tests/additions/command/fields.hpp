// What `fake` finds, field by field.
#pragma once

#include <cstdint>
#include <string>

#include "describe/field.hpp"
#include "show/text_style.hpp"

namespace orderlab {

struct FakeFinding {
  std::uint64_t terms = 0;
};

std::string to_text(const FakeFinding& finding, const TextStyle& style);
std::string to_json(const FakeFinding& finding);
std::string to_csv(const FakeFinding& finding);

namespace described {

extern const TableOf<FakeFinding> kFakeDocument;

}  // namespace described

}  // namespace orderlab
