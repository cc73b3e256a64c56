// Indices and codes, as `isogon neighbors` searches by them, and graphs of neighbours, as methods take them in place of
// points.
#include <algorithm>

#include "codes/vector_codes.hpp"
#include "consumer.hpp"
#include "isogon/core/error.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/registry/registry.hpp"
#include "neighbors/ivf_index.hpp"

namespace {

using isogon::NeighborLists;
using isogon::SelfAllowed;

void check(const NeighborLists& lists, isogon::Index rows, isogon::Index points, SelfAllowed self) {
    isogon::fuzz::expect_finite(lists.distances, "a list");
    try {
        isogon::require_neighbor_lists(lists, rows, points, self, "lists");
    } catch (const isogon::InputError& error) {
        isogon::fuzz::fault(error.what());
    }
}

void search(const isogon::Archive& archive) {
    const isogon::IvfIndex index(archive, isogon::fuzz::limited());
    const isogon::Index k = std::min<isogon::Index>(3, index.count() - 1);
    isogon::fuzz::attempt(
        [&] { check(index.neighbors(k, isogon::fuzz::limited()), index.count(), index.count(), SelfAllowed::No); });
    for (int kind = 0; kind < isogon::fuzz::row_kinds; ++kind) {
        isogon::fuzz::attempt([&] {
            const isogon::Points rows = isogon::fuzz::rows_of_kind(kind, index.dimension());
            const auto lists = index.search(rows.view(), k, isogon::fuzz::limited());
            check(lists, rows.count(), index.count(), SelfAllowed::Yes);
        });
    }
}

void search_codes(const isogon::Archive& archive) {
    const isogon::VectorCodes codes(archive);
    const isogon::Index k = std::min<isogon::Index>(3, codes.count());
    for (int kind = 0; kind < isogon::fuzz::row_kinds; ++kind) {
        isogon::fuzz::attempt([&] {
            const isogon::Points rows = isogon::fuzz::rows_of_kind(kind, codes.dimension());
            const auto lists = codes.search(rows.view(), k, isogon::fuzz::limited());
            check(lists, rows.count(), codes.count(), SelfAllowed::Yes);
            isogon::fuzz::attempt([&] { (void)codes.encode(rows.view(), isogon::fuzz::limited()); });
        });
    }
}

void embed(const isogon::Archive& archive) {
    const NeighborLists lists = isogon::lists_in(archive);
    require_neighbor_lists(lists, lists.count(), lists.count(), SelfAllowed::No, archive.source);
    isogon::FitExtras extras;
    extras.neighbors = &lists;
    const isogon::PointsView points(nullptr, lists.count(), 0);
    for (const char* method : {"laplacian", "umap", "isomap"}) {
        isogon::fuzz::attempt([&] {
            isogon::OptionValues options{{"dimension", std::int64_t{1}}};
            if (method == std::string("umap")) {
                options["iterations"] = std::int64_t{3};
            } else {
                options["neighbors"] = std::int64_t{lists.size};
            }
            const auto fitted = isogon::find_method(method).embed(points, options, isogon::fuzz::limited(), extras);
            isogon::fuzz::expect_finite(fitted.coordinates.values(), "what a graph gives");
        });
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    isogon::fuzz::consume(data, size, [](const isogon::Archive& archive) {
        if (archive.kind == isogon::ArchiveKind::NeighborGraph) {
            embed(archive);
        } else if (archive.kind == isogon::ArchiveKind::Codes || archive.kind == isogon::ArchiveKind::Model) {
            search_codes(archive);
        } else {
            search(archive);
        }
    });
    return 0;
}
