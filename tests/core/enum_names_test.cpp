// Names of enumerators as lists.
#include "core/enum_names.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "orderlab/check.hpp"

using namespace orderlab;

namespace {

enum class Season : std::uint8_t { spring, summer, autumn, winter };
constexpr std::string_view name_of(Season season) {
  constexpr std::string_view kNames[] = {"spring", "summer", "autumn", "winter"};
  return kNames[static_cast<std::size_t>(season)];
}

std::string joined(const auto& names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : " ").append(name);
  return text;
}

}  // namespace

TEST_CASE("names of enumerators are listed through the last, or from one to another") {
  CHECK(joined(names_through<Season::winter>()) == "spring summer autumn winter");
  CHECK(joined(names_through<Season::summer>()) == "spring summer");
  CHECK(joined(names_from<Season::summer, Season::autumn>()) == "summer autumn");
  CHECK(joined(names_through<Verdict::impossible>()) == "explained none unlikely impossible");
}

TEST_CASE("an enumerator is found by its name") {
  CHECK(enumerator_named<Season::winter>("autumn") == Season::autumn);
  CHECK(enumerator_named<Season::winter>("spring") == Season::spring);
  CHECK_FALSE(enumerator_named<Season::summer>("winter"));
  CHECK_FALSE(enumerator_named<Season::winter>("Winter"));
}
