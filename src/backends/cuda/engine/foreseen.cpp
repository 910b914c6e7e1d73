#include "backends/cuda/engine/foreseen.hpp"

#include <algorithm>

#include "backends/cuda/engine/passes.hpp"
#include "backends/cuda/source/layout.hpp"
#include "backends/cuda/source/source.hpp"
#include "backends/cuda/source/specification.hpp"
#include "backends/cuda/space/vector_kernels.hpp"

namespace gpcv::cuda {
namespace {

/// Columns by which a preconditioner grows.
constexpr Index pivots = 64;

/// Whether products of T with these points compute distances by products.
template <class T>
bool by_products(const KernelProgram& program, ConstView x) {
  const ProgramLayout layout = layout_of(program);
  const simd::PreparedProgram<T> prepared(program, x, x, true);
  const auto points = static_cast<std::size_t>(x.rows());
  std::vector<T> packed(static_cast<std::size_t>(layout.coordinates) * points);
  pack_coordinates(layout, prepared.leaves(), true, points, points, packed.data());
  return near_origin(layout, packed.data(), points, points);
}

class Sources {
 public:
  Sources(const KernelProgram& program, ConstView x, int capability)
      : program_(program),
        capability_(capability),
        near_in_double_(by_products<double>(program, x)),
        near_in_single_(by_products<float>(program, x)) {}

  void add(std::string source) {
    if (std::find(sources_.begin(), sources_.end(), source) == sources_.end()) sources_.push_back(std::move(source));
  }
  void add(Task task, bool single, Index columns, int first_theta = 0, int last_theta = 0) {
    Specification asked;
    asked.task = task;
    asked.single = single;
    asked.columns = static_cast<int>(columns);
    asked.by_products = single ? near_in_single_ : near_in_double_;
    asked.first_theta = first_theta;
    asked.last_theta = last_theta;
    add(write_source(program_, specified(program_, asked, capability_)));
  }
  /// The products of so many columns: full passes, and the rest.
  void add_products(bool single, Index columns) {
    const int most = widest(Task::apply, single, 1);
    if (columns >= most) add(Task::apply, single, most);
    if (columns % most > 0) add(Task::apply, single, columns % most);
  }
  /// The products of so many columns, which leave the batch as they converge.
  void add_narrower(bool single, Index columns) {
    const Index most = std::min<Index>(columns, widest(Task::apply, single, 1));
    if (most > 0) add(Task::apply, single, most);
    for (auto width = widths().rbegin(); width != widths().rend(); ++width) {
      if (*width < most) add(Task::apply, single, *width);
    }
  }
  void add_derivatives(bool single, Index columns) {
    for (int first = 0; first < program_.parameters; first += most_thetas) {
      const int last = std::min(first + most_thetas, program_.parameters);
      add(Task::derivatives, single, balanced(columns, widest(Task::derivatives, single, last - first)), first, last);
    }
  }
  std::vector<std::string> take() { return std::move(sources_); }

 private:
  const KernelProgram& program_;
  int capability_;
  bool near_in_double_, near_in_single_;
  std::vector<std::string> sources_;
};

}  // namespace

std::vector<std::string> foreseen_sources(const KernelProgram& program, ConstView x, const ForeseenSystems& systems,
                                          int capability) {
  // The last solve has the model's own weights beside those of the folds.
  const Index folds = systems.folds + 1, all = systems.folds * systems.parameters;
  Sources sources(program, x, capability);
  sources.add(vector_source());
  sources.add_products(false, pivots);
  sources.add_narrower(systems.single, folds);
  sources.add_derivatives(systems.single, systems.folds);
  sources.add_narrower(systems.single, all);
  sources.add_narrower(false, folds);  // residuals that are verified
  sources.add(Task::choose, false, 1);
  sources.add(Task::neighbours, false, 1);
  if (systems.also_double) {
    sources.add_derivatives(false, systems.folds);
    sources.add_narrower(false, all);
  }
  return sources.take();
}

}  // namespace gpcv::cuda
