#include "box/child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>

#include "box/one_line.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kThreads = "OMP_NUM_THREADS=";
constexpr int kNotStarted = 127;  // as a shell exits where there is no such command

// The environment with OMP_NUM_THREADS set, where it is to be.
std::vector<std::string> environment_with(std::size_t threads) {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (threads == 0 || !std::string_view(*variable).starts_with(kThreads)) variables.emplace_back(*variable);
  if (threads > 0) variables.push_back(std::string(kThreads) + std::to_string(threads));
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Signals as a program expects them: none blocked, none with a handler of the parent's. Python ignores SIGPIPE, which
// would change what pipelines do; with SIGCHLD ignored nobody learns how a child ended.
void reset_signals() {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_DFL) continue;
    if (action.sa_handler == SIG_IGN && number != SIGPIPE && number != SIGCHLD) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(number, &action, nullptr);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void close_from(int first) {
  if (::syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  constexpr int kMostFiles = 4096;  // Linux before 5.9
  for (int file = first; file < kMostFiles; ++file) ::close(file);
}

// Descriptors 0, 1, ... become `files`, which may be any of them, and all others are closed.
void place(std::array<int, 5> files) {
  constexpr int kOutOfTheWay = 16;
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int& file : files) file = ::fcntl(file < 0 ? nothing : file, F_DUPFD, kOutOfTheWay);
  for (std::size_t i = 0; i < files.size(); ++i) ::dup2(files[i], static_cast<int>(i));
  close_from(static_cast<int>(files.size()));
}

pid_t parent_of_keeper = 0;  // in a keeper: orderlab's process

extern "C" void end_group_without_parent(int) {
  if (::getppid() != parent_of_keeper) ::kill(0, SIGKILL);  // else only the thread that made the keeper has ended
}

// Tells of the death of the parent, or of its thread, by a signal.
void watch(pid_t parent) {
  parent_of_keeper = parent;
  struct sigaction action {};
  action.sa_handler = end_group_without_parent;
  ::sigaction(SIGUSR1, &action, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGUSR1);
  if (::getppid() != parent) ::_exit(kNotStarted);  // it died before prctl
}

// Ends as `program` ends.
[[noreturn]] void keep(pid_t program) {
  close_from(0);
  int status = 0;
  while (::waitpid(program, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) ::_exit(WEXITSTATUS(status));
  ::signal(WTERMSIG(status), SIG_DFL);
  ::kill(::getpid(), WTERMSIG(status));
  ::_exit(kNotStarted);
}

siginfo_t exit_of(pid_t process, int flags) {
  siginfo_t exit{};
  while (::waitid(P_PID, static_cast<id_t>(process), &exit, WEXITED | WNOWAIT | flags) != 0 && errno == EINTR) {
  }
  return exit;
}

}  // namespace

// Two processes: the first leads the group and keeps the second, so that the whole group ends when orderlab is killed.
// (A shell does not tell the programs that it started when it is killed itself.)
// A program's child is a vfork of the first, which has no other thread: only one copy of the parent's page tables is
// made.
//
// Between fork and execve only what is safe after a signal: other threads of the parent may hold any lock. A library's
// child (setup.call) goes on without execve, because there is no program of ours to execute where orderlab is a library
// itself. It calls malloc and dlopen, whose locks glibc's fork makes anew in the child.
void Child::become(const ChildSetup& setup, std::span<char* const> arguments, char** environment, pid_t parent,
                   int errors) const {
  ::setpgid(0, 0);
  reset_signals();
  watch(parent);
  const pid_t keeper = ::getpid();
  const pid_t program = setup.call ? ::fork() : ::vfork();
  if (program < 0) ::_exit(kNotStarted);
  if (program > 0) keep(program);
  ::signal(SIGUSR1, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != keeper) ::_exit(kNotStarted);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::array<int, 5> files = setup.files;
  files[2] = errors;
  place(files);
  environ = environment;
  if (setup.call) {
    ::on_exit([](int status, void*) { ::_exit(status); }, nullptr);  // before the parent's own functions of atexit
    setup.call();
    ::_exit(0);
  }
  ::execve(arguments[0], arguments.data(), environment);
  constexpr std::string_view kProblem = "cannot be executed\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kProblem.data(), kProblem.size());
  ::_exit(kNotStarted);
}

Child::Child(const ChildSetup& setup) {
  std::vector<std::string> arguments = setup.arguments;
  std::vector<std::string> variables = environment_with(setup.threads);
  const std::vector<char*> argument_list = pointers_to(arguments);
  std::vector<char*> environment = pointers_to(variables);
  DescriptorPair errors = make_pipe();
  do_not_block(errors.first);

  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) fail_of_system("start a process");
  if (process_ == 0) become(setup, argument_list, environment.data(), parent, errors.second.get());
  ::setpgid(process_, process_);  // whoever comes first
  errors_ = std::move(errors.first);
  exit_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process_, 0)));
}

