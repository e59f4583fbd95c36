// The names that orders are written with.
#pragma once

#include <vector>

namespace orderlab {

struct ArrivalModel;
struct NamedArrival;
struct NamedOrder;
struct Stage;

/// All that the text of an order can name. A program adds to the built-in one:
///
///     Vocabulary vocabulary = built_in_vocabulary();
///     vocabulary.named_orders.push_back(&kBlocks);
///     const Order order = parse_order("blocks(128)", {}, vocabulary);
///
/// Lifetime: what it points to must outlive every order read with it; the vocabulary itself need not.
/// Names:    each occurs once among stages and named orders, and once among arrival models and named arrivals, else
///           Error(usage) from whatever reads with it. Only a named order whose expression is one stage may have the
///           name of that stage.
struct Vocabulary {
  std::vector<const Stage*> stages;
  std::vector<const NamedOrder*> named_orders;
  std::vector<const ArrivalModel*> arrival_models;
  std::vector<const NamedArrival*> named_arrivals;
};

/// stages(), named_orders(), arrival_models() and named_arrivals().
const Vocabulary& built_in_vocabulary();

}  // namespace orderlab
