// Rows of a table by what they have in a column.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "terms/array_file.hpp"

namespace orderlab {

/// The fields that one column has in the rows of a group.
struct FieldGroup {
  std::string name;  ///< the text in the column of groups
  std::vector<std::string> fields;
  std::vector<std::uint64_t> lines;  ///< of the file
};

/// The groups of the table that `source` names, with the column that it names, or the only other one than `by`; in the
/// order in which they come first.
///
/// Errors: input as read_file_array, and for a file that is not a text table.
std::vector<FieldGroup> read_groups(const FileSource& source, const std::string& by);

/// The numbers of a group as terms. `source` is that of read_groups.
Terms terms_of_group(const FieldGroup& group, const FileSource& source, std::optional<Format> format);

}  // namespace orderlab
