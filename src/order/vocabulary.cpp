#include "order/vocabulary.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

// Names of one kind of place in a text, each with what has it.
class Names {
 public:
  void add(std::string_view name, std::string_view what) {
    const auto [other, is_new] = owners_.emplace(name, what);
    if (is_new) return;
    throw Error(ErrorKind::usage, "vocabulary: the name " + std::string(name) + " occurs twice, for " +
                                      std::string(other->second) + " and for " + std::string(what) +
                                      "; rename or remove one");
  }

  bool has(std::string_view name) const { return owners_.contains(name); }

 private:
  std::map<std::string_view, std::string_view> owners_;
};

template <class Entry>
std::vector<const Entry*> pointers(std::span<const Entry> entries) {
  std::vector<const Entry*> result;
  for (const Entry& entry : entries) result.push_back(&entry);
  return result;
}

}  // namespace

const Vocabulary& built_in_vocabulary() {
  static const Vocabulary kBuiltIn = [] {
    Vocabulary all{{stages().begin(), stages().end()},
                   pointers(named_orders()),
                   {arrival_models().begin(), arrival_models().end()},
                   pointers(named_arrivals())};
    require_unique_names(all);
    return all;
  }();
  return kBuiltIn;
}

void require_unique_names(const Vocabulary& vocabulary) {
  Names orders;
  for (const Stage* stage : vocabulary.stages) orders.add(stage->name, "a stage");
  Names stages_by_name;
  for (const NamedOrder* order : vocabulary.named_orders) {
    const bool is_that_stage = order->expression == order->name && orders.has(order->name);
    (is_that_stage ? stages_by_name : orders).add(order->name, "a named order");
  }
  Names arrivals;
  for (const ArrivalModel* model : vocabulary.arrival_models) arrivals.add(model->name, "an arrival model");
  for (const NamedArrival* named : vocabulary.named_arrivals) arrivals.add(named->name, "a named arrival");
}

bool has_named_order(const Vocabulary& vocabulary, std::string_view name) {
  return std::any_of(vocabulary.named_orders.begin(), vocabulary.named_orders.end(),
                     [name](const NamedOrder* order) { return order->name == name; });
}

}  // namespace orderlab
