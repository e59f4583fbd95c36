#include "core/recorded_launches.hpp"

#include <algorithm>
#include <optional>

#include "core/enum_names.hpp"
#include "core/keyed_fields.hpp"
#include "core/memory.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr SealedKind kArrivalsKind{"a file of recorded arrivals", kArrivalsFirstWords, 1, 1};

/// The field of an enum whose enumerators have names.
template <auto kMember, auto kLast>
constexpr KeyedField<RecordedLaunches> named_field(std::string_view key, std::string_view wanted) {
  return {key, true,
          [](std::string_view text, RecordedLaunches& recorded) {
            const auto value = enumerator_named<kLast>(text);
            if (value) recorded.*kMember = *value;
            return value.has_value();
          },
          [](const RecordedLaunches& recorded) { return std::string(name_of(recorded.*kMember)); }, wanted};
}

bool read_unit(std::string_view text, RecordedLaunches& recorded) {
  for (const ArrivalUnit unit : {ArrivalUnit::warp, ArrivalUnit::thread_block}) {
    if (text != name_of(unit)) continue;
    recorded.unit = unit;
    return true;
  }
  return false;
}

bool read_format_of_terms(std::string_view text, RecordedLaunches& recorded) {
  const auto format = find_format(text);
  if (format) recorded.format = *format;
  return format.has_value();
}

using Recorded = RecordedLaunches;
constexpr KeyedField<Recorded> kLaunchFields[] = {
    word_field<Recorded, &Recorded::kernel>("kernel", "a name"),
    {"unit", true, read_unit, [](const Recorded& r) -> std::string { return std::string(name_of(r.unit)); },
     "thread_block or warp"},
    {"format", true, read_format_of_terms, [](const Recorded& r) { return std::string(info(r.format).name); },
     "fp64, fp32, fp16 or bf16"},
    number_field<Recorded, &Recorded::n>("n", true),
    shape_field<Recorded, &LaunchShape::threads>("threads"),
    shape_field<Recorded, &LaunchShape::items>("items"),
    shape_field<Recorded, &LaunchShape::grid>("grid"),
    named_field<&Recorded::tiles, TileOrder::reversed>("tiles", "in_turn or reversed"),
    named_field<&Recorded::condition, LaunchCondition::loaded>("condition", "warm, cold, flushed, idle or loaded"),
    number_field<Recorded, &Recorded::multiprocessors>("multiprocessors", true),
    number_field<Recorded, &Recorded::sm_ids>("sm_ids", true),
    number_field<Recorded, &Recorded::resident>("resident", true),
};

struct ArrivalColumn {
  std::string_view name;
  std::vector<std::uint32_t> ArrivalLaunch::*list;
};
constexpr ArrivalColumn kTickets{"tickets", &ArrivalLaunch::tickets};
constexpr ArrivalColumn kArrivalColumns[] = {{"sm", &ArrivalLaunch::sm},
                                             {"started_cycles", &ArrivalLaunch::started_cycles},
                                             {"ticket_cycles", &ArrivalLaunch::ticket_cycles},
                                             {"ticket_ns", &ArrivalLaunch::ticket_ns}};
constexpr std::string_view kLaunches = "launches";

class ArrivalsReader {
 public:
  ArrivalsReader(std::string_view text, const std::string& file) : lines_(open(text, file)) {}

  RecordedLaunches read() {
    for (std::string_view line; lines_.next(line);) read_line(line);
    if (recorded_.launches.empty()) lines_.refuse("ends without a line 'tickets'; there is one for each launch");
    return std::move(recorded_);
  }

 private:
  static SealedText open(std::string_view text, const std::string& file) {
    constexpr std::size_t kBytesPerCharacter = 4;  // a number of one digit and a blank, in a list that grows
    InputMemory(file).take(kBytesPerCharacter * text.size());
    return {kArrivalsKind, text, file};
  }

  void read_line(std::string_view rest) {
    const std::string_view word = take_word(rest);
    if (word == "fact") return lines_.read_entry(word, rest, recorded_.facts);
    if (word == kLaunches) return read_launches(rest);
    if (word == kTickets.name) return read_tickets(rest);
    for (const ArrivalColumn& column : kArrivalColumns)
      if (word == column.name) return read_column(column, rest);
    std::vector<std::string> known{"fact", std::string(kLaunches), std::string(kTickets.name)};
    for (const ArrivalColumn& column : kArrivalColumns) known.emplace_back(column.name);
    lines_.refuse(unknown_name("line of recorded arrivals", shown_word(word), known));
  }

