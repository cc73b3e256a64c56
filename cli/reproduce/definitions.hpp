#pragma once

namespace isogon::cli::definitions {

// What the words of several figures mean, as notes of theirs.
inline constexpr const char* deviation =
    "Mean angular deviation: how far angles of outputs are off those of inputs, over pairs of inputs whose cosine is "
    "above the threshold tau, each point's pair with itself counted.";
inline constexpr const char* jaccard =
    "Jaccard index: pairs whose cosine is above the threshold tau among inputs and among outputs, over those that are "
    "in either; 1: "
    "the same pairs. Each point's pair with itself counts.";
inline constexpr const char* contenders =
    "tsm: thresholded similarity matching, the paper's method; svd: the linear projection that keeps most; faithful: "
    "isogon's own.";
inline constexpr const char* analogies =
    "(a, b) c: a is to b as c is to which word? The answer is the word nearest to b - a + c by cosine, these three "
    "left "
    "out.";
inline constexpr const char* llx =
    "LLX, locally linear extension: outputs of points that were not fitted are those that are rebuilt best from their "
    "neighbours' by the weights that rebuild the inputs (eqs. 14 and 15).";
inline constexpr const char* isomap =
    "Isomap: distances are lengths of shortest paths through a graph, here that of the pairs above tau; coordinates "
    "come of the eigenvectors of the Gram matrix that belongs to these distances.";
inline constexpr const char* ways =
    "LLL: the eigenproblem of all points among mixtures of landmarks, each point mixed of its K_Z nearest. LE(Z): that "
    "of the landmarks alone, all others mixed by the same weights Z. LE(Nys.): that of the landmarks alone, all others "
    "by Nystrom's formula.";
inline constexpr const char* lsde =
    "lsde: landmark semidefinite embedding, which pulls points apart as far as distances between neighbours allow, all "
    "of them being mixtures of some landmarks. Share of the trace: an eigenvalue of the outputs' Gram matrix over the "
    "sum of all.";
inline constexpr const char* nearest_label = "1-nn error: the share of digits whose nearest one has another label.";

}  // namespace isogon::cli::definitions
