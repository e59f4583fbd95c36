// The progress bar on standard error.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cli/command.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::cli {

/// Shows done of total, rate and time left, once the work has taken a second; removes itself at the end. Where standard
/// error is no terminal, one line says then how much time is left, if that is ten seconds or more. It must outlive the
/// call that it follows.
class ProgressBar {
 public:
  ProgressBar(Session& session, std::string label, bool enabled);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void advanced(std::uint64_t done, std::uint64_t total) {
    advanced(done, total, static_cast<double>(done) / static_cast<double>(total));
  }

  /// The same where done and total do not say which fraction of the time has passed.
  void advanced(std::uint64_t done, std::uint64_t total, double fraction);

  void relabel(std::string label) { label_ = std::move(label); }

  /// Shows here how far a call with these options is, and until this bar ends, has an interrupt stop it.
  template <class Options>
  void follow(Options& options) {
    options.stop = session_.stop;
    have_interrupts_stop();
    if constexpr (std::is_constructible_v<decltype(options.progress), void (*)(std::uint64_t, std::uint64_t)>)
      options.progress = [this](std::uint64_t done, std::uint64_t total) { advanced(done, total); };
  }

  /// Until this bar ends, an interrupt requests a stop instead of ending the program.
  void have_interrupts_stop() { working_.emplace(session_, Phase::working); }

 private:
  using Clock = std::chrono::steady_clock;
  Session& session_;
  std::optional<InPhase> working_;
  std::string label_;
  enum class Shows : std::uint8_t { nothing, bar, estimate };
  Shows shows_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

/// How a question is followed from the terminal: a progress bar for each stage, lines on standard error for the rest;
/// nothing of that with --quiet. Stages can be interrupted.
study::Watch watch_of(Session& session, const CommandLine& line, std::string_view command);

}  // namespace orderlab::cli