  void read_launches(std::string_view rest) {
    if (described_) lines_.refuse("'launches' is there a second time; all launches of a file are alike");
    described_ = true;
    read_fields(kLaunchFields, lines_, "file of recorded arrivals", rest, recorded_);
    for (const auto& [key, value] : {std::pair<const char*, std::uint64_t>{"n", recorded_.n},
                                     {"threads", recorded_.shape.threads},
                                     {"items", recorded_.shape.items},
                                     {"grid", recorded_.shape.grid},
                                     {"sm_ids", recorded_.sm_ids}})
      if (value == 0) lines_.refuse(std::string(key) + "=0: must be at least 1");
    if (recorded_.unit == ArrivalUnit::warp && recorded_.shape.threads % kWarp != 0)
      lines_.refuse("threads=" + std::to_string(recorded_.shape.threads) + ": must be a multiple of " +
                    std::to_string(kWarp) + " where warps arrive");
  }

  void read_tickets(std::string_view rest) {
    if (!described_) lines_.refuse("tickets before the line 'launches', which says what was launched");
    ArrivalLaunch launch{.tickets = numbers_of(kTickets, rest)};
    launch.line = lines_.line();
    if (!recorded_.launches.empty() && launch.tickets.size() != recorded_.launches.front().tickets.size())
      lines_.refuse(std::to_string(launch.tickets.size()) + " tickets; the first launch has " +
                    std::to_string(recorded_.launches.front().tickets.size()) + ", and all are alike");
    recorded_.launches.push_back(std::move(launch));
  }

  void read_column(const ArrivalColumn& column, std::string_view rest) {
    const std::string name(column.name);
    if (recorded_.launches.empty()) lines_.refuse(name + " before any tickets; it belongs to the tickets above it");
    ArrivalLaunch& launch = recorded_.launches.back();
    std::vector<std::uint32_t>& list = launch.*column.list;
    if (!list.empty()) lines_.refuse(name + " is there a second time for one launch; keep one of them");
    list = numbers_of(column, rest);
    if (list.size() != launch.tickets.size())
      lines_.refuse(std::to_string(list.size()) + " numbers of " + name + "; the launch has " +
                    std::to_string(launch.tickets.size()) + " tickets, and a number for each");
    for (const std::uint32_t sm : launch.sm)
      if (sm >= recorded_.sm_ids)
        lines_.refuse("sm " + std::to_string(sm) + " is out of range; sm_ids=" + std::to_string(recorded_.sm_ids) +
                      " allows 0 to " + std::to_string(recorded_.sm_ids - 1));
    if (launch.started_cycles.empty() || launch.ticket_cycles.empty()) return;
    for (std::size_t i = 0; i < list.size(); ++i)
      if (launch.ticket_cycles[i] < launch.started_cycles[i])
        lines_.refuse("unit " + std::to_string(launch.tickets[i]) + " took its ticket at cycle " +
                      std::to_string(launch.ticket_cycles[i]) + " and started at cycle " +
                      std::to_string(launch.started_cycles[i]) + "; it must start first");
  }

  std::vector<std::uint32_t> numbers_of(const ArrivalColumn& column, std::string_view rest) const {
    std::vector<std::uint32_t> numbers;
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
      std::uint32_t number = 0;
      if (!read_number(word, number))
        lines_.refuse(std::string(column.name) + ": '" + shown_word(word) + "' must be " + std::string(kCountWanted) +
                      ", up to 4294967295");
      numbers.push_back(number);
    }
    if (numbers.empty()) lines_.refuse(std::string(column.name) + " of nothing; leave the line out");
    return numbers;
  }

  SealedText lines_;
  bool described_ = false;
  RecordedLaunches recorded_;
};

void write_list(const ArrivalColumn& column, const ArrivalLaunch& launch, std::string& text) {
  const std::vector<std::uint32_t>& list = launch.*column.list;
  if (list.empty() && column.list != kTickets.list) return;
  text += column.name;
  for (const std::uint32_t number : list) text += " " + std::to_string(number);
  text += "\n";
}

}  // namespace

std::string write_arrivals_text(const RecordedLaunches& recorded) {
  std::string text = std::string(kArrivalsFirstWords) + std::to_string(kArrivalsKind.newest) + "\n" +
                     entry_lines("fact", recorded.facts) + std::string(kLaunches) +
                     write_fields(kLaunchFields, recorded) + "\n";
  for (const ArrivalLaunch& launch : recorded.launches) {
    write_list(kTickets, launch, text);
    for (const ArrivalColumn& column : kArrivalColumns) write_list(column, launch, text);
  }
  text += checksum_line(text) + "\n";

  // Reading it back finds whatever could not be written: a launch without tickets, a line break in a value.
  RecordedLaunches same;
  try {
    same = read_arrivals_text(text, "arrivals");
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, std::string("recorded arrivals that could not be read back: ") + error.what());
  }
  for (std::size_t i = 0; i < same.launches.size() && i < recorded.launches.size(); ++i)
    same.launches[i].line = recorded.launches[i].line;
  if (!(same == recorded))
    throw Error(ErrorKind::usage, "recorded arrivals that would not be read back as the same; write plain words");
  return text;
}

RecordedLaunches read_arrivals_text(std::string_view text, const std::string& file) {
  return ArrivalsReader(text, file).read();
}

}  // namespace orderlab
