#include "kernels/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "gpcv/error.hpp"

namespace gpcv {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

const Parameter* find_label(const Kernel& kernel, const std::string& label) {
  for (const Parameter& p : kernel.parameters()) {
    if (p.label == label) return &p;
  }
  return nullptr;
}

bool same_tie(const Parameter& a, const Parameter& b) {
  return a.value == b.value && a.fixed == b.fixed && a.bounds == b.bounds && a.role == b.role;
}

}  // namespace

int KernelBuilder::add_parameter(Kernel& kernel, const WrittenValue& written, Role role,
                                 const std::vector<Kernel>& earlier) {
  Parameter parameter;
  parameter.value = written.value;
  parameter.fixed = written.fixed;
  parameter.given = written.has_value;
  parameter.bounds = written.bounds;
  parameter.label = written.label;
  parameter.role = role;

  if (!written.label.empty()) {
    const Parameter* tie = find_label(kernel, written.label);
    for (auto k = earlier.begin(); tie == nullptr && k != earlier.end(); ++k) tie = find_label(*k, written.label);
    if (tie == nullptr && !written.has_value) {
      throw InputError(
          fmt::format("the tie '@{0}' has no value yet: write VALUE@{0} where it appears first", written.label));
    }
    if (tie != nullptr && written.has_value) {
      throw InputError(
          fmt::format("the tie '@{0}' already has the value {1}: write @{0} alone here", written.label, tie->value));
    }
    if (tie != nullptr) {
      if (tie->role != role)
        throw InputError(fmt::format("the tie '@{}' joins different kinds of parameters", written.label));
      parameter = *tie;
      if (const Parameter* here = find_label(kernel, written.label)) {
        return static_cast<int>(here - kernel.parameters_.data());
      }
    }
  }
  kernel.parameters_.push_back(std::move(parameter));
  return static_cast<int>(kernel.parameters_.size()) - 1;
}

Kernel KernelBuilder::leaf(const WrittenLeaf& written, const std::vector<Kernel>& earlier) {
  const Family& family = *written.family;
  Kernel kernel;
  Kernel::Leaf leaf;
  leaf.op = family.op;
  leaf.ard = written.ard || written.lengths.size() > 1;
  for (const WrittenColumn& column : written.on) {
    leaf.on.push_back(column.number);
    leaf.names.push_back(column.name);
  }
  const auto is_number = [](const std::string& name) { return name.empty(); };
  if (std::all_of(leaf.names.begin(), leaf.names.end(), is_number)) leaf.names.clear();
  const bool has_length = family.length == LengthScale::always || (family.length == LengthScale::only_ard && leaf.ard);
  if (has_length) {
    const std::vector<WrittenValue> lengths = written.lengths.empty() ? std::vector<WrittenValue>(1) : written.lengths;
    for (const WrittenValue& l : lengths) {
      leaf.lengths.push_back(add_parameter(kernel, l, Role::length_scale, earlier));
    }
  }
  if (family.period) leaf.period = add_parameter(kernel, written.period, Role::period, earlier);
  if (family.shape) leaf.shape = add_parameter(kernel, written.shape, Role::shape, earlier);
  leaf.variance = add_parameter(kernel, written.variance, Role::variance, earlier);

  kernel.leaves_.push_back(std::move(leaf));
  kernel.nodes_.push_back({Kernel::Node::Kind::leaf, 0, {}});
  finish(kernel);
  return kernel;
}

void KernelBuilder::append(Kernel& a, const Kernel& b) {
  if (a.inputs_ != 0 && b.inputs_ != 0 && a.inputs_ != b.inputs_) {
    throw InputError(fmt::format("kernels of {} and of {} input columns cannot be combined", a.inputs_, b.inputs_));
  }
  a.inputs_ = std::max(a.inputs_, b.inputs_);

  // The parameters of b are appended to those of a; parameters with equal labels become one.
  std::vector<int> moved;
  for (const Parameter& p : b.parameters_) {
    const Parameter* tie = p.label.empty() ? nullptr : find_label(a, p.label);
    if (tie != nullptr && !same_tie(*tie, p)) {
      throw InputError(fmt::format("the tie '@{}' has two different values, bounds or kinds", p.label));
    }
    if (tie != nullptr) {
      moved.push_back(static_cast<int>(tie - a.parameters_.data()));
    } else {
      moved.push_back(static_cast<int>(a.parameters_.size()));
      a.parameters_.push_back(p);
    }
  }
  auto move = [&](int& parameter) {
    if (parameter >= 0) parameter = moved[at(parameter)];
  };
  const int leaf_offset = static_cast<int>(a.leaves_.size());
  const int node_offset = static_cast<int>(a.nodes_.size());
  for (Kernel::Leaf leaf : b.leaves_) {
    for (int& l : leaf.lengths) move(l);
    move(leaf.variance);
    move(leaf.period);
    move(leaf.shape);
    a.leaves_.push_back(std::move(leaf));
  }
  for (Kernel::Node node : b.nodes_) {
    if (node.leaf >= 0) node.leaf += leaf_offset;
    for (int& child : node.children) child += node_offset;
    a.nodes_.push_back(std::move(node));
  }
}

