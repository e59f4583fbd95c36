// What the calling thread looks after while a command runs: signals and progress.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "orderlab/study/watch.hpp"

namespace orderlab::python {

/// Stops the command at the first exception, and keeps that.
class Attendant {
 public:
  /// `progress` is None, or called as progress(stage, done, total, fraction), ten times a second at most.
  explicit Attendant(const pybind11::object& progress) : progress_(progress) {}
  Attendant(const Attendant&) = delete;
  Attendant& operator=(const Attendant&) = delete;

  /// Runs handlers of signals, and calls `progress` where there is news. On the calling thread, with the GIL.
  void attend();

  /// Stops the command because of an exception, which is raised at its end.
  void raise(std::exception_ptr exception);
  void rethrow() const;

  // On any thread:

  void stop() { stop_.request_stop(); }
  std::stop_token stop_token() const { return stop_.get_token(); }

  /// How far the command is.
  void follow(const std::string& stage, const study::Progress& progress);

 private:
  struct StageProgress {
    std::string stage;
    study::Progress progress;
  };
  void report();

  const pybind11::object& progress_;
  std::chrono::steady_clock::time_point last_{};
  std::exception_ptr raised_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::optional<StageProgress> news_;
};

}  // namespace orderlab::python
