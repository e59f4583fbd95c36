// Files of whole numbers, .npy or text: written out as text they are read again.
#include <string>

#include "fuzz/folder.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/npy_files.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(indices) {
  Choices choices(input);
  static const Folder kFolder;
  const bool npy = choices.flag();
  const std::string content = npy ? npy_file(choices) : std::string(choices.text());
  const IndexTensor index = read_index(kFolder.write(npy ? "in.npy" : "in.txt", content));
  require_equal("numbers and those of the shape", index.values.size(), element_count(index.shape));
  require(index.values.size() <= content.size(), "no number is made up");
  std::string lines;
  for (const std::int64_t value : index.values) lines += std::to_string(value) + "\n";
  const std::string again = kFolder.write("again.csv", lines);
  require(accepted("the text", [&] { return read_index(again); }).values == index.values,
          "numbers and their texts are the same");
}
