#pragma once
#include <string>
#include <vector>

#include "input_files.hpp"
#include "isogon/quality/cross_score.hpp"
#include "json.hpp"
#include "session.hpp"

namespace isogon::cli {

/// What `score --against F G` judges by: the fitted inputs and their coordinates.
struct Fitted {
    std::string x_file;
    std::string y_file;
    Input x;
    Input y;
};

/// Reads F, as the flags of reading say but whole, for --every and --from pick rows of what is judged; and G. `files`
/// are their two names, `x` and `y` what is judged. Throws InputError for a bad file, and where F, G, x and y do not
/// fit together.
[[nodiscard]] Fitted read_fitted(const std::vector<std::string>& files, const InputFlags& flags, const Input& x,
                                 const Input& y, Session& session);

/// The measures and counts, and "against": {"inputs": F, "outputs": G, "points": n}.
[[nodiscard]] Json to_json(const CrossScore& score, const Fitted& fitted);

[[nodiscard]] std::string described(const CrossScore& score);

}  // namespace isogon::cli
