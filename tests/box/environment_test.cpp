#include "box/environment.hpp"

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <locale>
#include <map>
#include <optional>
#include <sstream>

#include "box/box_kit.hpp"

using namespace orderlab;
using namespace orderlab::box_kit;

namespace {

using Variables = std::map<std::string, std::optional<std::string>>;

// Variables of this process while the object lives; those without a value are unset.
class With {
 public:
  explicit With(const Variables& variables) {
    for (const auto& [name, value] : variables) {
      const char* const before = std::getenv(name.c_str());
      before_[name] = before == nullptr ? std::nullopt : std::optional<std::string>(before);
    }
    set(variables);
  }
  ~With() { set(before_); }
  With(const With&) = delete;
  With& operator=(const With&) = delete;

 private:
  static void set(const Variables& variables) {
    for (const auto& [name, value] : variables)
      if (value)
        ::setenv(name.c_str(), value->c_str(), 1);
      else
        ::unsetenv(name.c_str());
  }

  Variables before_;
};

const Variables kNothingSaid{{"LC_ALL", {}}, {"LANG", {}}, {"LC_NUMERIC", {}}, {"LC_CTYPE", {}}, {"LC_TIME", {}}};

Variables besides_nothing(const Variables& variables) {
  Variables all = variables;
  all.insert(kNothingSaid.begin(), kNothingSaid.end());
  return all;
}

// What an environment says of locales, by name.
Variables locale_in(const std::vector<std::string>& lines) {
  Variables found;
  for (const std::string& line : lines)
    if (line.starts_with("LC_") || line.starts_with("LANG="))
      found[line.substr(0, line.find('='))] = line.substr(line.find('=') + 1);
  return found;
}

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream text(file);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

class Commas : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

}  // namespace

TEST_CASE("a box writes numbers as in C, and all else as its user has it") {
  struct Case {
    Variables given;
    Variables expected;
  };
  for (const Case& c : std::vector<Case>{
           {{}, {{"LC_NUMERIC", "C"}}},
           {{{"LC_NUMERIC", "de_DE.UTF-8"}}, {{"LC_NUMERIC", "C"}}},
           {{{"LANG", "de_DE.UTF-8"}}, {{"LANG", "de_DE.UTF-8"}, {"LC_NUMERIC", "C"}}},
           {{{"LANG", "de_DE.UTF-8"}, {"LC_TIME", "fr_FR.UTF-8"}},
            {{"LANG", "de_DE.UTF-8"}, {"LC_TIME", "fr_FR.UTF-8"}, {"LC_NUMERIC", "C"}}},
           {{{"LC_ALL", ""}, {"LANG", "de_DE.UTF-8"}}, {{"LANG", "de_DE.UTF-8"}, {"LC_NUMERIC", "C"}}},
           {{{"LC_ALL", "de_DE.UTF-8"}, {"LANG", "C"}, {"LC_CTYPE", "C"}, {"LC_NUMERIC", "fr_FR.UTF-8"}},
            {{"LANG", "de_DE.UTF-8"}, {"LC_NUMERIC", "C"}}},
           {{{"LC_ALL", "C.UTF-8"}}, {{"LANG", "C.UTF-8"}, {"LC_NUMERIC", "C"}}},
       }) {
    const With variables(besides_nothing(c.given));
    CHECK(locale_in(box_environment(0)) == c.expected);
    const Folder folder;
    sum_of_counts(command_box("env > " + folder.file("call") + "; echo 3"));
    sum_of_counts(command_box("env > " + folder.file("lines") + "; read a; echo 3; read a", true));
    CHECK(locale_in(lines_of(folder.file("call"))) == c.expected);
    CHECK(locale_in(lines_of(folder.file("lines"))) == c.expected);
  }
}

TEST_CASE("the rest of a box's environment is that of the process") {
  const With variables({{"OMP_NUM_THREADS", "7"}, {"LANGUAGE", "de"}, {"LC_ALL", "C"}});
  const std::vector<std::string> given = box_environment(0);
  const auto has_line = [](const std::vector<std::string>& lines, const char* line) {
    return std::ranges::count(lines, line) == 1;
  };
  CHECK(has_line(given, "OMP_NUM_THREADS=7"));
  CHECK(has_line(given, "LANGUAGE=de"));
  CHECK(has_line(box_environment(3), "OMP_NUM_THREADS=3"));
  CHECK_FALSE(has_line(box_environment(3), "OMP_NUM_THREADS=7"));
}

TEST_CASE("threads of a box wait passively, unless its user says otherwise") {
  for (const std::optional<std::string>& said : {std::optional<std::string>(), std::optional<std::string>("active")}) {
    const With variables({{"OMP_WAIT_POLICY", said}});
    const std::string expected = "OMP_WAIT_POLICY=" + said.value_or("passive");
    const std::vector<std::string> given = box_environment(0);
    CHECK(std::ranges::count(given, expected) == 1);
    CHECK(std::ranges::count_if(given, [](const std::string& line) { return line.starts_with("OMP_WAIT_POLICY="); }) ==
          1);
    const Folder folder;
    sum_of_counts(command_box("env > " + folder.file("call") + "; echo 3"));
    CHECK(std::ranges::count(lines_of(folder.file("call")), expected) == 1);
  }
}

TEST_CASE("a library's function writes numbers as in C where the process does not") {
  constexpr float kBoth = 3;
  CHECK(sum_of_counts(library_box(ORDERLAB_TEST_SUMS ":points_of")) == kBoth);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Commas));
  std::ostringstream text;
  text << 0.5;
  const double points = sum_of_counts(library_box(ORDERLAB_TEST_SUMS ":points_of"));
  std::locale::global(before);
  CHECK(text.str() == "0,5");
  CHECK(points == kBoth);
}
