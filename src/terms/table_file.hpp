// How numbers of tables are read: what readers of columns and of groups share.
#pragma once

#include <functional>
#include <string>

#include "files/file_address.hpp"
#include "files/text_table.hpp"

namespace orderlab {

/// The rules for the table that is named, of which the column `by` is asked for too, if it is not empty.
TableRules table_rules(const FileAddress& address, bool decimal_comma, const std::string& by = "");

/// The field as a number is read, with a decimal point. Error(input, "WHERE: ...") for a missing value.
std::string number_text(const std::string& field, bool decimal_comma, const std::function<std::string()>& where);

/// What would be right in place of a field that is not a number.
std::string remedy_of(const std::string& field, bool decimal_comma);

}  // namespace orderlab
