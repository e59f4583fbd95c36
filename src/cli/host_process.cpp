#include "cli/host_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

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

/// File descriptors of a child.
class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void send(int descriptor, const std::string& file) {
    constexpr mode_t kOwnerOnly = 0600;
    if (!file.empty())
      ::posix_spawn_file_actions_addopen(&actions_, descriptor, file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, kOwnerOnly);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

}  // namespace

ProcessEnd run_process(const HostProcess& process) {
  std::vector<std::string> arguments = process.arguments;
  std::vector<std::string> environment = environment_with(process.environment);
  const std::vector<char*> argument_list = texts_for_exec(arguments);
  const std::vector<char*> environment_list = texts_for_exec(environment);
  FileActions actions;
  actions.send(STDOUT_FILENO, process.output);
  actions.send(STDERR_FILENO, process.errors);
  pid_t child = -1;
  const int error = ::posix_spawnp(&child, argument_list[0], actions.get(), nullptr, argument_list.data(),
                                   environment_list.data());
  if (error != 0)
    throw Error(ErrorKind::unsupported, process.arguments[0] + ": cannot be started: " + std::strerror(error));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return {-1, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace orderlab::cli
