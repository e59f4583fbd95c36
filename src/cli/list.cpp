// orderlab list: everything that has a name.
#include "cli/command.hpp"
#include "core/text.hpp"
#include "crosscheck/known_kernels.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"
#include "report/table.hpp"

namespace orderlab::cli {

namespace {

Table orders() {
  Table table(
      {{"name", Align::left}, {"expression", Align::left}, {"what it is", Align::left}, {"source", Align::left}});
  for (const NamedOrder& order : named_orders())
    table.add({signature(order.name, order.parameters), default_expression(order), std::string(order.summary),
               std::string(order.source)});
  return table;
}

Table stage_table() {
  Table table({{"name", Align::left},
               {"kind", Align::left},
               {"guarantee", Align::left},
               {"meaning", Align::left},
               {"source", Align::left}});
  for (const Stage* stage : stages())
    table.add({signature(stage->name, stage->parameters), stage->reduces ? "reduce" : "arrange",
               std::string(name_of(stage->guarantee)), std::string(stage->summary), std::string(stage->source)});
  return table;
}

Table arrivals() {
  Table table({{"name", Align::left}, {"stands for", Align::left}, {"meaning", Align::left}, {"source", Align::left}});
  for (const ArrivalModel* model : arrival_models())
    table.add(
        {signature(model->name, model->parameters), "-", std::string(model->summary), std::string(model->source)});
  for (const NamedArrival& named : named_arrivals())
    table.add({std::string(named.name), std::string(named.expression), std::string(named.summary),
               std::string(named.source)});
  return table;
}

Table distribution_table() {
  Table table({{"name", Align::left},
               {"same bits everywhere", Align::left},
               {"meaning", Align::left},
               {"source", Align::left}});
  for (const Distribution* d : distributions())
    table.add({std::string(d->name) + std::string(d->parameters), d->portable ? "yes" : "within one libm",
               std::string(d->summary), std::string(d->source)});
  return table;
}

Table metric_table() {
  Table table({{"name", Align::left}, {"unit", Align::left}, {"meaning", Align::left}, {"source", Align::left}});
  for (const Metric* metric : metrics())
    table.add({std::string(metric->name), std::string(metric->unit), std::string(metric->summary),
               std::string(metric->source)});
  return table;
}

Table kernel_table() {
  constexpr std::size_t kTerms = 1'000'000;  // the grid of a claim depends on how many terms there are
  Table table({{"name", Align::left},
               {"claim for 1e6 terms", Align::left},
               {"formats", Align::left},
               {"runs on", Align::left},
               {"what it is", Align::left},
               {"source", Align::left}});
  for (const KernelInfo* listed : known_kernels()) {
    const KernelInfo& kernel = *listed;
    std::string formats;
    for (const Format format : kernel.formats) formats += (formats.empty() ? "" : ",") + std::string(info(format).name);
    table.add({std::string(kernel.name), kernel.claim(kernel.shapes[0], kTerms), formats,
               kernel.runs == Runs::gpu_only ? "cuda" : "host, cuda", std::string(kernel.summary),
               std::string(kernel.source)});
  }
  return table;
}

struct Listing {
  std::string_view name;
  Table (*table)();
};

constexpr Listing kListings[] = {
    {"orders", orders},        {"stages", stage_table},   {"arrivals", arrivals}, {"distributions", distribution_table},
    {"metrics", metric_table}, {"kernels", kernel_table},
};

constexpr Flag kWhat{.name = "what", .help = "orders, stages, arrivals, distributions, metrics or kernels"};
constexpr std::array kListFlags{&kWhat};

int run_list(const CommandLine& line, Session& session) {
  const std::string& what = line.text(kWhat);
  std::vector<std::string> known;
  for (const Listing& listing : kListings) {
    known.emplace_back(listing.name);
    if (listing.name == what) {
      session.out << listing.table().text();
      return kDone;
    }
  }
  if (what.empty()) {
    std::string all;
    for (const std::string& k : known) all += " " + k;
    throw Error(ErrorKind::usage, "name a list:" + all);
  }
  throw Error(ErrorKind::usage, unknown_name("list", what, known));
}

}  // namespace

extern const Command kList;
const Command kList{
    .name = "list",
    .summary = "all orders, stages, arrivals, distributions, metrics or kernels",
    .example = "orderlab list orders",
    .flags = kListFlags,
    .run = run_list,
};

}  // namespace orderlab::cli
