#include "sweep/store_writer.hpp"

#include <utility>

#include "core/float_environment.hpp"

namespace orderlab {

namespace {

// At most this many points wait: waiting points are lost if the program is killed.
constexpr std::size_t kMostWaiting = 256;

}  // namespace

StoreWriter::StoreWriter(Store& store, std::stop_source stop)
    : store_(store), stop_(std::move(stop)), thread_([this] { write(); }) {}

StoreWriter::~StoreWriter() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void StoreWriter::add(StoredPoint point) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting || error_; });
  if (error_) return;
  waiting_.push_back(std::move(point));
  lock.unlock();
  changed_.notify_all();
}

void StoreWriter::finish() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
  if (error_) std::rethrow_exception(error_);
}

void StoreWriter::write() {
  const FloatEnvironment environment;
  for (;;) {
    std::vector<StoredPoint> batch;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !waiting_.empty() || ended_; });
      batch.swap(waiting_);
    }
    if (batch.empty()) return;
    changed_.notify_all();
    try {
      bool stored = false;
      while (!stored && !stop_.stop_requested()) stored = store_.add_unless_locked(batch);
      if (!stored) store_.add(batch);
    } catch (...) {
      {
        const std::lock_guard lock(mutex_);
        error_ = std::current_exception();
        waiting_.clear();
      }
      changed_.notify_all();
      stop_.request_stop();
      return;
    }
  }
}

}  // namespace orderlab
