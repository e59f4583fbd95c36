// The kinds of values that findings and requests have.
#pragma once

#include <limits>

#include "describe/table.hpp"

namespace orderlab::described::kinds {

namespace detail {
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr bool is_finite(double number) { return number > -kInfinity && number < kInfinity; }
constexpr bool is_magnitude(double number) { return !(number < 0); }
constexpr bool is_probability(double number) { return number >= 0 && number <= 1; }
constexpr bool is_fraction(double number) { return number >= 0 && number < kInfinity; }
constexpr bool is_positive(double number) { return number > 0 && number < kInfinity; }
constexpr bool is_some(double number) { return number >= 1; }
}  // namespace detail

#define ORDERLAB_SHARED(name) R"({"$ref": "shared.json#/$defs/)" name R"("})"
inline constexpr Kind kNumber{Holds::number, ORDERLAB_SHARED("number"), ORDERLAB_SHARED("number_or_null")};
inline constexpr Kind kMagnitude{Holds::number, ORDERLAB_SHARED("magnitude"), ORDERLAB_SHARED("magnitude_or_null"),
                                 detail::is_magnitude};
inline constexpr Kind kProbability{Holds::number, ORDERLAB_SHARED("probability"),
                                   ORDERLAB_SHARED("probability_or_null"), detail::is_probability};
inline constexpr Kind kFinite{Holds::number, R"({"type": "number"})", R"({"type": ["number", "null"]})",
                              detail::is_finite};
inline constexpr Kind kFraction{Holds::number, R"({"type": "number", "minimum": 0})",
                                R"({"type": ["number", "null"], "minimum": 0})", detail::is_fraction};
inline constexpr Kind kPositive{Holds::number, R"({"type": "number", "exclusiveMinimum": 0})", {}, detail::is_positive};
inline constexpr Kind kCount{Holds::count, ORDERLAB_SHARED("count"), ORDERLAB_SHARED("count_or_null")};
inline constexpr Kind kSome{Holds::count, R"({"type": "integer", "minimum": 1})",
                            R"({"type": ["integer", "null"], "minimum": 1})", detail::is_some};
inline constexpr Kind kText{Holds::text, R"({"type": "string"})", ORDERLAB_SHARED("text_or_null")};
inline constexpr Kind kOrders{Holds::text, ORDERLAB_SHARED("orders"),
                              R"({"anyOf": [{"$ref": "shared.json#/$defs/orders"}, {"type": "null"}]})"};
inline constexpr Kind kBits{Holds::text, ORDERLAB_SHARED("bits"), ORDERLAB_SHARED("bits_or_null")};
inline constexpr Kind kHash{Holds::text, ORDERLAB_SHARED("hash"), {}};
inline constexpr Kind kFormat{Holds::text, ORDERLAB_SHARED("format"), {}};
inline constexpr Kind kFormats{Holds::text, ORDERLAB_SHARED("formats"), {}};
inline constexpr Kind kGuarantee{Holds::text, ORDERLAB_SHARED("guarantee"), {}};
inline constexpr Kind kTruth{Holds::truth, R"({"type": "boolean"})", R"({"type": ["boolean", "null"]})"};
#undef ORDERLAB_SHARED

}  // namespace orderlab::described::kinds
