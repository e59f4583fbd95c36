#include "cuda/capture/options.hpp"

#include <algorithm>
#include <vector>

#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cuda {

namespace {

struct Option {
  std::string_view name;
  std::string_view value;  ///< what stands after it, for the help; empty: a switch
  std::string_view summary;
  bool CaptureOptions::*flag;
  std::string CaptureOptions::*text;
};

constexpr Option kOptions[] = {
    {"--out", "FILE", "write the capture there, or the prices as CSV; standard output without it", nullptr,
     &CaptureOptions::out},
    {"--kernel", "NAME", "run only this kernel", nullptr, &CaptureOptions::kernel},
    {"--quick", "", "few sizes, few launches", &CaptureOptions::quick, nullptr},
    {"--tickets", "FILE", "write arrival orders of thread blocks there, too: CSV, one launch a row", nullptr,
     &CaptureOptions::tickets},
    {"--record", "DIR", "write recorded arrivals there instead, and DIR.tar with all of them", nullptr,
     &CaptureOptions::record},
    {"--bench", "", "time the kernels instead", &CaptureOptions::bench, nullptr},
    {"--list", "", "list the kernels and what they claim; needs no GPU", &CaptureOptions::list, nullptr},
    {"--help", "", "print this", &CaptureOptions::help, nullptr},
};

[[noreturn]] void refuse(std::string_view option, const std::string& problem) {
  throw Error(ErrorKind::usage, std::string(option) + ": " + problem);
}

const Option& find_option(std::string_view name) {
  const auto found = std::ranges::find(kOptions, name, &Option::name);
  if (found != std::end(kOptions)) return *found;
  std::vector<std::string> known;
  for (const Option& option : kOptions) known.emplace_back(option.name);
  throw Error(ErrorKind::usage, unknown_name("option", name, known));
}

}  // namespace

CaptureOptions parse_capture_options(std::span<const char* const> arguments) {
  CaptureOptions options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Option& option = find_option(arguments[i]);
    if (option.flag != nullptr) {
      options.*option.flag = true;
      continue;
    }
    std::string& value = options.*option.text;
    if (!value.empty()) refuse(option.name, "given twice; once is enough");
    if (i + 1 < arguments.size()) value = arguments[++i];
    if (value.empty() || value.starts_with("--"))
      refuse(option.name, "needs a value, " + std::string(option.name) + " " + std::string(option.value));
  }
  if (options.bench && !options.tickets.empty())
    refuse("--tickets", "is part of a capture; leave --bench out or run twice");
  if (!options.record.empty() && (options.bench || !(options.tickets + options.out + options.kernel).empty()))
    refuse("--record", "makes files of its own and goes with --quick only; run twice");
  return options;
}

std::string capture_help() {
  std::string text =
      "usage: orderlab_capture [OPTION...]\n"
      "Runs summation kernels on the GPU and records their results; 'orderlab verify FILE' checks them anywhere.\n\n";
  for (const Option& option : kOptions) {
    std::string left = "  " + std::string(option.name) + (option.value.empty() ? "" : " ") + std::string(option.value);
    left.resize(std::max<std::size_t>(left.size() + 2, 18), ' ');
    text += left + std::string(option.summary) + "\n";
  }
  return text +
         "\nExamples: orderlab_capture --out gpu.capture --tickets arrivals.csv\n"
         "          orderlab_capture --record arrivals\n";
}

}  // namespace orderlab::cuda
