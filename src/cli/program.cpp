// Running the command that the arguments ask for, and turning every error into one line.
#include <new>

#include "cli/array_list.hpp"
#include "cli/command.hpp"
#include "cli/input_flags.hpp"
#include "cli/parse.hpp"
#include "cli/request_text.hpp"
#include "core/printable.hpp"
#include "core/stop.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

std::string_view program_version() { return "orderlab " ORDERLAB_VERSION; }

void complain(Session& session, std::string_view message) { session.err << "orderlab: " + printable(message) + "\n"; }

int run_command(const Command& command, CommandLine& line, Session& session) {
  name_shard(line, session.environment);
  session.files = {};
  line.name_files(session.files);
  if (line.has(kListArrays)) return list_arrays(line, session);
  return command.run(line, session);
}

int run_program(const std::vector<std::string>& arguments, Session& session) {
  std::string prefix;
  Request request;
  try {
    request = parse(arguments, session.width);
    if (request.command == nullptr) {
      session.out << request.text;
      return kDone;
    }
    prefix = std::string(request.command->name) + ": ";
    return run_command(*request.command, request.line, session);
  } catch (const Stopped&) {
    complain(session, prefix + "interrupted before there was anything to report");
    return kInterrupted;
  } catch (const RequestError& error) {
    complain(session, prefix + with_flags(error, request.line));
  } catch (const Error& error) {
    complain(session, prefix + error.what());
  } catch (const std::bad_alloc&) {
    complain(session, prefix + "out of memory; fewer terms or threads need less");
  } catch (const std::exception& error) {
    complain(session, prefix + "unexpected: " + error.what());
  }
  return kFailed;
}

}  // namespace orderlab::cli
