#include "gpcv/row_stream.hpp"

#include "data/tables/row_reader.hpp"

namespace gpcv {

RowStream::RowStream(const std::filesystem::path& path, const ReadOptions& options)
    : reader_(std::make_unique<RowReader>(path, options)) {}
RowStream::RowStream(const std::filesystem::path& path, const Columns& trained, bool with_target, Header header)
    : reader_(std::make_unique<RowReader>(path, trained, with_target, header)) {}
RowStream::RowStream(const std::filesystem::path& path, const Columns& trained, const LikeOptions& options)
    : reader_(std::make_unique<RowReader>(path, trained, options)) {}
RowStream::~RowStream() = default;
RowStream::RowStream(RowStream&&) noexcept = default;

const Columns& RowStream::columns() const { return reader_->columns(); }
const std::vector<std::string>& RowStream::kept_names() const { return reader_->kept_names(); }
Reading RowStream::reading() const { return reader_->reading(); }

Index RowStream::next(Index most, RowBatch& batch) { return reader_->next(most, batch); }

}  // namespace gpcv
