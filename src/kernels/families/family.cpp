#include "kernels/families/family.hpp"

#include <array>

#include "gpcv/kernel.hpp"

namespace gpcv {
namespace {

constexpr std::array all{&se_family,       &lp_family, &periodic_family, &matern12_family, &matern32_family,
                         &matern52_family, &rq_family, &linear_family,   &constant_family};

}  // namespace

std::span<const Family* const> families() { return all; }

const Family& family_of(Op op) {
  for (const Family* family : all) {
    if (family->op == op) return *family;
  }
  return constant_family;  // unreachable: every opcode of a base kernel has a family
}

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const Family* family : all) names.emplace_back(family->name);
  return names;
}

std::string_view name_of(Op op) {
  if (op == Op::add) return "+";
  if (op == Op::multiply) return "*";
  return family_of(op).name;
}

}  // namespace gpcv
