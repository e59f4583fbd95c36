// The runtimes of this machine, as text.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/float_environment.hpp"
#include "orderlab/format.hpp"
#include "show/crosscheck_words.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"

namespace orderlab {

namespace {

using study::RuntimeChecks;
using study::RuntimeRow;

/// Rows that have one order.
struct RuntimeLine {
  std::string rule;
  std::vector<std::pair<std::size_t, std::size_t>> sizes;  ///< terms, or bytes of a message: ranges of those compared
  std::uint64_t sums = 0;
  std::uint64_t matching = 0;
  std::uint64_t distinct = 1;
  std::uint64_t possible = 0;  ///< 0: one order
};

/// One function with some numbers of workers, which differ in nothing that a line shows but counts.
struct RuntimeBlock {
  std::string runtime;
  std::string call;
  std::vector<std::size_t> workers;
  std::vector<std::string> formats;
  std::vector<RuntimeLine> lines;

  // Whether the orders are the same in the same places.
  bool goes_on(const RuntimeBlock& other) const {
    return runtime == other.runtime && call == other.call && formats == other.formats &&
           std::equal(lines.begin(), lines.end(), other.lines.begin(), other.lines.end(),
                      [](const RuntimeLine& a, const RuntimeLine& b) {
                        return std::tie(a.rule, a.sizes) == std::tie(b.rule, b.sizes);
                      });
  }

  void add(const RuntimeBlock& other) {
    workers.insert(workers.end(), other.workers.begin(), other.workers.end());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      lines[i].sums += other.lines[i].sums;
      lines[i].matching += other.lines[i].matching;
      lines[i].distinct = std::max(lines[i].distinct, other.lines[i].distinct);
      lines[i].possible = std::max(lines[i].possible, other.lines[i].possible);
    }
  }
};

std::size_t size_of(const RuntimeRow& row, bool messages) {
  return messages ? row.outputs * static_cast<std::size_t>(info(row.format).bits) / 8 : row.n;
}

RuntimeBlock block_of(std::vector<const RuntimeRow*> rows, bool messages) {
  std::stable_sort(rows.begin(), rows.end(), [&](const RuntimeRow* a, const RuntimeRow* b) {
    return size_of(*a, messages) < size_of(*b, messages);
  });
  const RuntimeRow& first = *rows.front();
  RuntimeBlock block{first.runtime, first.call, {first.workers}, {}, {}};
  const RuntimeRow* before = nullptr;
  for (const RuntimeRow* row : rows) {
    const std::string format(info(row->format).name);
    if (std::find(block.formats.begin(), block.formats.end(), format) == block.formats.end())
      block.formats.push_back(format);
    const std::size_t size = size_of(*row, messages);
    auto place = std::find_if(block.lines.begin(), block.lines.end(),
                              [&](const RuntimeLine& line) { return line.rule == row->rule; });
    if (place == block.lines.end()) place = block.lines.insert(place, RuntimeLine{.rule = row->rule, .sizes = {}});
    RuntimeLine& line = *place;
    if (before == nullptr || before->rule != row->rule) line.sizes.emplace_back(size, size);
    line.sizes.back().second = size;
    before = row;
    line.sums += row->sums;
    line.matching += row->matching;
    line.distinct = std::max(line.distinct, row->distinct);
    line.possible = std::max(line.possible, row->possible.value_or(0));
  }
  std::sort(block.formats.begin(), block.formats.end());
  return block;
}

std::vector<RuntimeBlock> blocks_of(const RuntimeChecks& checks, bool messages) {
  // In the order of the rows: a call is where it was first met.
  std::vector<std::pair<std::string, std::string>> calls;
  std::map<std::tuple<std::size_t, std::size_t>, std::vector<const RuntimeRow*>> groups;
  for (const RuntimeRow& row : checks.rows) {
    const std::pair<std::string, std::string> call{row.runtime, row.call};
    auto place = std::find(calls.begin(), calls.end(), call);
    if (place == calls.end()) place = calls.insert(calls.end(), call);
    groups[{static_cast<std::size_t>(place - calls.begin()), row.workers}].push_back(&row);
  }
  std::vector<RuntimeBlock> blocks;
  for (const auto& [place, rows] : groups) {
    RuntimeBlock block = block_of(rows, messages);
    if (!blocks.empty() && blocks.back().goes_on(block))
      blocks.back().add(block);
    else
      blocks.push_back(std::move(block));
  }
  return blocks;
}

std::string range_text(std::size_t least, std::size_t greatest) {
  return least == greatest ? std::to_string(least) : fmt::format("{}-{}", least, greatest);
}

std::string sizes_text(const RuntimeLine& line) {
  std::string text;
  for (const auto& [least, greatest] : line.sizes) text += (text.empty() ? "" : " ") + range_text(least, greatest);
  return text;
}

// "2-5 7 8".
std::string workers_text(const std::vector<std::size_t>& workers) {
  std::string text;
  for (std::size_t i = 0; i < workers.size();) {
    std::size_t end = i + 1;
    while (end < workers.size() && workers[end] == workers[end - 1] + 1) ++end;
    if (!text.empty()) text += " ";
    text += end - i == 2 ? fmt::format("{} {}", workers[i], workers[i + 1]) : range_text(workers[i], workers[end - 1]);
    i = end;
  }
  return text;
}

std::string results_text(const RuntimeLine& line) {
  return line.possible == 0 ? std::to_string(line.distinct) : fmt::format("{} of {}", line.distinct, line.possible);
}

std::string verdict_text(const RuntimeLine& line) {
  if (line.matching != line.sums) return fmt::format("{} DIFFER", line.sums - line.matching);
  return line.possible == 0 ? "identical" : "possible";
}

std::string_view workers_of(const RuntimeChecks& checks) { return checks.device == "mpi" ? "ranks" : "threads"; }

std::string difference_text(const RuntimeRow& row, std::string_view workers) {
  const study::RuntimeDifference& first = *row.first;
  const auto shown = [&](std::uint64_t bits) {
    return bits_text(row.format, bits) + "  " + number_of(row.format, value_of_bits(row.format, bits));
  };
  std::string text = fmt::format("{}, {}, {}, {} {}, {} terms, sum {} of {}, terms {} seed {}, call {}\n", row.runtime,
                                 row.call, info(row.format).name, row.workers, workers, row.n, first.output,
                                 row.outputs, row.terms, first.seed, first.call);
  text += fmt::format("  {} of {} sums differ\n", row.sums - row.matching, row.sums);
  const std::string order = row.order.empty() ? row.rule : row.order;
  text += first.expected ? fmt::format("  order  {}\n  model  {}\n", order, shown(*first.expected))
                         : fmt::format("  order  {}, none of its {} results\n", order, row.possible.value_or(0));
  return text + fmt::format("  got    {}\n", shown(first.got));
}

std::string differences_text(const RuntimeChecks& checks) {
  constexpr std::size_t kShownDifferences = 5;
  std::string text;
  std::size_t count = 0;
  for (const RuntimeRow& row : checks.rows)
    if (row.first && ++count <= kShownDifferences) text += "\n" + difference_text(row, workers_of(checks));
  if (count > kShownDifferences) text += fmt::format("\nand {} more rows\n", count - kShownDifferences);
  return text;
}

// Whether arrival orders look equally likely, which nothing promises.
std::string frequencies_text(const RuntimeChecks& checks) {
  constexpr double kRare = 0.001;
  std::size_t tested = 0;
  std::size_t rare = 0;
  for (const RuntimeRow& row : checks.rows) {
    if (!row.p) continue;
    ++tested;
    if (*row.p < kRare) ++rare;
  }
  if (tested == 0) return {};
  return fmt::format("frequencies: in {} of {} rows arrival orders are not equally likely (joint test, p < {})\n", rare,
                     tested, kRare);
}

std::string counts_text(const RuntimeChecks& checks) {
  std::uint64_t calls = 0;
  std::uint64_t fixed = 0;
  std::uint64_t identical = 0;
  std::uint64_t differs_elsewhere = 0;
  std::uint64_t free = 0;
  std::uint64_t possible = 0;
  for (const RuntimeRow& row : checks.rows) {
    calls += row.calls;
    differs_elsewhere += row.differs_elsewhere.value_or(0);
    (row.possible ? free : fixed) += row.sums;
    (row.possible ? possible : identical) += row.matching;
  }
  std::string text = plural(calls, "call") + (checks.partial ? " until it was stopped" : "") + "\n";
  if (fixed > 0) {
    text += fmt::format("fixed orders: {} of {} sums are bit-identical", identical, fixed);
    text +=
        differs_elsewhere > 0 ? fmt::format("; {} would differ in another of the orders\n", differs_elsewhere) : "\n";
  }
  if (free > 0) text += fmt::format("orders that vary: {} of {} sums are among the possible results\n", possible, free);
  return text + frequencies_text(checks);
}

}  // namespace

