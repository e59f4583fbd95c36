#include "study/blind_spots.hpp"

#include <algorithm>
#include <map>

#include "operation/accumulator.hpp"

namespace orderlab::study {

namespace {

/// The result of output r in launch order where contribution `changed` counts `times` times.
template <class T>
std::uint64_t changed_result(const LoweredOperation& operation, std::size_t r, std::size_t changed, int times) {
  const std::span<const T> row = row_of<T>(operation.rows, r);
  return with_accumulator<T>(operation.addition, [&](auto step) {
    T sum = start_of<T>(operation, r, row.size());
    for (std::size_t i = 0; i < row.size(); ++i)
      for (int t = 0; t < (i == changed ? times : 1); ++t) sum = step(sum, row[i]);
    return round_to_bits(operation.formats.result, finished(operation, r, sum));
  });
}

}  // namespace

std::vector<BlindSpot> blind_spots(const OutputSums& sums, const std::vector<std::vector<OutputResult>>& results) {
  constexpr std::uint64_t kChangesOfLength = 20'000;
  const LoweredOperation& operation = sums.operation();
  std::map<std::uint64_t, BlindSpot> spots;
  if (operation.addition.tail || !operation.addition.arrives) return {};
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].empty()) continue;
    const std::size_t r = sums.varying()[i];
    const std::size_t length = operation.rows.row_length(r);
    BlindSpot& spot = spots[length];
    spot.contributions = length;
    if (spot.changes >= kChangesOfLength) continue;
    const auto reachable = [&](std::uint64_t bits) {
      return std::any_of(results[i].begin(), results[i].end(), [&](const OutputResult& x) { return x.bits == bits; });
    };
    for (std::size_t c = 0; c < length; ++c) {
      ++spot.changes;
      with_type_of(operation.formats.accumulate, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        if (reachable(changed_result<T>(operation, r, c, 0))) ++spot.dropped_unseen;
        if (reachable(changed_result<T>(operation, r, c, 2))) ++spot.doubled_unseen;
      });
    }
  }
  std::vector<BlindSpot> list;
  for (const auto& [length, spot] : spots) list.push_back(spot);
  return list;
}

}  // namespace orderlab::study
