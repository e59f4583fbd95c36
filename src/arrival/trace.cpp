// Replay of recorded arrival orders.
#include <fmt/format.h>

#include <algorithm>

#include "arrival/order_size.hpp"
#include "arrival/recording.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "vectors/permutation.hpp"

namespace orderlab {
namespace {

constexpr Parameter kTraceParameters[] = {{.name = "file", .kind = ParameterKind::rows, .default_text = ""}};

void check_trace(const Arguments& arguments, std::size_t m) {
  check_order_size(m);
  const Rows& recording = arguments.rows(0);
  if (recording.rows.empty()) throw Error(ErrorKind::input, recording.path + ": no recorded arrival order in it");
  for (std::size_t i = 0; i < recording.rows.size(); ++i) {
    const std::string where = place_of_row(recording, i);
    const std::size_t length = recording.rows[i].size();
    if (length != m)
      throw Error(ErrorKind::input,
                  fmt::format("{}: the arrival order of {} partial sums, but {} arrive here", where, length, m));
    check_permutation_row(where, recording.rows[i]);
  }
}

void draw_trace(const Arguments& arguments, const RandomStream& stream, std::span<std::uint32_t> order) {
  const auto& rows = arguments.rows(0).rows;
  const std::vector<std::uint32_t>& row = rows[WordReader(stream).below(static_cast<std::uint32_t>(rows.size()), 0)];
  std::copy(row.begin(), row.end(), order.begin());
}

}  // namespace

extern constinit const ArrivalModel kTraceArrival{
    .name = "trace",
    .summary = "one recorded arrival order, drawn uniformly from the rows of a file",
    .source = "the recording itself",
    .parameters = kTraceParameters,
    .random = true,
    .check = check_trace,
    .draw = draw_trace,
};

}  // namespace orderlab
