/// Demonstration on the Mauna Loa record: it trains on 1958–2008 and predicts 2009–2015.
#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "command.hpp"
#include "console/live_line.hpp"
#include "console/text.hpp"
#include "gpcv/atomic_file.hpp"
#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/report.hpp"
#include "mauna_loa.hpp"
#include "table_output.hpp"
#include "training_run.hpp"

namespace gpcv::command {
namespace {

namespace fs = std::filesystem;

/// Folds that ask what the demonstration asks: seven years ahead.
constexpr const char* folds = "Date:3:7";
constexpr const char* first_test_year = "2009";
constexpr const char* end_of_test = "2016";

/// Writes the training table and the test table, split by the record's ISO dates.
void write_tables(const fs::path& train, const fs::path& test) {
  std::istringstream record{std::string(mauna_loa_csv)};
  std::string line, header, before, after;
  std::getline(record, header);
  while (std::getline(record, line)) {
    if (line.empty()) continue;
    if (line < first_test_year) {
      before += line + "\n";
    } else if (line < end_of_test) {
      after += line + "\n";
    }
  }
  write_text_atomically(train, header + "\n" + before);
  write_text_atomically(test, header + "\n" + after);
}

void draw_picture(const Posterior& posterior, const Dataset& train, const Dataset& test, const fs::path& path) {
  constexpr Index points = 1200;
  FitChart chart{.title = "CO2 at Mauna Loa: trained on 1958–2008, predicted 2009–2015",
                 .x_label = "year",
                 .y_label = "CO2 (ppm)",
                 .train_x = train.x.col(0),
                 .train_y = train.y,
                 .test_x = test.x.col(0),
                 .test_y = test.y,
                 .x = Vector::LinSpaced(points, train.x.minCoeff(), test.x.maxCoeff()),
                 .mean = {},
                 .lower = {},
                 .upper = {}};
  const Prediction prediction = posterior.predict(chart.x);
  const Vector half = interval_factor(0.95, prediction.degrees) * prediction.variance.cwiseSqrt();
  chart.mean = prediction.mean;
  chart.lower = prediction.mean - half;
  chart.upper = prediction.mean + half;
  write_text_atomically(path, to_svg(chart));
}

int run(const std::string& folder) {
  const fs::path base(folder);
  std::error_code error;
  fs::create_directories(base, error);
  if (error) throw InputError(fmt::format("cannot create the folder '{}': {}", folder, error.message()));
  const fs::path train_csv = base / "co2_train.csv", test_csv = base / "co2_test.csv", model_file = base / "co2.h5",
                 predictions = base / "co2_predictions.csv", picture = base / "co2.svg", page = base / "co2.html";
  write_tables(train_csv, test_csv);
  fmt::print(
      "This demonstration is equivalent to\n  gpcv fit {} --target CO2 --features Date --time {} \\\n    -o {} "
      "--report {}\n"
      "  gpcv predict {} {} -o {}\n\n",
      train_csv.string(), folds, model_file.string(), page.string(), model_file.string(), test_csv.string(),
      predictions.string());

  FitOptions options = FitOptions::automatic();
  options.folds = FoldOptions::parse_time(folds);
  ComputeOptions& compute = options.train.compute;
  compute.threads = available_threads();
  ReadOptions read{.target = "CO2", .features = {"Date"}};
  const Dataset test = read_dataset(test_csv, read);
  options.folds->ask(read);
  const Dataset train = read_dataset(train_csv, read);
  FitResult result = train_with_table(train_csv.string(), train, options, {.rows = true, .live = true});
  save(result.model, model_file);
  fmt::print("{}", fit_footer(result, brief_diagnostics(result.model, compute), model_file.string()));
  write_text_atomically(page, html_report(result.model, diagnostics_of(result.model, compute), result.seconds));

  const Posterior posterior(std::move(result.model), compute);
  const Model& model = posterior.model();
  write_table(predictions.string(), [&](CsvWriter& writer) {
    RowStream rows(test_csv, model.columns, false);
    LiveLine live(false);
    const PredictionTable table(model, posterior, {});
    write_predictions(
        columns_of(table), {}, [&](Index most, RowBatch& batch) { return rows.next(most, batch); }, writer, live);
  });
  draw_picture(posterior, train, test, picture);
  fmt::print(
      "\nScores of 2009–2015, which were not used for training:\n{}\npredictions  {}\npicture      {}\nreport       "
      "{}\n",
      evaluation_text(evaluate(posterior.predict(test.x), test.y), "CO2"), predictions.string(), picture.string(),
      page.string());
  return model.provenance.status == Status::converged ? success : not_converged;
}

}  // namespace

void add_demo(CLI::App& app, int& exit_code) {
  auto folder = std::make_shared<std::string>("demo");
  CLI::App* command = app.add_subcommand("demo", "Train on the Mauna Loa CO2 record and predict 2009 to 2015");
  command->add_option("--folder", *folder, "Folder for tables, model, predictions and picture")->capture_default_str();
  command->callback([folder, &exit_code] { exit_code = run(*folder); });
}

}  // namespace gpcv::command
