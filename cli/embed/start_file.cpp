#include "embed/start_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <unordered_map>

#include "isogon/core/error.hpp"
#include "isogon/io/archive_file.hpp"
#include "program/failure.hpp"

namespace isogon::cli {

namespace {

std::vector<std::string_view> bytes_of_rows(const PointsView& x) {
    std::vector<std::string_view> keys(x.count);
    for (Index i = 0; i < x.count; ++i) {
        const auto bytes = std::as_bytes(x[i]);
        keys[i] = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    return keys;
}

std::vector<std::string_view> views_of(const std::vector<std::string>& words) {
    return {words.begin(), words.end()};
}

Points without_places(Index points, Index dimension) {
    Points rows(points, dimension);
    std::ranges::fill(rows.values(), std::numeric_limits<float>::quiet_NaN());
    return rows;
}

}  // namespace

StartFile::StartFile(const std::string& path, const Method& method, Session& session) : path_(path), method_(method) {
    if (!is_archive_file(path)) {
        places_ = read_input({path}, {}, method.accepts_partial_init ? Finite::Any : Finite::Required, session);
        return;
    }
    const Archive model = read_archive_within(path, session);
    if (model.kind != ArchiveKind::Model || !model.has("inputs") || !model.has("coordinates")) {
        throw InputError(path, "", "keeps no fitted inputs and coordinates to start from: give a file of coordinates");
    }
    inputs_ = model.points("inputs");
    const auto coordinates = std::make_shared<Points>(model.points("coordinates"));
    if (inputs_.count() != coordinates->count()) {
        throw InputError(path, "coordinates", "are not of as many points as the inputs");
    }
    places_.points = coordinates->view();
    places_.storage = {coordinates};
}

PointsView StartFile::rows_for(const DistributedPoints& x, const InputFacts& facts) {
    if (!inputs_.empty()) {
        if (x.is_distributed()) {
            throw UsageError("--start-from " + path_ +
                             ": each rank of mpirun has some inputs alone: give a file of coordinates, not a model");
        }
        if (inputs_.dimension() != x.dimension()) {
            throw InputError(
                path_, "inputs",
                fmt::format("are rows of {} numbers, and the input's have {}", inputs_.dimension(), x.dimension()));
        }
        return matched(bytes_of_rows(inputs_.view()), bytes_of_rows(x.local()), "input");
    }
    if (!places_.words.empty() && !facts.words.empty()) {
        return matched(views_of(places_.words), views_of(facts.words), "word");
    }
    return in_order(x.count());
}

PointsView StartFile::matched(const std::vector<std::string_view>& keys,
                              const std::vector<std::string_view>& keys_of_points, const char* what) {
    std::unordered_map<std::string_view, Index> place_of;
    for (Index i = 0; i < keys.size(); ++i) {
        if (!place_of.emplace(keys[i], i).second && inputs_.empty()) {
            throw InputError(path_, fmt::format("row {}", i),
                             fmt::format("has the word of row {}, and points are matched by words: leave one out",
                                         place_of.at(keys[i])));
        }
    }
    rows_ = without_places(static_cast<Index>(keys_of_points.size()), places_.points.dimension);
    std::size_t missing = 0;
    for (Index i = 0; i < rows_.count(); ++i) {
        const auto found = place_of.find(keys_of_points[i]);
        if (found == place_of.end()) {
            ++missing;
        } else {
            std::ranges::copy(places_.points[found->second], rows_[i].begin());
        }
    }
    if (missing == rows_.count()) {
        throw InputError(path_, "", fmt::format("has the {} of none of the points", what));
    }
    if (missing > 0 && !method_.accepts_partial_init) {
        throw InputError(path_, "",
                         fmt::format("has not the {} of {} of the {} points, and {} starts them all: isogon transform "
                                     "gives new points coordinates",
                                     what, missing, rows_.count(), method_.name));
    }
    return rows_.view();
}

/// Another number than that of the points is left to the method, unless it accepts fewer.
PointsView StartFile::in_order(Index points) {
    const PointsView& given = places_.points;
    if (!method_.accepts_partial_init || given.count >= points) {
        return given;
    }
    rows_ = without_places(points, given.dimension);
    for (Index i = 0; i < given.count; ++i) {
        std::ranges::copy(given[i], rows_[i].begin());
    }
    return rows_.view();
}

}  // namespace isogon::cli
