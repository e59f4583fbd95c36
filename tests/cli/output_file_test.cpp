// What is written to a file, and what is left when that fails.
#include "cli/output_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "cli/refusals.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace fs = std::filesystem;

namespace {

struct stat about(const std::string& path) {
  struct stat result {};
  REQUIRE(lstat(path.c_str(), &result) == 0);
  return result;
}

unsigned mode_of(const std::string& path) { return about(path).st_mode & 07777; }

std::string commit(const std::string& path, const std::string& text) {
  std::ostringstream out;
  std::ostringstream err;
  Session session{.out = out, .err = err};
  OutputFile(path).commit(session, text);
  return out.str() + err.str();
}

// The message of the refusal; empty where there was none.
std::string refusal(const std::string& path, const std::string& text) {
  try {
    commit(path, text);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return {};
}

// No file may grow beyond so many bytes while this lives.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit less{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &less);
  }
  ~SizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

}  // namespace

TEST_CASE("a new file has the mode that the umask leaves, one that was there keeps its own") {
  const TemporaryFolder folder;
  const mode_t before = umask(027);
  commit("new", "text");
  umask(before);
  CHECK(mode_of("new") == 0640);
  for (const unsigned mode : {0600U, 0644U, 0664U, 0666U, 0200U}) {
    TemporaryFolder::write("old", "old");
    chmod("old", mode);
    commit("old", "text");
    CHECK(mode_of("old") == mode);
    chmod("old", 0600);
    CHECK(TemporaryFolder::read("old") == "text");
  }
  CHECK(TemporaryFolder::listing() == "./new=text\n./old=text\n");
}

TEST_CASE("the owner and group of a file that was there are kept") {
  if (geteuid() != 0) return;  // only root gives files away
  const TemporaryFolder folder;
  TemporaryFolder::write("old", "old");
  REQUIRE(chown("old", 12345, 54321) == 0);
  commit("old", "text");
  CHECK(about("old").st_uid == 12345);
  CHECK(about("old").st_gid == 54321);
}

TEST_CASE("a symbolic link stays, and what it leads to is written") {
  const TemporaryFolder folder;
  fs::create_directory("elsewhere");
  TemporaryFolder::write("elsewhere/there", "old");
  fs::create_symlink("elsewhere/there", "link");
  fs::create_symlink("link", "link to link");
  fs::create_symlink("elsewhere/new", "dangling");
  commit("link", "1");
  CHECK(TemporaryFolder::read("elsewhere/there") == "1");
  commit("link to link", "2");
  CHECK(TemporaryFolder::read("elsewhere/there") == "2");
  commit("dangling", "3");
  CHECK(TemporaryFolder::read("elsewhere/new") == "3");
  CHECK(fs::read_symlink("link") == "elsewhere/there");
  CHECK(fs::read_symlink("link to link") == "link");
  CHECK(fs::read_symlink("dangling") == "elsewhere/new");
  fs::create_symlink("circle", "circle");
  CHECK(refusal("circle", "4").find("symbolic links") != std::string::npos);
}

TEST_CASE("a check alone leaves everything as it was") {
  const TemporaryFolder folder;
  TemporaryFolder::write("old", "old");
  const timeval times[2]{{1000, 0}, {2000, 0}};
  utimes("old", times);
  const OutputFile one("old");
  const OutputFile two("new");
  CHECK(TemporaryFolder::listing() == "./old=old\n");
  CHECK(about("old").st_mtim.tv_sec == 2000);
}

TEST_CASE("a file that outgrows what it may leaves the old one and nothing else, and says why") {
  const TemporaryFolder folder;
  TemporaryFolder::write("old", "old");
  {
    const SizeLimit limit(1000);
    for (const char* path : {"old", "new"}) {
      const std::string message = refusal(path, std::string(5000, 'x'));
      CHECK(message == path + std::string(": cannot be written: File too large"));
    }
  }
  CHECK(TemporaryFolder::listing() == "./old=old\n");
}

TEST_CASE("a folder that went away, or a folder in place of the file, is told") {
  const TemporaryFolder folder;
  std::ostringstream text;
  Session session{.out = text, .err = text};
  fs::create_directory("gone");
  const OutputFile gone("gone/file");
  fs::remove("gone");
  CHECK_THROWS_WITH_AS(gone.commit(session, "text"), "gone/file: cannot be written: No such file or directory", Error);
  const OutputFile file("file");
  fs::create_directory("file");
  CHECK_THROWS_AS(file.commit(session, "text"), Error);
  CHECK(TemporaryFolder::listing() == "./file/\n");
}

TEST_CASE("a name of the greatest length can be written") {
  const TemporaryFolder folder;
  const std::string name(255, 'n');
  commit(name, "text");
  CHECK(TemporaryFolder::listing() == "./" + name + "=text\n");
  CHECK(refusal(name + "n", "text").find("too long") != std::string::npos);
}

TEST_CASE("a hard link is separated from its file, which keeps what it held") {
  const TemporaryFolder folder;
  TemporaryFolder::write("one", "old");
  fs::create_hard_link("one", "two");
  commit("one", "text");
  CHECK(TemporaryFolder::listing() == "./one=text\n./two=old\n");
}

TEST_CASE("a pipe is written in place, and one without a reader is waited for with a word") {
  const TemporaryFolder folder;
  REQUIRE(mkfifo("fifo", 0600) == 0);
  const int reader = open("fifo", O_RDONLY | O_NONBLOCK);
  CHECK(commit("fifo", "text").empty());
  std::string got(10, '\0');
  CHECK(read(reader, got.data(), got.size()) == 4);
  close(reader);
  std::string late;
  std::jthread later([&late] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    late = TemporaryFolder::read("fifo");
  });
  CHECK(commit("fifo", "text") == "orderlab: fifo: is a pipe that nobody reads; waiting for a reader\n");
  later.join();
  CHECK(late == "text");
  CHECK(S_ISFIFO(about("fifo").st_mode));
}

TEST_CASE("a file that is open for this program is written from where it stands") {
  const TemporaryFolder folder;
  TemporaryFolder::write("log", "before\n");
  const int log = open("log", O_WRONLY | O_APPEND);
  const int reader = open("log", O_RDONLY);
  commit("/dev/fd/" + std::to_string(log), "text\n");
  commit("/proc/self/fd/" + std::to_string(log), "more\n");
  CHECK(refusal("/dev/fd/" + std::to_string(reader), "x").find("Permission denied") != std::string::npos);
  close(log);
  close(reader);
  CHECK(TemporaryFolder::listing() == "./log=before\ntext\nmore\n\n");
}
