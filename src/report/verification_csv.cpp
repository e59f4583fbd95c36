#include "report/verification_csv.hpp"

#include <fmt/format.h>

namespace orderlab {

namespace {

// As CSV quotes a cell that holds commas or quotes.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string to_csv(const VerificationReport& report) {
  std::string csv = "file,line,kernel,format,n,input,seed,repeat,claim,verdict,mismatch,model_bits,bits,problem\n";
  for (const VerifiedCapture& one : report.captures)
    for (std::size_t i = 0; i < one.runs.size(); ++i) {
      const CapturedRun& run = one.capture.runs[i];
      const VerifiedRun& v = one.runs[i];
      csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", cell(one.file), run.line, cell(run.kernel),
                         info(run.format).name, run.n, cell(run.input), run.seed, run.repeat, cell(v.claim),
                         name_of(v.verdict), v.mismatch ? 1 : 0, v.expected ? bits_text(run.format, *v.expected) : "",
                         bits_text(run.format, run.bits), cell(v.problem));
    }
  return csv;
}

}  // namespace orderlab
