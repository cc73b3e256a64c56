#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

struct CodesOptions {
    std::optional<int> bytes{};  ///< bytes of a vector, at most one for each number; empty: 16, or one for each number
    Metric metric =
        Metric::Cosine;      ///< cosine: directions are coded, lengths are not kept; else the vectors themselves
    int rounds = 25;         ///< rounds of fitting codewords and rotation in turn
    std::uint64_t seed = 0;  ///< seed for the sample that is learned from and the first codewords
};

[[nodiscard]] const OptionTable<CodesOptions>& codes_option_table();

/// Vectors of d float32 numbers, each stored in a few bytes: product codes (Jegou, Douze, Schmid, "Product quantization
/// for nearest neighbor search", PAMI 2011) behind a learned rotation (Ge, He, Ke, Sun, "Optimized product
/// quantization", PAMI 2014). A vector, less the mean, is rotated and cut into as many parts as it has bytes, parts of
/// almost equal length; a byte says which of 256 codewords is nearest to the part. Decoding gives vectors of d numbers
/// back.
///
/// Search compares a query as it is with decoded vectors (asymmetric distances). A query needs no code.
class VectorCodes {
public:
    /// Learns rotation and codewords from at most 65,536 of the points and encodes all. Per round and point of the
    /// sample 256 d + 2 d^2 multiplications, and a singular value decomposition of d x d. The first rotation are
    /// principal directions, dealt to the parts so that the products of their variances are alike. Memory bytes(),
    /// stated first. Same bits for any number of threads. Throws InvalidArgument (an option out of bounds, more bytes
    /// than numbers), InputError (NaN, infinity, no points), LimitExceeded, Interruption.
    VectorCodes(const PointsView& points, const CodesOptions& options, const RunContext& context = {});
    /// Reads what archive() made. Throws InputError for other archives, and arrays that do not fit together.
    explicit VectorCodes(const Archive& archive);

    /// Other points by the same rotation and codewords. n (256 d + d^2) multiplications. Throws InvalidArgument for
    /// another dimension, InputError, LimitExceeded.
    [[nodiscard]] VectorCodes encode(const PointsView& points, const RunContext& context = {}) const;
    /// The vectors that the codes stand for, (n x d). O(n d^2) time. Throws LimitExceeded, and InputError where
    /// numbers of a damaged file exceed float32.
    [[nodiscard]] Points decode(const RunContext& context = {}) const;
    /// The k nearest for every query, by the options' metric, among all decoded vectors. Memory of decode(). Throws
    /// InvalidArgument unless 1 <= k <= n and the dimensions agree, InputError (NaN, a distance beyond float32),
    /// LimitExceeded.
    [[nodiscard]] NeighborLists search(const PointsView& queries, Index k, const RunContext& context = {}) const;

    [[nodiscard]] Archive archive() const;

    [[nodiscard]] Index count() const { return static_cast<Index>(codes_.size() / code_bytes()); }
    [[nodiscard]] Index dimension() const { return centroids_.dimension(); }
    /// Bytes of one vector.
    [[nodiscard]] Index code_bytes() const { return static_cast<Index>(*options_.bytes); }
    /// The options as used: bytes is not empty.
    [[nodiscard]] const CodesOptions& options() const { return options_; }
    /// count() x code_bytes(), row by row.
    [[nodiscard]] const std::vector<std::uint8_t>& codes() const { return codes_; }

    /// The vector that was subtracted before the rotation.
    [[nodiscard]] const std::vector<float>& mean() const { return mean_; }
    /// R, d x d, orthogonal: a row vector x becomes (x - mean) R.
    [[nodiscard]] const Points& rotation() const { return rotation_; }
    /// The codewords, at most 256 x d: of each row, columns_of_byte(m) are a codeword of byte m.
    [[nodiscard]] const Points& codewords() const { return centroids_; }
    /// The columns of a rotated vector that byte m stands for; the first may be longer by one.
    [[nodiscard]] Range columns_of_byte(Index m) const;

    /// Bytes that learning takes beside `count` points, the codes included.
    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension, Index code_bytes);

private:
    VectorCodes() = default;

    [[nodiscard]] std::vector<std::uint8_t> codes_of(const PointsView& points, const RunContext& context) const;

    CodesOptions options_{};
    std::vector<float> mean_;
    Points rotation_;   ///< d x d: a row vector is multiplied by it from the right
    Points centroids_;  ///< codewords x d: columns of a part belong to its codebook
    std::vector<std::uint8_t> codes_;
    double unit_ = 1.0;  ///< a power of two, in which products of vectors stay in float32
};

/// The share of the k nearest of some points among all others that a search of the codes finds: what the codes cost. At
/// most 1,000 points are asked for, chosen by the options' seed; a point is not its own neighbour. `points` are those
/// that were coded. Throws as search(), InputError for another number of points.
[[nodiscard]] double recall_of_codes(const VectorCodes& codes, const PointsView& points, Index k,
                                     const RunContext& context = {});

}  // namespace isogon
