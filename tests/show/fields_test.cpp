// Tables of fields: what JSON, CSV, text and a schema make of one, and JSON read back.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <iterator>
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

struct Garden {
  std::pair<double, std::uint64_t> place = {0, 0};
  std::optional<Leaf> fallen;
  std::array<Leaf, 2> pair;
  std::uint64_t visits = 0;
  bool operator==(const Garden&) const = default;
};

using Place = std::pair<double, std::uint64_t>;
constexpr Field kPlaceFields[] = {value<&Place::first>("first", kinds::kNumber, "Metres to the east"),
                                  value<&Place::second>("second", kinds::kCount, "The row")};
constexpr TableOf<Place> kPlace{{.key = "place", .help = "Where it is.", .fields = kPlaceFields, .form = Form::array}};
constexpr Field kPairFields[] = {element<&Garden::pair, 0>("left", kLeaf, "The left leaf"),
                                 element<&Garden::pair, 1>("right", kLeaf, "The right leaf")};
constexpr TableOf<Garden> kPair{
    {.key = "pair", .title = "Pair", .help = "Two leaves.", .fields = kPairFields, .shared = true}};
constexpr Field kVisits[] = {value<&Garden::visits>("visits", kinds::kCount, "Visits", {.where = Where::both})};
const Table& counters() {
  static const std::vector<Field> all(std::begin(kVisits), std::end(kVisits));
  static const Table table{.key = "counters", .fields = all};
  return table;
}
constexpr Field kGardenFields[] = {part<&Garden::place>("place", kPlace),
                                   part<&Garden::fallen>("fallen", kLeaf, {.null = "where there is none"}),
                                   group("pair", kPair), listed<Garden>(counters)};
constexpr TableOf<Garden> kGarden{{.key = "garden", .title = "Garden", .help = "A garden.", .fields = kGardenFields}};

struct Coin {
  std::string face;
  std::uint64_t cents = 0;
  std::optional<std::uint64_t> year = {};
  bool operator==(const Coin&) const = default;
};
struct Price {
  std::string of;
  double euros = 0;
  bool operator==(const Price&) const = default;
};
struct Purse {
  std::vector<Coin> coins;
  std::vector<Price> prices;
  std::vector<std::vector<std::uint64_t>> rolls;
  std::optional<Coin> lucky;
  bool operator==(const Purse&) const = default;
};
constexpr Field kCoinFields[] = {
    value<&Coin::face>("face", kinds::kText, "What it shows"),
    value<&Coin::cents>("cents", kinds::kCount, "Its value"),
    value<&Coin::year>("year", kinds::kCount, "Year on it", {.absent = "without one"}),
};
constexpr TableOf<Coin> kCoin{
    {.key = "coin", .title = "Coin", .help = "A coin.", .fields = kCoinFields, .form = Form::array}};
constexpr Field kPriceFields[] = {
    value<&Price::of>("of", kinds::kText, "What it is of"),
    value<&Price::euros>("euros", kinds::kNumber, "The price in euros"),
};
constexpr TableOf<Price> kPrice{{.key = "price", .fields = kPriceFields, .form = Form::member}};
constexpr Field kRollFields[] = {itself<std::vector<std::uint64_t>>(kRing, "Values of its coins")};
constexpr TableOf<std::vector<std::uint64_t>> kRoll{{.key = "roll", .fields = kRollFields}};
constexpr Field kPurseFields[] = {
    part<&Purse::coins>("coins", kCoin, "The coins"),
    part<&Purse::prices>("prices", kPrice, "Prices by name"),
    part<&Purse::rolls>("rolls", kRoll, "Rolls of coins"),
    part<&Purse::lucky>("lucky", kCoin, "A coin to keep", {.null = "where there is none"}),
};
constexpr TableOf<Purse> kPurse{{.key = "purse", .title = "Purse", .help = "A purse.", .fields = kPurseFields}};

