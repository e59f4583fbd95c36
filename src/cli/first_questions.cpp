#include "cli/first_questions.hpp"

#include "cli/command.hpp"
#include "show/wrapped.hpp"

namespace orderlab::cli {

namespace {

constexpr FirstQuestion kFirstQuestions[] = {
    {"How far can this sum move from run to run?", "orderlab sample --n 1e6 --order warp"},
    {"Two sums of the same numbers differ, such as a GPU's and numpy's: is it just order, or a bug or a race?",
     "orderlab check --n 1e4 --dist 'uniform(0,1)' --format fp32 --order any --value 4984.30029"},
    {"Which tolerance should my test use, and with what confidence?",
     "orderlab tolerance --n 1e4 --format fp32 --order warp"},
    {"In which order does this library add?", "orderlab probe --python numpy:sum --n 1000"},
    {"Is there a bug in this CUDA program, and which of its sums vary?", "orderlab host FILE.cu --runs 10"},
};

}  // namespace

std::span<const FirstQuestion> first_questions() { return kFirstQuestions; }

std::string first_questions_text(int width) {
  std::string text = wrapped(std::string(kAbout) + "\n", width);
  for (const FirstQuestion& question : kFirstQuestions)
    text += "\n" + wrapped(std::string(question.text) + "\n", width) + "  " + std::string(question.command) + "\n";
  return text + "\n" +
         wrapped(
             "Numbers of your own are --input FILE instead of --n. `orderlab help` lists all commands, and `orderlab "
             "help COMMAND` explains one.\n",
             width);
}

}  // namespace orderlab::cli
