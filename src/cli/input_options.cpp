#include "cli/input_options.hpp"

#include <fstream>
#include <limits>
#include <optional>

#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"

namespace orderlab::cli {

void InputOptions::add_to(CLI::App& app) {
  const std::string group = "Input";
  app.add_option("--n", n, "generate so many terms: 1000, 1e6, 2^20")->type_name("COUNT")->group(group);
  app.add_option("--dist", distribution, "distribution of generated terms")
      ->type_name("DIST")
      ->capture_default_str()
      ->group(group);
  app.add_option("--input", input, "terms from a file: .npy, .txt, .csv, .f64, .f32, or - for text on stdin")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--with", with, "multiply term by term with this file: a dot product")
      ->type_name("FILE")
      ->group(group);
  if (takes_list)
    app.add_option("--values", values, "the terms themselves: 0.1,0.2,-0.3")->type_name("LIST")->group(group);
  app.add_option("--format", format, "fp64, fp32, fp16 or bf16, as TERMS[:ACCUMULATE[:RESULT]]")
      ->type_name("FORMATS")
      ->group(group);
  app.add_option("--seed", seed, "seed of terms and orders")->type_name("COUNT")->capture_default_str()->group(group);
  app.add_option("--input-seed", input_seed, "seed of the terms alone")->type_name("COUNT")->group(group);
}

std::uint64_t InputOptions::seed_value() const { return parse_count("--seed", seed); }

double available_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  double kib = 0;
  for (std::string rest; meminfo >> key >> kib; std::getline(meminfo, rest))
    if (key == "MemAvailable:") break;
  double bytes = key == "MemAvailable:" ? kib * 1024 : std::numeric_limits<double>::infinity();
  std::ifstream limit_file("/sys/fs/cgroup/memory.max");
  double limit = 0;
  if (limit_file >> limit) bytes = std::min(bytes, limit);
  return bytes;
}

namespace {

void check_one_source(const InputOptions& options) {
  const int given = (options.n.empty() ? 0 : 1) + (options.input.empty() ? 0 : 1) + (options.values.empty() ? 0 : 1);
  if (given == 0)
    throw Error(ErrorKind::usage, options.takes_list ? "no terms: give one of --n COUNT, --input FILE, --values LIST"
                                                     : "no terms: give --n COUNT or --input FILE");
  if (given > 1)
    throw Error(ErrorKind::usage, options.takes_list ? "terms from two sources: give one of --n, --input, --values"
                                                     : "terms from two sources: give --n or --input");
  if (options.input == "-" && options.with == "-")
    throw Error(ErrorKind::usage, "--input - --with -: standard input has one list; name a file for one of them");
  if (!options.with.empty() && options.input.empty())
    throw Error(ErrorKind::usage, "--with " + options.with + ": needs --input FILE to multiply with");
}

}  // namespace

void require_memory(double bytes) {
  const double available = available_bytes();
  if (bytes > available)
    throw Error(ErrorKind::unsupported, "this needs " + bytes_in_words(bytes) + " of memory and " +
                                            bytes_in_words(available) +
                                            " are free; fewer terms, a narrower --format or fewer --threads need less");
}

namespace {

Input generated(const InputOptions& options, const std::optional<Formats>& asked) {
  const std::uint64_t n = parse_count("--n", options.n, 1, RandomStream::kIndexLimit);
  const Formats formats = asked.value_or(Formats{});
  require_memory(static_cast<double>(n) * info(formats.terms).bits / 8);
  InputReport report;
  report.formats = formats;
  report.distribution = canonical_distribution(options.distribution);
  report.input_seed =
      options.input_seed.empty() ? options.seed_value() : parse_count("--input-seed", options.input_seed);
  return {generate_terms(options.distribution, n, formats.terms, report.input_seed), report};
}

Input given(const InputOptions& options, const std::optional<Formats>& asked) {
  InputReport report;
  const auto own = asked ? std::optional(asked->terms) : std::nullopt;
  Terms terms =
      options.input.empty() ? parse_terms(options.values, own.value_or(Format::fp64)) : read_terms(options.input, own);
  report.formats = asked.value_or(Formats{terms.format(), terms.format(), terms.format()});
  if (!options.with.empty()) terms.multiply_by(read_terms(options.with, terms.format()));
  return {std::move(terms), report};
}

}  // namespace

Input load_input(const InputOptions& options) {
  check_one_source(options);
  std::optional<Formats> asked;
  if (!options.format.empty()) asked = parse_formats(options.format);
  Input input = options.n.empty() ? given(options, asked) : generated(options, asked);
  describe(input);
  return input;
}

}  // namespace orderlab::cli
