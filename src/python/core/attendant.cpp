#include "python/core/attendant.hpp"

#include <utility>

#include "core/float_environment.hpp"

namespace py = pybind11;

namespace orderlab::python {

namespace {

constexpr std::chrono::milliseconds kProgress{100};  // between calls of `progress`

}  // namespace

void Attendant::attend() {
  const CallersFloatEnvironment environment;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!raised_) report();
  } catch (...) {
    raise(std::current_exception());
  }
}

void Attendant::raise(std::exception_ptr exception) {
  if (!raised_) raised_ = std::move(exception);
  stop();
}

void Attendant::rethrow() const {
  if (raised_) std::rethrow_exception(raised_);
}

void Attendant::follow(const std::string& stage, const study::Progress& progress) {
  const std::lock_guard lock(mutex_);
  news_ = {stage, progress};
}

void Attendant::report() {
  const auto now = std::chrono::steady_clock::now();
  if (progress_.is_none() || now - last_ < kProgress) return;
  std::optional<StageProgress> news;
  {
    const std::lock_guard lock(mutex_);
    news = std::exchange(news_, std::nullopt);
  }
  if (!news) return;
  last_ = now;
  progress_(news->stage, news->progress.done, news->progress.total, news->progress.fraction);
}

}  // namespace orderlab::python
