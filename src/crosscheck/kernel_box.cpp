#include <memory>
#include <string>

#include "core/float_environment.hpp"
#include "crosscheck/case_inputs.hpp"
#include "orderlab/crosscheck.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

class KernelBox : public Box {
 public:
  KernelBox(const Executor& executor, const LaunchShape& shape, const Formats& formats,
            const std::optional<simt::Schedule>& schedule, std::uint64_t seed)
      : executor_(executor), shape_(shape), formats_(formats), schedule_(schedule), seed_(seed) {}

  double sum(const TermView& terms) override {
    const FloatEnvironment environment;
    const KernelJob job{.terms = terms,
                        .shape = shape_,
                        .schedule = schedule_ ? *schedule_ : drawn_schedule(terms.n, 0, seed_, calls_++),
                        .formats = formats_};
    return value_of_bits(formats_.result, executor_.run(job).bits);
  }

 private:
  Executor executor_;
  LaunchShape shape_;
  Formats formats_;
  std::optional<simt::Schedule> schedule_;
  std::uint64_t seed_;
  std::uint64_t calls_ = 0;
};

}  // namespace

BoxMaker kernel_box(const Executor& executor, const LaunchShape& shape, const Formats& formats,
                    const std::optional<simt::Schedule>& schedule, std::uint64_t seed) {
  const std::string name(executor.kernel->name);
  if (executor.kernel->outputs != nullptr)
    throw Error(ErrorKind::usage, name + ": a probe asks for one sum, and this kernel has many outputs");
  if (executor.map || executor.finish)
    throw Error(ErrorKind::unsupported, name + ": a probe asks for sums of its own terms, and this kernel has a " +
                                            (executor.map ? "map" : "finish") +
                                            "; probe it without that, or give it a claim");
  return {name, executor.kernel->products,
          [=](const BoxSetting& setting) -> std::unique_ptr<Box> {
            if (setting.format != formats.terms)
              throw Error(ErrorKind::usage, name + ": terms in " + std::string(info(setting.format).name) +
                                                "; this box takes " + std::string(info(formats.terms).name));
            if (setting.offset != 0 || setting.threads != 0)
              throw Error(ErrorKind::usage,
                          name +
                              ": a kernel's terms start an allocation, and it has no OMP_NUM_THREADS; "
                              "leave out offsets and threads");
            return std::make_unique<KernelBox>(executor, shape, formats, schedule, seed);
          },
          "kernel"};
}

simt::Schedule launch_order() { return {.seed = 1, .sample = 0, .arrival = "launch", .resident = 1, .in_turn = true}; }

}  // namespace orderlab
