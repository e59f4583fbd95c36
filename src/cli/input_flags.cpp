#include "cli/input_flags.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "cli/one_order.hpp"
#include "orderlab/error.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::cli {

namespace {

void check_one_source(const CommandLine& line) {
  std::string sources;
  int given = 0;
  for (const Flag* flag : {&kN, &kInput, &kTermList})
    if (line.has(*flag)) sources += (given++ == 0 ? "" : " and ") + line.quoted(*flag);
  const bool takes_list = line.takes(kTermList);
  if (given == 0)
    throw Error(ErrorKind::usage, takes_list ? "no terms: give one of --n COUNT, --input FILE, --values LIST"
                                             : "no terms: give --n COUNT or --input FILE");
  if (given > 1) throw Error(ErrorKind::usage, sources + ": terms from several sources; give one of them");
  for (const Flag* flag : {&kDistribution, &kInputSeed})
    if (!line.has(kN) && line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) + ": is about generated terms, but they come from " + sources +
                                        "; leave one of them out");
  const auto reads = [&](const Flag* flag) { return flag->kind == FlagKind::reads && line.has(*flag); };
  if (line.takes(kDecimal) && line.has(kDecimal) && std::ranges::none_of(line.flags(), reads))
    throw Error(ErrorKind::usage, line.quoted(kDecimal) + ": is about numbers in files; leave it out");
  if (is_standard_input(line.text(kInput)) && is_standard_input(line.text(kWith)))
    throw Error(ErrorKind::usage, line.quoted(kInput) + " " + line.quoted(kWith) +
                                      ": standard input has one list; name a file for one of them");
  if (line.has(kInputAxis) && (!line.has(kInput) || line.text(kInputAxis) != "all"))
    throw Error(ErrorKind::usage,
                line.quoted(kInputAxis) + ": this adds one list of terms; --axis all adds all numbers of --input FILE");
  if (line.has(kWith) && !line.has(kInput))
    throw Error(ErrorKind::usage, line.quoted(kWith) + ": needs --input FILE to multiply with");
}

/// Threads for passes over the terms: all, where the command cannot be told.
int threads_for(const CommandLine& line) { return line.takes(kThreads) ? threads_of(line) : 0; }

study::Input generated(const CommandLine& line, const std::optional<Formats>& asked, const study::Watch& watch) {
  const std::uint64_t n = line.count(kN);
  return study::generated_input({.n = n,
                                 .distribution = line.text(kDistribution),
                                 .formats = asked.value_or(Formats{}),
                                 .seed = line.count(line.has(kInputSeed) ? kInputSeed : kSeed),
                                 .threads = threads_for(line)},
                                watch);
}

Terms given_terms(const CommandLine& line, std::optional<Format> own, const study::Watch& watch) {
  if (!line.has(kInput)) return parse_terms(line.text(kTermList), own.value_or(Format::fp64));
  const study::WatchedWork work(watch, "reading terms");
  Terms terms = terms_of(line, kInput, own);
  if (line.has(kWith)) terms.multiply_by(terms_of(line, kWith, terms.format()));
  return terms;
}

study::Input given(const CommandLine& line, const std::optional<Formats>& asked, const study::Watch& watch) {
  Terms terms = given_terms(line, asked ? std::optional(asked->terms) : std::nullopt, watch);
  const int threads = threads_for(line);
  return asked ? study::given_input(std::move(terms), *asked, threads, watch)
               : study::given_input(std::move(terms), threads, watch);
}

}  // namespace

study::Input load_input(const CommandLine& line, const study::Watch& watch, std::optional<Formats> formats) {
  check_one_source(line);
  if (!formats && line.has(kFormat)) formats = parse_formats(line.text(kFormat));
  return line.has(kN) ? generated(line, formats, watch) : given(line, formats, watch);
}

}  // namespace orderlab::cli
