// Stop watches as CUDA's samples have them.
#pragma once

#include <chrono>

// NOLINTBEGIN(readability-identifier-naming): the names are those of CUDA's samples
class StopWatchInterface {
 public:
  void start() { begin_ = Clock::now(); }
  void stop() {
    total_ += std::chrono::duration<float, std::milli>(Clock::now() - begin_).count();
    ++count_;
  }
  void reset() { *this = {}; }
  float getTime() const { return total_; }
  float getAverageTime() const { return count_ == 0 ? 0 : total_ / static_cast<float>(count_); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
  float total_ = 0;
  int count_ = 0;
};
inline bool sdkCreateTimer(StopWatchInterface** timer) {
  *timer = new StopWatchInterface;
  return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
  (*timer)->start();
  return true;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
  (*timer)->stop();
  return true;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
  (*timer)->reset();
  return true;
}
inline float sdkGetTimerValue(StopWatchInterface** timer) { return (*timer)->getTime(); }
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) { return (*timer)->getAverageTime(); }
// NOLINTEND(readability-identifier-naming)
