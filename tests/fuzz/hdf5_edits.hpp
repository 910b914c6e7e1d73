/// Model and checkpoint files that HDF5 finds in order, but whose contents are not what a reader expects.
#pragma once

#include <string>
#include <string_view>

namespace gpcv::fuzz {

/// The file after edits, one per line, with new checksums. A line that cannot be carried out changes nothing.
///
///   remove PATH                        an object, or with "remove OBJECT NAME" an attribute
///   dataset PATH TYPE LENGTH…          of that shape, without values: it takes no room, however large
///   chunked PATH TYPE LENGTH…          the same in compressed chunks
///   fill PATH NUMBER                   every value of a dataset
///   texts PATH TEXT…                   a list of texts
///   link PATH TARGET                   a soft link
///   attribute OBJECT NAME TYPE VALUE   with the rest of the line for a value
///   attributes OBJECT NAME TYPE COUNT  an attribute of many values
///
/// Types are f64, f32, i64, u64, u8, text, fixed (text of eight bytes) and pair (a compound).
std::string edited(const std::string& file, std::string_view edits);

/// The file with the checksums and the length that its bytes have.
std::string with_checksums(std::string file);

}  // namespace gpcv::fuzz
