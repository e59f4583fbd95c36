#include "orderlab/format.hpp"

#include <algorithm>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

/// Parts of TERMS:ACCUMULATE:RESULT, and whether a format can be that part.
constexpr bool FormatUses::*kParts[] = {&FormatUses::terms, &FormatUses::sums, &FormatUses::results};

std::optional<Format> find_among(std::span<const FormatInfo> formats, std::string_view name) {
  const std::string asked = lower_case(name);
  if (asked.empty()) return std::nullopt;  // as aliases are that there are not
  for (const FormatInfo& f : formats)
    if (f.name == asked || std::ranges::find(f.aliases, asked) != f.aliases.end()) return f.format;
  return std::nullopt;
}

[[noreturn]] void refuse_format(std::string_view text, std::string_view name, bool FormatUses::*part) {
  std::vector<std::string> names;
  std::vector<std::string> aliases;
  for (const FormatInfo& f : kAllFormats) {
    if (!(f.uses.*part)) continue;
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

/// What one format is of that no other use has, and formats in which it is.
std::string use_of(const FormatInfo& f) {
  if (f.uses.sums) return "accumulators alone; write fp64:fp80:fp64";
  if (f.uses.results) return "results alone; write fp32:fp32:" + std::string(f.name);
  return "terms alone; write " + std::string(f.name) + ":fp32";
}

void require_uses(std::string_view text, const Formats& formats) {
  const Format parts[] = {formats.terms, formats.accumulate, formats.result};
  for (std::size_t i = 0; i < std::size(parts); ++i)
    if (const FormatInfo& f = info(parts[i]); !(f.uses.*kParts[i]))
      throw Error(ErrorKind::usage,
                  "format '" + std::string(text) + "': " + std::string(f.name) + " is a format of " + use_of(f));
}

}  // namespace

std::optional<Format> find_format(std::string_view name) { return find_among(kFormats, name); }

Formats parse_formats(std::string_view text) {
  std::vector<Format> parts;
  std::string_view rest = text;
  for (;;) {
    const auto colon = rest.find(':');
    const std::string_view name = rest.substr(0, colon);
    const auto format = find_among(kAllFormats, name);
    if (!format) refuse_format(text, name, kParts[std::min(parts.size(), std::size(kParts) - 1)]);
    parts.push_back(*format);
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  if (parts.size() > 3)
    throw Error(ErrorKind::usage,
                "format '" + std::string(text) + "': has more than three parts; write TERMS[:ACCUMULATE[:RESULT]]");
  if (parts.size() == 1) parts.push_back(formats_of_terms(parts[0]).accumulate);
  if (parts.size() == 2) parts.push_back(parts[1] == Format::fp80 ? parts[0] : parts[1]);
  const Formats formats{parts[0], parts[1], parts[2]};
  require_uses(text, formats);
  return formats;
}

void require_uses(const Formats& formats) { require_uses(to_string(formats), formats); }

void refuse_fp80_array() {
  throw Error(ErrorKind::unsupported, "fp80: a format of accumulators in sums of one order alone (fp64:fp80:fp64)");
}

void refuse_e8m13_array() {
  throw Error(ErrorKind::unsupported, "e8m13: a format of the result of one sum alone (e4m3:fp32:e8m13)");
}

std::string bits_text(Format format, std::uint64_t bits) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text = "0x";
  for (int digit = info(format).hex_digits() - 1; digit >= 0; --digit) text += kHex[(bits >> (4 * digit)) & 15];
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
