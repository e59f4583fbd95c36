#include "cli/host_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "orderlab/error.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has no header for it

namespace orderlab::cli {

namespace {

std::vector<char*> texts_for_exec(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::vector<std::string>& more) {
  std::vector<std::string> all = more;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable = *each;
    bool replaced = false;
    for (const std::string& one : more)
      replaced = replaced || variable.substr(0, variable.find('=')) == one.substr(0, one.find('='));
    if (!replaced) all.emplace_back(variable);
  }
  return all;
}

/// In the child, where only calls of the system are allowed. What fails goes to `report`, which a program that runs
/// does not have.
[[noreturn]] void become(const HostProcess& process, char* const* arguments, char* const* environment, pid_t parent,
                         int report) {
  constexpr int kCannotRun = 127;
  constexpr mode_t kOwnerOnly = 0600;
  const auto redirect = [](int descriptor, const std::string& file, int flags) {
    if (file.empty()) return true;
    const int opened = ::open(file.c_str(), flags | O_CLOEXEC, kOwnerOnly);
    return opened >= 0 && ::dup2(opened, descriptor) >= 0;
  };
  constexpr int kWrites = O_WRONLY | O_CREAT | O_TRUNC;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nothing runs on when this program is killed
  if (::getppid() == parent && redirect(STDIN_FILENO, process.input, O_RDONLY) &&
      redirect(STDOUT_FILENO, process.output, kWrites) && redirect(STDERR_FILENO, process.errors, kWrites) &&
      (!process.output_is_errors || ::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)) {
    // As a shell would start it: this program blocks and ignores signals for itself.
    sigset_t none;
    sigemptyset(&none);
    ::signal(SIGXFSZ, SIG_DFL);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execvpe(arguments[0], arguments, environment);
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &error, sizeof error);
  ::_exit(kCannotRun);
}

/// errno of a child that cannot run its program; 0 where it runs.
int error_of_exec(int report) {
  int error = 0;
  ssize_t size = 0;
  do size = ::read(report, &error, sizeof error);
  while (size < 0 && errno == EINTR);
  return size == static_cast<ssize_t>(sizeof error) ? error : 0;
}

/// Waits for a child's end, and looks for a stop from time to time.
class ChildEnd {
 public:
  explicit ChildEnd(pid_t child) : child_(child), exit_(static_cast<int>(::syscall(SYS_pidfd_open, child, 0))) {}
  ~ChildEnd() {
    if (exit_ >= 0) ::close(exit_);
  }
  ChildEnd(const ChildEnd&) = delete;
  ChildEnd& operator=(const ChildEnd&) = delete;

  /// Whether it ended within so many milliseconds.
  bool within(int milliseconds) {
    pollfd exit{exit_, POLLIN, 0};  // without a descriptor it waits for the whole time
    ::poll(&exit, 1, milliseconds);
    return ::waitpid(child_, &status_, WNOHANG) == child_;
  }

  /// Without a limit, after SIGKILL.
  void wait() {
    while (::waitpid(child_, &status_, 0) < 0 && errno == EINTR) {
    }
  }

  int status() const { return status_; }

 private:
  pid_t child_;
  int exit_;
  int status_ = 0;
};

}  // namespace

ProcessEnd run_process(const HostProcess& process, const std::stop_token& stop) {
  constexpr int kStopWithin = 50;  // milliseconds
  constexpr int kTerminateWithin = 200;
  std::vector<std::string> arguments = process.arguments;
  std::vector<std::string> environment = environment_with(process.environment);
  const std::vector<char*> argument_list = texts_for_exec(arguments);
  const std::vector<char*> environment_list = texts_for_exec(environment);
  const auto refuse = [&]() {
    return Error(ErrorKind::unsupported, process.arguments[0] + ": cannot be started: " + std::strerror(errno));
  };
  int report[2] = {-1, -1};
  if (::pipe2(report, O_CLOEXEC) != 0) throw refuse();
  // A program that reads from a terminal stays in the group that has it, and gets Ctrl-C from there.
  const bool own_group = ::isatty(STDIN_FILENO) == 0;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    if (own_group) ::setpgid(0, 0);
    become(process, argument_list.data(), environment_list.data(), parent, report[1]);
  }
  ::close(report[1]);
  if (child < 0) {
    const Error error = refuse();
    ::close(report[0]);
    throw Error(error);
  }
  const int error = error_of_exec(report[0]);
  ::close(report[0]);
  ChildEnd end(child);
  bool stopped = false;
  while (!end.within(kStopWithin)) {
    if (!stop.stop_requested()) continue;
    stopped = true;
    const pid_t all = own_group ? -child : child;
    ::kill(all, SIGTERM);  // a compiler removes its files
    if (end.within(kTerminateWithin)) break;
    ::kill(all, SIGKILL);
    end.wait();
    break;
  }
  stopped = stopped || stop.stop_requested();
  if (WIFSIGNALED(end.status())) return {-1, WTERMSIG(end.status()), error, stopped};
  return {WEXITSTATUS(end.status()), 0, error, stopped};
}

std::string signal_name(int signal) {
  const char* const name = ::sigabbrev_np(signal);
  return "SIG" + std::string(name == nullptr ? "?" : name);
}

std::string temporary_place() {
  std::error_code code;
  const std::string place = std::filesystem::temp_directory_path(code).string();
  if (!code) return place;
  const char* const named = std::getenv("TMPDIR");
  throw Error(ErrorKind::usage, "no folder for temporary files: TMPDIR is " +
                                    std::string(named == nullptr ? "not set and /tmp is none" : named) +
                                    "; set it to a folder that is there");
}

ScratchFolder::ScratchFolder(const std::string& beginning) : path_(beginning + "XXXXXX") {
  if (::mkdtemp(path_.data()) == nullptr)
    throw Error(ErrorKind::unsupported, path_ + ": cannot be made: " + std::strerror(errno));
}

ScratchFolder::~ScratchFolder() {
  std::error_code code;
  std::filesystem::remove_all(path_, code);
}

std::string content_of(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace orderlab::cli
