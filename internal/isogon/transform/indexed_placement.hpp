#pragma once
#include <cstdint>
#include <memory>

#include "isogon/core/archive.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/ivf_index.hpp"
#include "isogon/transform/new_point_map.hpp"
#include "isogon/transform/placement.hpp"

namespace isogon {

class OutputGraph;
class PlacementIndex;

/// The two indexes of the fitted points: of the inputs by cosine (IvfIndex), and of the directions of the outputs.
class PlacementIndexes {
public:
    /// The fewest fitted points for which a model keeps them: from there on a row placed by them costs a small part of
    /// one placed among all (bench/placement-index).
    static constexpr Index worthwhile = 32768;

    /// Of m fitted inputs (m x D), which must outlive this, and outputs (m x d). O(m^1.5 r) time, the exact
    /// neighbours of 256 rows and the 64 nearest of every output. Throws as IvfIndex, InputError for outputs that are
    /// all zero, Interruption.
    PlacementIndexes(const PointsView& inputs, const PointsView& outputs, const LocalPlacement& local,
                     const RunContext& context);
    /// As save() stored them in a model of these points. Throws InputError, LimitExceeded.
    PlacementIndexes(const PointsView& inputs, const PointsView& outputs, const Archive& model,
                     const RunContext& context);
    ~PlacementIndexes();
    PlacementIndexes(PlacementIndexes&&) noexcept;
    PlacementIndexes& operator=(PlacementIndexes&&) noexcept;
    PlacementIndexes(const PlacementIndexes&) = delete;
    PlacementIndexes& operator=(const PlacementIndexes&) = delete;

    /// Adds arrays to a model: "index." and what IvfIndex::archive_beside_points() has, and those of the outputs.
    void save(Archive& model) const;
    [[nodiscard]] static bool are_in(const Archive& model);

    [[nodiscard]] const IvfIndex& inputs() const { return inputs_; }
    [[nodiscard]] const OutputGraph& outputs() const { return *outputs_; }

    /// Bytes that both take, the inputs not counted.
    [[nodiscard]] static std::uint64_t bytes(Index count, Index input_dimension, Index output_dimension);

private:
    IvfIndex inputs_;
    std::unique_ptr<const OutputGraph> outputs_;
};

/// How rows placed by the indexes compare with the same rows placed among all fitted points.
struct PlacementAgreement {
    Index rows = 0;             ///< that were placed both ways
    double near_found = 0.0;    ///< share of their K nearest fitted inputs that the index found
    double recall = 0.0;        ///< of their nearest fitted inputs, the share among as many nearest outputs: indexed
    double exact_recall = 0.0;  ///< the same of the placement among all
    double median_angle = 0.0;  ///< degrees between both outputs
};

/// The local form of Placement without the pairs above one threshold (w = 0), at a cost that hardly grows with the
/// number of fitted points: a row's K nearest inputs come from an index, and the outputs that it may come too near to
/// from a graph of outputs, searched from those of near inputs. Approximate: near points that the index misses do not
/// attract, outputs that the graph misses do not repel. Rows are independent, as with Placement, and a fitted row gets
/// its stored output.
class IndexedPlacement final : public NewPointMap {
public:
    /// m fitted inputs and outputs must outlive this. Throws InvalidArgument as Placement and for w above 0.
    IndexedPlacement(const PointsView& inputs, const PointsView& outputs, const LocalPlacement& local,
                     const PlacementOptions& options, std::shared_ptr<const PlacementIndexes> indexes,
                     const RunContext& context);

    /// As Placement::place(). A row costs O(sqrt(m) r) for the search of its near inputs, and what it looks at among
    /// the outputs and its Newton steps, which do not depend on m. Memory beside the outputs: 8,192 rows and their
    /// neighbours, and each thread's steps.
    [[nodiscard]] Placed place(const PointsView& rows, const RunContext& context) const;
    /// Places rows both ways. About n m (D + d) multiplications for n rows. Rows that are fitted or zero are left out.
    [[nodiscard]] PlacementAgreement compare(const PointsView& rows, const RunContext& context) const;

    [[nodiscard]] bool is_approximate() const override { return true; }
    void examine(const PointsView& rows, Summary& summary, const RunContext& context) const override;
    [[nodiscard]] Index fitted_count() const override { return inputs_.count; }
    [[nodiscard]] Index input_dimension() const override { return inputs_.dimension; }
    [[nodiscard]] Index output_dimension() const override { return outputs_.dimension; }

private:
    class Descent;

    [[nodiscard]] Points coordinates_of(const PointsView& rows, Summary& summary,
                                        const RunContext& context) const override;
    [[nodiscard]] Index near_count() const;
    void place_group(const PointsView& rows, const std::vector<double>& lengths, std::span<const Index> chosen,
                     const RunContext& context, Placed& placed) const;

    PointsView inputs_;
    PointsView outputs_;
    LocalPlacement local_;
    PlacementOptions options_;
    std::shared_ptr<const PlacementIndexes> indexes_;
    std::shared_ptr<const PlacementIndex> known_;  ///< finds rows that were fitted
};

}  // namespace isogon
