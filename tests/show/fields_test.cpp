// Tables of fields: what JSON, CSV, text and a schema make of one, and JSON read back.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "describe/field.hpp"
#include "describe/kinds.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/input.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/fields_schema.hpp"
#include "show/fields_text.hpp"

namespace orderlab::described {

namespace {

enum class Colour : std::uint8_t { red, green };
constexpr std::string_view kColours[] = {"red", "green"};

struct Leaf {
  double weight = 0;
  bool operator==(const Leaf&) const = default;
};
struct Plant {
  std::string name;
  std::uint64_t age = 0;
  std::optional<double> height;
  bool alive = false;
  Colour colour = Colour::red;
  Leaf first;
  std::optional<Leaf> last;
  std::vector<Leaf> leaves;
  std::vector<std::uint64_t> rings;
  Leaf around;
  bool operator==(const Plant&) const = default;
};

constexpr Field kLeafFields[] = {value<&Leaf::weight>("weight", kinds::kNumber, "Weight in grams")};
constexpr TableOf<Leaf> kLeaf{{.key = "leaf", .title = "Leaf", .help = "A leaf.", .fields = kLeafFields}};
constexpr Field kRingFields[] = {itself<std::uint64_t>(kinds::kCount)};
constexpr TableOf<std::uint64_t> kRing{{.key = "ring", .title = "Ring", .help = "A ring.", .fields = kRingFields}};
constexpr Field kAroundFields[] = {
    value<&Leaf::weight>("mulch", kinds::kFraction, "Mulch in grams", {.where = Where::both})};
constexpr TableOf<Leaf> kAround{{.key = "around",
                                 .title = "Around",
                                 .help = "Around it.",
                                 .fields = kAroundFields,
                                 .rules = R"({"not": {"required": ["stones"]}})"}};

constexpr Field kStateFields[] = {value<&Plant::alive>("lives", kinds::kTruth, "Whether it lives")};
constexpr TableOf<Plant> kState{{.key = "state", .title = "State", .help = "Its state.", .fields = kStateFields}};
constexpr Field kPlantFields[] = {
    constant<Plant>("kind", kinds::kText, "What it is", R"("plant")"),
    value<&Plant::name>("name", kinds::kText, "Name", {.where = Where::both, .cell = {"called"}}),
    value<&Plant::age>("age", kinds::kCount, "Age in years", {.where = Where::both, .cell = {"years"}}),
    value<&Plant::height>("height", kinds::kNumber, "Height in metres",
                          {.null = "where it is not known",
                           .where = Where::both,
                           .cell = {.title = "height", .digits = 2, .dispensable = true}}),
    value<&Plant::alive>("alive", kinds::kTruth, "Whether it lives", {.where = Where::both}),
    word<&Plant::colour, kColours>("colour", kinds::kText, "Its colour", {.where = Where::both}),
    value("old", kinds::kTruth, "Older than a century",
          [](const Plant& p) { return p.age > 100 ? std::optional(true) : std::nullopt; },
          {.absent = "otherwise", .constant = "true"}),
    value("girth", kinds::kCount, "Girth in rings",
          [](const Plant& p) -> std::optional<Value> {
            if (!p.alive) return {};
            if (p.rings.empty()) return Value();
            return Value(std::uint64_t{p.rings.size()});
          },
          {.null = "without rings", .absent = "for a dead one"}),
    part<&Plant::first>("first", kLeaf, "The first leaf"),
    part<&Plant::last>("last", kLeaf, "The last leaf", {.absent = "where it has none"}),
    part<&Plant::leaves>("leaves", kLeaf, "All leaves"),
    part<&Plant::rings>("rings", kRing, "Widths of its rings",
                        {.absent = "where it has none", .list_rule = R"({"minItems": 1})"}),
    merged<&Plant::around>(kAround),
    group("state", kState),
    part("old_state", kState, "The state of an old one", [](const Plant& p) { return p.age > 100 ? &p : nullptr; },
         {.absent = "otherwise"}),
    value("shout", kinds::kText, "The name, loudly", [](const Plant& p) { return p.name + "!"; },
          {.where = Where::csv}),
};
constexpr TableOf<Plant> kPlant{{.key = "plant", .title = "Plant", .help = "A plant.", .fields = kPlantFields}};

Plant oak() {
  return {"oak",  300, std::numeric_limits<double>::infinity(), true, Colour::green, {1.5}, Leaf{2}, {{3}, {4.25}},
          {7, 9}, {8}};
}

Plant named(const std::string& name, const std::optional<double>& height = {}) {
  Plant plant;
  plant.name = name;
  plant.height = height;
  return plant;
}

}  // namespace

TEST_CASE("a struct becomes JSON in the order of its table, and is read back") {
  const Json json = to_json(kPlant, oak());
  CHECK(json.dump() ==
        R"({"kind":"plant","name":"oak","age":300,"height":"inf","alive":true,"colour":"green","old":true,"girth":2,)"
        R"("first":{"weight":1.5},"last":{"weight":2.0},"leaves":[{"weight":3.0},{"weight":4.25}],"rings":[7,9],)"
        R"("mulch":8.0,"state":{"lives":true},"old_state":{"lives":true}})");
  Plant back;
  read(kPlant, Json::parse(json.dump()), back);
  CHECK(back == oak());

  const Json bare = to_json(kPlant, Plant{});
  CHECK(bare.dump() ==
        R"({"kind":"plant","name":"","age":0,"height":null,"alive":false,"colour":"red","first":{"weight":0.0},)"
        R"("leaves":[],"mulch":0.0,"state":{"lives":false}})");
  Plant young;
  young.alive = true;
  CHECK(to_json(kPlant, young)["girth"].is_null());
  CHECK(to_json(kPlant, young).contains("girth"));
  Plant empty = named("x");
  read(kPlant, bare, empty);
  CHECK(empty == Plant{});
  read(kPlant, Json::parse(R"({"state": {"lives": true}, "old_state": {"lives": false}})"), empty);
  CHECK(empty.alive);  // a group is read, a part that a function gives is not
}

TEST_CASE("a value of another type is refused, with its name") {
  const auto refusal = [](const char* text) -> std::string {
    Plant plant;
    try {
      read(kPlant, Json::parse(text), plant);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  CHECK(refusal(R"({"age": "old"})") == "age is \"old\"");
  CHECK(refusal(R"({"alive": 1})") == "alive is 1");
  CHECK(refusal(R"({"colour": "blue"})") == "colour is \"blue\"");
  CHECK(refusal(R"({"first": {"weight": "heavy"}})") == "\"heavy\" is not a number");
  CHECK(refusal(R"({"old": 5, "unknown": 3})").empty());  // computed, and not ours
}

TEST_CASE("rows of CSV and of text") {
  CHECK(csv_table(kPlant, std::vector{oak(), named("a,b")}) ==
        "name,age,height,alive,colour,mulch,shout\noak,300,inf,true,green,8,oak!\n"
        "\"a,b\",0,,false,red,0,\"a,b!\"\n");
  const std::vector<std::pair<std::string, Plant>> rows{{"first", oak()}, {"second", named("x", 1.234)}};
  const study::Input input = study::given_input({1, 2});
  const ShownUnit unit(input.facts);
  CHECK(text_table(kPlant, {"height", "name", "age"}, rows, unit, {}) ==
        "        height  called  years\nfirst      inf     oak    300\nsecond     1.2       x      0\n");
  CHECK(text_table(kPlant, {"height", "name", "age"}, rows, unit, {.width = 24}) ==
        "        called  years\nfirst      oak    300\nsecond       x      0\n");
}

TEST_CASE("the schema says of each field what the table does") {
  const Json made = schema(kPlant);
  CHECK(made["$id"].text() == "https://orderlab.invalid/schemas/1/plant.json");
  CHECK(made["title"].text() == "Plant");
  CHECK(made["additionalProperties"] == Json(false));
  CHECK(made["not"].dump() == R"({"required":["stones"]})");
  CHECK(made["required"].dump() ==
        R"(["kind","name","age","height","alive","colour","first","leaves","mulch","state"])");
  const Json& properties = made["properties"];
  CHECK(!properties.contains("shout"));
  CHECK(properties["kind"].dump() == R"({"description":"What it is.","const":"plant"})");
  CHECK(
      properties["height"].dump() ==
      R"({"description":"Height in metres; null where it is not known.","$ref":"shared.json#/$defs/number_or_null"})");
  CHECK(properties["colour"].dump() == R"({"description":"Its colour.","enum":["red","green"]})");
  CHECK(properties["old"].dump() == R"({"description":"Older than a century. Absent otherwise.","const":true})");
  CHECK(properties["last"].dump() ==
        R"({"description":"The last leaf. Absent where it has none.","$ref":"#/$defs/leaf"})");
  CHECK(properties["state"].dump() == R"({"$ref":"#/$defs/state"})");
  CHECK(properties["old_state"]["description"] == Json("The state of an old one. Absent otherwise."));
  CHECK(properties["rings"].dump() ==
        R"({"description":"Widths of its rings. Absent where it has none.","type":"array",)"
        R"("items":{"$ref":"shared.json#/$defs/count"},"minItems":1})");
  CHECK(made["$defs"]["leaf"]["properties"]["weight"].dump() ==
        R"({"description":"Weight in grams.","$ref":"shared.json#/$defs/number"})");
}

}  // namespace orderlab::described
