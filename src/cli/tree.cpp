// orderlab tree: the explicit summation tree of one order.
#include "show/tree.hpp"

#include "cli/one_order.hpp"
#include "cli/progress.hpp"
#include "core/memory.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/philox.hpp"

namespace orderlab::cli {

namespace {

constexpr double kBytesPerTerm = 200;  // nodes, children and their text

constexpr Flag kSampleNumber{.key = "sample",
                             .kind = FlagKind::count,
                             .value = "COUNT",
                             .fallback = "0",
                             .help = "number of the drawn order",
                             .low = 0,
                             .high = RandomStream::kSampleLimit - 1};
constexpr Flag kDot{.key = "dot", .kind = FlagKind::toggle, .help = "for Graphviz"};
constexpr Flag kNewick{.key = "newick", .kind = FlagKind::toggle, .help = "in Newick format"};
constexpr auto kTreeFlags = joined(kOneOrderFlags, std::array{&kSampleNumber, &kDot, &kNewick});

void refuse_large(std::uint64_t n, bool text) {
  if (text && n > kDrawnTerms)
    throw Error(ErrorKind::usage, "a tree of " + std::to_string(n) + " terms as text: too large to read (at most " +
                                      std::to_string(kDrawnTerms) +
                                      "); use --dot, --newick, --json FILE or --csv FILE");
  require_memory(kBytesPerTerm * static_cast<double>(n));
}

int run_tree(const CommandLine& line, Session& session) {
  const Order order = order_of(line, session.files);
  const std::uint64_t sample = line.count(kSampleNumber);
  colored(line, session);
  int shapes = 0;
  for (const Flag* shape : {&kDot, &kNewick, &kJson, &kCsv}) shapes += line.has(*shape) ? 1 : 0;
  if (shapes > 1) throw Error(ErrorKind::usage, "--dot, --newick, --json and --csv: give one of them");
  OutputTargets targets(line);
  targets.in_place_of_text = true;
  threads_of(line);  // one tree is the work of one thread

  const bool text = shapes == 0 && !line.has(kQuiet);
  if (line.has(kN)) refuse_large(line.count(kN), text);  // before the work
  const study::Input input = load_input(line, watch_of(session, line, "tree"));
  refuse_large(input.facts.n, text);
  const auto evaluator = Evaluator::make(order, input.terms.view(), input.facts.formats, line.count(kSeed));
  const TreeFinding finding{order.expression(), evaluator->tree(sample), input.terms.owned(),
                            input.facts.formats.result};
  if (line.has(kDot))
    session.out << tree_dot(finding.tree, finding.terms.view());
  else if (line.has(kNewick))
    session.out << tree_newick(finding.tree) << "\n";
  else
    write_report(session, line, targets, finding);
  return kDone;
}

}  // namespace

extern const Command kTree;
const Command kTree{
    .name = "tree",
    .summary = "the explicit summation tree of an order",
    .example = "orderlab tree --n 40 --order warp --arrival launch --dot | dot -Tsvg > tree.svg",
    .flags = kTreeFlags,
    .run = run_tree,
};

}  // namespace orderlab::cli
