// Reading a capture, with error messages for malformed ones.
#include <algorithm>
#include <utility>

#include "core/memory.hpp"
#include "core/text.hpp"
#include "cuda/capture_fields.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

using namespace capture_text;

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : lines_(open(text, file)) {}

  Capture read() {
    for (std::string_view line; lines_.next(line);) read_line(line);
    return std::move(capture_);
  }

 private:
  // A ticket of one digit and a blank takes 4 bytes, and twice that while its list grows.
  static constexpr std::size_t kBytesPerCharacter = 4;

  static SealedText open(std::string_view text, const std::string& file) {
    InputMemory(file).take(kBytesPerCharacter * text.size());
    return {kKind, text, file};
  }

  [[noreturn]] void refuse(const std::string& problem) const { lines_.refuse(problem); }

  void read_line(std::string_view rest) {
    const std::string_view word = take_word(rest);
    if (word == "fact") return lines_.read_entry(word, rest, capture_.facts);
    if (word == "probe") return lines_.read_entry(word, rest, capture_.probes);
    if (word == "run") return read_run(rest);
    if (word == "outputs") return read_outputs(rest);
    if (word == "returned") return read_list(rest, word, &CapturedRun::returned);
    if (word == "looked_back") return read_list(rest, word, &CapturedRun::looked_back);
    if (word == "tickets") return read_list(rest, word, &CapturedRun::tickets);
    refuse(unknown_name("line of a capture", shown_word(word),
                        {"fact", "probe", "run", "outputs", "returned", "looked_back", "tickets"}));
  }

  void read_run(std::string_view rest) {
    CapturedRun run;
    run.line = lines_.line();
    const bool has_bits = read_fields(kFields, lines_, "run", rest, run).back();
    if (run.n == 0) refuse("n=0: must be at least 1");
    if (!has_bits && !run.rows) refuse("a run without bits=; it must be " + std::string(std::end(kFields)[-1].wanted));
    if (run.rows) check_arrays(run, has_bits);
    capture_.runs.push_back(std::move(run));
  }

  void check_arrays(const CapturedRun& run, bool has_bits) const {
    if (has_bits) refuse("rows= and bits=: a run with many outputs has a line of them; leave out bits=");
    if (!run.columns) refuse("rows= without columns=; a run with many outputs has both");
    if (run.bins.has_value() != run.self_seed.has_value() || run.bins.has_value() != run.index_seed.has_value())
      refuse("bins=, self_seed= and index_seed= belong together; give all or none");
    constexpr std::uint64_t kMost = 0x7FFFFFFF;
    const auto fits = [](std::uint64_t a, std::uint64_t b) { return a >= 1 && b >= 1 && a <= kMost / b; };
    if (!fits(*run.rows, *run.columns) || *run.rows * *run.columns != run.n)
      refuse("rows=" + std::to_string(*run.rows) + " times columns=" + std::to_string(*run.columns) +
             " must be n=" + std::to_string(run.n) + ", at most " + std::to_string(kMost));
    if (run.bins && !fits(*run.bins, *run.columns))
      refuse("bins=" + std::to_string(*run.bins) + " times columns=" + std::to_string(*run.columns) +
             ": must be 1 to " + std::to_string(kMost));
  }

  void read_outputs(std::string_view rest) {
    if (!capture_.runs.empty() && !capture_.runs.back().rows)
      refuse("outputs of a run without rows=, which has bits= only; leave the line out");
    read_list(rest, "outputs", &CapturedRun::outputs);
    const CapturedRun& run = capture_.runs.back();
    const std::uint64_t outputs = run.bins.value_or(*run.rows) * *run.columns;
    if (run.outputs.size() != outputs)
      refuse(std::to_string(run.outputs.size()) + " outputs; the run above has " + std::to_string(outputs));
  }

  template <class N>
  void read_list(std::string_view rest, std::string_view what, std::vector<N> CapturedRun::*member) {
    if (capture_.runs.empty()) refuse(std::string(what) + " before any run; it belongs to the run above it");
    CapturedRun& run = capture_.runs.back();
    std::vector<N>& list = run.*member;
    if (!list.empty()) refuse(std::string(what) + " is there a second time for one run; keep one of them");
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
      N number = 0;
      if constexpr (std::is_same_v<N, std::uint64_t>) {
        const Format format = run.formats().result;
        if (!read_bits(word, format, number))
          refuse("'" + shown_word(word) + "' is not a bit pattern of " + std::string(info(format).name) +
                 "; write 0x and all " + std::to_string(info(format).bits / 4) + " hexadecimal digits");
      } else if (!read_number(word, number)) {
        refuse("'" + shown_word(word) + "' is not the number of a " + (what == "tickets" ? "unit" : "tile") +
               "; it must be " + std::string(kCountWanted));
      }
      list.push_back(number);
    }
    if (list.empty()) refuse(std::string(what) + " of nothing; leave the line out");
  }

  SealedText lines_;
  Capture capture_;
};

}  // namespace

Capture read_capture(std::string_view text, const std::string& file) { return Reader(text, file).read(); }

}  // namespace orderlab
