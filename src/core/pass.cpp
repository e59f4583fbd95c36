#include "core/pass.hpp"

#include <utility>

namespace orderlab {

namespace {

thread_local PassScope* told_of_this_thread = nullptr;

}  // namespace

PassScope::PassScope(Advances advances)
    : before_(std::exchange(told_of_this_thread, this)), advances_(std::move(advances)) {}

PassScope::~PassScope() { told_of_this_thread = before_; }

Pass::Pass(std::uint64_t total) : told_(told_of_this_thread), total_(total) {
  if (told_ != nullptr && (!told_->advances_ || std::exchange(told_->passing_, true))) told_ = nullptr;
}

Pass::~Pass() {
  if (told_ != nullptr) told_->passing_ = false;
}

void Pass::did(std::uint64_t items) {
  stop_point();
  if (told_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  done_ += items;
  told_->advances_(done_, total_);
}

}  // namespace orderlab
