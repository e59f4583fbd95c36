#include "cli/order_files.hpp"

#include <memory>
#include <variant>

namespace orderlab::cli {

std::vector<const Rows*> files_of(const Arguments& arguments) {
  std::vector<const Rows*> files;
  for (const Argument& argument : arguments.values()) {
    if (const auto* rows = std::get_if<std::shared_ptr<const Rows>>(&argument)) files.push_back(rows->get());
    if (const auto* call = std::get_if<ArrivalCall>(&argument)) {
      const auto more = files_of(*call->arguments);
      files.insert(files.end(), more.begin(), more.end());
    }
    if (const auto* stages = std::get_if<std::shared_ptr<const std::vector<StageCall>>>(&argument)) {
      for (const StageCall& stage : **stages) {
        const auto more = files_of(stage.arguments);
        files.insert(files.end(), more.begin(), more.end());
      }
    }
  }
  return files;
}

void read_files_of(const ArrivalCall& arrival, FileTable& files) {
  for (const Rows* file : files_of(*arrival.arguments)) files.reads(file->path);
}

void read_files_of(const Order& order, FileTable& files) {
  for (const StageCall& call : order.stages())
    for (const Rows* file : files_of(call.arguments)) files.reads(file->path);
}

}  // namespace orderlab::cli
