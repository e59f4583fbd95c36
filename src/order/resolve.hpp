// From calls as written to stages with checked arguments.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "order/syntax.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

/// Turns the calls of one text into stages. Named orders expand to their expressions.
class Resolver {
 public:
  /// `text` is for error messages; `arrival` is the model of every bare `arrive` (empty: the stage's default); files
  /// lie in `folder` (empty: the working directory). Error(usage) where a name occurs twice in the vocabulary.
  Resolver(std::string_view what, std::string_view text, const Vocabulary& vocabulary, std::string_view folder,
           std::optional<ArrivalCall> arrival = {});

  std::vector<StageCall> pipeline(const std::vector<SyntaxCall>& calls);
  ArrivalCall arrival(const SyntaxCall& call) const;
  LookbackCall lookback(const SyntaxCall& call) const;

  /// The arguments of a call of anything else that has parameters.
  Arguments arguments(const SyntaxCall& call, std::span<const Parameter> parameters) const;

  /// Whether some `arrive` came without a model of its own.
  bool bare_arrive() const { return bare_arrive_; }

 private:
  /// For the expression of an entry of the vocabulary, a named order or arrival, that a text of `outer` names.
  Resolver(const Resolver& outer, std::string_view what, std::string_view text, const void* expanded)
      : what_(what),
        text_(text),
        vocabulary_(outer.vocabulary_),
        folder_(outer.folder_),
        arrival_(outer.arrival_),
        outer_(&outer),
        expanded_(expanded) {}

  void append(const SyntaxCall& call, std::vector<StageCall>& stages);
  StageCall call_of(const Stage& stage, const SyntaxCall& call);
  void expand(const NamedOrder& order, const SyntaxCall& call, std::vector<StageCall>& stages);
  void require_not_expanding(const void* entry, const SyntaxCall& call) const;
  Arguments read_arguments(const SyntaxCall& call, std::span<const Parameter> parameters,
                           const ArrivalCall* first = nullptr) const;
  Argument read_argument(const SyntaxCall& call, const Parameter& parameter, const SyntaxArgument& argument) const;
  Argument fitted(const Argument& value, const std::string& name, const Parameter& parameter,
                  const SyntaxArgument& argument) const;
  Argument stages_argument(const SyntaxCall& call, const Parameter& parameter, const SyntaxArgument& argument) const;
  const SyntaxArgument* absent_in(const std::vector<SyntaxCall>& calls) const;
  std::string path_of(std::string_view file) const;
  [[noreturn]] void fail(std::size_t position, const std::string& problem) const {
    fail_at(what_, text_, position, problem);
  }

  std::string_view what_;
  std::string_view text_;
  const Vocabulary& vocabulary_;
  std::string_view folder_;
  std::optional<ArrivalCall> arrival_;
  const Resolver* outer_ = nullptr;
  const void* expanded_ = nullptr;                            ///< the entry whose expression this text is
  std::map<std::string, Argument, std::less<>> environment_;  ///< parameters of the named order being expanded
  mutable std::set<std::string, std::less<>> used_;           ///< those that the expression has used
  mutable std::string missing_;                               ///< the absent one for which a part of it was left out
  bool bare_arrive_ = false;
};

/// A call as text that reads back: positional arguments up to the last one that is not its default, then keyword-only
/// ones that are not; the model of an arrival is always written out.
std::string call_text(std::string_view name, std::span<const Parameter> parameters, const Arguments& arguments);

/// The arrival model with its arguments that `text` writes. Error(usage).
ArrivalCall parse_arrival(const std::string& text, std::string_view folder = {},
                          const Vocabulary& vocabulary = built_in_vocabulary());

/// The look-back model with its arguments that `text` writes. Error(usage).
LookbackCall parse_lookback(std::string_view text);

/// As parse_order and takes_arrival, where files that the texts name lie in `folder`.
Order parse_order_in(std::string_view folder, std::string_view text, std::string_view arrival,
                     const Vocabulary& vocabulary = built_in_vocabulary());
bool takes_arrival_in(std::string_view folder, std::string_view text,
                      const Vocabulary& vocabulary = built_in_vocabulary());

}  // namespace orderlab
