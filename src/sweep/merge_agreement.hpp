// What the stores of a merge must agree in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sweep/content_hash.hpp"
#include "sweep/store.hpp"

namespace orderlab {

/// Holds every store to the plan of the first, and every point to the first store that has it. Stores are opened a
/// second time when their points are added, and must then have what they had at first.
class Agreement {
 public:
  /// To be called once for each store. Error(input) for one of another sweep, or with other results.
  void check(const Store& store);

  /// Whether this store was checked.
  bool has(const std::string& path) const { return checked_.contains(path); }

  /// Error(input) where the store now has another plan.
  void require_plan(const Store& store) const;

  /// Whether the store was the first that had the point when it was checked. Error(input) where the point is another
  /// now.
  bool is_from(const Store& store, const StoredPoint& point) const;

  /// Error(input) unless the store has all points that were there when stores were checked.
  void require_all(const Store& merged) const;

 private:
  struct Known {
    std::uint64_t content = 0;
    std::uint32_t store = 0;  ///< in paths_
  };
  [[noreturn]] void refuse_sweep(const Store& store) const;

  std::string plan_hash_;
  std::vector<std::string> paths_;
  std::unordered_set<std::string> checked_;  ///< paths_
  std::unordered_map<ContentHash, Known, ContentHash::Key> contents_;
};

}  // namespace orderlab
