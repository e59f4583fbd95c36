#include <algorithm>

#include "orderlab/counts.hpp"

namespace orderlab {

std::uint64_t SampleRanges::size() const {
  std::uint64_t count = 0;
  for (const auto& [begin, end] : ranges_) count += end - begin;
  return count;
}

void SampleRanges::add(const SampleRange& range) {
  if (range.first >= range.second) return;
  SampleRange joined = range;
  std::vector<SampleRange> all;
  for (const SampleRange& one : ranges_) {
    if (one.second < joined.first || one.first > joined.second)
      all.push_back(one);
    else
      joined = {std::min(joined.first, one.first), std::max(joined.second, one.second)};
  }
  all.insert(std::upper_bound(all.begin(), all.end(), joined), joined);
  ranges_ = std::move(all);
}

void SampleRanges::add(const SampleRanges& more) {
  for (const SampleRange& range : more.ranges_) add(range);
}

SampleRanges SampleRanges::within(const SampleRange& whole) const {
  SampleRanges found;
  for (const auto& [begin, end] : ranges_) found.add({std::max(begin, whole.first), std::min(end, whole.second)});
  return found;
}

SampleRanges SampleRanges::missing_from(const SampleRange& whole) const {
  SampleRanges missing;
  std::uint64_t next = whole.first;
  for (const auto& [begin, end] : within(whole).ranges_) {
    missing.add({next, begin});
    next = end;
  }
  missing.add({next, whole.second});
  return missing;
}

SampleRanges SampleRanges::common_with(const SampleRanges& other) const {
  SampleRanges common;
  for (const SampleRange& range : other.ranges_) common.add(within(range));
  return common;
}

std::string SampleRanges::text(std::size_t most) const {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, ranges_.size()); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(ranges_[i].first) + ":" + std::to_string(ranges_[i].second);
  const std::size_t more = ranges_.size() - std::min(most, ranges_.size());
  if (more > 0) text += " and " + std::to_string(more) + (more == 1 ? " more range" : " more ranges");
  return text;
}

}  // namespace orderlab