std::string runtimes_text(const RuntimeChecks& checks, const TextStyle& style) {
  const FloatEnvironment environment;
  constexpr std::size_t kOrderWidth = 36;
  const bool messages = checks.device == "mpi";
  std::string text;
  for (const study::UsedRuntime& used : checks.used)
    text += fmt::format("{}, compiled by {}\n", used.version, used.compiler);
  const std::vector<Column> columns{{"runtime", Align::left},
                                    {"call", Align::left},
                                    {std::string(workers_of(checks)), Align::left},
                                    {messages ? "bytes" : "terms", Align::left},
                                    {"formats", Align::left},
                                    {"order", Align::left},
                                    {"sums"},
                                    {"results"},
                                    {"verdict", Align::left}};
  const auto is_order = [](const Column& column) { return column.title == "order"; };
  const auto order = std::find_if(columns.begin(), columns.end(), is_order) - columns.begin();
  Table table(columns);
  for (const RuntimeBlock& block : blocks_of(checks, messages))
    for (std::size_t i = 0; i < block.lines.size(); ++i) {
      const RuntimeLine& line = block.lines[i];
      const auto once = [&](const std::string& cell) { return i == 0 ? cell : std::string(); };
      const Table::Row cells{once(block.runtime),
                             once(block.call),
                             once(workers_text(block.workers)),
                             sizes_text(line),
                             once(fmt::format("{}", fmt::join(block.formats, " "))),
                             line.rule,
                             std::to_string(line.sums),
                             results_text(line),
                             verdict_text(line)};
      for (Table::Row& row : broken_row(cells, static_cast<std::size_t>(order), kOrderWidth)) table.add(std::move(row));
    }
  text += "\n" + table.text(style.color) + differences_text(checks) + "\n" + counts_text(checks);
  for (const std::string& line : checks.skipped) text += line + "\n";
  if (!checks.skipped.empty())
    text += fmt::format("{} of {} skipped\n", checks.skipped.size(),
                        plural(checks.skipped.size() + checks.used.size(), "runtime"));
  return text;
}

}  // namespace orderlab
