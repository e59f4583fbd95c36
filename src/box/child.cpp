#include "box/child.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

#include "box/environment.hpp"
#include "box/one_line.hpp"

namespace orderlab {

namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

KeeperNotes* make_notes() {
  void* const memory = ::mmap(nullptr, sizeof(KeeperNotes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail_of_system("share memory");
  return new (memory) KeeperNotes;
}

// While it lives no signal comes to this thread, nor to a process that it forks.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_{};
};

siginfo_t exit_of(pid_t process, int flags) {
  siginfo_t exit{};
  while (::waitid(P_PID, static_cast<id_t>(process), &exit, WEXITED | WNOWAIT | flags) != 0 && errno == EINTR) {
  }
  return exit;
}

}  // namespace

void Child::Unmap::operator()(KeeperNotes* notes) const { ::munmap(notes, sizeof(KeeperNotes)); }

Child::Child(const ChildSetup& setup)
    : program_(setup.arguments.empty() ? "" : setup.arguments[0]), notes_(make_notes()) {
  std::vector<std::string> arguments = setup.arguments;
  std::vector<std::string> variables = box_environment(setup.threads);
  const std::vector<char*> argument_list = pointers_to(arguments);
  std::vector<char*> environment = pointers_to(variables);
  DescriptorPair errors = make_pipe();
  do_not_block(errors.first);

  const KeeperStart start{setup, argument_list, environment.data(), ::getpid(), errors.second.get(), *notes_};
  {
    const NoSignals no_signals;
    keeper_ = ::fork();
    if (keeper_ == 0) become_keeper(start);
  }
  if (keeper_ < 0) fail_of_system("start a process");
  errors_ = std::move(errors.first);
  exit_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, keeper_, 0)));
}

// The keeper ends all that is below it. Where it was killed, the program's group is killed from here.
Child::~Child() {
  constexpr std::chrono::seconds kPatience{5};
  constexpr int kLookMs = 1;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  signal(kEndAll);
  signal(SIGCONT);  // the program may have stopped it
  for (pollfd exit{exit_.get(), POLLIN, 0}; !has_exited() && std::chrono::steady_clock::now() < end;)
    ::poll(&exit, 1, exit_.get() < 0 ? kLookMs : static_cast<int>(std::chrono::milliseconds(kPatience).count()));
  signal(SIGKILL);
  if (!notes_->group_ended && notes_->program > 0) ::kill(-notes_->program, SIGKILL);
  while (::waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// With SIGCHLD ignored another process may have the number of a keeper that has exited.
void Child::signal(int number) const {
  if (exit_.get() >= 0)
    ::syscall(SYS_pidfd_send_signal, exit_.get(), number, nullptr, 0);
  else
    ::kill(keeper_, number);
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
    if ((exit_.get() < 0 || all.back().revents != 0) && has_exited()) {
      require_start();
      return Wake::exited;
    }
    if (deadline.stop.stop_requested()) return Wake::stopped;
    if (left.count() <= 0) return Wake::late;
  }
}

// With SIGCHLD ignored nothing is left to wait for, and waitid fails.
bool Child::has_exited() const {
  siginfo_t exit{};
  return ::waitid(P_PID, static_cast<id_t>(keeper_), &exit, WEXITED | WNOWAIT | WNOHANG) != 0 || exit.si_pid != 0;
}

void Child::require_start() const {
  errno = notes_->reason;
  switch (notes_->failed) {
    case KeeperNotes::Step::none:
      return;
    case KeeperNotes::Step::start:
      fail_of_system("start a process");
    case KeeperNotes::Step::place:
      fail_of_system("open its files");
    case KeeperNotes::Step::execute:
      fail_of_system("run " + one_line(program_));
  }
}

bool Child::succeeded() const {
  const siginfo_t exit = exit_of(keeper_, 0);
  return exit.si_pid == 0 || (exit.si_code == CLD_EXITED && exit.si_status == 0);
}

std::string Child::ending(const std::string& where) {
  const siginfo_t exit = exit_of(keeper_, 0);
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
  return text + where + (line.empty() ? "" : ": " + line);
}

void Child::read_errors() {
  constexpr std::size_t kMostKept = 4096;
  constexpr int kMostReads = 64;  // a child may never stop writing
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
