#include "isogon/neighbors/neighbor_graph.hpp"

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
    if (archive.kind != ArchiveKind::NeighborGraph) {
        throw InputError(archive.source, "",
                         "this is a " + std::string(name(archive.kind)) +
                             ", no neighbour graph; isogon neighbors -o GRAPH.safetensors writes one");
    }
    NeighborLists lists;
    lists.indices = archive.numbers<std::uint32_t>("indices", {Archive::any_length, Archive::any_length});
    const auto& shape = archive.array("indices").shape;
    lists.size = static_cast<Index>(shape[1]);
    if (archive.has("distances")) {
        lists.distances = archive.numbers<float>("distances", {shape[0], shape[1]});
    }
    return lists;
}

}  // namespace isogon
