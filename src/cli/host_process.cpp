#include "cli/host_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
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

/// In the child, where only calls of the system are allowed.
[[noreturn]] void become(const HostProcess& process, char* const* arguments, char* const* environment, pid_t parent) {
  constexpr int kCannotRun = 127;
  constexpr mode_t kOwnerOnly = 0600;
  const auto send = [](int descriptor, const std::string& file) {
    if (file.empty()) return true;
    const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, kOwnerOnly);
    return opened >= 0 && ::dup2(opened, descriptor) >= 0;
  };
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nothing runs on when this program is killed
  if (::getppid() == parent && send(STDOUT_FILENO, process.output) && send(STDERR_FILENO, process.errors))
    ::execvpe(arguments[0], arguments, environment);
  ::_exit(kCannotRun);
}

}  // namespace

ProcessEnd run_process(const HostProcess& process) {
  std::vector<std::string> arguments = process.arguments;
  std::vector<std::string> environment = environment_with(process.environment);
  const std::vector<char*> argument_list = texts_for_exec(arguments);
  const std::vector<char*> environment_list = texts_for_exec(environment);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(process, argument_list.data(), environment_list.data(), parent);
  if (child < 0)
    throw Error(ErrorKind::unsupported, process.arguments[0] + ": cannot be started: " + std::strerror(errno));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return {-1, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace orderlab::cli
