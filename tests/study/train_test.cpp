#include "orderlab/study/train.hpp"

#include <doctest/doctest.h>

#include <stop_token>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "show/train.hpp"

using namespace orderlab;
using namespace orderlab::study;

namespace {

TrainingInput small_input() {
  return training_input({.nodes = 80, .classes = 3, .features = 30, .degree = 6, .train_each = 5});
}

TrainRequest small_request() {
  TrainRequest request;
  request.seeds = 5;
  request.orders = 3;
  request.epochs = 3;
  request.model.hidden = 33;
  request.evaluations = 4;
  return request;
}

}  // namespace

TEST_CASE("findings on training do not depend on the number of threads") {
  TrainRequest request = small_request();
  request.threads = 1;
  const std::string one = to_json(*train(small_input(), request));
  for (const int threads : {2, 5}) {
    request.threads = threads;
    CHECK(to_json(*train(small_input(), request)) == one);
  }
}

TEST_CASE("known seeds are not run again, and change nothing") {
  const TrainFinding whole = *train(small_input(), small_request());
  TrainRecords records;
  std::vector<std::uint64_t> made;
  records.known.emplace(2, whole.seeds[1]);
  records.known.emplace(5, seed_record(record_text(whole.seeds[4])));
  records.done = [&](const SeedRecord& record) { made.push_back(record.seed); };
  CHECK(to_json(*train(small_input(), small_request(), records)) == to_json(whole));
  std::sort(made.begin(), made.end());
  CHECK(made == std::vector<std::uint64_t>{1, 3, 4});
}

TEST_CASE("a stop leaves the seeds that are done") {
  std::stop_source stop;
  Watch watch;
  watch.stop = stop.get_token();
  std::string stage;
  watch.begins = [&](const std::string& name) { stage = name; };
  TrainRequest request = small_request();
  request.threads = 1;
  watch.advances = [&](const Progress& progress) {
    constexpr std::uint64_t kOfSeed = 3 * (1 + 3) + 4;  // models, epochs, evaluations
    if (stage == "training, steps" && progress.done == 2 * kOfSeed + 1) stop.request_stop();  // in the third seed
  };
  const auto finding = train(small_input(), request, {}, watch);
  REQUIRE(finding);
  CHECK(finding->partial);
  CHECK(finding->seeds.size() == 2);
  CHECK(!train(small_input(), request, {}, watch));
}

TEST_CASE("a single run trains as the model alone, and has no order to speak of") {
  const TrainingInput input = small_input();
  TrainRequest request = small_request();
  request.seeds = 1;
  request.orders = 1;
  const TrainFinding finding = *train(input, request);
  const GraphSageProblem<float> problem(input.graph, request.model);
  GraphSage<float> model(problem, ProgramRun(1, 0));
  for (std::size_t e = 0; e < 3; ++e) {
    const EpochScores expected = model.epoch();
    CHECK(finding.seeds[0].scores[0][e].loss == expected.loss);
    CHECK(finding.by_epoch[e].loss.components.mean == expected.loss);
    CHECK(finding.by_epoch[e].test_accuracy.components.mean == expected.test_accuracy);
  }
  CHECK(!finding.by_epoch[0].loss.components.order);
  CHECK(!to_text(finding, {}).empty());
}

TEST_CASE("in launch order runs of one seed agree in every bit") {
  TrainRequest request = small_request();
  request.arrival = "launch";
  const TrainFinding finding = *train(small_input(), request);
  for (const TrainEpoch& epoch : finding.by_epoch) {
    CHECK(epoch.weights_differ.max == 0);
    CHECK(epoch.loss.components.order->sd == 0);
  }
  request.arrival = "uniform";
  CHECK(train(small_input(), request)->by_epoch.back().weights_differ.mean > 0);
}

