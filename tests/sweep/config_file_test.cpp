#include "sweep/config_file.hpp"

#include <doctest/doctest.h>

#include <string>

#include "config/axis.hpp"
#include "orderlab/error.hpp"
#include "sweep/config_text.hpp"

using namespace orderlab;

namespace {

using Texts = std::vector<std::string>;

Texts texts_of(const AxisValues& values) {
  Texts texts;
  for (const AxisValue& value : values) texts.push_back(value.text);
  return texts;
}

Texts values_of(const std::string& axis, const std::string& text) {
  const ConfigText config(text);
  return texts_of(read_config(config.path()).axes[axis_position(axis)]);
}

Texts n_of(const std::string& text) { return values_of("n", "order = 'seq'\nn = " + text + "\n"); }

// What is complained about, without the folder.
std::string complaint(const std::string& text) {
  const ConfigText config(text);
  try {
    (void)read_config(config.path());
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    const std::string message = error.what();
    REQUIRE(message.starts_with(config.path()));
    return message.substr(config.path().size());
  }
  return "";
}

}  // namespace

TEST_CASE("an axis is a value, a list, a range or a geometric range") {
  CHECK(n_of("1000") == Texts{"1000"});
  CHECK(n_of("1e6") == Texts{"1000000"});
  CHECK(n_of("'2^20'") == Texts{"1048576"});
  CHECK(n_of("[1, 2, 1_000]") == Texts{"1", "2", "1000"});
  CHECK(n_of("{ from = 3, to = 5, step = 1 }") == Texts{"3", "4", "5"});
  CHECK(n_of("{ from = 3, to = 10, step = 3 }") == Texts{"3", "6", "9"});
  CHECK(n_of("{ from = 1e1, to = 1e6, factor = 10 }") == Texts{"10", "100", "1000", "10000", "100000", "1000000"});
  CHECK(n_of("{ from = 1, to = 100, factor = 3.1622776601683795 }") == Texts{"1", "3", "10", "32", "100"});
  CHECK(n_of("{ from = 1, to = 4, factor = 1.3 }") == Texts{"1", "2", "3", "4"});
  CHECK(n_of("[5, { from = 4, to = 6, step = 1 }, 1]") == Texts{"5", "4", "6", "1"});
  CHECK(n_of("{ from = '2^63', to = '18446744073709551615', step = '2^62' }").size() == 2);
}

TEST_CASE("what is left out has its default or is absent") {
  const ConfigText config("n = 1\norder = 'seq'\n");
  const ConfigFile file = read_config(config.path());
  for (const Axis* axis : axis_list()) {
    const AxisValues& values = file.axes[axis_position(*axis)];
    if (axis == &axes::kN || axis == &axes::kOrder) continue;
    CHECK(texts_of(values) == (axis->default_text == kAbsent ? Texts{} : Texts{std::string(axis->default_text)}));
  }
  CHECK(file.title.empty());
  CHECK(file.excluded.empty());
}

TEST_CASE("a complaint has line and column, what is wrong, and what would be right") {
  const struct {
    std::string text;
    std::string message;
  } kCases[] = {
      {"n = 1\norder = 'seq'\nsampels = 3\n", ":3:1: sampels: no such key; did you mean samples?"},
      {"n = 1\norder = 'seq'\nn = 2\n", ":3:"},
      {"n = [1,\norder = 'seq'\n", ":2:"},
      {"order = 'seq'\nn = []\n", ":2:5: n: is empty; give at least one value"},
      {"order = 'seq'\nn = { from = 5, to = 4, step = 1 }\n", ":2:5: n: is empty; give at least one value"},
      {"order = 'seq'\nn = true\n", ":2:5: n: must be a count such as 1000, 1e6 or \"2^20\""},
      {"order = 'seq'\nn = 1.5\n", ":2:5: n 1.5: is not a whole number"},
      {"order = 'seq'\nn = -3\n", ":2:5: n -3: is negative"},
      {"order = 'seq'\nn = 0\n", ":2:5: n 0: must be at least 1"},
      {"order = 'seq'\nn = 1e40\n", ":2:5: n: is too large for a TOML float; write it in digits"},
      {"order = 'seq'\nn = [1, 'x']\n", ":2:9: n x: is not a count such as 1000, 1e6, 1_000_000 or 2^20"},
      {"order = 'seq'\nn = { from = 1, too = 4 }\n", ":2:17: too: no such key of a range; did you mean to?"},
      {"order = 'seq'\nn = { from = 1 }\n", ":2:5: n: a range needs to"},
      {"order = 'seq'\nn = { from = 1, to = 9, factor = 1 }\n", ":2:34: factor: must be a number above 1, such as 10"},
      {"order = 'seq'\nn = { from = 1, to = 9, factor = 2, step = 2 }\n",
       ":2:5: n: a range has a step or a factor, not both"},
      {"order = 'seq'\nn = { from = 10, to = 1000 }\n", ":2:5: n: a range needs a step or a factor, such as"},
      {"order = 'seq'\nn = { from = 1, to = 1e12, step = 1 }\n", ":2:5: n: is a range of more than 1000000 values"},
      {"n = 1\norder = 5\n", ":2:9: order: must be a text in quotes: named order or expression"},
      {"n = 1\norder = { from = 1, to = 2 }\n", ":2:9: order: has texts, so it takes no range; give a list"},
      {"n = 1\norder = 'seq'\ntitle = 3\n", ":3:9: title: must be a text in quotes"},
      {"n = 1\norder = 'seq'\ntitle = \"a\\u0000b\"\n",
       ":3:9: title: holds the control character 0; a text is characters that print"},
      {"n = 1\norder = ['seq', \"\\u001b[2J\"]\n", ":2:17: order: holds the control character 27;"},
      {"order = 'seq'\n", ": n is missing: number of terms"},
      {"n = 1\norder = ['seq', 'warp']\nexclude = [{ order = 'wrap' }]\n",
       ":3:22: exclude: wrap: no such value of order; did you mean warp?"},
      {"n = 1\norder = 'seq'\nexclude = [{ ordre = 'seq' }]\n", ":3:14: ordre: no such key; did you mean order?"},
      {"n = 1\norder = 'seq'\nexclude = { n = 1 }\n", ":3:11: exclude: must be a list of tables"},
      {"n = 1\norder = 'seq'\nexclude = [{}]\n", ":3:12: exclude: an entry must be a table with conditions"},
  };
  for (const auto& c : kCases) {
    CAPTURE(c.text);
    const std::string message = complaint(c.text);
    CAPTURE(message);
    CHECK(message.starts_with(c.message));
  }
}

TEST_CASE("what is no config is refused before it is read") {
  CHECK_THROWS_WITH_AS(read_config("/dev/zero"),
                       "/dev/zero: is a device, not a file; give a config such as configs/quick.toml", Error);
  CHECK(complaint("n = 1\norder = 'seq'\n#" + std::string(1 << 20, 'x')) ==
        ": is larger than 1.0 MiB, the limit for a file of this kind");
}

TEST_CASE("text may have several lines") {
  const ConfigText config("n = 1\norder = 'seq'\nquestion = \"\"\"\none\n\ttwo\"\"\"\n");
  CHECK(read_config(config.path()).question == "one\n\ttwo");
}
