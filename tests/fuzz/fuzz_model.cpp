/// Any bytes are a model or an InputError, and so is a good one after edits. With GPCV_FUZZ_HDF5 set, bytes that begin
/// as a model are also tried with the checksums they ought to have: HDF5 itself does not survive that for long.
#include <cstdlib>

#include "data/tables/row_reader.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/hdf5_edits.hpp"
#include "gpcv/error.hpp"
#include "gpcv/targets.hpp"
#include "support/temporary_folder.hpp"

namespace gpcv {
namespace {

Model small_model() {
  Model model;
  model.columns = {{"t", "u"}, {0, 2}, "y", 1, 3, true};
  model.scaling = {Vector::Constant(2, 0.25), Vector::Ones(2), 0.5, 7.75};
  model.x = Matrix::Random(5, 2);
  model.y = Vector::LinSpaced(5, 2, 3);
  model.weights = Vector::LinSpaced(5, 0, 1);
  model.kernel = Kernel::parse("se(l=[0.375,2], s2=2)").bind(2);
  model.noise = 0.0625;
  model.error_scale = {1.5, 0.1, 4, 2, 0.5, 3};
  model.provenance.settings = {{"seed", "1"}};
  model.provenance.trace_names = {"iteration", "objective"};
  model.provenance.trace = Matrix::Ones(3, 2);
  return model;
}

std::string file_of(const std::vector<Model>& models) {
  const TemporaryFolder folder;
  save(models, folder / "model.h5");
  return fuzz::bytes_of(folder / "model.h5");
}

/// Finds the model's columns in tables with and without its names.
void match(const Columns& columns) {
  for (const char* text : {"t,y,u\n1,2,3\n", "1,2,3\n", "1,2\n", "1\n"}) {
    const fuzz::MemoryFile table(text);
    for (bool with_target : {false, true}) {
      try {
        RowReader(table.path(), columns, with_target);
      } catch (const InputError&) {
      }
    }
  }
}

void load(std::string_view bytes) {
  const fuzz::MemoryFile file(bytes);
  try {
    for (const Model& model : load_models(file.path())) {
      fuzz::require(model.kernel.inputs() == model.x.cols() && model.weights.size() == model.x.rows(),
                    "a model is consistent");
      match(model.columns);
    }
  } catch (const InputError&) {
  }
  try {
    load_model(file.path());
  } catch (const InputError&) {
  }
}

}  // namespace
}  // namespace gpcv

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpcv;
  static const std::string model = file_of({small_model()}), targets = file_of({small_model(), small_model()});
  const std::string_view bytes = fuzz::text_of(data, size);
  load(bytes);
  if (!bytes.starts_with(model.substr(0, 8))) {
    load(fuzz::edited(bytes.find("/targets") == bytes.npos ? model : targets, bytes));
  } else if (std::getenv("GPCV_FUZZ_HDF5") != nullptr) {
    load(fuzz::with_checksums(std::string(bytes)));
  }
  return 0;
}
