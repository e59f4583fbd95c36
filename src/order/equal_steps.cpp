#include "order/equal_steps.hpp"

#include <algorithm>
#include <type_traits>

#include "core/overloaded.hpp"
#include "orderlab/fused.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

// Compares what two pointers point to; two null pointers are equal.
template <class T, class Equal>
bool equal_content(const T& a, const T& b, Equal same) {
  return a == b || (a != nullptr && b != nullptr && std::equal(a->begin(), a->end(), b->begin(), b->end(), same));
}

bool equal(const WorkQueue* a, const WorkQueue* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->workers == b->workers && a->run == b->run && a->sizes == b->sizes && a->work == b->work &&
         a->variation == b->variation && a->late == b->late;
}

bool equal(const Combination& a, const Combination& b) {
  const auto same = [](const Addition& x, const Addition& y) { return x.to == y.to && x.from == y.from; };
  return a.tree == b.tree && a.accumulate == b.accumulate && a.from_zero == b.from_zero && a.width == b.width &&
         equal_content(a.additions, b.additions, same) && equal(a.queue.get(), b.queue.get());
}

bool equal(const Groups& a, const Groups& b) {
  return a.first == b.first && a.count == b.count && a.stride == b.stride && a.width == b.width && a.step == b.step &&
         a.members == b.members && a.items == b.items && a.pass == b.pass && a.place == b.place &&
         a.abreast == b.abreast;
}

bool equal(const ArrivalCall& a, const ArrivalCall& b) {
  if (a.model == nullptr || b.model == nullptr) return a.model == b.model;
  return to_string(a) == to_string(b);
}

bool equal(const steps::Move& a, const steps::Move& b) {
  return a.kind == b.kind && a.start == b.start && a.backwards == b.backwards && a.by_magnitude == b.by_magnitude &&
         a.descending == b.descending && equal(a.arrival, b.arrival) &&
         equal_content(a.order, b.order, std::equal_to());
}

bool equal(const steps::Add& a, const steps::Add& b) {
  return equal(a.how, b.how) && std::equal(a.groups.begin(), a.groups.end(), b.groups.begin(), b.groups.end(),
                                           [](const Groups& x, const Groups& y) { return equal(x, y); });
}

bool equal(const steps::Within& a, const steps::Within& b) {
  return a.size == b.size && a.runs == b.runs && equal(a.full, b.full) && equal(a.rest, b.rest);
}

bool equal(const steps::Split& a, const steps::Split& b) {
  return a.most == b.most && a.halves == b.halves &&
         std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first && equal(x.second, y.second); });
}

bool equal(const steps::Fold& a, const steps::Fold& b) {
  return a.tile == b.tile && a.blocks == b.blocks && a.join == b.join && a.wide == b.wide &&
         equal(a.initial, b.initial) && equal(a.later, b.later) && equal(a.rest, b.rest);
}

bool equal(const steps::Fuse& a, const steps::Fuse& b) { return a.run == b.run && *a.unit == *b.unit; }

bool equal(const steps::Round& a, const steps::Round& b) { return a.format == b.format; }

bool equal(const steps::In& a, const steps::In& b) { return a.add == b.add && a.store == b.store; }

}  // namespace

bool equal(const Step& a, const Step& b) {
  return std::visit(
      [](const auto& x, const auto& y) {
        if constexpr (std::is_same_v<decltype(x), decltype(y)>)
          return equal(x, y);
        else
          return false;
      },
      a.is, b.is);
}

bool equal(const Steps& a, const Steps& b) {
  return a.begin() == b.begin() ||
         std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Step& x, const Step& y) { return equal(x, y); });
}

}  // namespace orderlab
