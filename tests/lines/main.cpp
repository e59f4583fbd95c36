// The program as a filter: each line of standard input is a command line, its arguments separated by tabs; each answer
// is one line, "STATUS<TAB>OUTPUT", newlines of the output turned into spaces. One process for thousands of
// comparisons.
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.hpp"

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::vector<std::string> arguments;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, '\t');) arguments.push_back(field);
    std::ostringstream output;
    orderlab::cli::Session session{.out = output, .err = output};
    const int status = orderlab::cli::run_program(arguments, session);
    std::string text = output.str();
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::cout << status << '\t' << text << '\n' << std::flush;
  }
  return 0;
}
