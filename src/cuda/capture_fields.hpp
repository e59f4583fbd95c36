// What a capture's reader and writer share: its first words and the key=value pairs of a run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/keyed_fields.hpp"
#include "core/sealed_text.hpp"
#include "cuda/capture_file.hpp"

namespace orderlab::capture_text {

inline constexpr unsigned kVersion = 2;
inline constexpr unsigned kVersionOfSums = 1;  ///< version of a capture in which no run has many outputs
inline constexpr SealedKind kKind{"a capture", "orderlab capture ", kVersionOfSums, kVersion};

/// The whole text as a bit pattern of the format.
inline bool read_bits(std::string_view text, Format format, std::uint64_t& bits) {
  return text.starts_with("0x") && text.size() == static_cast<std::size_t>(info(format).bits) / 4 + 2 &&
         read_number(text.substr(2), bits, 16);
}

using Field = KeyedField<CapturedRun>;

template <auto kMember>
constexpr Field optional_field(std::string_view key) {
  return {key, false,
          [](std::string_view text, CapturedRun& run) { return read_number(text, (run.*kMember).emplace()); },
          [](const CapturedRun& run) { return run.*kMember ? std::to_string(*(run.*kMember)) : std::string(); },
          kCountWanted};
}

inline constexpr Field kFields[] = {
    word_field<CapturedRun, &CapturedRun::kernel>("kernel", "a name"),
    {"format", true,
     [](std::string_view text, CapturedRun& run) {
       for (const FormatInfo& format : kAllFormats)
         if (format.uses.terms && format.name == text) {
           run.format = format.format;
           return true;
         }
       return false;
     },
     [](const CapturedRun& run) { return std::string(info(run.format).name); },
     "fp64, fp32, fp16, bf16, tf32, e4m3 or e5m2"},
    {"sums", false,
     [](std::string_view text, CapturedRun& run) {
       run.sums = find_format(text);
       return run.sums.has_value();
     },
     [](const CapturedRun& run) { return run.sums ? std::string(info(*run.sums).name) : std::string(); },
     "fp64, fp32, fp16 or bf16"},
    number_field<CapturedRun, &CapturedRun::n>("n", true),
    shape_field<CapturedRun, &LaunchShape::threads>("threads"),
    shape_field<CapturedRun, &LaunchShape::items>("items"),
    shape_field<CapturedRun, &LaunchShape::grid>("grid"),
    word_field<CapturedRun, &CapturedRun::input>("input", "a distribution such as dyadic(24,-23,0)"),
    number_field<CapturedRun, &CapturedRun::seed>("seed", true),
    optional_field<&CapturedRun::with_seed>("with_seed"),
    optional_field<&CapturedRun::aligned>("aligned"),
    optional_field<&CapturedRun::temporary_bytes>("temporary_bytes"),
    optional_field<&CapturedRun::blocks>("blocks"),
    optional_field<&CapturedRun::rows>("rows"),
    optional_field<&CapturedRun::columns>("columns"),
    optional_field<&CapturedRun::bins>("bins"),
    optional_field<&CapturedRun::self_seed>("self_seed"),
    optional_field<&CapturedRun::index_seed>("index_seed"),
    number_field<CapturedRun, &CapturedRun::repeat>("repeat", false),
    {"bits", false,
     [](std::string_view text, CapturedRun& run) { return read_bits(text, run.formats().result, run.bits); },
     [](const CapturedRun& run) { return run.rows ? std::string() : bits_text(run.formats().result, run.bits); },
     "0x and all hexadecimal digits of the format"},
};

}  // namespace orderlab::capture_text
