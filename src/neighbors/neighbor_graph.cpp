#include "isogon/neighbors/neighbor_graph.hpp"

#include "isogon/core/archive_schema.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

Archive make_neighbor_graph(const NeighborLists& lists, Metric metric) {
    if (lists.count() == 0) {
        throw InvalidArgument("neighbour lists", "0 rows", "there must be at least one");
    }
    Archive archive{.kind = ArchiveKind::NeighborGraph, .method = "neighbors"};
    archive.notes.emplace("metric", name(metric));
    archive.add("indices", Array{{lists.count(), lists.size}, lists.indices});
    if (!lists.distances.empty()) {
        archive.add("distances", Array{{lists.count(), lists.size}, lists.distances});
    }
    return archive;
}

NeighborLists lists_in(const Archive& archive) {
    const auto sizes =
        ArchiveSchema(ArchiveKind::NeighborGraph)
            .add({.name = "indices", .scalar = ArchiveArray::Scalar::Uint32, .shape = {"n", "k"}})
            .add({.name = "distances", .scalar = ArchiveArray::Scalar::Float32, .shape = {"n", "k"}, .optional = true})
            .require(archive);
    NeighborLists lists;
    lists.size = static_cast<Index>(sizes.at("k"));
    lists.indices = archive.numbers<std::uint32_t>("indices", {sizes.at("n"), sizes.at("k")});
    if (archive.has("distances")) {
        lists.distances = archive.numbers<float>("distances", {sizes.at("n"), sizes.at("k")});
    }
    return lists;
}

}  // namespace isogon
