#include "show/columns.hpp"
#include "show/input_json.hpp"
#include "show/probe.hpp"
#include "show/probe_words.hpp"

namespace orderlab {

namespace {

using study::ProbeFinding;

Json accumulator_json(const ProbedOrder& probed) {
  if (!probed.accumulator) return nullptr;
  const auto bits = [](const std::optional<int>& value) { return value ? Json(*value) : Json(); };
  return {{"narrowest", bits(probed.accumulator->narrowest)},
          {"widest", bits(probed.accumulator->widest)},
          {"flushes", probed.accumulator->flushes}};
}

Json tree_json(const ProbedOrder& probed) {
  if (!probed.tree) return nullptr;
  return {{"terms", probed.tree->term_count()}, {"height", probed.tree->height()}, {"newick", newick_text(probed)}};
}

Json differs_json(const ProbedOrder& probed) {
  if (!probed.differs) return nullptr;
  return {{"i", probed.differs->i},
          {"j", probed.differs->j},
          {"expected", probed.differs->expected},
          {"found", probed.differs->found}};
}

Json setting_json(const ProbedOrder& probed) {
  Json orders = Json::array();
  for (const WrittenOrder& order : probed.orders) orders.push_back(order.text);
  Json clusters = Json::array();
  for (const auto& cluster : probed.clusters) clusters.push_back(Json(cluster));
  Json drawn = Json::array();
  for (const DrawnTree& tree : probed.drawn) drawn.push_back({{"tree", tree.tree}, {"count", tree.count}});
  return {{"n", probed.setting.n},
          {"offset", probed.setting.offset},
          {"threads", probed.setting.threads == 0 ? Json() : Json(probed.setting.threads)},
          {"verdict", name_of(probed.verdict)},
          {"reason", text_or_null(probed.reason)},
          {"orders", orders},
          {"format", to_string(probed.formats)},
          {"accumulator", accumulator_json(probed)},
          {"certified", probed.certified},
          {"replayed", probed.replayed},
          {"changes_input", probed.changes_input},
          {"calls", probed.calls},
          {"compared", probed.compared},
          {"excluded_share", probed.compared == 0 ? Json() : Json(excluded_share(probed.compared))},
          {"tree", tree_json(probed)},
          {"clusters", clusters},
          {"drawn", drawn},
          {"draws", probed.draws},
          {"different_sums", probed.different_sums},
          {"as_expected", probed.as_expected ? Json(*probed.as_expected) : Json()},
          {"differs", differs_json(probed)}};
}

using SettingColumn = ColumnOf<ProbedOrder>;
Value count_of(const std::optional<int>& value) { return value ? Value(static_cast<std::uint64_t>(*value)) : Value(); }
constexpr SettingColumn kSettingColumns[] = {
    {"n", [](const ProbedOrder& probed) { return Value(std::uint64_t{probed.setting.n}); }},
    {"offset", [](const ProbedOrder& probed) { return Value(std::uint64_t{probed.setting.offset}); }},
    {"threads",
     [](const ProbedOrder& probed) {
       return probed.setting.threads == 0 ? Value() : Value(std::uint64_t{probed.setting.threads});
     }},
    {"verdict", [](const ProbedOrder& probed) { return Value(std::string(name_of(probed.verdict))); }},
    {"order", [](const ProbedOrder& probed) { return probed.orders.empty() ? Value() : Value(order_text(probed)); }},
    {"format", [](const ProbedOrder& probed) { return Value(to_string(probed.formats)); }},
    {"narrowest",
     [](const ProbedOrder& probed) { return probed.accumulator ? count_of(probed.accumulator->narrowest) : Value(); }},
    {"widest",
     [](const ProbedOrder& probed) { return probed.accumulator ? count_of(probed.accumulator->widest) : Value(); }},
    {"certified", [](const ProbedOrder& probed) { return Value(std::uint64_t{probed.certified ? 1U : 0U}); }},
    {"replayed", [](const ProbedOrder& probed) { return Value(std::uint64_t{probed.replayed}); }},
    {"calls", [](const ProbedOrder& probed) { return Value(probed.calls); }},
    {"as_expected",
     [](const ProbedOrder& probed) {
       return probed.as_expected ? Value(std::uint64_t{*probed.as_expected ? 1U : 0U}) : Value();
     }},
    {"reason", [](const ProbedOrder& probed) { return probed.reason.empty() ? Value() : Value(probed.reason); }},
    {"newick", [](const ProbedOrder& probed) { return probed.tree ? Value(newick_text(probed)) : Value(); }},
};

}  // namespace

std::string to_json(const ProbeFinding& finding) {
  const ProbedOrder& first = finding.settings.front();
  Json json = json_head("probe");
  json["config"] = {{"box", finding.box.name},
                    {"kind", finding.box.kind},
                    {"axis", finding.box.axis ? Json(*finding.box.axis) : Json()},
                    {"products", finding.box.products},
                    {"format", info(finding.format).name},
                    {"repeats", finding.repeats},
                    {"expect", text_or_null(finding.expected)}};
  if (finding.partial) json["partial"] = true;
  json["verdict"] = name_of(finding.verdict);
  json["order"] = text_or_null(finding.order);
  json["calls"] = finding.calls();
  json["accumulator"] = accumulator_json(first);
  json["tree"] = tree_json(first);
  json["as_expected"] = finding.expected.empty() ? Json() : Json(finding.as_expected());
  Json settings = Json::array();
  for (const ProbedOrder& probed : finding.settings) settings.push_back(setting_json(probed));
  json["settings"] = std::move(settings);
  Json others = Json::array();
  for (const study::OtherSize& other : finding.other_sizes)
    others.push_back({{"n", other.n}, {"holds", other.problem.empty() ? Json(other.holds) : Json()}});
  json["other_sizes"] = std::move(others);
  json["one_thread"] =
      finding.one_thread ? Json{{"n", finding.one_thread->n}, {"holds", finding.one_thread->holds}} : Json();
  return json_document(json);
}

std::string to_csv(const ProbeFinding& finding) { return csv_table<ProbedOrder>(kSettingColumns, finding.settings); }

std::string probe_newick(const ProbeFinding& finding) {
  std::string text;
  for (const ProbedOrder& probed : finding.settings) text += newick_text(probed) + "\n";
  return text;
}

}  // namespace orderlab
