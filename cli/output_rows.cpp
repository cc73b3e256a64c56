#include "output_rows.hpp"

namespace isogon::cli {

namespace {

PointsShape shape_of(const InputRows& input, Index dimension) {
    return {.count = input.rows->count(),
            .dimension = dimension,
            .labels = !input.labels.empty(),
            .words = !input.words.empty()};
}

template <class Item>
std::span<const Item> part_of(const std::vector<Item>& items, Index first, Index count) {
    return items.empty() ? std::span<const Item>() : std::span(items).subspan(first, count);
}

}  // namespace

OutputRows::OutputRows(const std::string& path, const InputRows& input, Index dimension, bool overwrite)
    : writer_(path, shape_of(input, dimension), {.format = {}, .overwrite = overwrite}), input_(input) {}

void OutputRows::write(const PointsView& rows) {
    writer_.write(rows, {.labels = part_of(input_.labels, writer_.written(), rows.count),
                         .words = part_of(input_.words, writer_.written(), rows.count)});
}

}  // namespace isogon::cli