Kernel KernelBuilder::combine(Kernel::Node::Kind kind, std::span<const Kernel> parts) {
  Kernel out = parts.front();
  if (parts.size() == 1) return out;
  Kernel::Node root;
  root.kind = kind;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) append(out, parts[i]);
    // Nested sums and nested products are flattened, so that equal expressions print alike.
    const Kernel::Node& node = out.nodes_.back();
    if (node.kind == kind) {
      root.children.insert(root.children.end(), node.children.begin(), node.children.end());
    } else {
      root.children.push_back(static_cast<int>(out.nodes_.size()) - 1);
    }
  }
  out.nodes_.push_back(std::move(root));
  finish(out);
  return out;
}

void KernelBuilder::finish(Kernel& kernel) {
  // Scales that were not written are assigned again.
  for (Parameter& p : kernel.parameters_) {
    if (p.role == Role::variance && !p.given) p.fixed = false;
  }
  share_out_scales(kernel, static_cast<int>(kernel.nodes_.size()) - 1, true);
  name_parameters(kernel);
}

bool KernelBuilder::has_free_variance(const Kernel& kernel, int index) {
  const Kernel::Node& node = kernel.nodes_[at(index)];
  if (node.kind == Kernel::Node::Kind::leaf) {
    const Parameter& p = kernel.parameters_[at(kernel.leaves_[at(node.leaf)].variance)];
    return p.given && !p.fixed;
  }
  return std::any_of(node.children.begin(), node.children.end(),
                     [&](int child) { return has_free_variance(kernel, child); });
}

/// A product s²·k₁·k₂ needs one scale. Variances that were not written and would be redundant are held at 1.
void KernelBuilder::share_out_scales(Kernel& kernel, int index, bool carries) {
  const Kernel::Node& node = kernel.nodes_[at(index)];
  switch (node.kind) {
    case Kernel::Node::Kind::leaf: {
      const Kernel::Leaf& leaf = kernel.leaves_[at(node.leaf)];
      Parameter& variance = kernel.parameters_[at(leaf.variance)];
      // The length scales of an ARD linear kernel already contain its scale.
      const bool redundant = leaf.op == Op::linear && leaf.ard;
      if ((!carries || redundant) && !variance.given && variance.label.empty()) variance.fixed = true;
      break;
    }
    case Kernel::Node::Kind::sum:
      for (std::size_t i = 0; i < node.children.size(); ++i) {
        share_out_scales(kernel, node.children[i], carries || i > 0);
      }
      break;
    case Kernel::Node::Kind::product: {
      // The factor that carries the scale is one whose variance was written free, else a sum, else the first factor.
      auto carrier = std::find_if(node.children.begin(), node.children.end(),
                                  [&](int child) { return has_free_variance(kernel, child); });
      if (carrier == node.children.end()) {
        carrier = std::find_if(node.children.begin(), node.children.end(),
                               [&](int child) { return kernel.nodes_[at(child)].kind == Kernel::Node::Kind::sum; });
      }
      if (carrier == node.children.end()) carrier = node.children.begin();
      const int carrying = *carrier;
      for (int child : node.children) share_out_scales(kernel, child, carries && child == carrying);
      break;
    }
  }
}

