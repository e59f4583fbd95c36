// What of a text may act upon a terminal, and how it is written instead.
#include "core/printable.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "core/text.hpp"

using namespace orderlab;

TEST_CASE("characters that act upon a terminal, end lines or turn the direction are escaped") {
  CHECK(printable("a\x1b[2Jb\x7f\a\r") == "a\\u001b[2Jb\\u007f\\u0007\\u000d");
  CHECK(printable("\xC2\x9B"
                  "31m") == "\\u009b31m");
  CHECK(printable("\u202Egnp\u2066\u2028\u2029\u200F\u061C") == "\\u202egnp\\u2066\\u2028\\u2029\\u200f\\u061c");
  CHECK(printable(std::string_view("\0", 1)) == "\\u0000");
  CHECK(printable("\x9B"
                  "31m") == "\uFFFD31m");  // no UTF-8
}

TEST_CASE("line ends and tabs stay in a text, and not in a name") {
  CHECK(printable("a\n\tb", LineEnds::kept) == "a\n\tb");
  CHECK(printable("a\n\tb") == "a\\n\\tb");
}

TEST_CASE("everything else stays") {
  for (const std::string_view text :
       {"", "a b~", "caf\u00E9 \u4E2D\u6587 \U0001F600", "\u00A0\u00AD\u2027\u202F\u2065\u206A"})
    CHECK(printable(text) == text);
}

TEST_CASE("what is printable stays so, whatever it is made of") {
  for (unsigned code = 0; code < 0x3000; ++code) {
    std::string text;
    if (code < 0x80)
      text = {static_cast<char>(code)};
    else if (code < 0x800)
      text = {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 63))};
    else
      text = {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 63)),
              static_cast<char>(0x80 | (code & 63))};
    const std::string shown = printable(text);
    CHECK(printable(shown) == shown);
    CHECK((shown == text) == (control_length(text) == 0));
  }
}
