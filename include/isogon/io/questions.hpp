#pragma once
#include <filesystem>

#include "isogon/core/analogy_questions.hpp"

namespace isogon {

/// Reads analogy questions in the format of word2vec's questions-words.txt, plain or gzip: a line ": name" begins a
/// category, every other line holds the four words "a b c d" of one question, "a is to b as c is to d", with spaces or
/// tabs between. Blank lines are stepped over; words are any bytes but white space, and keep their case. A name may
/// come twice, and makes two categories.
///
/// Throws InputError naming file and line: a question before the first category, other than four words, a category
/// without a name, no question at all; and as every reader does for files that are missing, empty, no regular files, or
/// damaged as gzip. One pass over the file; memory some 130 bytes a question.
[[nodiscard]] AnalogyQuestions read_questions(const std::filesystem::path& path);

}  // namespace isogon
