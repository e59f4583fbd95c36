#include "study/blind_spots.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

#include "operation/accumulator.hpp"
#include "operation/selected_outputs.hpp"
#include "order/resolve.hpp"

namespace orderlab::study {

namespace {

constexpr std::uint64_t kChangesOfLength = 20'000;
constexpr std::size_t kMostAdditions = std::size_t{1} << 26;  // half a second

/// What output r adds, as contributions, or as the numbers that thread blocks add up before.
const Contributions& numbers_of(const LoweredOperation& operation) {
  return operation.raw ? *operation.raw : operation.rows;
}

constexpr std::size_t kSideBySide = 16;  // changes evaluated at once, so that the compiler vectorizes the additions

/// Calls use(dropped, doubled) for each number of output r: the results in launch order without it, and where it counts
/// twice. Raw: the numbers that thread blocks add up before.
template <class T, bool Raw, class Step, class Use>
void for_each_change(const LoweredOperation& operation, std::size_t r, Step step, Use use) {
  const Contributions& rows = numbers_of(operation);
  const std::span<const T> row = row_of<T>(rows, r);
  const auto unit = std::span(rows.unit).subspan(rows.row_begin[r], row.size());
  const auto ends_unit = [&](std::size_t i) { return Raw && (i + 1 == row.size() || unit[i + 1] != unit[i]); };
  using Sums = std::array<T, kSideBySide>;
  struct Changes {
    Sums all;
    Sums of_unit = {};
    Sums& growing() { return Raw ? of_unit : all; }
  };
  const auto add = [&](T& sum, T x) {
    if constexpr (Raw)
      sum += x;
    else
      sum = step(sum, x);
  };
  const auto add_to_each = [&](Sums& sums, T x) {
    for (T& sum : sums) add(sum, x);
  };
  const auto end_unit = [&](Changes& changes) {
    for (std::size_t k = 0; k < kSideBySide; ++k) changes.all[k] = step(changes.all[k], changes.of_unit[k]);
    changes.of_unit.fill(T{});
  };
  const auto bits_of = [&](T sum) { return round_to_bits(operation.formats.result, finished(operation, r, sum)); };
  Changes none;  // the sums before the numbers that are changed, all alike
  none.all.fill(start_of<T>(operation, r, row.size()));
  for (std::size_t first = 0; first < row.size(); first += kSideBySide) {
    const std::size_t end = std::min(first + kSideBySide, row.size());
    Changes dropped = none;
    Changes doubled = none;
    for (std::size_t i = first; i < row.size(); ++i) {
      const T x = row[i];
      if (i < end) {  // change i - first is of this number
        const T without = dropped.growing()[i - first];
        add_to_each(dropped.growing(), x);
        dropped.growing()[i - first] = without;
        add(doubled.growing()[i - first], x);
        add_to_each(none.growing(), x);
        if (ends_unit(i)) end_unit(none);
      } else {
        add_to_each(dropped.growing(), x);
      }
      add_to_each(doubled.growing(), x);
      if (!ends_unit(i)) continue;
      end_unit(dropped);
      end_unit(doubled);
    }
    for (std::size_t k = 0; first + k < end; ++k) use(bits_of(dropped.all[k]), bits_of(doubled.all[k]));
  }
}

/// Whether a result of an output is explained.
class Explained {
 public:
  Explained(std::span<const KnownOutcomes> models, const std::function<bool(std::size_t, std::uint64_t)>& excludes)
      : models_(models), excludes_(excludes) {}

  bool operator()(std::size_t r, std::uint64_t bits) const {
    return std::any_of(models_.begin(), models_.end(),
                       [&](const KnownOutcomes& model) { return explains(model, r, bits); });
  }

 private:
  bool explains(const KnownOutcomes& model, std::size_t r, std::uint64_t bits) const {
    const OutputSums& sums = model.sums;
    if (sums.operation().order_unknown) return !excludes_(r, bits);
    const auto varying = sums.varying();
    const auto found = std::lower_bound(varying.begin(), varying.end(), r);
    if (found == varying.end() || *found != r)
      return bits == round_to_bits(sums.result_format(), sums.launch().view().left(r));
    const auto& known = model.results[static_cast<std::size_t>(found - varying.begin())];
    if (known.empty()) return !excludes_(r, bits);
    return std::any_of(known.begin(), known.end(), [&](const OutputResult& x) { return x.bits == bits; });
  }

