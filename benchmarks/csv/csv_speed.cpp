/// The speed of read_dataset, compared with `wc -l` and a loop that only parses numbers.
/// Usage: csv_speed [rows [columns [decimals]]]; numbers have all digits of a double unless `decimals` is given.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "core/clock.hpp"
#include "core/memory.hpp"
#include "core/random.hpp"
#include "gpcv/csv_writer.hpp"
#include "gpcv/dataset.hpp"

namespace {

namespace fs = std::filesystem;

void write_table(const fs::path& path, gpcv::Index rows, gpcv::Index columns, double unit) {
  std::ofstream file(path, std::ios::binary);
  gpcv::CsvWriter writer(file, path.string());
  std::vector<std::string> names;
  for (gpcv::Index j = 0; j < columns; ++j) names.push_back(fmt::format("x{}", j));
  writer.header(names);
  gpcv::Random random(1);
  std::vector<double> row(static_cast<std::size_t>(columns));
  for (gpcv::Index i = 0; i < rows; ++i) {
    for (double& value : row) value = std::round(100 * random.normal() * unit) / unit;
    writer.row(row);
  }
  writer.finish();
}

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

/// The sum of numbers with one separator after each, without checks: the minimal work of any reader.
double sum_numbers(const std::string& text) {
  double sum = 0;
  const char* at = text.data() + text.find('\n') + 1;
  const char* const end = text.data() + text.size();
  while (at < end) {
    double value = 0;
    at = std::from_chars(at, end, value).ptr + 1;
    sum += value;
  }
  return sum;
}

/// The best time of several runs, because the machine may be busy with other work.
double best_seconds(const std::function<void()>& work) {
  double best = 1e300;
  for (int run = 0; run < 5; ++run) {
    const gpcv::Stopwatch watch;
    work();
    best = std::min(best, watch.seconds());
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const gpcv::Index rows = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  const gpcv::Index columns = argc > 2 ? std::atol(argv[2]) : 10;
  // Rounding at 10¹⁵ keeps every digit.
  const double unit = std::pow(10, argc > 3 ? std::atoi(argv[3]) : 15);
  std::string folder = (fs::temp_directory_path() / "csv_speed.XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return EXIT_FAILURE;
  const fs::path path = fs::path(folder) / "table.csv";
  const gpcv::Stopwatch writing;
  write_table(path, rows, columns, unit);
  const double write = writing.seconds();
  const double megabytes = static_cast<double>(fs::file_size(path)) / 1e6;
  fmt::print("{} rows × {} columns, {:.1f} MB\n", rows, columns, megabytes);
  const auto report = [&](const char* what, double seconds) {
    fmt::print("{:<14} {:8.3f} s {:8.0f} MB/s\n", what, seconds, megabytes / seconds);
  };
  report("write", write);

  gpcv::ReadOptions options;
  options.target = "-1";
  const double read = best_seconds([&] { gpcv::read_dataset(path, options); });
  const double peak = static_cast<double>(gpcv::peak_memory()) / 1e6;

  const std::string command = "wc -l '" + path.string() + "' > /dev/null";
  bool counted = true;
  const double wc = best_seconds([&] { counted = std::system(command.c_str()) == 0 && counted; });
  const std::string text = contents(path);
  double sum = 0;
  const double bare = best_seconds([&] { sum += sum_numbers(text); });
  fs::remove_all(folder);

  report("wc -l", wc);
  report("bare parser", bare);
  report("read_dataset", read);
  fmt::print("read_dataset / (wc -l + bare parser) = {:.2f}; peak memory {:.0f} MB; checksum {:.6g}\n",
             read / (wc + bare), peak, sum);
  return counted ? EXIT_SUCCESS : EXIT_FAILURE;
}
