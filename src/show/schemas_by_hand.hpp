// JSON Schemas that no table of fields gives.
#pragma once

#include <span>
#include <string_view>

namespace orderlab {

struct SchemaByHand {
  std::string_view file;  ///< its name
  std::string_view text;
};

/// The definitions of kinds of values, which tables refer to (shared.json), and schemas whose documents have no table yet.
std::span<const SchemaByHand> schemas_by_hand();

}  // namespace orderlab
