// The kinds of values that findings and requests have.
#pragma once

#include "describe/field.hpp"

namespace orderlab::described::kinds {

#define ORDERLAB_SHARED(name) R"({"$ref": "shared.json#/$defs/)" name R"("})"
inline constexpr Kind kNumber{Holds::number, ORDERLAB_SHARED("number"), ORDERLAB_SHARED("number_or_null")};
inline constexpr Kind kMagnitude{Holds::number, ORDERLAB_SHARED("magnitude"), ORDERLAB_SHARED("magnitude_or_null")};
inline constexpr Kind kProbability{Holds::number, ORDERLAB_SHARED("probability"),
                                   ORDERLAB_SHARED("probability_or_null")};
inline constexpr Kind kFinite{Holds::number, R"({"type": "number"})", R"({"type": ["number", "null"]})"};
inline constexpr Kind kFraction{Holds::number, R"({"type": "number", "minimum": 0})",
                                R"({"type": ["number", "null"], "minimum": 0})"};
inline constexpr Kind kPositive{Holds::number, R"({"type": "number", "exclusiveMinimum": 0})", {}};
inline constexpr Kind kCount{Holds::count, ORDERLAB_SHARED("count"), ORDERLAB_SHARED("count_or_null")};
inline constexpr Kind kSome{Holds::count, R"({"type": "integer", "minimum": 1})", {}};
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
