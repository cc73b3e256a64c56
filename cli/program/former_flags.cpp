#include "program/former_flags.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace isogon::cli {

std::string_view in_place_of(std::string_view flag) {
    using Former = std::pair<std::string_view, std::string_view>;
    static constexpr std::array<Former, 6> all{
        {{"--threshold",
          "faithful keeps neighbours by distance, without a threshold: leave it out; angles above one are kept by "
          "--method tsm --threshold NUMBER"},
         {"--favor",
          "faithful keeps neighbours and has nothing else to favor: leave it out; angles are kept by --method tsm "
          "--solver sphere"},
         {"--weights", "pairs count alike in faithful: leave it out; by lengths they are weighed by --method tsm"},
         {"--balance", "faithful has no such weight any more: leave it out"},
         {"--start", "faithful begins at principal components: leave it out, or give coordinates by --start-from FILE"},
         {"--output-for",
          "coordinates of faithful are searched by Euclidean distance, as they are: leave it out; what is near by "
          "cosine is kept by --metric cosine"}}};
    const auto* const found = std::ranges::find(all, flag, &Former::first);
    return found == all.end() ? std::string_view() : found->second;
}

}  // namespace isogon::cli
