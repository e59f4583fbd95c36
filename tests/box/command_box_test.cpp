#include "box/box_kit.hpp"

using namespace orderlab;
using namespace orderlab::box_kit;

namespace {

const std::string kAwk = R"(awk '{ s += $1 } END { printf "%.17g\n", s }')";

// awk need not read a line before its buffer is full; a shell does.
const std::string kShellLines = "while read line; do s=0; for x in $line; do s=$((s + x)); done; echo $s; done";

BoxLimits within(double seconds) {
  BoxLimits limits;
  limits.seconds = seconds;
  return limits;
}

}  // namespace

TEST_CASE("a command sums what it reads, call after call") {
  const BoxMaker maker = command_box(kAwk);
  CHECK(maker.name == kAwk);
  CHECK_FALSE(maker.products);
  const auto box = make(maker, 4);
  CHECK(box->digits() == 0);
  CHECK(sum_of_counts(*box, 4) == 10);
  CHECK(box->digits() == 2);
  const std::vector<float> terms{0.1F, 0, 0, 0};
  CHECK(box->sum(view_of(terms.data(), 4)) == static_cast<double>(0.1F));
  CHECK(sum_of_counts(*box, 4) == 10);
  CHECK(box->digits() == 17);
  CHECK(box->together() == 1);
  CHECK_FALSE(box->changes_input());
}

TEST_CASE("a command reads terms of every format, one a line") {
  const Folder folder;
  const BoxMaker maker = command_box("cat > " + folder.file("terms") + "; echo 0");
  const std::vector<Half> terms{Half(-0.0), Half(0x1p-24)};
  make(maker, 2, Format::fp16)->sum(view_of(terms.data(), 2));
  std::string text;
  std::getline(std::ifstream(folder.file("terms")), text, '\0');
  CHECK(text == "-0\n5.960464477539063e-08\n");
}

TEST_CASE("a command of products reads both factors of each") {
  const Folder folder;
  const BoxMaker maker = command_box("cat > " + folder.file("terms") + "; echo 0", false, {}, true);
  CHECK(maker.products);
  const std::vector<float> x{1.5F, 2};
  const std::vector<float> y{-3, 0.25F};
  make(maker, 2)->sum(view_of(x.data(), 2, y.data()));
  std::string text;
  std::getline(std::ifstream(folder.file("terms")), text, '\0');
  CHECK(text == "1.5 -3\n2 0.25\n");
}

TEST_CASE("a command that crashes, fails, or answers with anything but a number is refused in one line") {
  struct Case {
    const char* command;
    const char* problem;
  };
  for (const Case& c :
       std::vector<Case>{{"kill -9 $$", "crashed (SIGKILL)"},
                         {"kill -SEGV $$", "crashed (SIGSEGV)"},
                         {"exit 3", "exited with status 3"},
                         {"echo 10; exit 1", "exited with status 1"},
                         {"printf 'a\\nno \\033such thing\\n\\n' >&2; exit 3", "exited with status 3: no such thing"},
                         {"echo abc", "answered 'abc'; a number is needed"},
                         {"echo 3 apples", "answered '3 apples'; a number is needed"},
                         {"true", "answered nothing; a number is needed"},
                         {"exec >&-; sleep 0.05", "answered nothing; a number is needed"},
                         {"echo 1 2", "answered more than one number: '1 2'"},
                         {"echo 1; echo 2", "answered more than one number: '1 2'"},
                         {"printf '1\\0\\0'", "answered '1\\0\\0', which has NUL bytes; a number is needed"},
                         {"yes", "answered more than 64 KiB; a number is needed"}})
    CHECK(failure(command_box(c.command)) == c.command + std::string(": ") + c.problem);
  CHECK(has(failure(command_box("no_such_command")), "exited with status 127: "));
  CHECK(failure(command_box("exit\n7")).starts_with("exit 7: "));
}

