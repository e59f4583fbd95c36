// Orders: pipelines of stages that end with one partial sum, their grammar and their names.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/stage.hpp"
#include "orderlab/vocabulary.hpp"

namespace orderlab {

/// A name for an expression. Its parameters may stand in the expression as words.
struct NamedOrder {
  std::string_view name;
  std::span<const Parameter> parameters;
  std::string_view expression;
  std::string_view summary;
  std::string_view source;
};

/// The built-in named orders.
std::span<const NamedOrder> named_orders();

/// A parsed pipeline. Whether it ends with one partial sum can depend on n: see check.
class Order {
 public:
  Order(std::string name, std::vector<StageCall> stages) : name_(std::move(name)), stages_(std::move(stages)) {}

  /// The named order it was written as ("warp"); empty for an expression.
  const std::string& name() const { return name_; }

  /// Canonical text; parse_order reads it back with the same vocabulary to the same order, except that files stand as
  /// hashes of their content.
  std::string expression() const;

  const std::vector<StageCall>& stages() const { return stages_; }

  bool random() const;

  /// Position of the first random stage; stages().size() for a fixed order.
  std::size_t first_random() const;

  /// The weakest guarantee of its stages.
  Guarantee guarantee() const;

  /// The fixed order that Vs compares with by default: arrivals in launch order, no shuffles, trees pairwise.
  Order fixed_form() const;

  /// Warnings to print about a sum of n terms: a named arrival that was fitted to other thread blocks or
  /// to a grid of another size.
  std::vector<std::string> warnings(std::size_t n, Format accumulate) const;

  /// The steps of each stage for n terms (`products`: x*y), added in the format `accumulate`.
  ///
  /// Errors: usage unless the pipeline is valid for them and ends with one partial sum; also for a stage that is not
  ///         built in and describes itself wrongly, of which all is checked.
  std::vector<Steps> describe(std::size_t n, bool products, Format accumulate) const;
  void check(std::size_t n, bool products, Format accumulate) const { describe(n, products, accumulate); }

 private:
  std::string name_;
  std::vector<StageCall> stages_;
};

/// Reads an order: a named order or an expression. `arrival` is the model of every bare `arrive` (empty: uniform) and
/// of any other stage whose first parameter is an arrival model, where it stands without arguments.
///
/// Errors: usage, with the position in the text and the nearest name of the vocabulary; also when `arrival` is given
/// and no bare `arrive` is there to take it, or a name occurs twice in the vocabulary.
Order parse_order(std::string_view text, std::string_view arrival = {},
                  const Vocabulary& vocabulary = built_in_vocabulary());

/// Whether the order has a bare `arrive` that parse_order's `arrival` would go to. Error(usage) as parse_order.
bool takes_arrival(std::string_view text, const Vocabulary& vocabulary = built_in_vocabulary());

/// "slots(1280,0.2)" in canonical form.
std::string to_string(const ArrivalCall& call);

/// Default expression of a named order of the vocabulary, its parameters replaced by their defaults: pastes back as
/// --order. Error(usage) as parse_order.
std::string default_expression(const NamedOrder& order, const Vocabulary& vocabulary = built_in_vocabulary());

/// A stage, arrival model or named order with its parameters, those that may be left out
/// in brackets: "tile(b,items,[grid],[acc=plain|...])".
std::string signature(std::string_view name, std::span<const Parameter> parameters);

}  // namespace orderlab
