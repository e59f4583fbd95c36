// NumPy .npz archives: .npy files in a zip archive, stored or deflated.
#include <utility>

#include "files/open_input.hpp"
#include "terms/array_files.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kNpyEnding = ".npy";

class NpzFile : public ArrayFile {
 public:
  explicit NpzFile(const OpenFile& file)
      : path_(file.address.path),
        bytes_(path_, "name a .npz file", *file.content),
        members_(zip_members(bytes_.bytes(), file.content->name())) {
    for (const ZipMember& member : members_) {
      if (member.name.ends_with("data.pkl")) refuse_pickle(path_);
      if (member.name == "[Content_Types].xml") refuse_workbook(path_);
    }
  }

  std::vector<ArrayEntry> list() override {
    std::vector<ArrayEntry> entries;
    for (const ZipMember& member : members_)
      if (is_array(member)) entries.push_back(entry_of(member));
    return entries;
  }

  std::unique_ptr<NumberArray> open(const std::string& name, std::optional<Format> raw) override {
    std::vector<ArrayEntry> names;
    for (const ZipMember& member : members_)
      if (is_array(member)) names.push_back({name_of(member), "", {}});
    const ArrayEntry found = require_array(path_, "array", name, names);
    for (const ZipMember& member : members_)
      if (is_array(member) && name_of(member) == found.name) return open_npy_array(open_member_of(member), raw);
    return nullptr;
  }

 private:
  static bool is_array(const ZipMember& member) { return member.name.ends_with(kNpyEnding); }
  static std::string name_of(const ZipMember& member) {
    return member.name.substr(0, member.name.size() - kNpyEnding.size());
  }
  std::unique_ptr<InputStream> open_member_of(const ZipMember& member) const {
    return open_member(member, path_ + "::" + name_of(member));
  }
  ArrayEntry entry_of(const ZipMember& member) const {
    ArrayEntry entry = describe_npy(*open_member_of(member));
    entry.name = name_of(member);
    return entry;
  }

  std::string path_;
  FileBytes bytes_;
  std::vector<ZipMember> members_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_npz(OpenFile file) { return std::make_unique<NpzFile>(file); }

}  // namespace orderlab
