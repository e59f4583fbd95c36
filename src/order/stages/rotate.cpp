// rotate: cyclically, so that a given partial sum is the first or the last: where a ring all-reduce starts or ends.
#include <string>

#include "orderlab/error.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kFirst = "first";
constexpr std::string_view kPlaces[] = {kFirst, "last"};
constexpr Parameter kRotateParameters[] = {
    {.name = "k", .kind = ParameterKind::count, .default_text = ""},
    {.name = "to", .kind = ParameterKind::choice, .default_text = kFirst, .choices = kPlaces}};

Steps describe_rotate(const Arguments& arguments, std::size_t m, Format) {
  const std::size_t k = arguments.count(0);
  return {{steps::Move{.start = (arguments.choice(1) == kFirst ? k : k + 1) % m}}};
}

void check_rotate_count(const Arguments& arguments, std::size_t m) {
  const std::uint64_t k = arguments.count(0);
  if (k < m) return;
  const std::string which = m == 1 ? "0" : "from 0 to " + std::to_string(m - 1);
  throw Error(ErrorKind::usage, "rotate(" + std::to_string(k) + "): there is no rank or chunk of that number among " +
                                    std::to_string(m) + " partial sums; k must be " + which);
}

}  // namespace

extern const Stage kRotate;
const Stage kRotate{
    .name = "rotate",
    .summary = "rotates cyclically so that partial sum k (from 0) comes first, or last",
    .source = "the ring all-reduce of NCCL and of Open MPI",
    .parameters = kRotateParameters,
    .reduces = false,
    .guarantee = Guarantee::run_to_run,  // a machine's topology and the size of a message say which chunk is where
    .check_count = check_rotate_count,
    .describe = describe_rotate,
};

}  // namespace orderlab
