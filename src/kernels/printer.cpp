/// The printer of kernel expressions: its text parses back to the same kernel.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gpcv/kernel.hpp"
#include "kernels/column_names.hpp"
#include "kernels/families/family.hpp"

namespace gpcv {

class KernelPrinter {
 public:
  /// Without `columns` inputs have numbers.
  KernelPrinter(const Kernel& kernel, int digits, const Columns* columns)
      : kernel_(kernel), digits_(digits), columns_(columns) {}

  std::string node(std::size_t index) {
    const Kernel::Node& node = kernel_.nodes_[index];
    if (node.kind == Kernel::Node::Kind::leaf) return leaf(kernel_.leaves_[static_cast<std::size_t>(node.leaf)]);
    const bool product = node.kind == Kernel::Node::Kind::product;
    std::string text;
    for (int child : node.children) {
      const std::string part = this->node(static_cast<std::size_t>(child));
      const bool is_sum = kernel_.nodes_[static_cast<std::size_t>(child)].kind == Kernel::Node::Kind::sum;
      if (!text.empty()) text += product ? " * " : " + ";
      text += product && is_sum ? "(" + part + ")" : part;
    }
    return text;
  }

 private:
  const Parameter& parameter(int index) const { return kernel_.parameters_[static_cast<std::size_t>(index)]; }

  /// The attributes that must be written so that parsing restores them; a default needs none.
  bool is_written(int index) const {
    const Parameter& p = parameter(index);
    return p.given || p.value != Parameter{}.value || p.bounds || !p.label.empty();
  }

  std::string number(double value) const {
    return digits_ > 0 ? fmt::format("{:.{}g}", value, digits_) : fmt::format("{}", value);
  }

  std::string attributes(const Parameter& p) const {
    std::string text;
    if (p.fixed) text += ":fixed";
    // Bounds of a fixed value that lies outside them have no effect, and could not be read again.
    const bool inside = p.bounds && p.bounds->lower <= p.value && p.value <= p.bounds->upper;
    if (p.bounds && (inside || !p.fixed))
      text += fmt::format(" in [{},{}]", number(p.bounds->lower), number(p.bounds->upper));
    return text;
  }

  std::string value(int index) {
    const Parameter& p = parameter(index);
    if (!p.label.empty() && !labels_.insert(p.label).second) return "@" + p.label;
    return fmt::format("{}{}{}", number(p.value), p.label.empty() ? "" : "@" + p.label, attributes(p));
  }

  std::string lengths(const std::vector<int>& indices) {
    // Attributes that all values share are written once, after the list.
    const std::string shared = attributes(parameter(indices[0]));
    const bool common = std::all_of(indices.begin(), indices.end(), [&](int i) {
      return parameter(i).label.empty() && attributes(parameter(i)) == shared;
    });
    std::string text = "[";
    for (int i : indices) {
      if (text.size() > 1) text += ",";
      text += common ? number(parameter(i).value) : value(i);
    }
    return text + "]" + (common ? shared : "");
  }

  std::string inputs(const Kernel::Leaf& leaf) const {
    if (leaf.names.empty())
      return columns_ == nullptr ? fmt::format("[{}]", fmt::join(leaf.on, ",")) : inputs_in_grammar(leaf.on, *columns_);
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < leaf.on.size(); ++i) {
      parts.push_back(leaf.names[i].empty() ? fmt::format("{}", leaf.on[i]) : name_in_grammar(leaf.names[i]));
    }
    return parts.size() == 1 ? parts[0] : fmt::format("[{}]", fmt::join(parts, ","));
  }

  std::string leaf(const Kernel::Leaf& leaf) {
    std::vector<std::string> arguments;
    auto argument = [&](std::string_view name, int index) {
      if (index >= 0 && is_written(index)) arguments.push_back(fmt::format("{}={}", name, value(index)));
    };
    const bool lengths_written =
        std::any_of(leaf.lengths.begin(), leaf.lengths.end(), [&](int l) { return is_written(l); });
    const bool as_list = leaf.ard && (leaf.lengths.size() > 1 || kernel_.inputs_ > 0);
    if (leaf.ard && !(as_list && lengths_written)) arguments.emplace_back("ard");
    if (!leaf.on.empty()) arguments.push_back("on=" + inputs(leaf));
    if (lengths_written) arguments.push_back("l=" + (as_list ? lengths(leaf.lengths) : value(leaf.lengths[0])));
    argument("p", leaf.period);
    argument("alpha", leaf.shape);
    argument("s2", leaf.variance);
    const std::string name(family_of(leaf.op).name);
    return arguments.empty() ? name : fmt::format("{}({})", name, fmt::join(arguments, ", "));
  }

  const Kernel& kernel_;
  int digits_;
  const Columns* columns_;
  std::set<std::string> labels_;
};

std::string Kernel::to_string(int digits) const {
  return nodes_.empty() ? "" : KernelPrinter(*this, digits, nullptr).node(nodes_.size() - 1);
}

std::string Kernel::to_string(int digits, const Columns& columns) const {
  return nodes_.empty() ? "" : KernelPrinter(*this, digits, &columns).node(nodes_.size() - 1);
}

}  // namespace gpcv
