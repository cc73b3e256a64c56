#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "comparison.hpp"
#include "input_files.hpp"
#include "session.hpp"

namespace isogon::cli {

/// Coordinates made elsewhere, each text a name and a file: "umap=umap.npy". Throws UsageError for a text of another
/// form, a name that is a contender's, and a file that is there twice under one name; InputError for a file of other
/// than the input's number of points.
[[nodiscard]] std::vector<Elsewhere> read_elsewhere(const std::vector<std::string>& texts,
                                                    const std::vector<Contender>& contenders, const Input& input,
                                                    Session& session);

/// Class numbers of the picked rows: those of the files, or where these hold words, the words' places among all of them
/// in order; the input's own without files. Throws InputError.
[[nodiscard]] std::vector<std::int64_t> read_classes(const std::vector<std::string>& paths, const InputFlags& reading,
                                                     const Input& input);

}  // namespace isogon::cli
