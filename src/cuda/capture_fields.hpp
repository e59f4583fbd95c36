// What a capture's reader and writer share: its first words and the key=value pairs of a run.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "cuda/capture_file.hpp"

namespace orderlab::capture_text {

inline constexpr std::string_view kFirstWords = "orderlab capture ";
inline constexpr unsigned kVersion = 2;
inline constexpr unsigned kVersionOfSums = 1;  ///< version of a capture in which no run has many outputs
inline constexpr std::string_view kChecksum = "checksum ";

/// The whole text as a number without a sign. N is unsigned.
template <class N>
bool read_number(std::string_view text, N& number, int base = 10) {
  const char* const last = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data(), last, number, base);
  return code == std::errc{} && end == last;
}

/// The whole text as a bit pattern of the format.
inline bool read_bits(std::string_view text, Format format, std::uint64_t& bits) {
  return text.starts_with("0x") && text.size() == static_cast<std::size_t>(info(format).bits) / 4 + 2 &&
         read_number(text.substr(2), bits, 16);
}

inline bool read_text(std::string_view text, std::string& value) {
  value = text;
  return !text.empty();
}

inline constexpr std::string_view kCountWanted = "a whole number in digits";

/// One key=value of a run. Values are read in the order of this table: the format comes before its bits.
struct Field {
  std::string_view key;
  bool required;
  bool (*read)(std::string_view text, CapturedRun& run);
  std::string (*write)(const CapturedRun& run);  ///< empty: left out
  std::string_view wanted;
};

template <auto kMember>
constexpr Field number_field(std::string_view key, bool required) {
  return {key, required, [](std::string_view text, CapturedRun& run) { return read_number(text, run.*kMember); },
          [](const CapturedRun& run) { return std::to_string(run.*kMember); }, kCountWanted};
}

template <auto kMember>
constexpr Field shape_field(std::string_view key) {
  return {key, true, [](std::string_view text, CapturedRun& run) { return read_number(text, run.shape.*kMember); },
          [](const CapturedRun& run) { return std::to_string(run.shape.*kMember); }, kCountWanted};
}

template <auto kMember>
constexpr Field optional_field(std::string_view key) {
  return {key, false,
          [](std::string_view text, CapturedRun& run) { return read_number(text, (run.*kMember).emplace()); },
          [](const CapturedRun& run) { return run.*kMember ? std::to_string(*(run.*kMember)) : std::string(); },
          kCountWanted};
}

template <auto kMember>
constexpr Field text_field(std::string_view key, std::string_view wanted) {
  return {key, true, [](std::string_view text, CapturedRun& run) { return read_text(text, run.*kMember); },
          [](const CapturedRun& run) { return run.*kMember; }, wanted};
}

inline constexpr Field kFields[] = {
    text_field<&CapturedRun::kernel>("kernel", "a name"),
    {"format", true,
     [](std::string_view text, CapturedRun& run) {
       const auto format = find_format(text);
       if (format) run.format = *format;
       return format.has_value();
     },
     [](const CapturedRun& run) { return std::string(info(run.format).name); }, "fp64, fp32, fp16 or bf16"},
    number_field<&CapturedRun::n>("n", true),
    shape_field<&LaunchShape::threads>("threads"),
    shape_field<&LaunchShape::items>("items"),
    shape_field<&LaunchShape::grid>("grid"),
    text_field<&CapturedRun::input>("input", "a distribution such as dyadic(24,-23,0)"),
    number_field<&CapturedRun::seed>("seed", true),
    optional_field<&CapturedRun::with_seed>("with_seed"),
    optional_field<&CapturedRun::aligned>("aligned"),
    optional_field<&CapturedRun::temporary_bytes>("temporary_bytes"),
    optional_field<&CapturedRun::blocks>("blocks"),
    optional_field<&CapturedRun::rows>("rows"),
    optional_field<&CapturedRun::columns>("columns"),
    optional_field<&CapturedRun::bins>("bins"),
    optional_field<&CapturedRun::self_seed>("self_seed"),
    optional_field<&CapturedRun::index_seed>("index_seed"),
    number_field<&CapturedRun::repeat>("repeat", false),
    {"bits", false, [](std::string_view text, CapturedRun& run) { return read_bits(text, run.format, run.bits); },
     [](const CapturedRun& run) { return run.rows ? std::string() : bits_text(run.format, run.bits); },
     "0x and all hexadecimal digits of the format"},
};

}  // namespace orderlab::capture_text
