#pragma once
#include "embed/fit_files.hpp"
#include "files/input_files.hpp"
#include "isogon/methods/landmarks.hpp"
#include "verbs.hpp"

namespace isogon::cli {

/// The request to embed, besides the method.
struct LandmarkRequest {
    const std::vector<std::string>& inputs;
    const std::string& output;
    const InputFlags& reading;
    const FitFlags& fit;
    const std::string& neighbor_graph;
};

/// embed --landmarks: fits some of the points and extends the fit to all, reading and writing block by block.
[[nodiscard]] Outcome embed_landmarks(const LandmarkRequest& request, const Method& method, const OptionValues& options,
                                      const LandmarkOptions& landmarks, Session& session);

}  // namespace isogon::cli
