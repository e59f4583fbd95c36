// Files that are to be merged: each once.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orderlab {

/// What messages call the files, and the flag that names the one they are merged into.
struct MergedKind {
  std::string_view noun;  ///< "store"
  std::string_view flag;  ///< "--db"
};

/// Error(usage) for a file that is given twice, under whatever name, or is the one that takes the others. Files that
/// are not there are passed over.
void require_different(const std::string& to, std::span<const std::string> from, const MergedKind& kind);

}  // namespace orderlab
