#include "far_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <vector>

#include "console/printable.hpp"
#include "gpcv/quantity.hpp"

namespace gpcv::command {

void look_at(FarRows& far, const Dataset& data) {
  far.look_at(data.x, [&](Index i) { return data.reading.table_row(i); });
}

std::string text_of(const FarRows& far) {
  if (far.count() == 0) return "";
  std::vector<Index> rows = far.first_rows();
  for (Index& row : rows) ++row;
  return fmt::format(
      "{} row{} far outside the training rows, the first one in '{}': row{} {}{}, counted from 1; the prediction there "
      "rests on the kernel alone",
      grouped(far.count()), far.count() == 1 ? " lies" : "s lie", printable(far.first_input()),
      far.count() == 1 ? "" : "s", fmt::join(rows, ", "),
      far.count() > static_cast<Index>(rows.size()) ? " and others" : "");
}

void report(const FarRows& far) {
  if (const std::string warning = text_of(far); !warning.empty()) fmt::print(stderr, "gpcv: {}\n", warning);
}

}  // namespace gpcv::command
