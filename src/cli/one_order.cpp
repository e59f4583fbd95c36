#include "cli/one_order.hpp"

namespace orderlab::cli {

int threads_of(const CommandLine& line) { return static_cast<int>(line.count(kThreads)); }

int interrupted(Session& session, std::string_view command, std::string_view before) {
  session.err << "orderlab: " << command << ": interrupted before " << before << "\n";
  return kInterrupted;
}

}  // namespace orderlab::cli
