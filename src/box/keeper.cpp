#include "box/keeper.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <ctime>

#include "box/environment.hpp"

namespace orderlab {

namespace {

constexpr int kNotStarted = 127;  // as a shell exits where there is no such command

// Signals as a program expects them: none with a handler of the parent's. Python ignores SIGPIPE and SIGXFSZ, and so
// does orderlab, which would change what programs do; with SIGCHLD ignored nobody learns how a child ended.
void reset_handlers() {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_DFL) continue;
    const bool always = number == SIGPIPE || number == SIGXFSZ || number == SIGCHLD;
    if (action.sa_handler == SIG_IGN && !always) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(number, &action, nullptr);
  }
}

void unblock_signals() {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void close_from(int first) {
  if (::syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  constexpr int kMostFiles = 4096;  // Linux before 5.9
  for (int file = first; file < kMostFiles; ++file) ::close(file);
}

// Descriptors 0, 1, ... become `files`, which may be any of them, and all others are closed; false and errno where
// they are too many. It takes hardly more descriptors than that: few may be open.
bool place(std::array<int, 5> files) {
  const auto is_given = [](int file) { return file >= 0; };
  const auto count = static_cast<int>(std::find_if(files.rbegin(), files.rend(), is_given).base() - files.begin());
  for (int& file : files) {
    if (file < 0 || file >= count) continue;
    file = ::fcntl(file, F_DUPFD, count);
    if (file < 0) {
      if (errno == EINVAL) errno = EMFILE;  // `count` is beyond the limit
      return false;
    }
  }
  for (int i = 0; i < count; ++i) {
    ::close(i);  // now the lowest that is free, for all before it are open
    const int file = files[static_cast<std::size_t>(i)];
    if ((file < 0 ? ::open("/dev/null", O_RDWR) : ::fcntl(file, F_DUPFD, i)) != i) return false;
  }
  close_from(count);
  return true;
}

// Sends SIGKILL to the children of this thread, the only one; false where none is there to take it.
bool kill_children() {
  std::array<char, 4096> text{};  // "12 345 "; those that do not fit come next time
  const int file = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  const ssize_t count = file < 0 ? 0 : ::read(file, text.data(), text.size());
  if (file >= 0) ::close(file);
  bool killed = false;
  const char* const end = text.data() + std::max<ssize_t>(count, 0);
  for (const char* at = text.data(); at < end;) {
    pid_t child = 0;
    const char* const after = std::from_chars(at, end, child).ptr;
    if (child <= 1 || after == end) break;
    // /proc may be that of another namespace, in which other processes have these numbers.
    siginfo_t state{};
    const bool own = ::waitid(P_PID, static_cast<id_t>(child), &state, WEXITED | WNOWAIT | WNOHANG) == 0;
    if (own && ::kill(child, SIGKILL) == 0) killed = true;
    at = after + 1;
  }
  return killed;
}

// Ends the program, which has not been waited for, and all that it has started: its group, and then whatever has left
// it, for when a parent dies its children become those of the keeper. Gives up on processes that belong to another user
// now, and on those that do not die.
void end_all(pid_t program, KeeperNotes& notes) {
  constexpr timespec kBetween{0, 10'000'000};  // at most: the death of a child ends a wait
  constexpr int kMostInVain = 100;
  constexpr int kMostLooks = 100'000;  // after a program that starts more and more
  sigset_t deaths;
  ::sigemptyset(&deaths);
  ::sigaddset(&deaths, SIGCHLD);
  ::kill(-program, SIGKILL);
  notes.group_ended = true;
  int in_vain = 0;
  for (int looks = 0; looks < kMostLooks && in_vain < kMostInVain; ++looks, ++in_vain) {
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) in_vain = 0;
    if (ended < 0 || !kill_children()) return;
    ::sigtimedwait(&deaths, nullptr, &kBetween);
  }
}

[[noreturn]] void die_of(int number) {
  ::signal(number, SIG_DFL);
  ::kill(::getpid(), number);
  unblock_signals();
  ::_exit(kNotStarted);
}

[[noreturn]] void end_as(const siginfo_t& program) {
  if (program.si_code == CLD_EXITED) ::_exit(program.si_status);
  die_of(program.si_status);
}

// Waits for the end of the program, of the parent, or for kEndAll.
[[noreturn]] void keep(pid_t program, pid_t parent, KeeperNotes& notes) {
  close_from(0);
  sigset_t all;
  ::sigfillset(&all);
  while (true) {
    siginfo_t dead{};
    while (::waitid(P_ALL, 0, &dead, WEXITED | WNOWAIT | WNOHANG) == 0 && dead.si_pid != 0) {
      if (dead.si_pid == program) {
        end_all(program, notes);
        end_as(dead);
      }
      ::waitpid(dead.si_pid, nullptr, 0);  // one that the program left behind
    }
    const int signal = ::sigwaitinfo(&all, nullptr);
    if (signal == kEndAll || (signal == SIGUSR1 && ::getppid() != parent)) {  // else only the parent's thread has ended
      end_all(program, notes);
      die_of(kEndAll);
    }
  }
}

[[noreturn]] void fail_in(KeeperNotes& notes, KeeperNotes::Step step) {
  notes.reason = errno;
  notes.failed = step;
  ::_exit(kNotStarted);
}

[[noreturn]] void become_program(const KeeperStart& start, pid_t keeper) {
  ::setpgid(0, 0);
  start.notes.program = ::getpid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != keeper) ::_exit(kNotStarted);
  std::array<int, 5> files = start.setup.files;
  files[2] = start.errors;
  if (!place(files)) fail_in(start.notes, KeeperNotes::Step::place);
  unblock_signals();
  environ = start.environment;
  if (start.setup.call) {
    write_numbers_as_in_c();
    ::on_exit([](int status, void*) { ::_exit(status); }, nullptr);  // before the parent's own functions of atexit
    start.setup.call();
    ::_exit(0);
  }
  ::execve(start.arguments[0], start.arguments.data(), start.environment);
  fail_in(start.notes, KeeperNotes::Step::execute);
}

}  // namespace

// The keeper blocks all signals and waits for them, so only SIGKILL ends it otherwise. It is in another group than the
// program, which may signal its own.
// A program's process is a vfork of the keeper, which has no other thread: only one copy of the parent's page tables is
// made.
//
// Between fork and execve only what is safe after a signal: other threads of the parent may hold any lock. A library's
// child (setup.call) goes on without execve, because there is no program of ours to execute where orderlab is a library
// itself. It calls malloc and dlopen, whose locks glibc's fork makes anew in the child.
void become_keeper(const KeeperStart& start) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_NAME, "box-keeper");  // not for `killall orderlab`, after which it has something to do
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  reset_handlers();
  ::prctl(PR_SET_PDEATHSIG, SIGUSR1);                     // also when the parent's thread ends
  if (::getppid() != start.parent) ::_exit(kNotStarted);  // it died before prctl
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const pid_t keeper = ::getpid();
  const pid_t program = start.setup.call ? ::fork() : ::vfork();
  if (program < 0) fail_in(start.notes, KeeperNotes::Step::start);
  if (program == 0) become_program(start, keeper);
  keep(program, start.parent, start.notes);
}

}  // namespace orderlab
