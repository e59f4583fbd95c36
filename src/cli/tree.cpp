// orderlab tree: the explicit summation tree of one order.
#include <memory>

#include "cli/sampling.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/philox.hpp"
#include "report/tree_csv.hpp"
#include "report/tree_report.hpp"

namespace orderlab::cli {

namespace {

constexpr std::uint64_t kTextTerms = 64;
constexpr double kBytesPerTerm = 200;  // nodes, children and their text

struct Options : CommonOptions {
  std::string sample = "0";
  bool dot = false;
  bool newick = false;
};

void refuse_large(std::uint64_t n, bool text) {
  if (text && n > kTextTerms)
    throw Error(ErrorKind::usage, "a tree of " + std::to_string(n) + " terms as text: too large to read (at most " +
                                      std::to_string(kTextTerms) + "); use --dot, --newick, --json FILE or --csv FILE");
  require_memory(kBytesPerTerm * static_cast<double>(n));
}

int run(const Options& options, Session& session) {
  const Order order = options.order.parse()[0];
  const std::uint64_t sample = parse_count("--sample", options.sample, 0, RandomStream::kSampleLimit - 1);
  options.output.colored(session);
  const int shapes = (options.dot ? 1 : 0) + (options.newick ? 1 : 0) + (options.output.json.empty() ? 0 : 1) +
                     (options.output.csv.empty() ? 0 : 1);
  if (shapes > 1) throw Error(ErrorKind::usage, "--dot, --newick, --json and --csv: give one of them");
  OutputTargets targets(options.output, options.input.files());
  parse_threads(options.threads);  // one tree is the work of one thread

  const bool text = shapes == 0 && !options.output.quiet;
  if (!options.input.n.empty()) refuse_large(parse_count("--n", options.input.n, 1), text);  // before the work
  const Input input = load_input(options.input);
  refuse_large(input.report.n, text);
  const TermView terms = input.terms.view();
  const auto evaluator = Evaluator::make(order, terms, input.report.formats, options.input.seed_value());
  const SummationTree tree = evaluator->tree(sample);
  if (options.dot) session.out << tree_dot(tree, terms);
  if (options.newick) session.out << tree_newick(tree) << "\n";
  if (targets.json.wanted()) targets.json.write(session, tree_json(tree, terms).dump(2) + "\n");
  if (targets.csv.wanted()) targets.csv.write(session, tree_csv(tree, terms));
  if (text)
    session.out << order.expression() << ", height " << tree.height() << "\n\n"
                << tree_text(tree, terms, input.report.formats.result);
  return kDone;
}

}  // namespace

extern const Command kTree;
const Command kTree{
    .name = "tree",
    .summary = "the explicit summation tree of an order",
    .example = "orderlab tree --n 40 --order warp --arrival launch --dot | dot -Tsvg > tree.svg",
    .define = [](CLI::App& app) -> std::function<int(Session&)> {
      const auto options = std::make_shared<Options>();
      options->add_to(app, false);
      app.add_option("--sample", options->sample, "number of the drawn order")
          ->type_name("COUNT")
          ->capture_default_str();
      app.add_flag("--dot", options->dot, "for Graphviz");
      app.add_flag("--newick", options->newick, "in Newick format");
      return [options](Session& session) { return run(*options, session); };
    },
};

}  // namespace orderlab::cli
