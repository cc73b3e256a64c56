#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "codes/vector_codes.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/io/output.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// An exhaustive index of faiss (Douze and others, "The Faiss library", 2024), as a file that faiss.read_index() reads;
/// faiss itself is not needed to write it. Tested with faiss 1.15; the parts used have had the same bytes since 1.5.
///
/// Ids are the numbers of the rows unless set_ids() gives others. Points, codes, and ids are borrowed until write().
class FaissIndex {
public:
    /// Indexes the points as they are: IndexFlatL2 (euclidean: faiss's distances are squared) or IndexFlatIP
    /// (inner-product). By cosine an IndexFlatIP of points of length 1 behind a NormalizationTransform, so that queries
    /// may have any length; its scores are cosines, and a zero vector has 0 with all. Throws InputError (NaN,
    /// infinity).
    FaissIndex(const PointsView& points, Metric metric);

    /// Indexes codes: an IndexPQ of the same bytes behind a LinearTransform, which rotates. Parts of unequal length are
    /// filled up with zeros, codebooks of fewer than 256 words with their first word.
    ///
    /// euclidean, inner-product: faiss finds what VectorCodes::search() finds, at the same distances (up to rounding).
    /// cosine: faiss has no division by the lengths of decoded vectors, so it ranks by |q / |q| - decoded|^2; codes
    /// were learned to make that small.
    explicit FaissIndex(const VectorCodes& codes);

    /// Puts the linear map of a model of svd or pca first, so that the index takes vectors as they were before embed.
    /// Float32, as all that faiss computes; far from the origin that has fewer digits than `isogon transform`. Throws
    /// InputError for any other archive, and InvalidArgument unless the model maps to dimension().
    void map_first(const Archive& model);

    /// One number for each vector, in their order. Throws InvalidArgument for another count.
    void set_ids(std::span<const std::int64_t> ids);

    /// Writes the file, whole or not at all. Memory of one block of rows. Throws OutputError, Interruption.
    void write(const std::filesystem::path& path, const WriteOptions& options = {},
               const RunContext& context = {}) const;

    /// The dimension of the vectors that the index takes.
    [[nodiscard]] Index dimension() const { return steps_.empty() ? stored_dimension_ : steps_.front().from; }
    [[nodiscard]] Index count() const;

private:
    /// A map that is applied to a vector before it is stored or searched: a matrix and a shift, or division by its
    /// length.
    struct Step {
        Index from = 0;
        Index to = 0;
        std::vector<float> matrix{};  ///< to x from; empty: division by the length
        std::vector<float> shift{};   ///< `to` numbers, or none
    };

    [[nodiscard]] std::string before_vectors() const;
    [[nodiscard]] std::string after_vectors() const;
    [[nodiscard]] static std::string bytes_of(const Step& step);

    Metric metric_;
    Index stored_dimension_ = 0;  ///< dimension of the vectors behind the steps
    std::vector<Step> steps_{};
    PointsView points_{};
    const VectorCodes* codes_ = nullptr;
    std::vector<float> codewords_{};  ///< bytes x 256 x length of a part
    std::span<const std::int64_t> ids_{};
};

}  // namespace isogon
