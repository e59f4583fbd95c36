// A stage of a question's work, as its watch sees it.
#pragma once

#include <cstdint>
#include <string>

#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

/// Begins when it is made and ends with it. It must outlive the call that it follows, from whose depth Stopped may
/// come.
class WatchedStage {
 public:
  WatchedStage(const Watch& watch, const std::string& name) : watch_(watch), stop_(watch.stop) {
    call_back(watch_.begins, name);
  }
  ~WatchedStage() { call_back(watch_.ends); }
  WatchedStage(const WatchedStage&) = delete;
  WatchedStage& operator=(const WatchedStage&) = delete;

  /// Lets the watch stop a call with these options, and see how far it is.
  template <class Options>
  void follow(Options& options) const {
    options.stop = watch_.stop;
    if (watch_.advances)
      options.progress = [this](std::uint64_t done, std::uint64_t total) {
        call_back(watch_.advances, Progress{done, total, static_cast<double>(done) / static_cast<double>(total)});
      };
  }

 private:
  const Watch& watch_;
  StopScope stop_;
};

/// A stage that has nothing to show before its end, and says by its passes how far it is.
class WatchedWork {
 public:
  WatchedWork(const Watch& watch, const std::string& name)
      : stage_(watch, name),
        passes_(watch.advances ? [&watch](std::uint64_t done, std::uint64_t total) {
          call_back(watch.advances, Progress{done, total, static_cast<double>(done) / static_cast<double>(total)});
        } : PassScope::Advances()) {}

 private:
  WatchedStage stage_;
  PassScope passes_;
};

/// What `make` returns, as work of a stage.
template <class Make>
auto in_stage(const Watch& watch, const std::string& name, const Make& make) {
  const WatchedWork work(watch, name);
  return make();
}

}  // namespace orderlab::study
