// Parameters of stages, arrival models and named orders, and the arguments that a user gave for them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace orderlab {

enum class ParameterKind {
  count,            ///< a whole number: 1000, 1e6, 2^20
  real,             ///< a finite decimal
  choice,           ///< one of the words listed
  count_or_choice,  ///< a whole number, or one of the words listed
  arrival,          ///< an arrival model with its own arguments
  rows,             ///< a file of rows of whole numbers
  list,             ///< a file that is one list of whole numbers, in however many lines: one row
  lookback,         ///< a look-back model with its own arguments
  order,            ///< stages, or a named order, that draw nothing: what a stage does with each of its parts
  extents,          ///< three whole numbers from 1 to 2^31 - 1, joined by x: 128x128x32
};

/// One parameter. A parameter with an empty default must be given, one with default "-" may be absent.
struct Parameter {
  std::string_view name;
  ParameterKind kind;
  std::string_view default_text;  ///< as a user would write it; "" required, "-" absent
  double low = 0;                 ///< least value of a count or real
  double high = 0x1p64;           ///< greatest value
  std::span<const std::string_view> choices = {};
  bool keyword_only = false;  ///< given as name=value only
};

/// Rows of whole numbers read from a file, e.g. recorded arrival orders; identified by their content, not by
/// their path.
struct Rows {
  std::string path;
  std::string hash;  ///< "xxh3:" and 32 hex digits, of the decoded numbers
  std::vector<std::vector<std::uint32_t>> rows;
  std::vector<std::size_t> lines = {};  ///< the line of the file, from 1, of each row; empty for rows of no file
};

struct ArrivalModel;
struct NamedArrival;
class Arguments;

/// An arrival model with its arguments.
struct ArrivalCall {
  const ArrivalModel* model = nullptr;
  std::shared_ptr<const Arguments> arguments;
  const NamedArrival* named = nullptr;  ///< as it was written; null for a model with arguments
};

struct LookbackModel;

/// A look-back model with its arguments.
struct LookbackCall {
  const LookbackModel* model = nullptr;
  std::shared_ptr<const Arguments> arguments;
};

struct StageCall;

/// Sizes in three dimensions.
using Extents = std::array<std::uint64_t, 3>;

using Argument =
    std::variant<std::monostate, std::uint64_t, double, std::string_view, ArrivalCall, std::shared_ptr<const Rows>,
                 Extents, LookbackCall, std::shared_ptr<const std::vector<StageCall>>>;

/// Values of all parameters, in the order of the parameter list; monostate where one is absent.
class Arguments {
 public:
  Arguments() = default;
  explicit Arguments(std::vector<Argument> values) : values_(std::move(values)) {}

  bool has(std::size_t i) const { return i < values_.size() && values_[i].index() != 0; }
  std::uint64_t count(std::size_t i) const { return std::get<std::uint64_t>(values_[i]); }
  double real(std::size_t i) const { return std::get<double>(values_[i]); }
  std::string_view choice(std::size_t i) const { return std::get<std::string_view>(values_[i]); }
  const ArrivalCall& arrival(std::size_t i) const { return std::get<ArrivalCall>(values_[i]); }
  const LookbackCall& lookback(std::size_t i) const { return std::get<LookbackCall>(values_[i]); }
  const Rows& rows(std::size_t i) const { return *std::get<std::shared_ptr<const Rows>>(values_[i]); }
  const Extents& extents(std::size_t i) const { return std::get<Extents>(values_[i]); }
  const std::vector<StageCall>& order(std::size_t i) const {
    return *std::get<std::shared_ptr<const std::vector<StageCall>>>(values_[i]);
  }
  const std::vector<Argument>& values() const { return values_; }

 private:
  std::vector<Argument> values_;
};

}  // namespace orderlab
