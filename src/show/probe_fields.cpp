#include "show/probe_fields.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_names.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/probe.hpp"
#include "show/probe_words.hpp"
#include "show/shared_fields.hpp"
#include "study/probe_options.hpp"

namespace orderlab::described {

namespace {

using study::OneThread;
using study::OtherSize;
using study::ProbeFinding;
namespace k = kinds;

constexpr Kind kWholeNumber{Holds::count, R"({"type": "integer"})", R"({"type": ["integer", "null"]})"};
constexpr Kind kExcludedShare{Holds::number, {}, R"({"type": ["number", "null"], "minimum": 0, "maximum": 1})"};
constexpr Kind kBoxThreads{Holds::count, {}, R"({"type": ["integer", "null"], "minimum": 1})"};
constexpr Kind kBoxRepeats{Holds::count, R"({"type": "integer", "minimum": 2})", {}};

constexpr std::string_view kBoxKinds[] = {"function", "command", "lines", "library", "python", "kernel"};
constexpr std::span<const std::string_view> kSummandWords = names_through<Summands::norm>();
constexpr std::span<const std::string_view> kProbeVerdicts = names_through<ProbeVerdict::not_a_sum>();

constexpr Field kProbeConfigFields[] = {
    value("box", k::kText, "The black box as it was given: a command, FILE:SYMBOL, MODULE:FUNCTION",
          [](const ProbeFinding& f) { return f.box.name; }),
    value(
        "kind", k::kText,
        "What it is: a function of the caller's program, a command, one that answers line by line (lines), a function "
        "of a library or of Python, a kernel",
        [](const ProbeFinding& f) { return f.box.kind; }, {.words = kBoxKinds}),
    value("axis", kWholeNumber, "Axis of a two-dimensional array along which it adds",
          [](const ProbeFinding& f) { return f.box.axis; }, {.null = ": its arrays have one"}),
    value("products", k::kTruth, "Whether the terms are products of two inputs",
          [](const ProbeFinding& f) { return f.box.products; }),
    value(
        "of", k::kText,
        "What it adds of each term: the term, abs (its magnitude), square, or norm (square, with a square root of the "
        "sum)",
        [](const ProbeFinding& f) { return name_of(f.box.summands); }, {.words = kSummandWords}),
    value("weighted", k::kTruth, "Whether it multiplies its terms by weights that were given",
          [](const ProbeFinding& f) { return !f.box.weights.empty(); }),
    value("format", k::kFormat, "Format of the terms", [](const ProbeFinding& f) { return info(f.format).name; }),
    value<&ProbeFinding::repeats>(study::kRepeats, kBoxRepeats),
    value("expect", k::kText, "The order that the box has to have",
          [](const ProbeFinding& f) { return text_or_none(f.expected); }, {.null = "where none was asked for"}),
};
constexpr TableOf<ProbeFinding> kProbeConfig{{.key = "config", .title = "Probe config", .fields = kProbeConfigFields}};

constexpr More kNullIfNoBitIsLost{.null = "where no bit is lost"};
constexpr Field kAccumulatorFields[] = {
    value<&AccumulatorPrecision::narrowest>("narrowest", kWholeNumber,
                                            "Least precision over all places that were tried", kNullIfNoBitIsLost),
    value<&AccumulatorPrecision::widest>("widest", kWholeNumber, "Greatest precision over these places",
                                         kNullIfNoBitIsLost),
    value<&AccumulatorPrecision::flushes>("flushes", k::kTruth, "Whether subnormal terms become zero"),
};
constexpr TableOf<AccumulatorPrecision> kAccumulator{
    {.key = "accumulator",
     .title = "Accumulator",
     .help = "Precision of the additions in bits: the least r for which (2^r, 1, -2^r) loses the 1.",
     .fields = kAccumulatorFields}};

struct ProbedTree {
  const ProbedOrder& probed;
};
std::optional<ProbedTree> tree_of_probe(const ProbedOrder& probed) {
  return probed.tree ? std::optional(ProbedTree{probed}) : std::nullopt;
}
constexpr Field kProbedTreeFields[] = {
    value("terms", k::kSome, "Number of terms", [](const ProbedTree& t) { return t.probed.tree->term_count(); }),
    value("height", k::kCount, "Additions on the longest path from a term to the root",
          [](const ProbedTree& t) { return t.probed.tree->height(); }),
    value("newick", k::kText, "The tree in Newick format; leaf x0 is the first term",
          [](const ProbedTree& t) { return newick_text(t.probed); }),
};
constexpr TableOf<ProbedTree> kProbedTree{
    {.key = "tree", .title = "Probed tree", .help = "A summation tree.", .fields = kProbedTreeFields}};

constexpr Field kDrawnTreeFields[] = {
    value<&DrawnTree::tree>("tree", k::kText, "The tree, such as ((c0+c1)+c2)"),
    value<&DrawnTree::count>("count", k::kSome, "Number of calls that had it"),
};
constexpr TableOf<DrawnTree> kDrawnTree{{.key = "drawn_tree",
                                         .title = "Drawn tree",
                                         .help = "A tree above the clusters and how often it was drawn.",
                                         .fields = kDrawnTreeFields}};

constexpr Field kTermNumberFields[] = {itself<std::size_t>(k::kCount)};
constexpr TableOf<std::size_t> kTermNumber{{.key = "term_number", .fields = kTermNumberFields}};
constexpr Field kProbedClusterFields[] = {
    itself<std::vector<std::size_t>>(kTermNumber, "Numbers of the terms of a cluster, ascending")};
constexpr TableOf<std::vector<std::size_t>> kProbedCluster{{.key = "cluster", .fields = kProbedClusterFields}};

constexpr Field kDifferingPairFields[] = {
    value<&PairThatDiffers::i>("i", k::kCount, "Number of the one term, from 0"),
    value<&PairThatDiffers::j>("j", k::kCount, "Number of the other term"),
    value<&PairThatDiffers::expected>("expected", k::kCount, "Number of terms of that subtree in the expected order"),
    value<&PairThatDiffers::found>(
        "found", k::kCount, "Number of terms of that subtree in the box; 0 where its answer was no number of terms"),
};
constexpr TableOf<PairThatDiffers> kDifferingPair{{.key = "pair",
                                                   .title = "Pair that differs",
                                                   .help = "Two terms, and the smallest subtrees that hold both.",
                                                   .fields = kDifferingPairFields}};

std::optional<std::uint64_t> as_count(const std::optional<bool>& truth) {
  return truth ? std::optional<std::uint64_t>(*truth ? 1 : 0) : std::nullopt;
}

constexpr More kBitsInCsv{.null = "where it was not measured, or no bit is lost", .where = Where::csv};
constexpr Field kProbedSettingFields[] = {
    value("n", k::kSome, "Number of terms", [](const ProbedOrder& p) { return p.setting.n; }, {.where = Where::both}),
    value("offset", k::kCount, "Where the first term lies: elements from a multiple of 4096 bytes",
          [](const ProbedOrder& p) { return p.setting.offset; }, {.where = Where::both}),
    value("threads", kBoxThreads, "OMP_NUM_THREADS of the box",
          [](const ProbedOrder& p) { return p.setting.threads == 0 ? std::nullopt : std::optional(p.setting.threads); },
          {.null = ": as the environment had it", .where = Where::both}),
    value("verdict", k::kText, "What the box is", [](const ProbedOrder& p) { return name_of(p.verdict); },
          {.words = kProbeVerdicts, .where = Where::both}),
    value("reason", k::kText, "Why, or what else is known", [](const ProbedOrder& p) { return text_or_none(p.reason); },
          {.null = "where the verdict says all"}),
    part("orders", kTexts,
         "Orders with the tree and the bits of the box, as --order takes them, the best name first. Of a random box, "
         "those that can give its sums",
         [](const ProbedOrder& p) {
           std::vector<std::string> orders;
           for (const WrittenOrder& order : p.orders) orders.push_back(order.text);
           return orders;
         }),
    value("order", k::kText, "The best name", [](const ProbedOrder& p) { return text_or_none(order_text(p)); },
          {.null = "where there is none", .where = Where::csv}),
    value("format", k::kFormats,
          "Formats in which they, or the tree, have its bits; of its terms and results where no format has the "
          "precision of its additions",
          [](const ProbedOrder& p) { return to_string(p.formats); }, {.where = Where::both}),
    part<&ProbedOrder::accumulator>("accumulator", kAccumulator, "Precision of the additions",
                                    {.null = "where it was not measured"}),
    value(
        "narrowest", kWholeNumber, "Least precision of the additions",
        [](const ProbedOrder& p) { return p.accumulator ? p.accumulator->narrowest : std::nullopt; }, kBitsInCsv),
    value(
        "widest", kWholeNumber, "Greatest precision of the additions",
        [](const ProbedOrder& p) { return p.accumulator ? p.accumulator->widest : std::nullopt; }, kBitsInCsv),
    value<&ProbedOrder::certified>(
        "certified", k::kTruth,
        "Whether the tree is that of an order, proven node by node; else it was revealed pair by pair"),
    value("certified", k::kCount, "1 if the tree is proven node by node, else 0",
          [](const ProbedOrder& p) { return std::uint64_t{p.certified}; }, {.where = Where::csv}),
    value("replayed", k::kCount,
          "Number of random inputs for which the first order, or else the tree with additions of the measured "
          "precision, gives the bits of the box",
          [](const ProbedOrder& p) { return p.replayed; }, {.where = Where::both}),
    value<&ProbedOrder::changes_input>(
        "changes_input", k::kTruth, "Whether the box changed the terms that it was given; every call gets fresh ones"),
    value<&ProbedOrder::calls>("calls", k::kCount, "Number of inputs that the box summed", {.where = Where::both}),
    value<&ProbedOrder::compared>(
        "compared", k::kCount,
        "Number of these whose answers were compared with what the order, the tree or the exact sum gives, and had it; "
        "0 where there is none"),
    value(
        "excluded_share", kExcludedShare,
        "Share of calls with another order that so many compared calls exclude with 95 % confidence, 1 - "
        "0.05^(1/compared)",
        [](const ProbedOrder& p) { return p.compared == 0 ? std::nullopt : std::optional(excluded_share(p.compared)); },
        {.null = "where none was compared"}),
    part("tree", kProbedTree, "The summation tree", [](const ProbedOrder& p) { return tree_of_probe(p); },
         {.null = "where there is none"}),
    part<&ProbedOrder::clusters>("clusters", kProbedCluster,
                                 "Of a random box: terms that every call adds up alike, by their numbers"),
    part<&ProbedOrder::drawn>("drawn", kDrawnTree,
                              "Of a random box: trees above the clusters, the most frequent first"),
    value<&ProbedOrder::draws>("draws", k::kCount, "Number of calls with one input that were told apart by their tree"),
    value<&ProbedOrder::different_sums>("different_sums", k::kCount, "Number of different sums that these calls gave"),
    value<&ProbedOrder::as_expected>("as_expected", k::kTruth, "Whether it has the expected order",
                                     {.null = "where none was asked for"}),
    value("as_expected", k::kCount, "1 if it has the expected order, else 0",
          [](const ProbedOrder& p) { return as_count(p.as_expected); },
          {.null = "where none was asked for", .where = Where::csv}),
    part<&ProbedOrder::differs>("differs", kDifferingPair,
                                "Two terms that the box does not add where the expected order says",
                                {.null = "where there are none"}),
    value("reason", k::kText, "Why, or what else is known", [](const ProbedOrder& p) { return text_or_none(p.reason); },
          {.null = "where the verdict says all", .where = Where::csv}),
    value("newick", k::kText, "The tree in Newick format",
          [](const ProbedOrder& p) { return text_or_none(newick_text(p)); },
          {.null = "where there is none", .where = Where::csv}),
};
constexpr TableOf<ProbedOrder> kProbedSetting{{.key = "setting",
                                               .title = "Probed setting",
                                               .help = "What the box is in one setting.",
                                               .fields = kProbedSettingFields}};

constexpr Field kOtherSizeFields[] = {
    value<&OtherSize::n>("n", k::kSome, "Number of terms"),
    value("holds", k::kTruth, "Whether one of the orders has the bits of the box there",
          [](const OtherSize& o) { return o.problem.empty() ? std::optional(o.holds) : std::nullopt; },
          {.null = "where the box failed"}),
};
constexpr TableOf<OtherSize> kOtherSize{
    {.key = "other_size", .title = "Other size", .help = "Another number of terms.", .fields = kOtherSizeFields}};

constexpr Field kProbedOneThreadFields[] = {
    value<&OneThread::n>("n", k::kSome, "Number of terms"),
    value<&OneThread::holds>("holds", k::kTruth, "Whether the order has the bits of the box there"),
};
constexpr TableOf<OneThread> kProbedOneThread{{.key = "one_thread",
                                               .title = "One thread",
                                               .help = "The order for many terms, added with the most threads.",
                                               .fields = kProbedOneThreadFields}};

constexpr Field kProbeFields[] = {
    head<ProbeFinding>(),
    command<ProbeFinding>(R"("probe")"),
    group("config", kProbeConfig, "What was asked; the settings have the rest"),
    partial<&ProbeFinding::partial>(),
    value("verdict", k::kText, "What the box is, in all settings",
          [](const ProbeFinding& f) { return name_of(f.verdict); }, {.words = kProbeVerdicts}),
    value("order", k::kText, "The order of all settings, as --order takes it",
          [](const ProbeFinding& f) { return text_or_none(f.order); }, {.null = "where there is none"}),
    value("calls", k::kCount, "Number of inputs that the box summed, in all settings",
          [](const ProbeFinding& f) { return f.calls(); }),
    part("accumulator", kAccumulator, "Precision of the additions in the first setting",
         [](const ProbeFinding& f) -> const auto& { return f.settings.front().accumulator; },
         {.null = "where it was not measured"}),
    part("tree", kProbedTree, "The tree of the first setting",
         [](const ProbeFinding& f) { return tree_of_probe(f.settings.front()); }, {.null = "where there is none"}),
    value("as_expected", k::kTruth, "Whether all settings have the expected order",
          [](const ProbeFinding& f) { return f.expected.empty() ? std::nullopt : std::optional(f.as_expected()); },
          {.null = "where none was asked for"}),
    part<&ProbeFinding::settings>(
        "settings", kProbedSetting,
        "The first number of terms, offset and number of threads, then what differs from these in one of them",
        {.list_rule = R"({"minItems": 1})"}),
    part<&ProbeFinding::other_sizes>("other_sizes", kOtherSize,
                                     "Whether the order holds for a few other numbers of terms, by bits of random "
                                     "inputs alone. Empty where sizes were given"),
    part<&ProbeFinding::one_thread>(
        "one_thread", kProbedOneThread,
        "Where several numbers of threads gave one order that adds term after term, one thread did all: whether it did "
        "so of many terms too",
        {.null = "elsewhere"}),
};

}  // namespace

constexpr TableOf<ProbeFinding> kProbeDocument{
    {.key = "probe",
     .title = "Probe",
     .help = "Written by `orderlab probe --json`: in which order does a black box add?",
     .fields = kProbeFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_csv(const study::ProbeFinding& finding) {
  return csv_table(described::kProbedSetting, finding.settings);
}

std::string to_json(const study::ProbeFinding& finding) {
  return json_document(to_json(described::kProbeDocument, finding));
}

std::string probe_newick(const study::ProbeFinding& finding) {
  std::string text;
  for (const ProbedOrder& probed : finding.settings) text += newick_text(probed) + "\n";
  return text;
}

}  // namespace orderlab
