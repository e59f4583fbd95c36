#include "host_program/settings.hpp"

#include <array>
#include <charconv>

namespace orderlab::host_program {

namespace {

constexpr char kBetween = '\t';

/// `text` without tabs and ends of lines.
std::string field(std::string_view text) {
  std::string one(text);
  for (char& c : one)
    if (c == kBetween || c == '\n' || c == '\r') c = ' ';
  return one;
}

template <class... Fields>
std::string line(std::string_view kind, const Fields&... fields) {
  std::string text(kind);
  const auto add = [&](const auto& each) {
    text += kBetween;
    if constexpr (requires { std::to_string(each); })
      text += std::to_string(each);
    else
      text += field(each);
  };
  (add(fields), ...);
  return text + '\n';
}

std::vector<std::string_view> parts(std::string_view text, char between) {
  std::vector<std::string_view> all;
  while (true) {
    const std::size_t end = text.find(between);
    all.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return all;
    text.remove_prefix(end + 1);
  }
}

bool read(std::string_view text, std::uint64_t& number, int base = 10) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

std::string hexadecimal(std::uint64_t bits) {
  std::array<char, 16> digits{};
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  return {digits.data(), result.ptr};
}

void read_line(std::string_view text, Record& record) {
  const std::vector<std::string_view> f = parts(text, kBetween);
  if (f[0] == "finding" && f.size() == 4) {
    if (const auto kind = enumerator_named<FindingKind::note>(f[1]))
      record.findings.push_back({*kind, std::string(f[2]), std::string(f[3])});
  } else if (f[0] == "launches" && f.size() == 9) {
    LaunchCount count{std::string(f[1]), std::string(f[2])};
    if (read(f[3], count.launches) && read(f[4], count.blocks) && read(f[5], count.checked) &&
        read(f[6], count.threads) && read(f[7], count.float_atomics) && read(f[8], count.exchanges))
      record.launches.push_back(count);
  } else if (f[0] == "copy" && f.size() == 8) {
    CopiedBack copy{std::string(f[1]), std::string(f[2]), std::string(f[3]), std::string(f[4]), 0, 0, {}};
    if (!read(f[5], copy.bytes) || !read(f[6], copy.hash, 16)) return;
    for (const std::string_view number : parts(f[7], ' ')) {
      std::uint64_t bits = 0;
      if (read(number, bits, 16)) copy.numbers.push_back(bits);
    }
    record.copies.push_back(std::move(copy));
  }
}

}  // namespace

std::string text_of(const Settings& settings) {
  return std::to_string(settings.seed) + ',' + std::to_string(settings.sample) + ',' +
         std::to_string(settings.checked_first) + ',' + std::to_string(settings.checked_sample) + ',' +
         (settings.warp_synchronous ? "1," : "0,") + std::to_string(settings.gpus) + ',' + settings.record;
}

Settings parse_settings(std::string_view text) {
  Settings settings;
  std::uint64_t legacy = 0;
  for (std::uint64_t* each :
       {&settings.seed, &settings.sample, &settings.checked_first, &settings.checked_sample, &legacy, &settings.gpus}) {
    const std::size_t end = text.find(',');
    if (end == std::string_view::npos || !read(text.substr(0, end), *each)) return settings;
    text.remove_prefix(end + 1);
  }
  settings.warp_synchronous = legacy != 0;
  settings.record = text;
  return settings;
}

std::string line_of(const Finding& finding) {
  return line("finding", name_of(finding.kind), finding.place, finding.text);
}

std::string line_of(const LaunchCount& count) {
  return line("launches", count.kernel, count.place, count.launches, count.blocks, count.checked, count.threads,
              count.float_atomics, count.exchanges);
}

std::string line_of(const CopiedBack& copy) {
  std::string numbers;
  for (const std::uint64_t bits : copy.numbers) {
    if (!numbers.empty()) numbers += ' ';
    numbers += hexadecimal(bits);
  }
  return line("copy", copy.place, copy.to, copy.from, copy.type, copy.bytes, hexadecimal(copy.hash), numbers);
}

Record parse_record(std::string_view lines) {
  Record record;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    if (end == std::string_view::npos) break;
    read_line(lines.substr(0, end), record);
    lines.remove_prefix(end + 1);
  }
  return record;
}

}  // namespace orderlab::host_program
