#include "show/infer_shared_fields.hpp"

#include "describe/field.hpp"
#include "describe/kinds.hpp"

namespace orderlab::described {

using study::Interval95;
namespace k = kinds;

namespace {

constexpr std::string_view kTooFewAnswers = "of a bootstrap over fewer than 8 answers";
static_assert(study::kLeastAnswers == 8);
constexpr Field kInterval95Fields[] = {
    value<&Interval95::value>("value", k::kFraction, "The estimate"),
    value<&Interval95::low>("low", k::kFraction, "Lower limit of its 95 % interval", {.null = kTooFewAnswers}),
    value<&Interval95::high>("high", k::kFraction, "Upper limit", {.null = kTooFewAnswers}),
};
}  // namespace

constexpr TableOf<Interval95> kInterval95{{.key = "interval_95",
                                           .title = "Estimate with interval",
                                           .help = "A number with its 95 % interval.",
                                           .fields = kInterval95Fields,
                                           .shared = true}};

namespace {

constexpr Field kMarginDensityFields[] = {
    value<&MarginDensity::per_nat>("per_nat", k::kFraction, "Share of the margins just above 0, per nat"),
    value<&MarginDensity::bandwidth>("bandwidth", k::kFraction, "Nats from 0 on that take part"),
};
}  // namespace

constexpr TableOf<MarginDensity> kMarginDensity{{.key = "density",
                                                 .title = "Margin density",
                                                 .help = "Density of margins just above zero.",
                                                 .fields = kMarginDensityFields,
                                                 .shared = true}};

}  // namespace orderlab::described
