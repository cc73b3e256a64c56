#include "report/count_text.hpp"

namespace isogon {

std::string count_text(std::uint64_t count) {
    std::string text = std::to_string(count);
    for (std::size_t place = text.size(); place > 3;) {
        place -= 3;
        text.insert(place, 1, ',');
    }
    return text;
}

std::string points_count_text(std::uint64_t count) {
    return count_text(count) + (count == 1 ? " point" : " points");
}

}  // namespace isogon
