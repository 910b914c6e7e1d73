#include <fmt/format.h>

#include <charconv>

#include "command.hpp"
#include "gpcv/csv_writer.hpp"
#include "gpcv/error.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/synthetic.hpp"
#include "table_output.hpp"

namespace gpcv::command {
namespace {

struct Arguments {
  std::string kernel = "se", range = "0:10", inputs = "auto", output;
  SyntheticOptions options;
};

/// Lower and upper bound of a range "A:B".
std::pair<double, double> parse_range(const std::string& text) {
  const char* end = text.data() + text.size();
  double low = 0, high = 0;
  auto [middle, first_error] = std::from_chars(text.data(), end, low);
  if (first_error == std::errc() && middle != end && *middle == ':') {
    auto [last, second_error] = std::from_chars(middle + 1, end, high);
    if (second_error == std::errc() && last == end) return {low, high};
  }
  throw InputError(fmt::format("range '{}': expected two numbers, for example 0:10", text));
}

int run(Arguments a) {
  require_table(a.output);
  std::tie(a.options.lower, a.options.upper) = parse_range(a.range);
  a.options.even = a.inputs == "even" || (a.inputs == "auto" && a.options.dims == 1);
  std::vector<std::string> names;
  for (Index c = 0; c < a.options.dims; ++c) names.push_back(a.options.dims == 1 ? "x" : fmt::format("x{}", c));
  const Kernel kernel = Kernel::parse(a.kernel).resolved({.features = names, .feature_indices = {}, .target = ""});
  const Synthetic data = draw(kernel, a.options);
  if (data.jitter > 0) {
    fmt::print(stderr, "gpcv: a jitter of {:.1e} was added to the diagonal of the covariance\n", data.jitter);
  }
  names.emplace_back("y");
  Matrix table(data.x.rows(), a.options.dims + 1);
  table << data.x, data.y;
  write_table(a.output, [&](CsvWriter& writer) {
    writer.header(names);
    writer.rows(table);
    writer.finish();
  });
  return success;
}

}  // namespace

void add_generate(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  a->options.threads = available_threads();
  CLI::App* command = app.add_subcommand("generate", "Draw a data set from a Gaussian process");
  command->footer(
      "\nExample:\n  gpcv generate --kernel 'se(l=0.5)' --noise 0.1 --n 500 --range 0:10 --seed 1 -o draw.csv");
  command->add_option("--kernel", a->kernel, "Covariance function to draw from")->required();
  command->add_option("--noise", a->options.noise, "Variance of the Gaussian noise")->capture_default_str();
  command->add_option("--n", a->options.n, "Number of rows")->check(whole_number(1))->capture_default_str();
  command->add_option("--range", a->range, "Range A:B of the inputs")->capture_default_str();
  command->add_option("--dims", a->options.dims, "Number of input columns")
      ->check(whole_number(1))
      ->capture_default_str();
  command->add_option("--inputs", a->inputs, "Inputs: even, random, or auto (even for one column, otherwise random)")
      ->check(CLI::IsMember({"auto", "even", "random"}))
      ->capture_default_str();
  add_seed_option(*command, a->options.seed, "Seed of all random numbers");
  command->add_option("--threads", a->options.threads, "Number of threads (default: all that the process may use)")
      ->check(whole_number(1));
  command
      ->add_option("-o,--output", a->output,
                   "CSV file to write, or - for standard output: inputs x (x0, x1, ...), target y")
      ->required();
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace gpcv::command
