#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/analogy_questions.hpp"

namespace isogon {

/// Reads names, one per line, unchanged: any text, spaces included; plain or gzip. A blank line is an empty name,
/// except for blank lines at the end of the file, which are ignored. Throws InputError, which names the file: for a
/// line over 64 MiB, for no line at all, and, as every reader, for files that are missing, not regular, or damaged as
/// gzip. One pass; the memory of the names.
[[nodiscard]] std::vector<std::string> read_names(const std::filesystem::path& path);

/// Reads analogy questions in the format of word2vec's questions-words.txt, plain or gzip: a line ": name" begins a
/// category, every other line holds the four words "a b c d" of one question, "a is to b as c is to d", with spaces or
/// tabs between. Blank lines are skipped; words are any bytes but white space, and their case is kept. A name that
/// occurs twice makes two categories.
///
/// Throws InputError naming file and line: a question before the first category, other than four words, a category
/// without a name, no question at all; and as every reader does for files that are missing, empty, no regular files, or
/// damaged as gzip. One pass over the file; memory some 130 bytes a question.
[[nodiscard]] AnalogyQuestions read_questions(const std::filesystem::path& path);

}  // namespace isogon
