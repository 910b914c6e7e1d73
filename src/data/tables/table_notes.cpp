#include "data/tables/table_notes.hpp"

#include <fmt/format.h>

namespace gpcv::csv {
namespace {

ReadingNote encoding_note(const Table& table) {
  const char* what = table.encoding() == Encoding::utf16   ? "the text is UTF-16; it was"
                     : table.encoding() == Encoding::mixed ? "some bytes are not UTF-8 but Latin-1; they were"
                                                           : "the text is Latin-1; it was";
  return {"encoding", fmt::format("{}: {} converted to UTF-8", table.path().string(), what)};
}

ReadingNote comments_note(Index lines) {
  return {"comments", fmt::format("{} line{} of comments before the table {} skipped", lines, lines == 1 ? "" : "s",
                                  lines == 1 ? "was" : "were")};
}

ReadingNote later_comments_note(const Table& table) {
  const Index lines = table.later_comments();
  const std::string what =
      lines == 1 ? "this line begins with # and was skipped as a comment"
                 : fmt::format("this line and {} more begin with # and were skipped as comments", lines - 1);
  return {"comment-lines", fmt::format("{}: {}", table.first_later_comment(), what)};
}

ReadingNote empty_columns_note(const Table& table) {
  const Index columns = table.empty_columns();
  return {
      "empty-columns",
      fmt::format("{}: the last {} neither a name nor a value and {} left out", table.path().string(),
                  columns == 1 ? "column has" : fmt::format("{} columns have", columns), columns == 1 ? "is" : "are")};
}

}  // namespace

std::vector<ReadingNote> notes_of(const Table& table) {
  std::vector<ReadingNote> notes;
  if (table.encoding() != Encoding::utf8) notes.push_back(encoding_note(table));
  if (table.comments() > 0) notes.push_back(comments_note(table.comments()));
  if (table.later_comments() > 0) notes.push_back(later_comments_note(table));
  if (table.empty_columns() > 0) notes.push_back(empty_columns_note(table));
  return notes;
}

}  // namespace gpcv::csv
