#include "host_program/varying.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/text.hpp"
#include "orderlab/format.hpp"

namespace orderlab::host_program {

namespace {

/// One number as it stands in a run, and as it is ordered.
struct Number {
  std::string text;
  double value;
};

/// A line or a copy of one run: what must be the same in all runs, and numbers that may differ.
struct Passage {
  std::string place;
  std::string what;
  std::string frame;  ///< text around the numbers; type and size of a copy
  std::vector<Number> numbers;
  std::uint64_t hash = 0;  ///< of all bytes of a copy, of which only the first are among `numbers`
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Bytes of the decimal number that `text` begins with; 0 where it begins with none.
std::size_t number_length(std::string_view text) {
  std::size_t i = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  for (const std::string_view word : {"nan", "inf"})
    if (text.substr(i).starts_with(word)) return i + word.size();
  const std::size_t first = i;
  while (i < text.size() && is_digit(text[i])) ++i;
  std::size_t digits = i - first;
  if (i < text.size() && text[i] == '.') {
    const std::size_t point = i++;
    while (i < text.size() && is_digit(text[i])) ++i;
    digits += i - point - 1;
  }
  if (digits == 0) return 0;
  if (i + 1 < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t k = i + 1;
    if (k < text.size() && (text[k] == '-' || text[k] == '+')) ++k;
    if (k < text.size() && is_digit(text[k])) {
      while (k < text.size() && is_digit(text[k])) ++k;
      i = k;
    }
  }
  return i;
}

Passage passage_of_line(std::string_view line, std::size_t number) {
  Passage passage{{}, "line " + std::to_string(number) + " of the output", {}, {}, 0};
  for (std::size_t i = 0; i < line.size();) {
    const bool in_word = i > 0 && (std::isalnum(static_cast<unsigned char>(line[i - 1])) != 0 || line[i - 1] == '_');
    const std::size_t length = in_word ? 0 : number_length(line.substr(i));
    if (length == 0) {
      passage.frame += line[i++];
      continue;
    }
    const std::string text(line.substr(i, length));
    passage.numbers.push_back({text, read_real(text).value_or(std::nan(""))});
    passage.frame += '\x01';  // where the number stood
    i += length;
  }
  return passage;
}

/// The shortest decimal that reads back as the same float.
std::string shortest_float(float value) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

Number number_of(std::string_view type, std::uint64_t bits) {
  if (type == "fp32") {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return {shortest_float(value), static_cast<double>(value)};
  }
  double value = static_cast<double>(bits);
  if (type == "fp64") value = std::bit_cast<double>(bits);
  if (type == "fp16") value = value_of_bits(Format::fp16, bits);
  if (type == "bf16") value = value_of_bits(Format::bf16, bits);
  if (type == "int32") value = static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
  if (type == "uint64") return {std::to_string(bits), value};
  if (type == "int64") {
    const auto integer = static_cast<std::int64_t>(bits);
    return {std::to_string(integer), static_cast<double>(integer)};
  }
  return {shortest(value), value};
}

Passage passage_of_copy(const CopiedBack& copy) {
  Passage passage{copy.place, copy.to.empty() ? "what was copied back" : copy.to + ", copied back", {}, {}, copy.hash};
  if (!copy.from.empty()) passage.what += " from " + copy.from;
  passage.frame = copy.type + " " + std::to_string(copy.bytes);
  for (const std::uint64_t bits : copy.numbers) passage.numbers.push_back(number_of(copy.type, bits));
  return passage;
}

bool is_watched(const CopiedBack& copy, std::span<const std::string> watched) {
  return watched.empty() || std::any_of(watched.begin(), watched.end(),
                                        [&](const std::string& name) { return name == copy.to || name == copy.from; });
}

std::vector<Passage> passages_of(const ProgramRun& run, std::span<const std::string> watched) {
  std::vector<Passage> passages;
  for (const CopiedBack& copy : run.record.copies)
    if (is_watched(copy, watched)) passages.push_back(passage_of_copy(copy));
  if (!watched.empty()) return passages;
  std::string_view rest = run.output;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    passages.push_back(passage_of_line(rest.substr(0, end), number));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return passages;
}

bool same_frame(const Passage& a, const Passage& b) {
  return a.place == b.place && a.frame == b.frame && a.numbers.size() == b.numbers.size();
}

/// Which kernels' orders results may depend on.
std::string reason_of(const Record& record) {
  std::string text;
  for (const LaunchCount& count : record.launches) {
    std::string does;
    if (count.float_atomics > 0) does = " adds " + std::to_string(count.float_atomics) + " numbers by float atomics";
    if (count.exchanges > 0)
      does += (does.empty() ? " changes values " : " and changes values ") + std::to_string(count.exchanges) +
              " times by atomicCAS or atomicExch";
    if (does.empty()) continue;
    text += (text.empty() ? "" : "; ") + std::string("kernel ") + count.kernel + " (" + count.place + ")" + does +
            ", in the order in which they arrive";
  }
  if (!text.empty()) return text;
  const bool unordered = std::any_of(record.findings.begin(), record.findings.end(),
                                     [](const Finding& each) { return each.kind == FindingKind::unordered; });
  return unordered ? "work that uses the same memory has no order, as the lines above say"
                   : "no kernel adds by float atomics: the order in which thread blocks run decides otherwise";
}

using Passages = std::vector<const Passage*>;

bool differs_from(const Passage& first, const Passages& others, std::size_t i) {
  return std::any_of(others.begin(), others.end(),
                     [&](const Passage* other) { return other->numbers[i].text != first.numbers[i].text; });
}

/// One passage in all runs; of what differs in `repeated`, the same order again, `drops` says that there is some.
std::optional<Varying> varying_passage(const Passages& in_runs, const Passages& repeated, bool& drops) {
  const Passage& first = *in_runs[0];
  Varying found{first.place, first.what, first.numbers.size(), 0, 0, {}, {}, {}, {}};
  for (std::size_t i = 0; i < first.numbers.size(); ++i) {
    if (differs_from(first, repeated, i)) {
      drops = true;
      continue;
    }
    std::map<std::string, double> values;
    for (const Passage* each : in_runs) values.emplace(each->numbers[i].text, each->numbers[i].value);
    if (values.size() == 1) continue;
    ++found.varying;
    if (values.size() <= found.values) continue;
    found.values = values.size();
    const auto [least, greatest] = std::minmax_element(
        values.begin(), values.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    found.least = least->first;
    found.greatest = greatest->first;
    found.of_runs.clear();
    for (const Passage* each : in_runs) found.of_runs.push_back(each->numbers[i].value);
  }
  if (found.varying > 0) return found;
  if (drops) return {};
  // The kept numbers are the same: the bytes behind them may not be.
  for (const Passage* each : repeated) drops = drops || each->hash != first.hash;
  std::set<std::uint64_t> contents;
  for (const Passage* each : in_runs) contents.insert(each->hash);
  if (drops || contents.size() == 1) return {};
  found.values = contents.size();
  return found;
}

/// All passages of one place, such as copies in a loop, as one.
void add(std::vector<Varying>& all, const Varying& one) {
  const auto same = std::find_if(all.begin(), all.end(), [&](const Varying& each) {
    return !one.place.empty() && each.place == one.place && each.what == one.what;
  });
  if (same == all.end()) {
    all.push_back(one);
    return;
  }
  same->numbers += one.numbers;
  same->varying += one.varying;
  const bool had_numbers = !same->least.empty();
  if (one.least.empty() == had_numbers ? !had_numbers : one.values > same->values) {
    same->values = one.values;
    same->least = one.least;
    same->greatest = one.greatest;
    same->of_runs = one.of_runs;
  }
}

}  // namespace

Comparison compare_runs(std::span<const ProgramRun> runs, std::span<const ProgramRun> again,
                        std::span<const std::string> watched) {
  const auto passages_of_all = [&](std::span<const ProgramRun> some) {
    std::vector<std::vector<Passage>> all;
    for (const ProgramRun& run : some) all.push_back(passages_of(run, watched));
    return all;
  };
  const auto passages = passages_of_all(runs);
  const auto repeated = passages_of_all(again);
  // Passage i of each; fewer where some have another form there, or none.
  const auto like_the_first = [&](const std::vector<std::vector<Passage>>& some, std::size_t i) {
    Passages alike;
    for (const auto& each : some)
      if (i < each.size() && same_frame(each[i], passages[0][i])) alike.push_back(&each[i]);
    return alike;
  };
  Comparison found;
  const std::size_t most = passages[0].size();
  for (std::size_t i = 0; i < most; ++i) {
    const Passage& first = passages[0][i];
    const Passages in_again = like_the_first(repeated, i);
    const Passages in_runs = like_the_first(passages, i);
    bool drops = in_again.size() < repeated.size();
    if (!drops && in_runs.size() < passages.size())
      add(found.varying,
          {first.place, first.what, first.numbers.size(), 0, 0, {}, {}, {}, {}});  // another text or size
    else if (!drops)
      if (const auto one = varying_passage(in_runs, in_again, drops)) add(found.varying, *one);
    if (drops) ++found.dropped;
  }
  const auto longer =
      std::find_if(passages.begin(), passages.end(), [&](const auto& each) { return each.size() > most; });
  if (longer != passages.end()) {
    const Passage& more = (*longer)[most];
    const bool always =
        std::all_of(repeated.begin(), repeated.end(), [&](const auto& each) { return each.size() == most; });
    if (always)
      add(found.varying, {more.place, more.what, more.numbers.size(), 0, 0, {}, {}, {}, {}});
    else
      ++found.dropped;
  }
  for (Varying& each : found.varying) each.reason = reason_of(runs[0].record);
  return found;
}

}  // namespace orderlab::host_program
