#include "report/list_nearness.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace isogon {

bool keeps_angles(const ReportRun& run) {
    constexpr std::array<std::string_view, 4> methods{"faithful", "tsm", "svd", "nmf"};
    return std::find(methods.begin(), methods.end(), run.method) != methods.end();
}

bool goes_by_distance(ListNearness wanted, const std::optional<ReportRun>& run) {
    return wanted == ListNearness::Auto ? run && !keeps_angles(*run) : wanted == ListNearness::Distance;
}

}  // namespace isogon