TEST_CASE("a command that hangs fails when its time is over") {
  const auto begin = std::chrono::steady_clock::now();
  CHECK(failure(command_box("sleep 100", false, within(0.3))) == "sleep 100: no answer within 0.3 s");
  CHECK(failure(command_box("echo 3; exec >&-; sleep 100", false, within(0.1))) ==
        "echo 3; exec >&-; sleep 100: no answer within 0.1 s");
  CHECK(has(failure(command_box("yes >&2", false, within(0.1))), "no answer within 0.1 s"));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

TEST_CASE("a stop ends a wait") {
  std::stop_source source;
  BoxLimits limits = within(100);
  limits.stop = source.get_token();
  source.request_stop();
  CHECK(failure(command_box("sleep 100", false, limits)) == "sleep 100: stopped before it answered");
}

TEST_CASE("a command need not read its input, nor wait for what it started") {
  CHECK(sum_of_counts(command_box("echo 3"), 100'000) == 3);
  CHECK(sum_of_counts(command_box("head -n 1"), 100'000) == 1);
  CHECK(sum_of_counts(command_box("sleep 100 & echo 3")) == 3);
}

TEST_CASE("a command reads much and writes much to its standard error") {
  CHECK(sum_of_counts(command_box("tee /dev/stderr | " + kAwk), 100'000) == 5'000'050'000);
}

TEST_CASE("a command of lines answers from one process") {
  const Folder folder;
  const auto box = make(command_box("echo start >> " + folder.file("log") + "; " + kShellLines, true), 4);
  for (int i = 0; i < 3; ++i) CHECK(sum_of_counts(*box, 4) == 10);
  CHECK(box->digits() == 2);
  std::string text;
  std::getline(std::ifstream(folder.file("log")), text, '\0');
  CHECK(text == "start\n");
}

TEST_CASE("a command of lines reads lines that no pipe holds") {
  CHECK(sum_of_counts(command_box("sed -u 's/.* //'", true), 20'000) == 20'000);
  CHECK(sum_of_counts(command_box("echo 5; sleep 100", true), 100'000) == 5);
}

TEST_CASE("a command of lines that ends, hangs, or answers too much is refused in one line") {
  const auto refused = [](const std::string& command, std::size_t n = 4, double seconds = 20) {
    const auto box = make(command_box(command, true, within(seconds)), n);
    double sum = 1;
    while (sum == 1) {  // a process may answer some lines before it fails
      try {
        sum = sum_of_counts(*box, n);
      } catch (const Error&) {
        return failure(*box, n).substr(command.size() + 2);
      }
    }
    return std::string("no failure");
  };
  CHECK(refused("exit 4") == "exited with status 4 before it answered");
  CHECK(refused("kill -9 $$", 100'000) == "crashed (SIGKILL) before it answered");
  CHECK(refused("read a; echo 1") == "exited with status 0 before it answered");
  CHECK(refused("read a; echo; sleep 100") == "answered nothing; a number is needed");
  CHECK(refused("read a; echo 1 2; sleep 100") == "answered more than one number: '1 2'");
  CHECK(refused("read a; printf '1\\n2\\n'; sleep 100") == "answered more than one line; after the first: '2'");
  CHECK(refused("read a; printf '1\\n\\0\\0'; sleep 100") ==
        "answered more than one line; after the first: '\\0\\0', which has NUL bytes");
  CHECK(refused("read a; echo abc; sleep 100") == "answered 'abc'; a number is needed");
  CHECK(refused("yes | tr -d '\\n'") == "answered more than 64 KiB; a number is needed");
  CHECK(
      refused("exec sleep 100", 100'000, 0.3) ==
      "no answer within 0.3 s; a line may be in a buffer: flush every one (fflush() of awk, and mawk -W interactive)");
}

TEST_CASE("an empty command is refused") {
  for (const char* command : {"", " \n\t"}) CHECK(has(refusal([&] { command_box(command); }), "an empty command"));
}