TEST_CASE("a record read back is the record") {
  const TrainFinding finding = *train(small_input(), small_request());
  for (const SeedRecord& record : finding.seeds)
    CHECK(record_text(seed_record(record_text(record))) == record_text(record));
  CHECK(to_csv(finding).find("seed,order,epoch,loss,train_accuracy,validation_accuracy,test_accuracy,weights_differ,"
                             "weight_distance,predictions_differ\n1,0,1,") == 0);
  const SeedRecord small{.seed = 7,
                         .scores = {{{1, 0.5, 0.25, 0.125}, {2, 3, 4, 5}}, {{6, 7, 8, 9}, {10, 11, 12, 13}}},
                         .differences = {{{0.5, 0.25, 0.125}, {1, 2, 3}}},
                         .margins = {{0, 1, 14, 15, 16}, {1, 2, 17, 18, 19}}};
  CHECK(record_text(small) ==  // what stores have
        R"({"seed":7,"loss":[[1.0,2.0],[6.0,10.0]],"train_accuracy":[[0.5,3.0],[7.0,11.0]],)"
        R"("validation_accuracy":[[0.25,4.0],[8.0,12.0]],"test_accuracy":[[0.125,5.0],[9.0,13.0]],)"
        R"("weights_differ":[[0.5,1.0]],"weight_distance":[[0.25,2.0]],"predictions_differ":[[0.125,3.0]],)"
        R"("margins":[[14,15,16],[17,18,19]]})");
  const auto refused = [&](const char* key, const Json& value) {
    Json json = Json::parse(record_text(finding.seeds[0]));
    json[key] = value;
    CHECK_THROWS_AS(seed_record(json.dump()), Error);
    json = Json::parse(record_text(finding.seeds[0]));
    json.erase(key);
    CHECK_THROWS_AS(seed_record(json.dump()), Error);
  };
  const Json one = Json::array({1, 2, 3});
  refused("seed", -1);
  refused("loss", Json::array({one, one}));                   // a run less than the others have
  refused("test_accuracy", Json::array({one, one, {1, 2}}));  // an epoch less
  refused("train_accuracy", Json::array({one, one, {1, 2, "inf"}}));
  refused("weights_differ", Json::array({one}));
  refused("margins", Json::array({one}));
  CHECK_THROWS_AS(seed_record("{}"), Error);
  CHECK_THROWS_AS(seed_record("nonsense"), Error);
}

TEST_CASE("a question about training comes back from its document") {
  TrainFinding generated = training_question(small_input(), small_request());
  TrainFinding given = generated;
  given.input.communities.reset();
  for (const TrainFinding& asked : {generated, given}) {
    const Json json = question_json(asked);
    const TrainFinding back = train_question_from(json);
    CHECK(question_json(back) == json);
    CHECK(json["varies"] == Json(true));
    CHECK(back.input.communities.has_value() == asked.input.communities.has_value());
    for (const Json::Member& member : json["config"].members()) {
      if (member.key == "dense_products") continue;  // what the program has
      Json less = json;
      less["config"].erase(member.key);
      CHECK_THROWS_AS(train_question_from(less), Error);
    }
  }
}

TEST_CASE("margins count every node once") {
  const TrainFinding finding = *train(small_input(), small_request());
  std::uint64_t nodes = 0;
  for (const MarginBin& bin : finding.margins) {
    nodes += bin.nodes;
    CHECK(bin.flips <= bin.nodes * 4);
    CHECK(bin.flipping <= bin.nodes);
  }
  CHECK(nodes == 5 * 80);
}

TEST_CASE("requests that nothing could answer are refused") {
  TrainRequest request = small_request();
  request.orders = 0;
  CHECK_THROWS_AS(validate(request), Error);
  request = small_request();
  request.arrival = "nonsense";
  CHECK_THROWS_AS(validate(request), Error);
}

TEST_CASE("records of other requests are not used") {
  const TrainFinding whole = *train(small_input(), small_request());
  TrainRecords records;
  const auto spoil = [&](auto change) {
    SeedRecord record = whole.seeds[0];
    change(record);
    CHECK(!fits(record, 1, small_request()));
    records.known.clear();
    records.known.emplace(1, record);
    CHECK(to_json(*train(small_input(), small_request(), records)) == to_json(whole));
  };
  spoil([](SeedRecord& r) { r.differences.clear(); });
  spoil([](SeedRecord& r) { r.scores[1].pop_back(); });
  spoil([](SeedRecord& r) { r.scores.clear(); });
  spoil([](SeedRecord& r) { r.seed = 7; });
  spoil([](SeedRecord& r) { r.margins.clear(); });
  CHECK(fits(whole.seeds[0], 1, small_request()));
}

TEST_CASE("what is said fits what was found") {
  TrainRequest request = small_request();
  CHECK(conclusion_of(*train(small_input(), request)).find("5 seeds are too few") == std::string::npos);
  request.seeds = 2;
  CHECK(conclusion_of(*train(small_input(), request)).find("2 seeds are too few") != std::string::npos);
  request.orders = 1;
  request.evaluations = 0;
  CHECK(conclusion_of(*train(small_input(), request)).find("says nothing about order") != std::string::npos);
  request.arrival = "launch";
  request.orders = 3;
  CHECK(conclusion_of(*train(small_input(), request)).find("equal test accuracies") != std::string::npos);
}
