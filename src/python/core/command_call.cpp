#include "python/core/command_call.hpp"

#include <pthread.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <locale>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

#include "cli/request_text.hpp"
#include "core/float_environment.hpp"
#include "core/stop.hpp"
#include "orderlab/error.hpp"
#include "python/core/attendant.hpp"

namespace py = pybind11;

namespace orderlab::python {

namespace {

constexpr std::chrono::milliseconds kLook{50};  // between looks for signals

const Flag& flag_called(const cli::CommandLine& line, const std::string& name) {
  if (const Flag* const flag = line.find_flag(name)) return *flag;
  throw std::logic_error("the command has no flag " + name);
}

CommandOutcome outcome_of(const cli::Command& command, CommandArguments arguments, const BoxMaker* box,
                          const study::DividedDraws* divided, Attendant& attendant) {
  cli::CommandLine line(command.flags, command.options);
  for (auto& [name, values] : arguments.texts) line.give(flag_called(line, name), std::move(values));
  for (auto& [name, array] : arguments.arrays) line.give(flag_called(line, name), std::move(array));
  std::ostringstream out;
  std::ostringstream err;
  for (std::ostringstream* stream : {&out, &err}) stream->imbue(std::locale::classic());  // not as the caller writes
  cli::Session session{.out = out, .err = err, .stop = attendant.stop_token()};
  CommandOutcome outcome;
  session.caller.takes = [&](std::shared_ptr<const cli::Report> report) { outcome.report = std::move(report); };
  session.caller.follows = [&](const std::string& stage, const study::Progress& progress) {
    attendant.follow(stage, progress);
  };
  session.caller.box = box;
  session.caller.divided = divided;
  const StopScope scope(session.stop);  // all of it: what was found is dropped when an exception stops it
  try {
    outcome.status = cli::run_command(command, line, session);
  } catch (const Stopped&) {
    outcome.status = cli::kInterrupted;
  } catch (study::DrawnPart& drawn) {
    outcome.drawn = std::move(drawn);
  } catch (const study::DrawsMissing& missing) {
    outcome.missing = missing;
  } catch (const RequestError& error) {
    throw Error(error.kind(), cli::with_flags(error, line));
  }
  outcome.out = std::move(out).str();
  outcome.err = std::move(err).str();
  return outcome;
}

/// A thread that runs one task after the other: to start one takes as long as a small sum.
class Worker {
 public:
  Worker() : thread_([this] { work(); }) {}
  ~Worker() {
    give(nullptr);
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Starts a task; none may be running. An empty one ends the thread.
  void give(std::function<void()> task) {
    {
      const std::lock_guard lock(mutex_);
      assert(!task_);
      task_ = std::move(task);
    }
    changed_.notify_one();
  }

  /// Waits up to `time`; returns whether the task is done.
  bool done_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [&] { return !task_; });
  }

  /// Waits until the task is done.
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !task_; });
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return task_.has_value(); });
      if (!*task_) return;
      lock.unlock();
      (*task_)();
      lock.lock();
      task_.reset();
      lock.unlock();
      changed_.notify_one();  // without the lock, which the caller that it wakes takes
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;  // the worker waits for a task, or its caller for the end of one, never both
  std::optional<std::function<void()>> task_;
  std::thread thread_;  // the last: it uses all the others
};

std::mutex idle_mutex;
std::vector<std::unique_ptr<Worker>> idle_workers;

std::unique_ptr<Worker> take_worker() {
  const std::lock_guard lock(idle_mutex);
  if (idle_workers.empty()) return std::make_unique<Worker>();
  std::unique_ptr<Worker> worker = std::move(idle_workers.back());
  idle_workers.pop_back();
  return worker;
}

void give_back(std::unique_ptr<Worker> worker) {
  const std::lock_guard lock(idle_mutex);
  idle_workers.push_back(std::move(worker));
}

/// A command on a thread of its own.
class RunningCommand {
 public:
  RunningCommand(const cli::Command& command, CommandArguments arguments, const study::DividedDraws* divided,
                 Attendant& attendant)
      : arguments_(std::move(arguments)), divided_(divided), attendant_(attendant), worker_(take_worker()) {
    worker_->give([this, &command] { run(command); });
  }

  ~RunningCommand() {
    attendant_.stop();
    worker_->wait();
    give_back(std::move(worker_));
  }
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;

  /// Waits up to `time`; returns whether the command is done.
  bool done_within(std::chrono::milliseconds time) { return worker_->done_within(time); }

  /// Once it is done.
  CommandOutcome outcome() {
    if (error_) std::rethrow_exception(error_);
    return std::move(outcome_);
  }

 private:
  void run(const cli::Command& command) {
    const FloatEnvironment environment;
    try {
      outcome_ = outcome_of(command, std::move(arguments_), nullptr, divided_, attendant_);
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  std::exception_ptr error_;
  CommandOutcome outcome_;
  CommandArguments arguments_;
  const study::DividedDraws* divided_;
  Attendant& attendant_;
  std::unique_ptr<Worker> worker_;
};

CommandOutcome outcome_beside(const cli::Command& command, CommandArguments arguments,
                              const study::DividedDraws* divided, Attendant& attendant) {
  RunningCommand running(command, std::move(arguments), divided, attendant);
  while (!running.done_within(kLook)) {
    const py::gil_scoped_acquire gil;
    attendant.attend();
  }
  return running.outcome();
}

std::atomic<int> open_calls = 0;  // with the GIL, so that none is open when its thread may lose that for ever
std::stop_source ending;

// Idle workers end before a fork: a child has none of the other threads, and Python warns of a fork with any.
void precede_fork() {
  idle_mutex.lock();
  idle_workers.clear();
}

void follow_fork() {
  open_calls = 0;
  idle_mutex.unlock();
}

}  // namespace

OpenCall::OpenCall() {
  static const int kForked = pthread_atfork(
      precede_fork, [] { idle_mutex.unlock(); }, follow_fork);
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
  const std::lock_guard lock(idle_mutex);
  idle_workers.clear();
}

CommandOutcome call_command(const std::string& name, CommandArguments arguments, const py::object& progress,
                            const std::optional<GivenCallable>& box,
                            const std::optional<study::DividedDraws>& divided) {
  const cli::Command* const command = cli::find_command(name);
  if (command == nullptr) throw std::logic_error("there is no command " + name);
  const OpenCall open;
  Attendant attendant(progress);
  const study::DividedDraws* const draws = divided ? &*divided : nullptr;
  std::optional<CommandOutcome> outcome;
  std::exception_ptr error;
  {
    const py::gil_scoped_release released;
    const std::stop_callback at_the_end(ending.get_token(), [&] { attendant.stop(); });
    try {
      if (box) {
        const BoxMaker maker = callable_box(*box, attendant);
        outcome = outcome_of(*command, std::move(arguments), &maker, draws, attendant);
      } else {
        outcome = outcome_beside(*command, std::move(arguments), draws, attendant);
      }
    } catch (...) {
      error = std::current_exception();
    }
  }
  attendant.rethrow();
  try {
    if (error) std::rethrow_exception(error);
  } catch (const CallableRaised& raised) {
    raised.rethrow();
  }
  return std::move(*outcome);
}

}  // namespace orderlab::python
