#pragma once
// The coordinates that a fit starts from (--start-from).

#include <string>
#include <string_view>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/core/points.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/methods/method.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Coordinates of all or some rows of the input.
class StartFile {
public:
    /// Reads a file of points, or the fitted inputs and coordinates of a model. Throws InputError for one that has
    /// none.
    StartFile(const std::string& path, const Method& method, Session& session);

    /// A row for each point of the input, valid as long as this. Those of a model are of the points with the same
    /// inputs; if both files have words, of the same word; else, of the points in their order. Points without any get
    /// NaN, where the method accepts that. Throws UsageError for a model beside distributed points; InputError for a
    /// word that comes twice, for no match at all, and for points without any where the method needs them.
    [[nodiscard]] PointsView rows_for(const DistributedPoints& x, const InputFacts& facts);

private:
    [[nodiscard]] PointsView matched(const std::vector<std::string_view>& keys,
                                     const std::vector<std::string_view>& keys_of_points, const char* what);
    [[nodiscard]] PointsView in_order(Index points);

    std::string path_;
    const Method& method_;
    Input places_{};
    Points inputs_{};  ///< of a model
    Points rows_{};
};

}  // namespace isogon::cli
