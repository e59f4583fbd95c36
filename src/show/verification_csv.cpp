#include "show/verification_csv.hpp"

#include <fmt/format.h>

#include "show/csv_cell.hpp"

namespace orderlab {

std::string to_csv(const VerificationReport& report) {
  std::string csv = "file,line,kernel,format,n,input,seed,repeat,claim,verdict,mismatch,model_bits,bits,problem\n";
  for (const VerifiedCapture& one : report.captures)
    for (std::size_t i = 0; i < one.runs.size(); ++i) {
      const CapturedRun& run = one.capture.runs[i];
      const VerifiedRun& v = one.runs[i];
      csv +=
          fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(one.file), run.line, csv_cell(run.kernel),
                      info(run.format).name, run.n, csv_cell(run.input), run.seed, run.repeat, csv_cell(v.claim),
                      name_of(v.verdict), v.mismatch ? 1 : 0, v.expected ? bits_text(run.format, *v.expected) : "",
                      bits_text(run.format, run.bits), csv_cell(v.problem));
    }
  return csv;
}

}  // namespace orderlab
