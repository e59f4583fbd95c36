#include "cli/order_flags.hpp"

#include "cli/input_flags.hpp"
#include "cli/order_files.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

[[noreturn]] void refuse_no_order() {
  throw Error(ErrorKind::usage, "no order: give --order NAME, such as --order warp; `orderlab list orders` has them");
}

bool is_fp80(const std::string& name) {
  try {
    return parse_formats("fp64:" + name + ":fp64").accumulate == Format::fp80;
  } catch (const Error&) {
    return false;
  }
}

// "fp32" or "fp32:bf16": formats of partial sums and of the result.
void take_other_formats(const CommandLine& line, OtherOrder& other) {
  if (!line.has(kAgainstFormat)) return;
  const std::string& text = line.text(kAgainstFormat);
  const bool two = text.find(':') != std::string::npos;
  if (two && text.find(':') != text.rfind(':'))
    throw Error(ErrorKind::usage, line.quoted(kAgainstFormat) +
                                      ": must be ACCUMULATE or ACCUMULATE:RESULT; the terms are those of --format");
  const bool extended = is_fp80(text.substr(0, text.find(':')));
  const Formats formats = [&] {  // of two names the first stands for terms, which fp80 cannot do
    try {
      return parse_formats(extended ? "fp64:" + text : text);
    } catch (const Error& error) {
      throw Error(error.kind(), line.quoted(kAgainstFormat) + ": " + error.what());
    }
  }();
  if (!extended && formats.accumulate == Format::fp80)
    throw Error(ErrorKind::usage,
                line.quoted(kAgainstFormat) +
                    ": fp80 is a format of accumulators alone, and here stands for results; write fp80 "
                    "or fp80:fp64");
  other.accumulate = extended ? formats.accumulate : formats.terms;
  if (!extended)
    other.result = two ? formats.accumulate : formats.terms;
  else if (two)
    other.result = formats.result;
}

// The order of a flag that may have words in place of one, which are named where it is neither.
Order order_or_word(const CommandLine& line, const Flag& flag, std::span<const std::string> words) {
  const std::string& text = line.text(flag);
  bool takes = false;
  try {
    takes = takes_arrival(text);
  } catch (const Error& error) {
    const auto near = nearest_name(text, words);
    throw Error(error.kind(), line.quoted(flag) + ": is not " + std::string(flag.must_be) + ": " +
                                  (near ? "did you mean " + *near + "?" : std::string(error.what())));
  }
  return parse_order(text, takes ? std::string_view(line.text(kArrival)) : std::string_view());
}

// Has errors say which flag the order is of: --order has one, too.
template <class Work>
void of_flag(const Flag& flag, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    throw Error(error.kind(), flag.long_name() + ": " + error.what());
  }
}

}  // namespace

OtherOrder other_order_of(const CommandLine& line, const Flag& against, FileTable& files,
                          std::span<const std::string> words) {
  OtherOrder other{order_or_word(line, against, words)};
  take_other_formats(line, other);
  of_flag(against, [&] {
    read_files_of(other.order, files);
    if (!line.has(kAgainstFormat)) check_order(other.order, line);  // in other formats only the input tells
  });
  return other;
}

void refuse_formats_alone(const CommandLine& line) {
  if (line.has(kAgainstFormat))
    throw Error(ErrorKind::usage, line.quoted(kAgainstFormat) + ": needs an order in --against");
}

Order order_of(const CommandLine& line, FileTable& files, const Flag* against) {
  if (!line.has(kOrder)) refuse_no_order();
  const bool elsewhere = against != nullptr && line.has(kArrival) && takes_arrival(line.text(*against));
  const bool takes = !elsewhere || takes_arrival(line.text(kOrder));
  Order order = parse_order(line.text(kOrder), takes ? std::string_view(line.text(kArrival)) : std::string_view());
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
  std::optional<Order> baseline;
  of_flag(kBaseline, [&] {
    baseline = parse_order(line.text(kBaseline));
    read_files_of(*baseline, files);
  });
  return baseline;
}

void check_order(const Order& order, const CommandLine& line) {
  if (!line.has(kN)) return;
  const std::uint64_t n = line.count(kN);
  const Formats formats = line.has(kFormat) ? parse_formats(line.text(kFormat)) : Formats{};
  order.check(n, line.has(kWith), formats.accumulate);
}

}  // namespace orderlab::cli
