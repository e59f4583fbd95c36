#include "python/core/command_call.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include "cli/request_text.hpp"
#include "orderlab/error.hpp"

namespace py = pybind11;

namespace orderlab::python {

namespace {

constexpr std::chrono::milliseconds kLook{50};       // between looks for signals
constexpr std::chrono::milliseconds kProgress{100};  // between calls of `progress`

using Clock = std::chrono::steady_clock;

struct StageProgress {
  std::string stage;
  study::Progress progress;
};

const cli::Flag& flag_called(const cli::CommandLine& line, const std::string& name) {
  if (const cli::Flag* const flag = line.find_flag(name)) return *flag;
  throw std::logic_error("the command has no flag " + name);
}

/// A command on its thread, and what the calling thread may see of it meanwhile.
class RunningCommand {
 public:
  RunningCommand(const cli::Command& command, CommandArguments arguments)
      : thread_([this, &command, given = std::move(arguments)]() mutable { run(command, std::move(given)); }) {}

  ~RunningCommand() {
    stop();
    thread_.join();
  }
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;

  void stop() { stop_.request_stop(); }

  /// Waits until the command is done, or for some time.
  bool done_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [&] { return done_; });
  }

  /// How far it is, where that is news.
  std::optional<StageProgress> news() {
    const std::lock_guard lock(mutex_);
    return std::exchange(news_, std::nullopt);
  }

  /// Once it is done.
  CommandOutcome outcome() {
    if (error_) std::rethrow_exception(error_);
    return std::move(outcome_);
  }

 private:
  void run(const cli::Command& command, CommandArguments arguments) {
    try {
      run_command(command, std::move(arguments));
    } catch (...) {
      error_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }

  void run_command(const cli::Command& command, CommandArguments arguments) {
    cli::CommandLine line(command.flags);
    for (auto& [name, values] : arguments.texts) line.give(flag_called(line, name), std::move(values));
    for (auto& [name, array] : arguments.arrays) line.give(flag_called(line, name), std::move(array));
    std::ostringstream out;
    std::ostringstream err;
    cli::Session session{.out = out, .err = err, .stop = stop_.get_token()};
    session.caller.takes = [&](std::shared_ptr<const cli::Report> report) { outcome_.report = std::move(report); };
    session.caller.follows = [&](const std::string& stage, const study::Progress& progress) {
      const std::lock_guard lock(mutex_);
      news_ = {stage, progress};
    };
    try {
      outcome_.status = cli::run_command(command, line, session);
    } catch (const RequestError& error) {
      throw Error(error.kind(), cli::with_flags(error, line));
    }
    outcome_.out = std::move(out).str();
    outcome_.err = std::move(err).str();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<StageProgress> news_;
  bool done_ = false;
  std::exception_ptr error_;
  CommandOutcome outcome_;
  std::stop_source stop_;
  std::thread thread_;  // the last: it uses all the others
};

/// Signals and progress, with the GIL. Keeps the first exception.
class Attendant {
 public:
  explicit Attendant(const py::object& progress) : progress_(progress) {}

  void attend(RunningCommand& command) {
    const py::gil_scoped_acquire gil;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!raised_) report(command);
    } catch (...) {
      if (!raised_) raised_ = std::current_exception();
      command.stop();
    }
  }

  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  void report(RunningCommand& command) {
    if (progress_.is_none() || Clock::now() - last_ < kProgress) return;
    const std::optional<StageProgress> news = command.news();
    if (!news) return;
    last_ = Clock::now();
    progress_(news->stage, news->progress.done, news->progress.total, news->progress.fraction);
  }

  const py::object& progress_;
  Clock::time_point last_{};
  std::exception_ptr raised_;
};

std::atomic<int> open_calls = 0;  // with the GIL, so that none is open when its thread may lose that for ever
std::stop_source ending;

}  // namespace

OpenCall::OpenCall() {
  static const int kForked = pthread_atfork(nullptr, nullptr, [] { open_calls = 0; });  // other threads are not there
  static_cast<void>(kForked);
  if (ending.stop_requested())
    throw Error(ErrorKind::unsupported, "Python is ending; call orderlab before, or wait for threads that do");
  ++open_calls;
}

OpenCall::~OpenCall() { --open_calls; }

void end_calls() {
  ending.request_stop();
  const py::gil_scoped_release released;
  while (open_calls > 0) std::this_thread::sleep_for(kLook / 10);
}

CommandOutcome call_command(const std::string& name, CommandArguments arguments, const py::object& progress) {
  const cli::Command* const command = cli::find_command(name);
  if (command == nullptr) throw std::logic_error("there is no command " + name);
  const OpenCall open;
  Attendant attendant(progress);
  std::optional<CommandOutcome> outcome;
  std::exception_ptr error;
  {
    const py::gil_scoped_release released;
    RunningCommand running(*command, std::move(arguments));
    const std::stop_callback at_the_end(ending.get_token(), [&] { running.stop(); });
    while (!running.done_within(kLook)) attendant.attend(running);
    try {
      outcome = running.outcome();
    } catch (...) {
      error = std::current_exception();
    }
  }
  attendant.rethrow();
  if (error) std::rethrow_exception(error);
  return std::move(*outcome);
}

}  // namespace orderlab::python
