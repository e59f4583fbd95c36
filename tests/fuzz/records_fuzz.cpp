// What a store of records may say: of a question and of its runs a page is made, or they are refused. The question is
// on the first line, with the command as its first word; each other line is a record, of the run of its number.
#include <optional>
#include <string>
#include <utility>

#include "fuzz/fuzz.hpp"
#include "orderlab/page.hpp"
#include "show/infer_model.hpp"
#include "show/solve.hpp"
#include "show/train.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

namespace {

std::string_view next_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

/// Lines that are records, by run; those of the launch and of exact sums come first.
template <class Record, class Read>
std::map<std::uint64_t, Record> records_of(std::string_view text, std::uint64_t first, Read read) {
  std::map<std::uint64_t, Record> records;
  for (std::uint64_t number = first; !text.empty(); ++number) {
    const std::string line(next_line(text));
    try {
      records.emplace(number, read(line));
    } catch (const Error&) {
    }
  }
  return records;
}

void solve_page(std::string_view about, std::string_view text) {
  study::SolveFinding question = solve_question_from(Json::parse(about));
  auto records = records_of<study::SolveRecord>(text, 0, solve_record_from);
  for (const std::uint64_t run : {study::kLaunchRun, study::kExactRun})
    if (!records.empty()) records.emplace(run, records.begin()->second);
  const auto finding = study::solve_finding(std::move(question), std::move(records));
  if (finding) (void)html_page(*finding);
}

void train_page(std::string_view about, std::string_view text) {
  study::TrainFinding question = train_question_from(Json::parse(about));
  const auto finding =
      study::training_finding(question, records_of<study::SeedRecord>(text, question.request.seed, seed_record));
  if (finding) (void)html_page(*finding);
}

void infer_page(std::string_view about, std::string_view text) {
  const study::ModelInferFinding question = infer_question_from(Json::parse(about));
  const auto finding = study::infer_finding(question, records_of<study::AnswerRecord>(text, 0, answer_record));
  if (finding) (void)html_page(*finding);
}

}  // namespace

ORDERLAB_FUZZ(records) {
  std::string_view text = text_of(input);
  std::string_view about = next_line(text);
  constexpr std::pair<std::string_view, void (*)(std::string_view, std::string_view)> kPages[] = {
      {"solve ", solve_page}, {"train ", train_page}, {"infer ", infer_page}};
  for (const auto& [command, page] : kPages)
    if (about.starts_with(command)) page(about.substr(command.size()), text);
}
