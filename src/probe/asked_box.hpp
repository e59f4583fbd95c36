// A box with a count of its calls, and with terms as it takes them: those of the model are what it adds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "core/float_environment.hpp"
#include "core/stop.hpp"
#include "orderlab/error.hpp"
#include "orderlab/probe.hpp"
#include "probe/taken_terms.hpp"

namespace orderlab {

/// Not for several threads at once. Its functions throw what the box throws, and Stopped.
class AskedBox {
 public:
  /// Errors: as probe_setting, of the summands and weights.
  AskedBox(const BoxMaker& maker, const BoxSetting& setting, const ProbeWatch& watch)
      : setting_(setting),
        products_(maker.products),
        taken_(maker.summands, maker.weights, setting),
        watch_(watch),
        box_(made(maker, setting)) {
    if (maker.products && taken_.changes()) throw Error(ErrorKind::usage, TakenTerms::kOneInput);
  }

  const BoxSetting& setting() const { return setting_; }
  std::size_t n() const { return setting_.n; }

  /// Whether the model's terms are products: of two inputs, or squares.
  bool products() const { return products_ || taken_.squares(); }

  Summands summands() const { return taken_.summands(); }
  const TakenTerms& taken() const { return taken_; }
  const Box& box() const { return *box_; }

  /// Inputs of the calls so far.
  std::uint64_t calls() const { return calls_; }

  double sum(const TermView& terms) {
    double result = 0;
    sums({&terms, 1}, {&result, 1});
    return result;
  }

  void sums(std::span<const TermView> inputs, std::span<double> results) {
    obey_stop();
    const std::span<const TermView> taken = taken_.of(inputs);
    try {
      const CallersFloatEnvironment environment;
      box_->sums(taken, results);
    } catch (const Error&) {
      obey_stop();
      throw;
    }
    calls_ += inputs.size();
    done_ += inputs.size();
    if (total_ > 0) call_back(watch_.advances, done_, std::max(done_, total_));
  }

  /// For work between calls.
  void obey_stop() const {
    {
      const CallersFloatEnvironment environment;
      box_->between_calls();
    }
    if (watch_.stop.stop_requested()) throw Stopped{};
  }
  const std::stop_token& stop() const { return watch_.stop; }

  /// Announces a stage of about `total` calls.
  void begin(const std::string& stage, std::uint64_t total) {
    done_ = 0;
    total_ = total;
    call_back(watch_.begins, stage);
  }

 private:
  static std::unique_ptr<Box> made(const BoxMaker& maker, const BoxSetting& setting) {
    const CallersFloatEnvironment environment;
    return maker.make(setting);
  }

  BoxSetting setting_;
  bool products_;
  TakenTerms taken_;
  const ProbeWatch& watch_;
  std::unique_ptr<Box> box_;
  std::uint64_t calls_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace orderlab
