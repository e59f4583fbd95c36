// perm: a permutation read from a file, the replay of one order.
#include <string>

#include "arrival/recording.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr Parameter kPermParameters[] = {{.name = "file", .kind = ParameterKind::list, .default_text = ""}};

Steps describe_perm(const Arguments& arguments, std::size_t, Format) {
  // Shares the list with the arguments.
  const std::shared_ptr<const Rows>& list = std::get<std::shared_ptr<const Rows>>(arguments.values()[0]);
  return {{steps::Move{.kind = steps::Move::Kind::given, .order = {list, &list->rows.front()}}}};
}

void check_perm_count(const Arguments& arguments, std::size_t m) {
  const std::vector<std::uint32_t>& order = arguments.rows(0).rows.front();
  const std::string what = "perm(" + arguments.rows(0).path + "): ";
  if (order.size() != m)
    throw Error(ErrorKind::usage, what + "has " + std::to_string(order.size()) + " positions for " + std::to_string(m) +
                                      " partial sums; it must name each of them once");
  check_permutation_row("perm(" + arguments.rows(0).path + ")", order);
}

}  // namespace

extern const Stage kPerm;
const Stage kPerm{
    .name = "perm",
    .summary = "permutation read from a file of positions 0..m-1: replay of one order",
    .source = "text, one or more numbers a line",
    .parameters = kPermParameters,
    .reduces = false,
    .guarantee = Guarantee::any_device,
    .check_count = check_perm_count,
    .describe = describe_perm,
};

}  // namespace orderlab
