#include "backends/cuda/source/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "backends/cuda/source/expression.hpp"
#include "backends/cuda/source/kernel_text.hpp"
#include "backends/simd/tiles/coefficients.hpp"

namespace gpcv::cuda {
namespace {

/// A number as a literal of the working precision.
template <class T>
std::string literal(T value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return sizeof(T) == 4 ? text + "f" : text;
}

/// c_0 + c_1 x + … by Horner's rule.
template <class T>
std::string horner(std::span<const T> c, const char* x) {
  std::string text = literal(c.back());
  for (std::size_t k = c.size() - 1; k-- > 0;) text = fmt::format("fma_({}, {}, {})", text, x, literal(c[k]));
  return text;
}

template <class T>
std::string polynomials() {
  using C = simd::Coefficients<T>;
  return fmt::format(fmt::runtime(polynomial_text), fmt::arg("exp2", horner<T>(C::exp2, "f")),
                     fmt::arg("sin_squared_pi", horner<T>(C::sin_squared_pi, "z")),
                     fmt::arg("sin_pi", horner<T>(C::sin_pi, "z")),
                     fmt::arg("rounder", sizeof(T) == 4 ? "12583039.0f" : "6755399441056767.0"),
                     fmt::arg("lowest", sizeof(T) == 4 ? "-127.0f" : "-1023.0"));
}

/// The type of the weights: an array passed with the launch if it fits, otherwise an address.
std::string weights_type(const Specification& s, const ProgramLayout& layout) {
  if (weights_by_address(layout, s.single)) return "const real* Weights";
  return fmt::format("real Weights[{}]", std::max(layout.weights, 1));
}

std::string constants(const Specification& s, const ProgramLayout& layout, const ExpressionText& text) {
  const int size = s.single ? 4 : 8;
  const int numbers = (text.coordinates + (s.tensor ? 0 : s.columns)) * size;
  const int alignment = numbers > 8 ? 16 : (numbers > 4 ? 8 : size);
  return fmt::format(fmt::runtime(constant_text), fmt::arg("real", s.single ? "float" : "double"),
                     fmt::arg("columns", s.columns), fmt::arg("rows", s.rows), fmt::arg("tile", s.tile),
                     fmt::arg("tiles", s.tiles_in_sum), fmt::arg("threads", threads_per_block),
                     fmt::arg("thetas", std::max(s.thetas(), 1)), fmt::arg("unroll", s.unroll),
                     fmt::arg("blocks", s.blocks), fmt::arg("polynomial_rows", s.polynomial_rows),
                     fmt::arg("coordinates", std::max(text.coordinates, 1)),
                     fmt::arg("weights", weights_type(s, layout)), fmt::arg("alignment", alignment));
}

}  // namespace

bool weights_by_address(const ProgramLayout& layout, bool single) {
  constexpr int room = 3072;  // bytes, of the 4 KiB for the arguments of a launch
  return layout.weights * (single ? 4 : 8) > room;
}

std::string write_source(const KernelProgram& program, const Specification& specification) {
  const ProgramLayout layout = layout_of(program);
  const ExpressionText text = write_expression(program, layout, specification);
  std::string out = device_text;
  out += constants(specification, layout, text);
  out += specification.single ? polynomials<float>() : polynomials<double>();
  out += arguments_text;
  out += specification.tensor ? tensor_item_text : item_text;
  out +=
      fmt::format("GPCV_DEVICE void load_row(RowPoint& a, const Arguments& p, long long i) {{\n{}}}\n", text.load_row);
  out += fmt::format("GPCV_DEVICE void load_coordinates(Item& b, const Arguments& p, long long i) {{\n{}}}\n",
                     text.load_item);
  if (wants_values(specification.task)) {
    out += fmt::format(
        "GPCV_DEVICE real value(const RowPoint& a, const Item& b, const Arguments& p, bool polynomial) {{\n{}}}\n",
        text.value);
    out += fmt::format("GPCV_DEVICE real scale_of(const Arguments& p) {{ return {}; }}\n", text.scale);
    out += specification.task == Task::choose       ? choose_text
           : specification.task == Task::neighbours ? neighbours_text
           : specification.task == Task::entries    ? entries_text
           : specification.tensor                   ? tensor_text
                                                    : apply_text;
  } else {
    out += fmt::format(
        "GPCV_DEVICE void gradient(const RowPoint& a, const Item& b, const Arguments& p, real seed, real* g) "
        "{{\n{}}}\n",
        text.gradient);
    out += specification.task == Task::derivatives ? derivatives_text : contract_text;
  }
  out += reduce_text;
  return out;
}

template <class T>
std::vector<std::byte> pack_arguments(const LaunchArguments& arguments, const std::vector<T>& weights) {
  std::vector<std::byte> out(sizeof(LaunchArguments) + std::max<std::size_t>(weights.size(), 1) * sizeof(T));
  std::memcpy(out.data(), &arguments, sizeof(LaunchArguments));
  if (!weights.empty()) {
    std::memcpy(out.data() + sizeof(LaunchArguments), weights.data(), weights.size() * sizeof(T));
  }
  return out;
}

template std::vector<std::byte> pack_arguments(const LaunchArguments&, const std::vector<float>&);
template std::vector<std::byte> pack_arguments(const LaunchArguments&, const std::vector<double>&);
template std::vector<std::byte> pack_arguments(const LaunchArguments&, const std::vector<unsigned long long>&);

}  // namespace gpcv::cuda