void KernelBuilder::name_parameters(Kernel& kernel) {
  std::map<Op, int> total, seen;
  for (const Kernel::Leaf& leaf : kernel.leaves_) ++total[leaf.op];
  for (Parameter& p : kernel.parameters_) {
    p.name = p.label;
    p.columns.clear();
  }
  for (const Kernel::Leaf& leaf : kernel.leaves_) {
    const Family& family = family_of(leaf.op);
    const int ordinal = ++seen[leaf.op];
    const std::string prefix =
        total[leaf.op] > 1 ? fmt::format("{}{}", family.name, ordinal) : std::string(family.name);
    std::vector<Index> columns = leaf.names.empty() ? leaf.on : std::vector<Index>{};
    if (columns.empty()) {
      columns.resize(static_cast<std::size_t>(kernel.inputs_));
      std::iota(columns.begin(), columns.end(), Index{0});
    }
    auto name = [&](int index, const std::string& suffix, std::vector<Index> acts_on) {
      if (index < 0) return;
      Parameter& p = kernel.parameters_[at(index)];
      if (p.name.empty()) p.name = fmt::format("{}.{}", prefix, suffix);
      for (Index c : acts_on) {
        if (std::find(p.columns.begin(), p.columns.end(), c) == p.columns.end()) p.columns.push_back(c);
      }
    };
    // The l of `periodic` divides sines, not inputs: it has no column and no unit.
    const bool has_unit = leaf.op != Op::periodic;
    const bool one_per_column = leaf.ard && (leaf.lengths.size() > 1 || kernel.inputs_ > 0);
    for (std::size_t i = 0; i < leaf.lengths.size(); ++i) {
      const bool known = one_per_column && i < columns.size();
      const std::vector<Index> own = known ? std::vector<Index>{columns[i]} : columns;
      name(leaf.lengths[i], one_per_column ? fmt::format("l[{}]", known ? columns[i] : static_cast<Index>(i)) : "l",
           has_unit ? own : std::vector<Index>{});
    }
    name(leaf.period, "p", columns);
    name(leaf.shape, "alpha", columns);
    name(leaf.variance, "s2", columns);
  }
}

Kernel KernelBuilder::resolve(const Kernel& kernel, const Columns& columns) {
  const auto has_names = [](const Kernel::Leaf& leaf) { return !leaf.names.empty(); };
  if (std::none_of(kernel.leaves_.begin(), kernel.leaves_.end(), has_names)) return kernel;
  Kernel out = kernel;
  for (Kernel::Leaf& leaf : out.leaves_) {
    if (leaf.names.empty()) continue;
    std::vector<WrittenColumn> written;
    for (std::size_t i = 0; i < leaf.on.size(); ++i) written.push_back({leaf.on[i], leaf.names[i]});
    leaf.on = numbered(written, columns);
    leaf.names.clear();
  }
  name_parameters(out);
  return out;
}

Kernel KernelBuilder::bind(const Kernel& kernel, Index d) {
  if (d < 1) throw InputError("a kernel needs at least one input column");
  if (kernel.inputs_ == d) return kernel;
  if (kernel.inputs_ != 0) {
    throw InputError(fmt::format("the kernel is for {} input columns, the data have {}", kernel.inputs_, d));
  }
  Kernel out = kernel;
  out.inputs_ = d;
  std::vector<Parameter> parameters;
  std::vector<int> moved(kernel.parameters_.size(), -1);
  auto move = [&](int index) {
    if (index < 0) return -1;
    int& to = moved[at(index)];
    if (to < 0) {
      to = static_cast<int>(parameters.size());
      parameters.push_back(kernel.parameters_[at(index)]);
    }
    return to;
  };
  for (Kernel::Leaf& leaf : out.leaves_) {
    if (!leaf.names.empty()) {
      throw InputError(fmt::format("the kernel has inputs by name, on={}, but these data have only numbers: on=[0,2]",
                                   fmt::join(leaf.names, ",")));
    }
    for (Index column : leaf.on) {
      if (column >= d) {
        throw InputError(
            fmt::format("the kernel uses input column {} (on=[…]), but the data have only 0 to {}", column, d - 1));
      }
    }
    const std::size_t columns = leaf.on.empty() ? static_cast<std::size_t>(d) : leaf.on.size();
    if (leaf.ard && leaf.lengths.size() > 1 && leaf.lengths.size() != columns) {
      throw InputError(
          fmt::format("the kernel lists {} length scales for {} input columns", leaf.lengths.size(), columns));
    }
    std::vector<int> lengths;
    if (leaf.ard && leaf.lengths.size() == 1) {
      // Each column gets its own length scale with the start value of the single one.
      for (std::size_t c = 0; c < columns; ++c) {
        lengths.push_back(static_cast<int>(parameters.size()));
        parameters.push_back(kernel.parameters_[at(leaf.lengths[0])]);
      }
    } else {
      for (int l : leaf.lengths) lengths.push_back(move(l));
    }
    leaf.lengths = std::move(lengths);
    leaf.period = move(leaf.period);
    leaf.shape = move(leaf.shape);
    leaf.variance = move(leaf.variance);
  }
  out.parameters_ = std::move(parameters);
  finish(out);
  return out;
}

}  // namespace gpcv
