/// Weights of the rows of a robust training.
#include "gpcv/provenance.hpp"

namespace gpcv {

Vector RowTrust::trusted(Vector values) const {
  for (const DistrustedRow& row : distrusted) values(row.row) = std::numeric_limits<double>::quiet_NaN();
  return values;
}

}  // namespace gpcv
