// What an enumeration under way shares: its options, its memory, how far it is.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "orderlab/enumerate.hpp"

namespace orderlab {

class EnumerationRun {
 public:
  explicit EnumerationRun(const WalkOptions& options) : options_(options) {}

  /// How many subsets the walk will go through.
  void expect(std::uint64_t states) { states_ = states; }

  /// Whether to go on: neither stopped nor out of memory.
  bool going() const { return !exceeded_ && !options_.stop.stop_requested(); }
  bool stopped() const { return options_.stop.stop_requested(); }

  /// Bytes of lists now held; more than the budget ends the run.
  void take_bytes(std::size_t bytes) {
    const std::size_t now = bytes_ += bytes;
    std::size_t peak = peak_;
    while (now > peak && !peak_.compare_exchange_weak(peak, now)) {
    }
    check(0);
  }
  void free_bytes(std::size_t bytes) { bytes_ -= bytes; }

  /// Looks ahead: `more` bytes are about to be taken.
  void check(std::size_t more) {
    if (static_cast<double>(bytes_) + static_cast<double>(more) > options_.memory_bytes) exceeded_ = true;
  }
  bool exceeded() const { return exceeded_; }
  std::size_t peak_bytes() const { return peak_; }

  void done(std::uint64_t states) {
    done_ += states;
    if (options_.progress) options_.progress(done_, states_);
  }

  /// Error(unsupported) if the memory did not suffice: `where` is how far it came.
  void require_memory(const std::string& where) const;

 private:
  const WalkOptions& options_;
  std::uint64_t states_ = 0;
  std::uint64_t done_ = 0;
  std::atomic<std::size_t> bytes_ = 0;
  std::atomic<std::size_t> peak_ = 0;
  std::atomic<bool> exceeded_ = false;
};

}  // namespace orderlab
