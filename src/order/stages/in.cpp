// in: the format that what follows adds in.
#include <string>

#include "order/formats_along.hpp"
#include "order/stages/format_parameter.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr Parameter kInParameters[] = {
    {.name = "format", .kind = ParameterKind::choice, .default_text = "", .choices = kFormatNames},
    {.name = "store",
     .kind = ParameterKind::choice,
     .default_text = "-",
     .choices = kFormatNames,
     .keyword_only = true}};

AddFormat add_format(const Arguments& arguments) {
  const Format add = format_of(arguments.choice(0));
  return {add, arguments.has(1) ? format_of(arguments.choice(1)) : add};
}

void check_in(const Arguments& arguments) {
  const auto [add, store] = add_format(arguments);
  if (!holds_all_of(add, store))
    throw Error(ErrorKind::usage, "in: store=" + std::string(info(store).name) +
                                      ": not all of its numbers are numbers of " + std::string(info(add).name) +
                                      ", so they cannot be added in it");
}

}  // namespace

extern const Stage kIn;
const Stage kIn{
    .name = "in",
    .summary =
        "what follows adds numbers of a format and rounds each addition to it; store=f rounds each sum once more, to "
        "f, as an accumulator in memory that is narrower than the addition",
    .source = "IEEE 754-2019, formatOf-addition",
    .parameters = kInParameters,
    .reduces = false,
    .guarantee = Guarantee::any_device,
    .check = check_in,
    .describe = [](const Arguments& arguments, std::size_t, Format) -> Steps {
      const auto [add, store] = add_format(arguments);
      return {{steps::In{add, store}}};
    },
};

}  // namespace orderlab
