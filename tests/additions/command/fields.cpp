#include <vector>

#include "show/fake_fields.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"

namespace orderlab::described {

namespace {

constexpr Field kFakeFields[] = {
    head<FakeFinding>(),
    command<FakeFinding>(R"("fake")"),
    value<&FakeFinding::terms>("terms", kinds::kSome, "Number of terms", {.where = Where::both}),
};

}  // namespace

constexpr TableOf<FakeFinding> kFakeDocument{
    {.key = "fake", .title = "Fake", .help = "Written by `orderlab fake --json`.", .fields = kFakeFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_text(const FakeFinding& finding, const TextStyle&) { return std::to_string(finding.terms) + " terms\n"; }

std::string to_json(const FakeFinding& finding) { return json_document(to_json(described::kFakeDocument, finding)); }

std::string to_csv(const FakeFinding& finding) {
  return csv_table(described::kFakeDocument, std::vector<FakeFinding>{finding});
}

}  // namespace orderlab
