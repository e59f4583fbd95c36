// What a box leaves behind: no process, no descriptor, no signal.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <iterator>

#include "box/box_kit.hpp"

using namespace orderlab;
using namespace orderlab::box_kit;

namespace {

BoxLimits within_seconds(double seconds) {
  BoxLimits limits;
  limits.seconds = seconds;
  return limits;
}

std::ptrdiff_t open_files() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

// Gone, or dead and not yet waited for by whoever inherited it.
bool is_gone(pid_t process) {
  std::string text;
  std::getline(std::ifstream("/proc/" + std::to_string(process) + "/stat"), text);
  return text.empty() || has(text, ") Z ");
}

// The number that a process wrote, once it has.
pid_t number_in(const std::string& file) {
  pid_t process = 0;
  CHECK(soon([&] { return static_cast<bool>(std::ifstream(file) >> process); }));
  return process;
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) == 0 || errno != ECHILD; }

}  // namespace

TEST_CASE("a box that is destroyed or has failed leaves no process behind") {
  REQUIRE_FALSE(has_children());
  const Folder folder;
  const std::string own = folder.file("own");
  const std::string other = folder.file("other");
  const std::string command = "sleep 100 & echo $! > " + other + "; echo $$ > " + own + "; ";
  const auto forget = [&] { CHECK((std::filesystem::remove(own) && std::filesystem::remove(other))); };
  {
    const auto box = make(command_box(command + "read line; echo 5; wait", true), 4);
    CHECK(sum_of_counts(*box, 4) == 5);
    CHECK_FALSE(is_gone(number_in(own)));
    CHECK_FALSE(is_gone(number_in(other)));
  }
  for (const std::string& file : {own, other}) CHECK(soon([&] { return is_gone(number_in(file)); }));
  CHECK_FALSE(has_children());
  forget();

  const auto late = make(command_box(command + "wait", false, within_seconds(2)), 4);
  CHECK(has(failure(*late), "no answer within"));
  for (const std::string& file : {own, other}) CHECK(soon([&] { return is_gone(number_in(file)); }));
  CHECK_FALSE(has_children());
  forget();

  const auto done = make(command_box(command + "echo 3"), 4);
  CHECK(sum_of_counts(*done, 4) == 3);
  for (const std::string& file : {own, other}) CHECK(soon([&] { return is_gone(number_in(file)); }));
  CHECK_FALSE(has_children());
}

TEST_CASE("a box leaves no process behind that has left its group") {
  const Folder folder;
  const std::string left = folder.file("left");
  // In a session of its own, and a child of nobody.
  const std::string daemon = "(setsid sh -c 'echo $$ > " + left + "x; mv " + left + "x " + left +
                             "; exec sleep 100' &); while [ ! -e " + left + " ]; do sleep 0.01; done; ";
  const auto forget = [&] {
    const pid_t process = number_in(left);
    CHECK(std::filesystem::remove(left));
    return process;
  };
  struct Case {
    const char* end;
    const char* problem;  // none where it answers 3
  };
  for (const Case& c : std::vector<Case>{{"echo 3", ""},
                                         {"sleep 100 & echo 3", ""},
                                         {"exit 3", "exited with status 3"},
                                         {"echo abc", "answered 'abc'"},
                                         {"kill -9 $$", "crashed (SIGKILL)"},
                                         {"kill -9 0", "crashed (SIGKILL)"},
                                         {"kill 0", "crashed (SIGTERM)"},
                                         {"kill $PPID; sleep 100", "crashed (SIGTERM)"},
                                         {"kill -STOP $PPID; echo 3", "no answer within 2 s"},
                                         {"sleep 100", "no answer within 2 s"}}) {
    CAPTURE(c.end);
    const auto box = make(command_box(daemon + c.end, false, within_seconds(has(c.problem, "within") ? 2 : 20)), 4);
    if (*c.problem == '\0')
      CHECK(sum_of_counts(*box, 4) == 3);
    else
      CHECK(has(failure(*box), c.problem));
    CHECK(is_gone(forget()));  // at once: the keeper has waited for it
    CHECK_FALSE(has_children());
  }
  pid_t process = 0;
  {
    const auto lines = make(command_box(daemon + "while read line; do echo 7; done", true), 4);
    for (int i = 0; i < 3; ++i) CHECK(sum_of_counts(*lines, 4) == 7);
    process = number_in(left);
    CHECK_FALSE(is_gone(process));  // it may serve the next calls
  }
  CHECK(is_gone(process));
}

TEST_CASE("a library's daemons end with its box") {
  std::vector<pid_t> daemons;
  {
    const auto library = make(library_box(ORDERLAB_TEST_SUMS ":daemon_of"), 4);
    for (int i = 0; i < 5; ++i) daemons.push_back(static_cast<pid_t>(sum_of_counts(*library, 4)));
    for (const pid_t process : daemons) CHECK_FALSE(is_gone(process));
  }
  for (const pid_t process : daemons) CHECK(is_gone(process));
  CHECK_FALSE(has_children());
}

