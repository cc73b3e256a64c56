#include "citations.hpp"

#include <array>

namespace isogon::cli {

namespace {

struct Paper {
    std::string_view source;
    std::string_view citation;
};

constexpr std::array papers{
    Paper{"Saul 2022",
          "L. K. Saul, \"A geometrical connection between sparse and low-rank matrices and its application to manifold "
          "learning\", Transactions on Machine Learning Research, 2022."},
    Paper{"Vladymyrov 2013",
          "M. Vladymyrov and M. A. Carreira-Perpinan, \"Locally linear landmarks for large-scale manifold learning\", "
          "ECML 2013."},
    Paper{"Weinberger 2005",
          "K. Q. Weinberger, B. D. Packer and L. K. Saul, \"Nonlinear dimensionality reduction by semidefinite "
          "programming and kernel matrix factorization\", AISTATS 2005."},
    Paper{"Draganov 2023",
          "A. Draganov and S. Dohn, \"Unexplainable Explanations: Towards Interpreting tSNE and UMAP Embeddings\", "
          "2023."},
};

}  // namespace

std::string citation_of(std::string_view source) {
    for (const auto& paper : papers) {
        if (source.starts_with(paper.source)) {
            return std::string(paper.citation);
        }
    }
    return "";
}

}  // namespace isogon::cli