struct Point {
  double x = 0, y = 0;
  bool operator==(const Point&) const = default;
};
struct Walk {
  std::string name;
  std::optional<Leaf> picked = Leaf{1};
  Point start;
  std::vector<Point> steps;
  double east() const { return start.x; }
  bool operator==(const Walk&) const = default;
};
struct Day {
  Walk walk;
  bool operator==(const Day&) const = default;
};
constexpr Field kPointFields[] = {
    value<&Point::x>("x", kinds::kFraction, "Eastwards"),
    value<&Point::y>("y", kinds::kFraction, "Northwards"),
};
constexpr TableOf<Point> kPoint{
    {.key = "point", .title = "Point", .help = "A point.", .fields = kPointFields, .form = Form::numbers}};
template <auto member>
constexpr Field kColumnFields[] = {itself<member>(kinds::kFraction)};
template <auto member>
constexpr TableOf<Point> kColumn{{.key = "column", .fields = kColumnFields<member>}};
std::vector<std::string_view> trees() { return {"oak", "elm"}; }
constexpr Field kNamedFields[] = {
    value<kThrough<&Day::walk, &Walk::name>>("name", kinds::kText, "Its name", {.words_of = trees}),
};
constexpr TableOf<Day> kNamed{{.key = "named", .title = "Named", .help = "Its name.", .fields = kNamedFields}};
constexpr Field kDayFields[] = {
    merged(kNamed),
    either<kThrough<&Day::walk, &Walk::picked>, kThrough<&Day::walk, &Walk::name>>("picked", kLeaf, kinds::kText,
                                                                                   "What was picked, or the name"),
    part<kThrough<&Day::walk, &Walk::start>>("start", kPoint, "Where it began"),
    part<kThrough<&Day::walk, &Walk::steps>>("x", kColumn<&Point::x>, "Steps eastwards"),
    part<kThrough<&Day::walk, &Walk::steps>>("y", kColumn<&Point::y>, "Steps northwards"),
    value(
        "far", kinds::kTruth, "Whether it went far", [](const Day& d) { return d.walk.steps.size() > 2; },
        [](Day& d, const bool& far) { return far == (d.walk.steps.size() > 2); }),
    value("rest", kinds::kSome, "Breaks", [](const Day&) { return std::optional<std::uint64_t>(); },
          {.null = "where there were none"}),
};
constexpr TableOf<Day> kDay{{.key = "day", .title = "Day", .help = "A day.", .fields = kDayFields}};
constexpr Field kEastFields[] = {value<&Walk::east>("east", kinds::kNumber, "How far east it began")};
constexpr TableOf<Walk> kEast{{.key = "east", .title = "East", .help = "How far.", .fields = kEastFields}};

}  // namespace