// The child is not waited for before its group is killed: until then no other group can have its number.
Child::~Child() {
  ::kill(-process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Child::Wake Child::wait(std::span<pollfd> files, const Deadline& deadline) {
  constexpr std::int64_t kLookForExitMs = 5;  // where no descriptor tells of it
  constexpr std::int64_t kLookForStopMs = 50;
  const std::int64_t look_every = exit_.get() < 0                 ? kLookForExitMs
                                  : deadline.stop.stop_possible() ? kLookForStopMs
                                                                  : std::numeric_limits<int>::max();
  std::vector<pollfd> all(files.begin(), files.end());
  all.push_back({errors_.get(), POLLIN, 0});
  all.push_back({exit_.get(), POLLIN, 0});
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline.time - std::chrono::steady_clock::now());
    const std::int64_t most = std::clamp<std::int64_t>(left.count(), 0, look_every);
    const int count = ::poll(all.data(), all.size(), static_cast<int>(most));
    if (count < 0 && errno != EINTR) fail_of_system("wait for a process");
    if (count > 0) {
      for (std::size_t i = 0; i < files.size(); ++i) files[i].revents = all[i].revents;
      if (all[files.size()].revents != 0) {
        read_errors();
        all[files.size()].fd = errors_.get();
      }
      if (std::ranges::any_of(files, [](const pollfd& file) { return file.revents != 0; })) return Wake::ready;
    }
    if ((exit_.get() < 0 || all.back().revents != 0) && has_exited()) return Wake::exited;
    if (deadline.stop.stop_requested()) return Wake::stopped;
    if (left.count() <= 0) return Wake::late;
  }
}

// With SIGCHLD ignored nothing is left to wait for, and waitid fails.
bool Child::has_exited() const {
  siginfo_t exit{};
  return ::waitid(P_PID, static_cast<id_t>(process_), &exit, WEXITED | WNOWAIT | WNOHANG) != 0 || exit.si_pid != 0;
}

bool Child::succeeded() const {
  const siginfo_t exit = exit_of(process_, 0);
  return exit.si_pid == 0 || (exit.si_code == CLD_EXITED && exit.si_status == 0);
}

std::string Child::ending() {
  const siginfo_t exit = exit_of(process_, 0);
  read_errors();
  std::string text = "exited";
  if (exit.si_pid != 0 && exit.si_code == CLD_EXITED) {
    text += " with status " + std::to_string(exit.si_status);
  } else if (exit.si_pid != 0) {
    const char* const name = ::sigabbrev_np(exit.si_status);
    text =
        "crashed (" + (name == nullptr ? "signal " + std::to_string(exit.si_status) : "SIG" + std::string(name)) + ")";
  }
  const std::string line = last_line(last_errors_);
  return line.empty() ? text : text + ": " + line;
}

void Child::read_errors() {
  constexpr std::size_t kMostKept = 4096;
  constexpr int kMostReads = 64;  // of a child that never stops writing
  std::array<char, kMostKept> some{};
  for (int i = 0; i < kMostReads && errors_.get() >= 0; ++i) {
    const ssize_t count = ::read(errors_.get(), some.data(), some.size());
    if (count == 0) errors_ = Descriptor();
    if (count <= 0) return;
    last_errors_.append(some.data(), static_cast<std::size_t>(count));
    if (last_errors_.size() > kMostKept) last_errors_.erase(0, last_errors_.size() - kMostKept);
  }
}

}  // namespace orderlab
