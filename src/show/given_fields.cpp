#include "show/given_fields.hpp"

#include <optional>

#include "describe/field.hpp"
#include "describe/kinds.hpp"
#include "show/shared_fields.hpp"

namespace orderlab::described {

namespace {

constexpr Field kGivenRowFields[] = {
    value("bits", kinds::kBits, kResultBitsHelp, [](const GivenRow& g) { return bits_text(g.format, g.bits); }),
    value<&GivenRow::count>("count", kinds::kSome, "How often it was given"),
    value("digits", kinds::kSome, "Significant digits of a decimal that had fewer than the format needs",
          [](const GivenRow& g) { return g.digits > 0 ? std::optional(g.digits) : std::nullopt; },
          {.absent = "for other results"}),
};

}  // namespace

constexpr TableOf<GivenRow> kGivenRow{{.key = "given_result",
                                       .title = "Given result",
                                       .help = "A result and how often it was given.",
                                       .fields = kGivenRowFields,
                                       .form = Form::array}};

}  // namespace orderlab::described
