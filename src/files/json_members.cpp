#include "files/json_members.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"
#include "files/json_scanner.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

void require_unlike_keys(const std::vector<JsonMember>& members) {
  std::vector<std::string_view> keys;
  keys.reserve(members.size());
  for (const JsonMember& member : members) keys.push_back(member.key);
  std::sort(keys.begin(), keys.end());
  const auto twice = std::adjacent_find(keys.begin(), keys.end());
  if (twice != keys.end()) throw Error(ErrorKind::input, "JSON: the key " + in_quotes(*twice) + " is there twice");
}

}  // namespace

std::vector<JsonMember> json_members(std::string_view text) {
  JsonScanner scanner(text);
  std::vector<JsonMember> members;
  scanner.expect('{');
  if (!scanner.take('}')) {
    do {
      std::string key = scanner.string();
      scanner.expect(':');
      members.push_back({std::move(key), scanner.value()});
    } while (scanner.take(','));
    if (!scanner.take('}')) scanner.fail("the object does not end");
  }
  scanner.require_end();
  require_unlike_keys(members);
  return members;
}

}  // namespace orderlab
