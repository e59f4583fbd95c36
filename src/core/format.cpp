#include "orderlab/format.hpp"

#include <algorithm>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

std::optional<Format> find_among(std::span<const FormatInfo> formats, std::string_view name) {
  const std::string asked = lower_case(name);
  if (asked.empty()) return std::nullopt;  // as aliases are that there are not
  for (const FormatInfo& f : formats)
    if (f.name == asked || std::ranges::find(f.aliases, asked) != f.aliases.end()) return f.format;
  return std::nullopt;
}

[[noreturn]] void refuse_format(std::string_view text, std::string_view name, std::span<const FormatInfo> known) {
  std::vector<std::string> names;
  std::vector<std::string> aliases;
  for (const FormatInfo& f : known) {
    names.emplace_back(f.name);
    for (const std::string_view alias : f.aliases)
      if (!alias.empty()) aliases.emplace_back(alias);
  }
  if (name.empty())
    throw Error(ErrorKind::usage, "format '" + std::string(text) +
                                      "': has an empty part; write TERMS[:ACCUMULATE[:RESULT]], such as fp32");
  const std::string where = name == text ? "" : "format '" + std::string(text) + "': ";
  throw Error(ErrorKind::usage, where + unknown_name("format", name, names, similar_names(name, aliases)));
}

}  // namespace

std::optional<Format> find_format(std::string_view name) { return find_among(kFormats, name); }

Formats parse_formats(std::string_view text) {
  std::vector<Format> parts;
  std::string_view rest = text;
  for (;;) {
    const auto colon = rest.find(':');
    const std::string_view name = rest.substr(0, colon);
    const auto format = find_among(kAccumulateFormats, name);
    if (!format)
      refuse_format(text, name, parts.size() == 1 ? std::span<const FormatInfo>(kAccumulateFormats) : kFormats);
    parts.push_back(*format);
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  if (parts.size() > 3)
    throw Error(ErrorKind::usage,
                "format '" + std::string(text) + "': has more than three parts; write TERMS[:ACCUMULATE[:RESULT]]");
  if (parts.size() == 2 && parts[1] == Format::fp80) parts.push_back(parts[0]);
  while (parts.size() < 3) parts.push_back(parts.back());
  if (parts[0] == Format::fp80 || parts[2] == Format::fp80)
    throw Error(ErrorKind::usage,
                "format '" + std::string(text) + "': fp80 is a format of accumulators alone; write fp64:fp80:fp64");
  return {parts[0], parts[1], parts[2]};
}

void refuse_fp80_array() {
  throw Error(ErrorKind::unsupported, "fp80: a format of accumulators in sums of one order alone (fp64:fp80:fp64)");
}

std::string bits_text(Format format, std::uint64_t bits) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text = "0x";
  for (int digit = info(format).bits / 4 - 1; digit >= 0; --digit) text += kHex[(bits >> (4 * digit)) & 15];
  return text;
}

std::string to_string(const Formats& formats) {
  std::string text(info(formats.terms).name);
  if (formats.accumulate == formats.terms && formats.result == formats.terms) return text;
  text += ":" + std::string(info(formats.accumulate).name);
  if (formats.result != formats.accumulate) text += ":" + std::string(info(formats.result).name);
  return text;
}

std::int64_t ordered_key(Format format, std::uint64_t bits) {
  const int width = info(format).bits;
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
  return (bits & sign) == 0 ? magnitude : -magnitude - 1;
}

std::uint64_t bits_of_key(Format format, std::int64_t key) {
  if (key >= 0) return static_cast<std::uint64_t>(key);
  return static_cast<std::uint64_t>(-(key + 1)) | std::uint64_t{1} << (info(format).bits - 1);
}

std::uint64_t ulp_distance(Format format, std::uint64_t a, std::uint64_t b) {
  const auto steps = [format](std::uint64_t bits) {  // from zero, so that -0 and +0 are one
    const std::int64_t key = ordered_key(format, bits);
    return key < 0 ? key + 1 : key;
  };
  const std::int64_t x = steps(a);
  const std::int64_t y = steps(b);
  return x < y ? static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x)
               : static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y);
}

}  // namespace orderlab
