/// The command as its tests see it: a folder of files, runs of the program, and what they leave.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/process.hpp"
#include "support/temporary_folder.hpp"

namespace gpcv {

using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

/// A CSV file of numbers with a header.
struct NumberTable {
  std::vector<std::string> names;
  std::map<std::string, std::vector<double>> columns;
  std::size_t rows = 0;

  const std::vector<double>& operator[](const std::string& name) const { return columns.at(name); }
};

inline NumberTable parse_table(const std::string& text) {
  NumberTable table;
  std::istringstream lines(text);
  std::string line, cell;
  std::getline(lines, line);
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) table.names.push_back(cell);
  while (std::getline(lines, line)) {
    std::size_t column = 0;
    for (std::istringstream cells(line); std::getline(cells, cell, ','); ++column) {
      char* end = nullptr;
      const double value = std::strtod(cell.c_str(), &end);
      if (cell.empty() || *end != '\0' || column >= table.names.size()) throw std::runtime_error("row '" + line + "'");
      table.columns[table.names[column]].push_back(value);
    }
    if (column != table.names.size()) throw std::runtime_error("short row '" + line + "'");
    ++table.rows;
  }
  return table;
}

/// What a run's JSON says apart from time and memory, which no two runs share.
inline Json without_measurements(Json json) {
  json.erase("seconds");
  json.erase("peak_rss_bytes");
  return json;
}

/// Standard deviation of the noise in standardised units: √(σ² a + b), times ν/(ν − 2) under the root for Student's t.
inline double calibrated_noise(const Json& json) {
  const Json& scale = json.at("error_scale");
  const Json& degrees = scale.at("degrees");
  const double spread = degrees.is_null() ? 1 : degrees.get<double>() / (degrees.get<double>() - 2);
  return std::sqrt(
      spread * (scale.at("factor").get<double>() * json.at("noise").get<double>() + scale.at("added").get<double>()));
}

class CommandTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    if (!file) ADD_FAILURE() << "there is no file " << name;
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  NumberTable read_table(const std::string& name) const { return parse_table(read(name)); }
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  /// One thread unless the test asks for more: the tables are small, and tests run side by side. One kernel, and the
  /// error of its folds, unless the test names others or asks for the defaults with a first argument "defaults".
  static Arguments command_line(Arguments arguments) {
    static const std::set<std::string> computing{"fit", "predict", "evaluate", "generate"}, training{"fit", "cv"};
    const auto has = [&](const char* option) { return std::count(arguments.begin(), arguments.end(), option) > 0; };
    const bool defaults = !arguments.empty() && arguments[0] == "defaults";
    if (defaults) arguments.erase(arguments.begin());
    const std::string command = arguments.empty() ? "" : arguments[0];
    if (computing.count(command) > 0 && !has("--threads")) {
      arguments.insert(arguments.begin() + 1, {"--threads", "1"});
    }
    if (training.count(command) > 0 && !defaults) {
      if (!has("--kernel") && !has("--warm")) arguments.insert(arguments.begin() + 1, {"--kernel", "se(ard)"});
      if (!has("--assess")) arguments.insert(arguments.begin() + 1, {"--assess", "inner"});
    }
    arguments.insert(arguments.begin(), GPCV_COMMAND);
    return arguments;
  }
  static Finished gpcv(const Arguments& arguments, const ProcessOptions& options = {}) {
    Finished result = Process(command_line(arguments), options).finish(120);
    EXPECT_FALSE(result.timed_out) << described(arguments);
    return result;
  }
  /// Expects exit code 0 and no complaint; gives standard output.
  static std::string succeed(const Arguments& arguments) {
    const Finished result = gpcv(arguments);
    EXPECT_EQ(result.exit_code, 0) << described(arguments) << result.err;
    EXPECT_EQ(result.err, "") << described(arguments);
    return result.out;
  }
  static Json succeed_json(const Arguments& arguments) { return Json::parse(succeed(arguments)); }
  static NumberTable succeed_table(const Arguments& arguments) { return parse_table(succeed(arguments)); }

  /// Expects exit code 2, nothing on standard output and one message that contains every one of `parts`.
  static void refuse(const Arguments& arguments, const std::vector<std::string>& parts, long lines = 1) {
    SCOPED_TRACE(described(arguments));
    const Finished result = gpcv(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, ::testing::StartsWith("gpcv: "));
    EXPECT_THAT(result.err, ::testing::EndsWith("\n"));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), lines) << result.err;
    EXPECT_LT(result.err.size(), 340u) << result.err;
    for (const std::string& part : parts) EXPECT_THAT(result.err, ::testing::HasSubstr(part));
  }

  static std::string described(const Arguments& arguments) {
    std::string text = "gpcv";
    for (const std::string& argument : arguments) text += " " + argument;
    return text + "\n";
  }

  /// x from 0 to 10, y = offset + 3 sin x and noise of standard deviation 0.3, times `unit`.
  static std::string wave(int rows, double unit = 1, double offset = 5) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> noise(0, 0.3);
    std::ostringstream text;
    text.precision(17);
    text << "x,y\n";
    for (int i = 0; i < rows; ++i) {
      const double x = 10.0 * i / (rows - 1);
      text << x << ',' << unit * (offset + 3 * std::sin(x) + noise(random)) << '\n';
    }
    return text.str();
  }
  /// Two inputs of different size that matter, one that does not.
  static std::string surface(int rows) {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::ostringstream text;
    text.precision(17);
    text << "a,b,c,y\n";
    for (int i = 0; i < rows; ++i) {
      const double a = 2 * uniform(random), b = 500 + 100 * uniform(random), c = uniform(random);
      text << a << ',' << b << ',' << c << ',' << std::sin(2 * a) + 0.01 * b + 0.05 * uniform(random) << '\n';
    }
    return text.str();
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace gpcv