TEST_CASE("a box whose keeper is killed leaves nothing of its group behind") {
  const Folder folder;
  const std::string other = folder.file("other");
  const auto box = make(command_box("sleep 100 & echo $! > " + other + "; kill -9 $PPID; sleep 100"), 4);
  CHECK(has(failure(*box), "crashed (SIGKILL)"));
  CHECK(soon([&, process = number_in(other)] { return is_gone(process); }));
}

TEST_CASE("a box dies with the process that made it") {
  const Folder folder;
  const std::string command = "sleep 100 & echo $! > " + folder.file("other") + "; setsid sh -c 'echo $$ > " +
                              folder.file("left") + "; exec sleep 100' & wait";
  const pid_t maker = ::fork();
  if (maker == 0) {
    sum_of_counts(command_box(command));
    ::_exit(0);
  }
  const pid_t other = number_in(folder.file("other"));
  const pid_t left = number_in(folder.file("left"));
  CHECK_FALSE(is_gone(other));
  CHECK_FALSE(is_gone(left));
  ::kill(maker, SIGKILL);
  ::waitpid(maker, nullptr, 0);
  for (const pid_t process : {other, left}) CHECK(soon([&] { return is_gone(process); }));
}

TEST_CASE("a box outlives the thread that started it") {
  const auto command = make(command_box("while read line; do echo 7; done", true), 4);
  const auto library = make(library_box(ORDERLAB_TEST_SUMS ":sum"), 4);
  std::thread([&] {
    CHECK(sum_of_counts(*command, 4) == 7);
    CHECK(sum_of_counts(*library, 4) == 10);
  }).join();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(sum_of_counts(*command, 4) == 7);
  CHECK(sum_of_counts(*library, 4) == 10);
}

TEST_CASE("a box leaves no descriptor open, and gives none to another") {
  const std::ptrdiff_t before = open_files();
  std::ptrdiff_t of_child = 0;
  for (int i = 0; i < 3; ++i) {
    const auto lines = make(command_box("while read line; do echo 7; done", true), 4);
    const auto library = make(library_box(ORDERLAB_TEST_SUMS ":sum"), 4);
    const auto hanging = make(library_box(ORDERLAB_TEST_SUMS ":hanging_sum", within_seconds(0.1)), 4);
    const auto crashing = make(library_box(ORDERLAB_TEST_SUMS ":aborting_sum"), 4);
    sum_of_counts(*lines, 4);
    sum_of_counts(*library, 4);
    failure(*hanging);
    failure(*crashing);
    failure(command_box("yes"));
    failure(command_box("sleep 100", false, within_seconds(0.1)));
    const auto count = static_cast<std::ptrdiff_t>(sum_of_counts(command_box("ls /proc/self/fd | wc -l")));
    CHECK((i == 0 || count == of_child));
    of_child = count;
  }
  CHECK(of_child <= 6);  // 0 to 4, and the folder
  CHECK(open_files() == before);
}

TEST_CASE("boxes of several threads do not disturb each other") {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i] {
      const auto library = make(library_box(ORDERLAB_TEST_SUMS ":sum"), 4);
      const auto lines = make(command_box("while read line; do echo " + std::to_string(i) + "; done", true), 4);
      for (int k = 0; k < 20; ++k) {
        CHECK(sum_of_counts(*library, 4) == 10);
        CHECK(sum_of_counts(*lines, 4) == i);
        CHECK(sum_of_counts(command_box("echo " + std::to_string(k))) == k);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("a box works where signals of the process are ignored or handled") {
  struct sigaction pipe {};
  struct sigaction child {};
  REQUIRE(::sigaction(SIGPIPE, nullptr, &pipe) == 0);
  REQUIRE(::sigaction(SIGCHLD, nullptr, &child) == 0);
  ::signal(SIGPIPE, SIG_IGN);
  CHECK(has(failure(command_box("kill -PIPE $$; echo 3")), "crashed (SIGPIPE)"));
  const auto file_size = ::signal(SIGXFSZ, SIG_IGN);
  CHECK(has(failure(command_box("kill -XFSZ $$; echo 3")), "crashed (SIGXFSZ)"));
  ::signal(SIGXFSZ, file_size);
  ::signal(SIGCHLD, SIG_IGN);
  CHECK(sum_of_counts(command_box("echo 3")) == 3);
  CHECK(sum_of_counts(library_box(ORDERLAB_TEST_SUMS ":sum")) == 10);
  CHECK(has(failure(command_box("echo abc")), "answered 'abc'"));
  ::sigaction(SIGPIPE, &pipe, nullptr);
  ::sigaction(SIGCHLD, &child, nullptr);
}
