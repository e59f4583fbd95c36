#include "study/output_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/arena.hpp"
#include "engine/usual_arrivals.hpp"
#include "operation/selected_outputs.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/check.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

constexpr std::uint64_t kFirstRound = 8;     // each round that follows doubles the samples and halves the outputs
constexpr std::uint64_t kBeforeProof = 64;   // most results are inside so many samples
constexpr std::uint64_t kOtherSamples = 16;  // samples of each other arrival model

struct ResultRange {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();
  bool nan = false;

  void add(double result) {
    least = std::min(least, result);  // NaN leaves both as they are
    greatest = std::max(greatest, result);
    nan = nan || std::isnan(result);
  }
  void merge(const ResultRange& other) {
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
    nan = nan || other.nan;
  }
};

class RangeSearch {
 public:
  RangeSearch(const OutputSums& sums, std::vector<RangedOutput>& outputs, const RangeOptions& options,
              const Watch& watch)
      : all_(sums), outputs_(outputs), options_(options), watch_(watch) {}

  void run(const std::function<bool(std::size_t, std::uint64_t)>& excludes) {
    const TermView launch = all_.launch().view();
    for (RangedOutput& given : outputs_) {
      const double first = launch.left(given.output);
      ResultRange range;
      range.add(first);
      given.least = range.least;
      given.greatest = range.greatest;
      if (round_to_bits(all_.result_format(), first) == given.bits) given.inside = true;
    }
    select();
    const std::uint64_t proof = std::min(kBeforeProof, options_.samples);
    for (std::uint64_t done = 0; done < options_.samples && !open_.empty(); select()) {
      const std::uint64_t count = std::min(std::max(kFirstRound, done), options_.samples - done);
      sample(count, done);
      if (done < proof && done + count >= proof)
        loop_on(options_.threads)(open_.size(), [&](std::size_t i) {
          RangedOutput& given = outputs_[open_[i]];
          given.excluded = !given.inside && excludes(given.output, given.bits);
        });
      done += count;
    }
    if (options_.other_arrivals && !open_.empty() && all_.operation().arrives()) try_other_arrivals();
  }

 private:
  bool open(std::size_t i) const { return !outputs_[i].inside && !outputs_[i].excluded; }

  /// The outputs that are still open, and sums of them alone where that saves additions.
  void select() {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      if (open(i)) left.push_back(i);
    open_ = std::move(left);
    sums_ = nullptr;
    place_.clear();
    if (open_.empty()) return;
    const bool few = 2 * open_.size() <= all_.varying().size();
    const bool alike = options_.arrival.model->uniform;  // then some units arrive as they do among all
    selected_ = few ? selected_outputs(all_.operation(), numbers_of_open(), alike) : nullptr;
    sums_ = selected_ ? OutputSums::make(selected_, options_.arrival, options_.path) : nullptr;
    const auto varying = current().varying();
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const std::uint32_t number = selected_ ? static_cast<std::uint32_t>(i) : outputs_[open_[i]].output;
      place_.push_back(
          static_cast<std::size_t>(std::lower_bound(varying.begin(), varying.end(), number) - varying.begin()));
    }
  }

  std::vector<std::uint32_t> numbers_of_open() const {
    std::vector<std::uint32_t> numbers;
    for (const std::size_t i : open_) numbers.push_back(outputs_[i].output);
    return numbers;
  }

  const OutputSums& current() const { return sums_ ? *sums_ : all_; }

  void sample(std::uint64_t count, std::uint64_t first) {
    sample_of(current(), count,
              [&](const OutputSums& sums, std::size_t i, std::span<std::byte> results, OutputSums::Scratch& scratch) {
                sums.evaluate(kFirstCheckSample + first + i, results, scratch);
              });
  }

  void try_other_arrivals() {
    const OutputSums& sums = current();
    const std::size_t units = sums.operation().rows.units;  // for a selection, the units that are left
    sample_of(sums, 1,
              [&](const OutputSums& of, std::size_t, std::span<std::byte> results, OutputSums::Scratch& scratch) {
                std::vector<std::uint32_t> reversed(units);
                std::iota(reversed.rbegin(), reversed.rend(), 0U);
                of.evaluate_arranged(reversed, results, scratch);
              });
    const auto operation =
        selected_ ? selected_
                  : std::shared_ptr<const LoweredOperation>(std::shared_ptr<const void>(), &all_.operation());
    for (const ArrivalCall& model : usual_models(units)) {
      const auto other = OutputSums::make(operation, model, options_.path);
      sample_of(*other, kOtherSamples,
                [&](const OutputSums& of, std::size_t i, std::span<std::byte> results, OutputSums::Scratch& scratch) {
                  of.evaluate(kFirstCheckSample + i, results, scratch);
                });
    }
  }

  template <class Evaluate>
  void sample_of(const OutputSums& sums, std::uint64_t count, Evaluate evaluate) {
    struct Buffers {
      std::unique_ptr<OutputSums::Scratch> scratch;
      std::vector<std::byte> results;
      std::vector<ResultRange> ranges;
    };
    constexpr std::size_t kAtOnce = 32;
    const WatchedStage stage(watch_, "sampling");
    PerThread<Buffers> buffers([&] {
      return std::make_shared<Buffers>(Buffers{sums.make_scratch(), std::vector<std::byte>(sums.result_bytes()),
                                               std::vector<ResultRange>(open_.size())});
    });
    loop_over(
        count, loop_on(options_.threads),
        [&](std::size_t begin, std::size_t size) {
          stop_point();
          Buffers& mine = buffers.local();
          const TermView results{sums.result_format(), sums.varying().size(), mine.results.data(), nullptr};
          for (std::size_t i = begin; i < begin + size; ++i) {
            evaluate(sums, i, mine.results, *mine.scratch);
            for (std::size_t k = 0; k < open_.size(); ++k) mine.ranges[k].add(results.left(place_[k]));
          }
        },
        kAtOnce);
    std::vector<ResultRange> ranges(open_.size());
    buffers.each([&](const Buffers& mine) {
      for (std::size_t k = 0; k < open_.size(); ++k) ranges[k].merge(mine.ranges[k]);
    });
    for (std::size_t k = 0; k < open_.size(); ++k) take(outputs_[open_[k]], ranges[k]);
  }

  void take(RangedOutput& given, const ResultRange& range) const {
    given.least = std::min(given.least, range.least);
    given.greatest = std::max(given.greatest, range.greatest);
    const double value = value_of_bits(all_.result_format(), given.bits);
    if (std::isnan(value) ? range.nan : value >= given.least && value <= given.greatest) given.inside = true;
  }

  const OutputSums& all_;
  std::vector<RangedOutput>& outputs_;
  const RangeOptions& options_;
  const Watch& watch_;
  std::vector<std::size_t> open_;                     ///< places in outputs_ that are still open
  std::shared_ptr<const LoweredOperation> selected_;  ///< with these outputs alone; null: all
  std::unique_ptr<const OutputSums> sums_;            ///< the sums of `selected_`, or of all
  std::vector<std::size_t> place_;                    ///< place of each open output among the results of a sample
};

}  // namespace

void find_ranges(const OutputSums& sums, std::vector<RangedOutput>& outputs, const RangeOptions& options,
                 const Watch& watch, const std::function<bool(std::size_t, std::uint64_t)>& excludes) {
  RangeSearch(sums, outputs, options, watch).run(excludes);
}

}  // namespace orderlab::study
