#include "core/stoppable.hpp"

#include <utility>

namespace orderlab {

namespace {

thread_local Stoppable* work_of_thread = nullptr;

}  // namespace

Stoppable::Stoppable(std::stop_token stop, Advances advances)
    : outer_(std::exchange(work_of_thread, this)), stop_(std::move(stop)), advances_(std::move(advances)) {}

Stoppable::~Stoppable() { work_of_thread = outer_; }

Stoppable* Stoppable::current() { return work_of_thread; }

Joined::Joined(Stoppable* work) : before_(std::exchange(work_of_thread, work)) {}

Joined::~Joined() { work_of_thread = before_; }

void stop_point() {
  for (const Stoppable* work = work_of_thread; work != nullptr; work = work->outer_)
    if (work->stop_.stop_requested()) throw Stopped();
}

Pass::Pass(std::uint64_t total) : work_(work_of_thread), total_(total) {
  while (work_ != nullptr && !work_->advances_) work_ = work_->outer_;
  if (work_ == nullptr) return;
  const std::lock_guard lock(work_->mutex_);
  if (std::exchange(work_->passing_, true)) work_ = nullptr;
}

Pass::~Pass() {
  if (work_ == nullptr) return;
  const std::lock_guard lock(work_->mutex_);
  work_->passing_ = false;
}

void Pass::did(std::uint64_t items) {
  stop_point();
  if (work_ == nullptr) return;
  const std::lock_guard lock(work_->mutex_);
  done_ += items;
  work_->advances_(done_, total_);
}

}  // namespace orderlab
