/// From a table to predictions with intervals, by the public headers alone.
///
///     train_and_predict TABLE TARGET FOLDER
///
/// Trains on the first nine tenths of the table's rows, predicts the others, and leaves model.h5, predictions.csv and
/// report.html in FOLDER.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "gpcv/atomic_file.hpp"
#include "gpcv/csv_writer.hpp"
#include "gpcv/dataset.hpp"
#include "gpcv/diagnostics.hpp"
#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/model.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/report.hpp"

namespace {

/// The rows first, first + 1, …, last − 1.
gpcv::Dataset rows_between(const gpcv::Dataset& data, gpcv::Index first, gpcv::Index last) {
  std::vector<gpcv::Index> rows(static_cast<std::size_t>(last - first));
  std::iota(rows.begin(), rows.end(), first);
  return data.rows_at(rows);
}

/// Writes mean and central 90 % interval of each row: mean ± z·std with P(|Z| ≤ z) = 0.9.
void write_predictions(const gpcv::Prediction& prediction, const std::filesystem::path& path) {
  const gpcv::Vector half = gpcv::interval_factor(0.9, prediction.degrees) * prediction.variance.cwiseSqrt();
  gpcv::Matrix table(half.size(), 3);
  table << prediction.mean, prediction.mean - half, prediction.mean + half;
  const std::vector<std::string> names{"mean", "lower", "upper"};
  gpcv::write_csv(path, names, table);
}

void run(const std::filesystem::path& table, const std::string& target, const std::filesystem::path& folder) {
  // 1. Read a CSV file: the target and every other column as inputs.
  const gpcv::Dataset data = gpcv::read_dataset(table, {.target = target, .features = {}});
  const gpcv::Index trained = data.rows() * 9 / 10;
  const gpcv::Dataset training = rows_between(data, 0, trained), test = rows_between(data, trained, data.rows());

  // 2. Fit: hyper-parameters that minimise the error of five-fold cross-validation.
  gpcv::FitOptions options;
  options.kernel = gpcv::Kernel::parse("matern52(ard)");
  options.train.restarts = 1;
  options.train.compute.threads = gpcv::available_threads();
  const gpcv::FitResult result = gpcv::fit(training, options);
  const gpcv::Metrics held_out = [&] {
    const gpcv::HeldOutRows rows = gpcv::held_out_rows(result.model);
    return gpcv::evaluate(rows.prediction, rows.y);
  }();
  std::printf("cross-validation: rmse %.4g, 95 %% intervals hold %.0f %% of the held-out rows\n", held_out.rmse,
              100 * held_out.coverage95);

  // 3. Save the model, and load it again as another program would.
  gpcv::save(result.model, folder / "model.h5");
  const gpcv::Model model = gpcv::load_model(folder / "model.h5");

  // 4. Predict rows that were not trained on.
  const gpcv::Posterior posterior(model, options.train.compute);
  const gpcv::Prediction prediction = posterior.predict(test.x);
  write_predictions(prediction, folder / "predictions.csv");
  std::printf("test rows: %ld predicted, rmse %.4g\n", static_cast<long>(test.rows()),
              gpcv::evaluate(prediction, test.y).rmse);

  // 5. Write the report: a page that any browser shows.
  const gpcv::Diagnostics diagnostics = gpcv::diagnostics_of(model, options.train.compute, &test);
  gpcv::write_text_atomically(folder / "report.html", gpcv::html_report(model, diagnostics, result.seconds));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: train_and_predict TABLE TARGET FOLDER\n");
    return 2;
  }
  try {
    run(argv[1], argv[2], argv[3]);
  } catch (const gpcv::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
