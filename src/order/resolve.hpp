// From calls as written to stages with checked arguments.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "order/syntax.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

/// Turns the calls of one text into stages. Named orders expand to their expressions.
class Resolver {
 public:
  /// `text` is for error messages; `arrival` is the model of every bare `arrive`; files lie in `folder` (empty: the
  /// working directory).
  Resolver(std::string_view what, std::string_view text, ArrivalCall arrival, std::string_view folder = {})
      : what_(what), text_(text), arrival_(std::move(arrival)), folder_(folder) {}

  std::vector<StageCall> pipeline(const std::vector<SyntaxCall>& calls);
  ArrivalCall arrival(const SyntaxCall& call) const;

  /// Whether some `arrive` came without a model of its own.
  bool bare_arrive() const { return bare_arrive_; }

 private:
  void append(const SyntaxCall& call, std::vector<StageCall>& stages);
  void expand(const NamedOrder& order, const SyntaxCall& call, std::vector<StageCall>& stages);
  Arguments read_arguments(const SyntaxCall& call, std::span<const Parameter> parameters) const;
  Argument read_argument(const SyntaxCall& call, const Parameter& parameter, const SyntaxArgument& argument) const;
  std::string path_of(std::string_view file) const;
  [[noreturn]] void fail(std::size_t position, const std::string& problem) const {
    fail_at(what_, text_, position, problem);
  }

  std::string_view what_;
  std::string_view text_;
  ArrivalCall arrival_;
  std::string_view folder_;
  std::map<std::string, Argument, std::less<>> environment_;  ///< parameters of the named order being expanded
  bool bare_arrive_ = false;
};

/// The arrival model with its arguments that `text` writes. Error(usage).
ArrivalCall parse_arrival(const std::string& text, std::string_view folder = {});

/// As parse_order and takes_arrival, where files that the texts name lie in `folder`.
Order parse_order_in(std::string_view folder, std::string_view text, std::string_view arrival);
bool takes_arrival_in(std::string_view folder, std::string_view text);

}  // namespace orderlab
