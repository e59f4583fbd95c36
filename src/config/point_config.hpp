// What a config says of one point: its value on each axis.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "config/axis.hpp"
#include "config/json.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// An array that comes from a file.
struct GivenArray {
  std::string path;  ///< as the config writes it; empty where only the hash is known
  std::string hash;
};

struct PointConfig {
  std::string op;     ///< operation with many outputs, canonical; empty: a sum of one output
  std::string terms;  ///< canonical distribution, or the hash of given terms
  bool given_terms = false;
  std::uint64_t n = 0;  ///< number of terms of a sum; an operation has a shape
  Formats formats;
  std::string order;          ///< as it was written
  std::string expression;     ///< canonical expression of the order
  std::string arrival;        ///< as it was written; empty where the order takes none
  std::string arrival_model;  ///< canonical model of the first `arrive` that samples differ by; empty without one
  std::string baseline;       ///< canonical; empty: the order's own fixed form
  bool all_orders = false;    ///< instead of samples
  std::uint64_t asked = 0;    ///< samples; a fixed order gives one whatever was asked for. 0 for all orders
  std::uint64_t max_distinct = 0;
  std::uint64_t seed = 0;
  std::uint64_t input_seed = 0;
  std::uint64_t input = 0;  ///< number of an independent array of terms
  std::string input_path;   ///< path of given terms, as the config writes it
  std::string gpu;          ///< canonical; this and the members below are for operations
  std::string shape;        ///< shape of generated inputs; empty where the operation says it
  std::string ratio;        ///< R of a generated index
  GivenArray factor, index, self;
  std::map<std::string, std::string> recorded{};  ///< texts on axes that have no `get`, by the axis
};

/// Whether the axis says something of points such as this one.
bool applies(const Axis& axis, const PointConfig& point);

/// The number that digits are; empty for any other text.
std::optional<std::uint64_t> count_in(std::string_view digits);

/// The point's text on an axis, as a config of a sweep writes it; empty where it has none, or the axis is of other
/// points.
std::string text_on(const Axis& axis, const PointConfig& point);

/// Gives the point a text that the axis has read.
void set_on(const Axis& axis, PointConfig& point, const std::string& text);

/// A text on an axis as JSON: a number where it is a count, null where it is empty.
Json axis_json(const Axis& axis, const std::string& text);

/// These axes in the JSON "config" of orders that differ in nothing else: with several of them, an axis of the part
/// `order` is an array.
Json config_json(std::span<const PointConfig> orders, std::span<const Axis* const> axes);

/// The whole "config" of a point. Text of it is what a point's hash is made of.
Json config_json(const PointConfig& point);

/// What config_json of a point has written; `order` and `arrival` are left to the caller. Error(usage) for a format
/// that there is not.
PointConfig point_config(const Json& config);

}  // namespace orderlab
