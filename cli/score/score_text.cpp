#include "score/score_text.hpp"

#include <fmt/format.h>

namespace isogon::cli {

Json to_json(const Score& score) {
    Json json = faithfulness_json(score);
    json["trustworthiness"] = score.trustworthiness;
    json["continuity"] = score.continuity;
    if (score.knn_accuracy) {
        json["knn_accuracy"] = *score.knn_accuracy;
    }
    json["points"] = score.points;
    json["threshold"] = score.threshold;
    json["sparsity"] = score.sparsity;
    json["isolated"] = score.isolated;
    json["zero_vectors"] = score.zero_vectors;
    json["rank_rows"] = score.rank_rows;
    return json;
}

std::string nearest_text(Search search) {
    switch (search) {
        case Search::Euclidean: return "nearest by distance";
        case Search::InnerProduct: return "nearest by cosine, found by inner product";
        case Search::Cosine: break;
    }
    return "nearest by cosine";
}

std::string described(const Score& score) {
    std::string text = faithfulness_text(score, nearest_text(score.search)) +
                       measure_line("trustworthiness", score.trustworthiness, "no false neighbours: 1") +
                       measure_line("continuity", score.continuity, "no lost neighbours: 1");
    if (score.knn_accuracy) {
        text += measure_line("k-nn accuracy", *score.knn_accuracy, "of labels, each point left out in turn");
    }
    text +=
        fmt::format("{} points, threshold {:.4f} (sparsity {:.4f}), {} isolated, {} zero vectors, ranks over {} rows\n",
                    score.points, score.threshold, score.sparsity, score.isolated, score.zero_vectors, score.rank_rows);
    return text;
}

}  // namespace isogon::cli
