#include "page/html_text.hpp"

#include <doctest/doctest.h>

using namespace orderlab;

TEST_CASE("what means something to HTML is escaped") {
  CHECK(html_text("<a href=\"x\">'&amp;'</a>") == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&#39;&lt;/a&gt;");
  CHECK(html_text("two\nlines\tand \u00e9") == "two\nlines\tand \u00e9");
}

TEST_CASE("what HTML cannot hold becomes U+FFFD") {
  CHECK(html_text(std::string_view("a\0b", 3)) == "a\uFFFDb");
  CHECK(html_text("\x1b[31m\x7f") == "\uFFFD[31m\uFFFD");
  CHECK(html_text("\xff") == "\uFFFD");
}
