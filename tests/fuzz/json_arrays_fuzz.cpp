// Arrays of numbers in JSON: as many as their shape has elements, and what is a value stands alone too.
#include <string>
#include <string_view>

#include "files/json_scanner.hpp"
#include "fuzz/folder.hpp"
#include "fuzz/fuzz.hpp"
#include "terms/array_file.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(json_arrays) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";  // UTF-8's, which files may begin with
  const std::string text(text_of(input));
  static const Folder kFolder;
  const std::string path = kFolder.write("in.json", text);
  const FileArray array = read_file_array({path}, std::nullopt, std::nullopt);
  require_equal("numbers and elements", array.terms.size(), element_count(array.shape));
  JsonScanner scanner(std::string_view(text).substr(text.starts_with(kMark) ? kMark.size() : 0));
  const std::string value(accepted("the text of an array", [&] { return scanner.value(); }));
  require_equal("a value and itself", accepted("a value", [&] { return JsonScanner(value).value(); }), value);
}
