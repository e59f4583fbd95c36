#include "sweep/toml_guard.hpp"

#include <doctest/doctest.h>

#include <string>

#include "orderlab/error.hpp"
#include "sweep/config_file.hpp"
#include "sweep/config_text.hpp"

using namespace orderlab;

namespace {

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

// "LINE:COLUMN: problem" of the first fault; "" without one.
std::string fault_in(const std::string& text) {
  const auto fault = find_toml_fault(text);
  return fault ? std::to_string(fault->line) + ":" + std::to_string(fault->column) + ": " + fault->problem : "";
}

}  // namespace

TEST_CASE("TOML as configs write it has no fault") {
  for (const std::string& text : {
           std::string(),
           std::string("\xEF\xBB\xBF# a byte order mark, caf\u00e9\r\nn = 1\r\n"),
           std::string("title = \"caf\u00e9 \\u00e9 \\\" # no comment\" # \u3042\n"),
           std::string("title = '\u00e9\\' # \u3042 'quoted'\n"),
           std::string("a.b . 'c.d'.\"e\" = [1, -2.5e-3, +1e6, 0x1F, true, [], {x = 'y', z = [{}]}]\n"),
           std::string("question = \"\"\"\n\u00e9 \"\" ' \\\n   joined\n\u3042\"\"\"\"\"\nn = '''\n\u00e9 '' \\'''\n"),
           std::string("[[exclude]]\norder = 'ao'\n[ n ]\nfrom = 1 # ]\n[a.'b']\n"),
           "n = " + repeated("[", kMostNested) + "1" + repeated("]", kMostNested) + "\n",
           "a" + repeated(".a", kMostNested - 1) + " = 1\n",
           "n = [" + repeated("0.5, ", 1000) + "]\n",
       }) {
    CAPTURE(text);
    CHECK(fault_in(text) == "");
  }
}

TEST_CASE("a fault has its line and column, in characters, and what is wrong") {
  const struct {
    std::string text;
    std::string fault;
  } kCases[] = {
      {"n = 1\n\u02ab = 2\n", "2:1: '\u02ab' stands outside of quotes; write texts in quotes, and no dates"},
      {"t = '\u00e9' \u00e9\n", "1:9: '\u00e9' stands outside of quotes; write texts in quotes, and no dates"},
      {"n = 1'\u02ab'\n", "1:6: ''' stands outside of quotes; write texts in quotes, and no dates"},
      {"n = 1.\u3042\n", "1:7: '\u3042' stands outside of quotes; write texts in quotes, and no dates"},
      {"n = 1979-05-27 0,:\n", "1:9: '-' stands outside of quotes; write texts in quotes, and no dates"},
      {"n = 07:32\n", "1:7: ':' stands outside of quotes; write texts in quotes, and no dates"},
      {"[#\n", "1:2: a table header needs a key, such as [exclude]; a list follows a key and ="},
      {"[[[1]]]\n", "1:3: a table header needs a key, such as [exclude]; a list follows a key and ="},
      {"n = [}\n", "1:6: '}' closes no '{'"},
      {"n = {]\n", "1:6: ']' closes no '['"},
      {"n = 1\nt = \"a\xff\"\n", "2:7: is not UTF-8; save the file as UTF-8"},
      {std::string("t = '\0'", 7), "1:6: is a control character (0); a config is text"},
      {"n = 1\r", "1:6: is a control character (13); a config is text"},
      {"t = \"\"\"a\\\n \u00e9\"\"\"\n",
       "2:2: a backslash in front of this character; begin the next line with an ASCII character"},
      {"a" + repeated(".a", 200'000) + " = 1\n", "1:40: a key of more than 20 parts"},
      {"[a" + repeated(". 'a'", 200'000) + "]\n", "1:98: a key of more than 20 parts"},
      {"n = " + repeated("[", 100'000), "1:25: values nest deeper than 20 levels"},
      {"n = " + repeated("{a=", 100'000), "1:65: values nest deeper than 20 levels"},
  };
  for (const auto& c : kCases) {
    CAPTURE(c.text.substr(0, 100));
    CHECK(fault_in(c.text) == c.fault);
    const ConfigText config(c.text);
    CHECK_THROWS_WITH_AS(read_config(config.path()), (config.path() + ":" + c.fault).c_str(), Error);
  }
}

TEST_CASE("what toml++ refuses itself stays its own to refuse") {
  for (const char* text : {"title = \"abc\nn = 1\n", "title = '''abc", "n = \n", "n = 1 2\n", "= 1\n", "[n\n",
                           "n = 1__0\n", "t = \"\\x\"\n", "\""}) {
    CAPTURE(text);
    const ConfigText config(text);
    CHECK(fault_in(text) == "");
    CHECK_THROWS_AS(read_config(config.path()), Error);
  }
}
