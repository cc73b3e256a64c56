#include "against.hpp"

#include <fmt/format.h>

#include "faithfulness.hpp"
#include "isogon/core/error.hpp"

namespace isogon::cli {

namespace {

void require_same_count(const Fitted& fitted) {
    if (fitted.y.points.count != fitted.x.points.count) {
        throw InputError(fitted.y_file, "",
                         fmt::format("{} points, where {} has {}; --against takes the inputs that were fitted and the "
                                     "coordinates that they got, row by row, and --every and --from pick none of them: "
                                     "if the fit took every K-th row, isogon convert --every K copies those",
                                     fitted.y.points.count, fitted.x_file, fitted.x.points.count));
    }
}

void require_same_dimension(const std::string& file, const Input& fitted, const Input& judged, const std::string& what,
                            const std::string& remedy) {
    if (fitted.points.dimension != judged.points.dimension) {
        throw InputError(file, "",
                         fmt::format("points of {} numbers, where {} have {}; {}", fitted.points.dimension, what,
                                     judged.points.dimension, remedy));
    }
}

}  // namespace

Fitted read_fitted(const std::vector<std::string>& files, const InputFlags& flags, const Input& x, const Input& y,
                   Session& session) {
    InputFlags whole = flags;
    whole.every = InputFlags{}.every;
    whole.from = InputFlags{}.from;
    Fitted fitted{files.front(), files.back(), {}, {}};
    fitted.x = read_input({fitted.x_file}, whole, Finite::Required, session);
    fitted.y = read_input({fitted.y_file}, {}, Finite::Required, session);
    require_same_count(fitted);
    require_same_dimension(fitted.x_file, fitted.x, x, "the inputs",
                           "--against takes the fitted inputs first, which are of the same kind as X");
    require_same_dimension(fitted.y_file, fitted.y, y, "the coordinates",
                           "--against takes the fitted coordinates second, which are of the same dimension as Y");
    return fitted;
}

Json to_json(const CrossScore& score, const Fitted& fitted) {
    Json json = faithfulness_json(score);
    json["points"] = score.points;
    json["threshold"] = score.threshold;
    json["isolated"] = score.isolated;
    json["zero_vectors"] = score.zero_vectors;
    json["against"] = {{"inputs", fitted.x_file}, {"outputs", fitted.y_file}, {"points", score.fitted}};
    return json;
}

std::string described(const CrossScore& score) {
    return faithfulness_text(score) +
           fmt::format("{} points against {} fitted ones, threshold {:.4f}, {} isolated, {} zero vectors\n",
                       score.points, score.fitted, score.threshold, score.isolated, score.zero_vectors);
}

}  // namespace isogon::cli