  std::span<const KnownOutcomes> models_;
  const std::function<bool(std::size_t, std::uint64_t)>& excludes_;
};

/// Rows of some outputs, each number in memory of its own, so that numbers can be changed.
class ChangedRows {
 public:
  /// Shape: all outputs have equally many numbers, at least one.
  ChangedRows(const LoweredOperation& operation, std::span<const std::uint32_t> outputs)
      : changed_(std::make_shared<LoweredOperation>(*selected_outputs(operation, outputs))) {
    if (!operation.adds_by_plans()) return;
    changed_->kept.clear();
    TermBuffer buffer;
    for (const std::uint32_t r : outputs) {
      const TermView row = operation.terms.row(r, buffer);
      for (const bool right : {false, true}) {
        if (right && !row.products()) continue;
        Terms numbers(row.format, row.n);
        for (std::size_t i = 0; i < row.n; ++i) numbers.set(i, right ? row.right(i) : row.left(i));
        changed_->kept.push_back(std::move(numbers));
      }
    }
    changed_->terms = {};
    const std::size_t each = changed_->kept.size() / outputs.size();
    for (std::size_t k = 0; k < changed_->kept.size(); k += each) {
      const TermView x = changed_->kept[k].view();
      changed_->terms.add({x.format, 1, x.n, x.x, x.n, each > 1 ? changed_->kept[k + 1].view().x : nullptr, x.n});
    }
  }

  /// The results in launch order where number `place` of every output is left out, or twice as large.
  Terms results(std::size_t place, bool twice) {
    const std::vector<double> before = replace(place, [&](double x) { return twice ? 2 * x : -0.0; });
    Terms results = OutputSums::make(changed_, parse_arrival("uniform"), {})->launch();
    std::size_t next = 0;
    replace(place, [&](double) { return before[next++]; });
    return results;
  }

 private:
  template <class New>
  std::vector<double> replace(std::size_t place, New changed) {
    std::vector<double> before;
    const auto change = [&](Terms& numbers, std::size_t i) {
      before.push_back(numbers.view().left(i));
      numbers.set(i, changed(before.back()));
    };
    if (!changed_->adds_by_plans())
      for (std::size_t r = 0; r < changed_->outputs(); ++r)
        change(changed_->rows.values, changed_->rows.row_begin[r] + place);
    else
      for (std::size_t k = 0; k < changed_->kept.size(); k += changed_->kept.size() / changed_->outputs())
        change(changed_->kept[k], place);
    return before;
  }

  std::shared_ptr<LoweredOperation> changed_;
};

/// Outputs by their number of contributions, which is not 0.
std::map<std::size_t, std::vector<std::uint32_t>> outputs_by_length(const LoweredOperation& operation) {
  std::map<std::size_t, std::vector<std::uint32_t>> lengths;
  for (std::size_t r = 0; r < operation.outputs(); ++r) {
    const std::size_t n = operation.adds_by_plans() ? operation.terms.length(r) : numbers_of(operation).row_length(r);
    if (n > 0) lengths[n].push_back(static_cast<std::uint32_t>(r));
  }
  return lengths;
}

}  // namespace

std::vector<BlindSpot> blind_spots(std::span<const KnownOutcomes> models,
                                   const std::function<bool(std::size_t, std::uint64_t)>& excludes) {
  const OutputSums& sums = models.front().sums;
  const LoweredOperation& operation = sums.operation();
  const Explained explained(models, excludes);
  const Format format = sums.result_format();
  std::vector<BlindSpot> spots;
  if (!operation.has_rows()) return spots;
  for (auto& [length, outputs] : outputs_by_length(operation)) {
    BlindSpot spot;
    spot.contributions = length;
    outputs.resize(std::min<std::size_t>(outputs.size(), (kChangesOfLength + length - 1) / length));
    const auto count = [&](std::size_t r, std::uint64_t dropped, std::uint64_t doubled) {
      ++spot.changes;
      if (explained(r, dropped)) ++spot.dropped_unseen;
      if (explained(r, doubled)) ++spot.doubled_unseen;
    };
    if (!operation.adds_by_plans() && !operation.addition.tail && !operation.own) {
      with_type_of(operation.formats.accumulate, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        with_accumulator<T>(operation.addition, [&](auto step) {
          for (const std::uint32_t r : outputs) {
            const auto count_in_r = [&](std::uint64_t dropped, std::uint64_t doubled) { count(r, dropped, doubled); };
            if (operation.raw)
              for_each_change<T, true>(operation, r, step, count_in_r);
            else
              for_each_change<T, false>(operation, r, step, count_in_r);
          }
        });
      });
    } else {
      const std::size_t places = std::clamp<std::size_t>(kMostAdditions / (length * outputs.size()), 1, length);
      ChangedRows changed(operation, outputs);
      for (std::size_t i = 0; i < places; ++i) {
        const std::size_t place = i * length / places;  // spread over the row
        const Terms dropped = changed.results(place, false);
        const Terms doubled = changed.results(place, true);
        for (std::size_t k = 0; k < outputs.size(); ++k)
          count(outputs[k], round_to_bits(format, dropped.view().left(k)),
                round_to_bits(format, doubled.view().left(k)));
      }
    }
    spots.push_back(spot);
  }
  return spots;
}

}  // namespace orderlab::study
