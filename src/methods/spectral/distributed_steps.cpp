#include "methods/spectral/distributed_steps.hpp"

#include <algorithm>

#include "isogon/core/error.hpp"
#include "methods/input_points.hpp"

namespace isogon {

namespace {

std::string extension_name(LandmarkExtension extension) {
    LandmarkOptions options;
    options.extension = extension;
    return to_text(landmark_option_table().values(options).at("extension"));
}

}  // namespace

void refuse_over_ranks(const char* option, const std::string& value, const std::string& instead) {
    throw InvalidArgument(option, value,
                          "is not there over ranks of mpirun; take " + instead + ", or start it without mpirun");
}

void require_divisible(const PointsView& x, const OptionValues& options, ComponentPolicy policy,
                       const LandmarkOptions* landmarks, const SpectralRanks* ranks) {
    if (ranks == nullptr) {
        return;
    }
    if (policy != ComponentPolicy::Error) {
        refuse_over_ranks("components", std::string(name(policy)), "error and more neighbors");
    }
    if (landmarks != nullptr && landmarks->extension != LandmarkExtension::Auto &&
        landmarks->extension != LandmarkExtension::Lll) {
        refuse_over_ranks("extension", extension_name(landmarks->extension), "lll");
    }
    require_same_on_all_ranks(ranks->group().of_all(x), options);
}

Range own_rows(Index count, const SpectralRanks* ranks) {
    return ranks == nullptr ? Range{0, count} : ranks->group().own_part(count);
}

PointsView local_points(const PointsView& points, const SpectralRanks* ranks) {
    const Range own = own_rows(points.count, ranks);
    return {points.data + own.begin * points.stride, static_cast<Index>(own.size()), points.dimension, points.stride};
}

void run_step(const SpectralRanks* ranks, const std::function<void()>& body) {
    if (ranks == nullptr) {
        body();
    } else {
        ranks->together(body);
    }
}

Points whole_points(const Points& own, Index count, const RankGroup& ranks) {
    Points all(count, own.dimension());
    const Range rows = ranks.own_part(count);
    std::copy(own.values().begin(), own.values().end(),
              all.values().begin() + static_cast<std::ptrdiff_t>(rows.begin * own.dimension()));
    ranks.all_gather_parts(count, own.dimension() * sizeof(float), std::as_writable_bytes(all.values()));
    return all;
}

}  // namespace isogon
