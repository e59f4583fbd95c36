// Zip archives: members lie in the archive, and what is read of one has the size that the list says.
#include <string>

#include "files/zip_archive.hpp"
#include "fuzz/folder.hpp"
#include "fuzz/fuzz.hpp"
#include "terms/array_file.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(archives) {
  const std::string archive(text_of(input));  // in memory of its own, so that a read beyond it is found
  static const Folder kFolder;
  const std::string path = kFolder.write("in.npz", archive);
  for (const ZipMember& member : zip_members(archive, "archive")) {
    require(member.compressed.empty() ||
                (member.compressed.data() >= archive.data() &&
                 member.compressed.data() + member.compressed.size() <= archive.data() + archive.size()),
            "a member lies in the archive");
    constexpr std::uint64_t kMost = 1 << 20;
    if (member.bytes > kMost) continue;
    try {
      require_equal("bytes of a member", open_member(member, "member")->rest(kMost).size(), member.bytes);
    } catch (const Error&) {  // the next one may be whole
    }
  }
  for (const ArrayEntry& entry : open_array_file({path})->list())
    require(read_file_array({path + "::" + entry.name}, std::nullopt, Format::e4m3).shape == *entry.shape,
            "an array has the shape that is listed");
}
