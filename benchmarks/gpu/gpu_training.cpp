/// Training and prediction within one process, as in a program that links the library: from the table in memory to a
/// mean and a variance of every test row. The result is one JSON line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/threads.hpp"
#include "data/columns/spread.hpp"
#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"
#include "library_settings.hpp"
#include "median.hpp"

namespace gpcv {
namespace {

int run(int argc, char** argv) {
  CLI::App app{"Training and prediction within one process, warmed up by one run that does not count"};
  std::string train, test;
  int repeats = 3;
  FitOptions options;
  ComputeOptions& compute = options.train.compute;
  compute.backend = "cuda";
  compute.threads = available_threads();
  app.add_option("TRAIN", train, "table without header, the target last")->required();
  app.add_option("TEST", test, "rows to predict, with their target")->required();
  app.add_option("--repeats", repeats, "of which the median counts")->check(CLI::PositiveNumber);
  app.add_option("--backend", compute.backend, "cuda, simd or auto");
  app.add_option("--threads", compute.threads, "of the processor");
  CLI11_PARSE(app, argc, argv);
  const ReadOptions last{.target = "-1", .features = {}, .header = Header::no};
  const Dataset data = read_dataset(train, last), unseen = read_dataset(test, last);

  std::vector<double> fitting, predicting;
  Metrics metrics;
  double passes = 0;
  for (int i = 0; i <= repeats; ++i) {
    const Stopwatch fit_watch;
    const FitResult result = fit(data, options);
    const double fit_seconds = fit_watch.seconds();
    const Stopwatch predict_watch;
    const Prediction prediction = Posterior(result.model, compute).predict(unseen.x);
    if (i > 0) {
      fitting.push_back(fit_seconds);
      predicting.push_back(predict_watch.seconds());
    }
    metrics = evaluate(prediction, unseen.y);
    passes = result.training.work.column_passes;
  }
  fmt::print(
      "{{\"task\": \"training\", \"n\": {}, \"tests\": {}, \"train_s\": {:.4g}, \"predict_s\": {:.4g}, "
      "\"rmse_over_std\": {:.6g}, \"coverage95\": {:.4f}, \"column_passes\": {:.4g}}}\n",
      data.rows(), unseen.rows(), median(fitting), median(predicting), metrics.rmse / spread(data.y).deviation,
      metrics.coverage95, passes);
  return 0;
}

}  // namespace
}  // namespace gpcv

int main(int argc, char** argv) {
  gpcv::command::set_library_settings(argv);
  try {
    return gpcv::run(argc, argv);
  } catch (const gpcv::Error& error) {
    fmt::print(stderr, "gpu_training: {}\n", error.what());
    return 2;
  }
}
