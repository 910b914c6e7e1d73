/// Any bytes are a table or an InputError of one line, and where the chunks end makes no difference.
#include <algorithm>
#include <cstring>
#include <optional>

#include "data/tables/row_reader.hpp"
#include "fuzz/fuzz.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

void require_one_line(const InputError& error) {
  fuzz::require(std::strchr(error.what(), '\n') == nullptr, "a message is one line");
}

std::optional<Dataset> read(const std::filesystem::path& path, const ReadOptions& options, std::size_t chunk_bytes) {
  csv::ReaderOptions reader;
  reader.chunk_bytes = chunk_bytes;
  try {
    RowReader stream(path, options, reader);
    Dataset data;
    data.columns = stream.columns();
    // Rows and sum stand for the table.
    Matrix x;
    Vector y;
    data.y = Vector::Zero(2);
    while (stream.next(3, x, y) > 0) {
      fuzz::require(x.allFinite() && y.allFinite(), "what is read is finite");
      data.y(0) += static_cast<double>(x.rows());
      data.y(1) += x.sum() + y.sum();
    }
    return data;
  } catch (const InputError& error) {
    require_one_line(error);
    return std::nullopt;
  }
}

void require_same(const std::optional<Dataset>& a, const std::optional<Dataset>& b) {
  fuzz::require(a.has_value() == b.has_value(), "a table is accepted whatever its chunks");
  if (!a) return;
  fuzz::require(a->columns.features == b->columns.features && a->columns.target_index == b->columns.target_index,
                "columns do not depend on chunks");
  // Sums of huge numbers overflow to infinity and NaN: bits are compared, not values.
  fuzz::require(std::memcmp(a->y.data(), b->y.data(), 2 * sizeof(double)) == 0, "values do not depend on chunks");
}

void read_and_standardize(const std::filesystem::path& path, const ReadOptions& options) {
  try {
    const Dataset data = read_dataset(path, options);
    fuzz::require(data.rows() > 0 && data.y.size() == data.rows(), "a table has rows");
    require_trainable(data);
    const Standardization scaling = Standardization::fit(data.x, data.y);
    fuzz::require(scaling.inputs(data.x).allFinite() && scaling.target(data.y).allFinite(),
                  "what can be trained on can be standardised");
  } catch (const InputError& error) {
    require_one_line(error);
  }
}

void read_for_a_model(const std::filesystem::path& path, bool has_header, bool with_target) {
  const Columns trained{{"x", "b"}, {0, 2}, "y", 1, 3, has_header};
  try {
    const Dataset data = read_dataset_like(path, trained, with_target);
    fuzz::require(data.inputs() == 2, "a model gets its inputs");
  } catch (const InputError& error) {
    require_one_line(error);
  }
}

}  // namespace
}  // namespace gpcv

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpcv;
  const fuzz::MemoryFile file(fuzz::text_of(data, size));
  // What the choice of a header changes is small; buffers of the size that files deserve would take most of the time.
  constexpr std::size_t chunk = 4096;
  for (Header header : {Header::yes, Header::no}) read(file.path(), {"0", {}, header}, chunk);
  const ReadOptions options{"-1", {}, Header::automatic};
  const auto whole = read(file.path(), options, chunk);
  // A row is scanned again from its start with every chunk.
  require_same(whole, read(file.path(), options, std::max<std::size_t>(7, size / 64)));
  if (size <= 512) require_same(whole, read(file.path(), options, 1));
  read_and_standardize(file.path(), options);
  read_for_a_model(file.path(), true, false);
  read_for_a_model(file.path(), false, true);
  return 0;
}
