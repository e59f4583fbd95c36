#include "cli/order_flags.hpp"

#include "cli/input_flags.hpp"
#include "cli/order_files.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

[[noreturn]] void refuse_no_order() {
  throw Error(ErrorKind::usage, "no order: give --order NAME, such as --order warp; `orderlab list orders` has them");
}

}  // namespace

Order order_of(const CommandLine& line, FileTable& files) {
  if (!line.has(kOrder)) refuse_no_order();
  Order order = parse_order(line.text(kOrder), line.text(kArrival));
  read_files_of(order, files);
  return order;
}

std::vector<Order> orders_of(const CommandLine& line, FileTable& files) {
  const std::vector<std::string>& orders = line.texts(kOrders);
  const std::string& arrival = line.text(kArrival);
  if (orders.empty()) refuse_no_order();
  std::vector<Order> parsed;
  bool taken = arrival.empty();
  for (const std::string& text : orders) {
    // A single order that takes none is refused by the parser.
    const bool takes = !arrival.empty() && (orders.size() == 1 || takes_arrival(text));
    parsed.push_back(parse_order(text, takes ? std::string_view(arrival) : std::string_view()));
    read_files_of(parsed.back(), files);
    taken = taken || takes;
  }
  if (!taken) parse_order(orders[0], arrival);  // throws: nothing takes it
  return parsed;
}

std::optional<Order> baseline_of(const CommandLine& line, FileTable& files) {
  if (!line.has(kBaseline)) return std::nullopt;
  Order baseline = parse_order(line.text(kBaseline));
  read_files_of(baseline, files);
  return baseline;
}

void check_order(const Order& order, const CommandLine& line) {
  if (!line.has(kN)) return;
  const std::uint64_t n = line.count(kN);
  const Formats formats = line.has(kFormat) ? parse_formats(line.text(kFormat)) : Formats{};
  order.check(n, line.has(kWith), formats.accumulate);
}

}  // namespace orderlab::cli
