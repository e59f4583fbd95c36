// Stores points while others are computed.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "sweep/store.hpp"

namespace orderlab {

/// Takes finished points from many threads and stores them from one. A disk needs milliseconds to make a transaction
/// durable: points that come in meanwhile share the next one, so that small points do not wait for the disk.
class StoreWriter {
 public:
  /// Requests a stop when the store cannot be written. While another program holds it, points wait; a stop that is
  /// requested then makes that a failure.
  StoreWriter(Store& store, std::stop_source stop);
  ~StoreWriter();
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;

  /// Waits while too many others do. After a failure the point is dropped.
  void add(StoredPoint point);

  /// Returns when all is durable, and throws what went wrong. To be called once, after the last add.
  void finish();

 private:
  void write();

  Store& store_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<StoredPoint> waiting_;
  bool ended_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace orderlab