TEST_CASE("arrays without names, elements of an array, and fields of a list are read back too") {
  const Garden garden{{1.5, 2}, {}, {{{3}, {4}}}, 5};
  const Json json = to_json(kGarden, garden);
  CHECK(json.dump() == R"({"place":[1.5,2],"fallen":null,"pair":{"left":{"weight":3.0},"right":{"weight":4.0}},)"
                       R"("visits":5})");
  Garden back;
  read(kGarden, Json::parse(json.dump()), back);
  CHECK(back == garden);
  CHECK_THROWS_WITH_AS(read(kGarden, Json::parse(R"({"place": [1]})"), back), "place is [1]", Error);
  CHECK_THROWS_WITH_AS(read(kGarden, Json::parse(R"({"visits": "many"})"), back), "visits is \"many\"", Error);

  const Json made = schema(kGarden);
  CHECK(made["properties"]["place"].dump() ==
        R"({"description":"Where it is.","type":"array","prefixItems":[{"description":"Metres to the east.",)"
        R"("$ref":"shared.json#/$defs/number"},{"description":"The row.","$ref":"shared.json#/$defs/count"}],)"
        R"("items":false,"minItems":2})");
  CHECK(made["properties"]["pair"].dump() == R"({"$ref":"shared.json#/$defs/pair"})");
  CHECK(made["required"].dump() == R"(["place","fallen","pair","visits"])");
}

TEST_CASE("a shared table stands among the definitions of shared.json, unless it does by hand") {
  const Table* const documents[] = {&kGarden};
  Json definitions = Json::object();
  add_shared(definitions, documents);
  CHECK(definitions["pair"]["title"].text() == "Pair");
  CHECK(definitions["leaf"]["title"].text() == "Leaf");
  CHECK(definitions["pair"]["properties"]["left"]["$ref"].text() == "#/$defs/leaf");
  Json by_hand{{"pair", {{"title", "By hand"}}}};
  add_shared(by_hand, documents);
  CHECK(by_hand.dump() == R"({"pair":{"title":"By hand"}})");
}

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
  CHECK(refusal(R"({"first": {"weight": "heavy"}})") == "weight is \"heavy\"");
  CHECK(refusal(R"({"first": {"weight": [1]}})") == "weight is [1]");
  CHECK(refusal(R"({"first": 2})") == "first is 2");
  CHECK(refusal(R"({"leaves": {}})") == "leaves is {}");
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

TEST_CASE("fields of a list are in rows of CSV") {
  std::vector<Garden> gardens(2);
  gardens[0].visits = 5;
  gardens[1].visits = 7;
  CHECK(csv_table(kGarden, gardens) == "visits\n5\n7\n");
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

TEST_CASE("structs become arrays without names, or members of one object, and lists stand in lists") {
  const Purse purse{{{"head", 5}, {"tree", 10, 1999}}, {{"tea", 1.5}, {"cake", 3}}, {{1, 2}, {}}, Coin{"star", 1}};
  const Json json = to_json(kPurse, purse);
  CHECK(json.dump() == R"({"coins":[["head",5],["tree",10,1999]],"prices":{"tea":1.5,"cake":3.0},"rolls":[[1,2],[]],)"
                       R"("lucky":["star",1]})");
  Purse back;
  read(kPurse, Json::parse(json.dump()), back);
  CHECK(back == purse);
  CHECK(to_json(kPurse, Purse{}).dump() == R"({"coins":[],"prices":{},"rolls":[],"lucky":null})");

  const Json made = schema(kPurse);
  const Json& properties = made["properties"];
  CHECK(properties["coins"].dump() == R"({"description":"The coins.","type":"array","items":{"$ref":"#/$defs/coin"}})");
  CHECK(made["$defs"]["coin"]["prefixItems"][2].dump() ==
        R"({"description":"Year on it. Absent without one.","$ref":"shared.json#/$defs/count"})");
  CHECK(made["$defs"]["coin"]["minItems"] == Json(2));
  CHECK(made["$defs"]["coin"]["items"] == Json(false));
  CHECK(properties["prices"].dump() == R"({"description":"Prices by name.","type":"object",)"
                                       R"("additionalProperties":{"$ref":"shared.json#/$defs/number"}})");
  CHECK(properties["rolls"]["items"].dump() == R"({"description":"Values of its coins.","type":"array",)"
                                               R"("items":{"$ref":"shared.json#/$defs/count"}})");
  CHECK(
      properties["lucky"].dump() ==
      R"({"description":"A coin to keep; null where there is none.","anyOf":[{"$ref":"#/$defs/coin"},{"type":"null"}]})");
}

TEST_CASE("what may be left out may also be null") {
  static constexpr Field kFields[] = {
      value("age", kinds::kCount, "Age",
            [](const Plant& p) { return p.alive ? std::optional(p.age > 0 ? Value(p.age) : Value()) : std::nullopt; },
            {.null = "where it is not known", .absent = "for a dead one"}),
      part("last", kLeaf, "The last leaf",
           [](const Plant& p) { return p.alive ? std::make_optional(p.last) : std::nullopt; },
           {.null = "where there is none", .absent = "for a dead one"}),
      part("rings", kRing, "Widths of its rings",
           [](const Plant& p) { return p.alive ? std::optional(p.rings) : std::nullopt; },
           {.absent = "for a dead one"}),
  };
  static constexpr TableOf<Plant> kBare{{.key = "bare", .title = "Bare", .help = "A plant.", .fields = kFields}};
  Plant plant = oak();
  CHECK(to_json(kBare, plant).dump() == R"({"age":300,"last":{"weight":2.0},"rings":[7,9]})");
  plant.age = 0;
  plant.last.reset();
  plant.rings.clear();
  CHECK(to_json(kBare, plant).dump() == R"({"age":null,"last":null,"rings":[]})");
  plant.alive = false;
  CHECK(to_json(kBare, plant).dump() == "{}");
}

TEST_CASE("a part that stands once has the description of its field") {
  static constexpr Field kFields[] = {
      part<&Plant::last>("last", kLeaf, "The last leaf", {.absent = "where it has none"})};
  static constexpr TableOf<Plant> kBare{{.key = "bare", .title = "Bare", .help = "A plant.", .fields = kFields}};
  const Json last = schema(kBare)["properties"]["last"];
  CHECK(last["title"].text() == "Leaf");
  CHECK(last["description"].text() == "The last leaf. Absent where it has none.");
}

TEST_CASE("members of members, lists by columns, numbers, and a value in place of a part") {
  const Day day{{"oak", Leaf{2}, {1, 2}, {{3, 4}, {5, 6}}}};
  const Json json = to_json(kDay, day);
  CHECK(json.dump() == R"({"name":"oak","picked":{"weight":2.0},"start":[1.0,2.0],"x":[3.0,5.0],"y":[4.0,6.0],)"
                       R"("far":false,"rest":null})");
  CHECK(to_json(kEast, day.walk).dump() == R"({"east":1.0})");
  Day back;
  read_whole(kDay, Json::parse(json.dump()), back);
  CHECK(back == day);
  Day bare = day;
  bare.walk.picked.reset();
  CHECK(to_json(kDay, bare)["picked"].text() == "oak");
  back = {};
  back.walk.picked.reset();
  read_whole(kDay, to_json(kDay, bare), back);
  CHECK(back == bare);

  const Json properties = schema(kDay)["properties"];
  CHECK(properties["name"].dump() == R"({"description":"Its name.","enum":["oak","elm"]})");
  CHECK(properties["picked"]["anyOf"][0]["title"].text() == "Leaf");
  CHECK(properties["picked"]["anyOf"][1].dump() == R"({"type":"string"})");
  CHECK(properties["start"].dump() == R"({"description":"Where it began.","type":"array",)"
                                      R"("items":{"type":"number","minimum":0},"minItems":2,"maxItems":2})");
  CHECK(properties["rest"]["description"].text() == "Breaks; null where there were none.");
}

TEST_CASE("what is read whole lacks nothing and has numbers of their kinds") {
  const auto refusal = [](const char* key, const Json& value) -> std::string {
    Json json = to_json(kDay, Day{{"oak", Leaf{2}, {1, 2}, {{3, 4}}}});
    if (value.is_null())
      json.erase(key);
    else
      json[key] = value;
    Day day;
    try {
      read_whole(kDay, json, day);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  CHECK(refusal("rest", {}).empty());  // is computed
  CHECK(refusal("name", {}) == "Day has no name");
  CHECK(refusal("y", {}) == "Day has no y");
  CHECK(refusal("far", true) == "far is true");
  CHECK(refusal("x", Json::array({-1.0})) == "x is -1.0");
  CHECK(refusal("x", 3) == "x is 3");
  CHECK(refusal("start", Json::array({1.0})) == "start has no y");
  CHECK(refusal("start", Json::array({1.0, "inf"})) == "y is \"inf\"");
  CHECK(refusal("picked", 7) == "picked is 7");
  CHECK(refusal("picked", Json{{"height", 1}}) == "picked has no weight");
}

}  // namespace orderlab::described
