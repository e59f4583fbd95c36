#include "cli/array_list.hpp"

#include "cli/output_options.hpp"
#include "orderlab/error.hpp"
#include "show/table.hpp"
#include "terms/array_file.hpp"

namespace orderlab::cli {

namespace {

void list_file(const FileSource& source, Session& session) {
  Table table({{"name", Align::left}, {"type", Align::left}, {"shape", Align::left}});
  for (const ArrayEntry& entry : open_array_file(source)->list())
    table.add({entry.name.empty() ? "-" : entry.name, entry.type, entry.shape ? to_string(*entry.shape) : "-"});
  session.out << source.text + "\n" + table.text();
}

}  // namespace

int list_arrays(const CommandLine& line, Session& session) {
  for (const Flag* flag : {&kJson, &kCsv})
    if (line.takes(*flag) && line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) + ": --list writes a table as text; leave it out");
  bool any = false;
  for (const Flag* flag : line.flags()) {
    if (flag->kind != FlagKind::reads || !line.has(*flag) || line.array(*flag) != nullptr) continue;
    FileSource source = source_of(line, *flag);
    source.text = file_address(source.text).path;
    list_file(source, session);
    any = true;
  }
  if (!any) throw Error(ErrorKind::usage, "--list: shows what files hold; give --input FILE");
  return kDone;
}

}  // namespace orderlab::cli
