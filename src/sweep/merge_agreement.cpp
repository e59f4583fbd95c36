#include "sweep/merge_agreement.hpp"

#include <fmt/format.h>

#include <utility>

#include "orderlab/error.hpp"

namespace orderlab {

namespace {

// Hash of what a point gave, without the time that it took and the machine.
std::uint64_t content_of(ContentHasher& hasher, const StoredPoint& point) {
  hasher.clear();
  for (const std::string* text : {&point.terms, &point.summation, &point.metrics, &point.counts}) {
    hasher.add(std::to_string(text->size()) + " ");
    hasher.add(*text);
  }
  return hasher.digest().low;
}

ContentHash hash_in(const Store& store, const StoredPoint& point) {
  if (const auto hash = ContentHash::from_text(point.hash)) return *hash;
  throw Error(ErrorKind::input, store.path() + ": is damaged: a point has no hash (" + point.config + ")");
}

Error changed(const std::string& path) {
  return Error(ErrorKind::input,
               path + ": has changed while it was merged; what was added is right, start again for the rest");
}

// The bits_version by which a store's points are named, from one of them; empty where there is none.
std::optional<int> bits_version_of(const Store& store) {
  constexpr int kMost = 1000;
  std::optional<int> found;
  bool first = true;
  store.for_each_point([&](const StoredPoint& point) {
    if (!std::exchange(first, false)) return;
    for (int version = 1; version <= kMost && !found; ++version)
      if (hash_of(std::to_string(version) + " " + point.config).text() == point.hash) found = version;
  });
  return found;
}

}  // namespace

void Agreement::refuse_sweep(const Store& store) const {
  const std::optional<int> bits = bits_version_of(store);
  const std::optional<int> first = bits_version_of(Store(paths_[0], Store::Access::points));
  if (bits && first && *bits != *first)
    throw Error(ErrorKind::input,
                fmt::format("{}: has results of bits_version {}, and {} of {}: those of one version of orderlab can be "
                            "merged; run one of them again with the other's",
                            store.path(), *bits, paths_[0], *first));
  throw Error(ErrorKind::input, store.path() + ": is of another sweep than " + paths_[0] +
                                    "; merge stores of one config, whose shards list the same points");
}

void Agreement::check(const Store& store) {
  const std::string plan_hash = store.sweep().plan_hash;
  if (paths_.empty()) plan_hash_ = plan_hash;
  if (plan_hash != plan_hash_) refuse_sweep(store);
  const auto number = static_cast<std::uint32_t>(paths_.size());
  paths_.push_back(store.path());
  checked_.insert(store.path());
  ContentHasher hasher;
  store.for_each_point([&](const StoredPoint& point) {
    const Known here{content_of(hasher, point), number};
    const auto [found, added] = contents_.try_emplace(hash_in(store, point), here);
    if (found->second.content != here.content)
      throw Error(ErrorKind::input, store.path() + ": has other results than " + paths_[found->second.store] + " for " +
                                        point.config + "; run that point again with one build of orderlab");
  });
}

void Agreement::require_plan(const Store& store) const {
  if (!store.planned() || store.sweep().plan_hash != plan_hash_) throw changed(store.path());
}

bool Agreement::is_from(const Store& store, const StoredPoint& point) const {
  ContentHasher hasher;
  const auto found = contents_.find(hash_in(store, point));
  if (found == contents_.end()) return false;
  if (found->second.content != content_of(hasher, point)) throw changed(store.path());
  return paths_[found->second.store] == store.path();
}

void Agreement::require_all(const Store& merged) const {
  for (const auto& [hash, known] : contents_)
    if (!merged.has(hash)) throw changed(paths_[known.store]);
}

}  // namespace orderlab
