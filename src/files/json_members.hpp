// The members of a large JSON object, with their values as text: in linear time, and no key twice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orderlab {

/// A member of an object. Its value is a part of the text, without blanks around it.
struct JsonMember {
  std::string key;
  std::string_view value;
};

/// The members of the object that `text` is, in their order.
///
/// Errors: input: no object, a key that is there twice.
std::vector<JsonMember> json_members(std::string_view text);

}  // namespace orderlab
