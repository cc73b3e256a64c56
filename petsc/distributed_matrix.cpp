#include "distributed_matrix.hpp"

#include <mpi.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "distributed/agreement.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// An entry on its way to the rank that owns its row.
struct ExchangedEntry {
    Index row = 0;
    Index column = 0;
    double value = 0.0;
};

/// The counts as int, in which MPI counts, if all items of 16 bytes fit.
std::vector<int> as_counts(const std::vector<std::uint64_t>& counts) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
    const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    if (all > most) {
        throw LimitExceeded("a rank would send " + std::to_string(all) + " entries at once, MPI counts to " +
                                std::to_string(most) + "; take more ranks",
                            all * sizeof(ExchangedEntry), most * sizeof(ExchangedEntry));
    }
    std::vector<int> result(counts.size());
    std::transform(counts.begin(), counts.end(), result.begin(),
                   [](std::uint64_t count) { return static_cast<int>(count); });
    return result;
}

std::vector<int> offsets_of(const std::vector<int>& counts) {
    std::vector<int> offsets(counts.size(), 0);
    std::partial_sum(counts.begin(), counts.end() - 1, offsets.begin() + 1);
    return offsets;
}

/// Sends all entries to their owners; those received are in the order of the ranks that they come from.
std::vector<ExchangedEntry> exchanged(const std::vector<std::vector<ExchangedEntry>>& to, const RankGroup& ranks) {
    std::vector<std::uint64_t> sent(ranks.size());
    std::transform(to.begin(), to.end(), sent.begin(), [](const auto& entries) { return entries.size(); });
    std::vector<std::uint64_t> incoming(ranks.size());
    MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, incoming.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    std::vector<int> out;
    std::vector<int> in;
    on_all_ranks(ranks, [&] {
        out = as_counts(sent);
        in = as_counts(incoming);
    });
    std::vector<ExchangedEntry> outgoing;
    for (const auto& entries : to) {
        outgoing.insert(outgoing.end(), entries.begin(), entries.end());
    }
    std::vector<ExchangedEntry> received(std::accumulate(incoming.begin(), incoming.end(), std::uint64_t{0}));
    MPI_Datatype item = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(sizeof(ExchangedEntry), MPI_BYTE, &item);
    MPI_Type_commit(&item);
    const std::vector<int> out_offsets = offsets_of(out);
    const std::vector<int> in_offsets = offsets_of(in);
    MPI_Alltoallv(outgoing.data(), out.data(), out_offsets.data(), item, received.data(), in.data(), in_offsets.data(),
                  item, MPI_COMM_WORLD);
    MPI_Type_free(&item);
    return received;
}

/// Entries by rows: within a row they keep their order.
CsrMatrix<double> by_rows(const std::vector<ExchangedEntry>& entries, Range rows, Index columns) {
    CsrMatrix<double> result{.rows = static_cast<Index>(rows.size()), .columns = columns};
    result.offsets.assign(rows.size() + 1, 0);
    for (const ExchangedEntry& entry : entries) {
        ++result.offsets[entry.row - rows.begin + 1];
    }
    std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
    std::vector<Offset> places(result.offsets.begin(), result.offsets.end() - 1);
    result.indices.resize(entries.size());
    result.values.resize(entries.size());
    for (const ExchangedEntry& entry : entries) {
        const Offset place = places[entry.row - rows.begin]++;
        result.indices[place] = entry.column;
        result.values[place] = entry.value;
    }
    return result;
}

std::size_t owner_of(Index row, const std::vector<std::size_t>& ends) {
    return static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), row) - ends.begin());
}

}  // namespace

DistributedMatrix distributed(CsrMatrix<double> rows, Index all_rows, const RankGroup& ranks) {
    const Range own = ranks.own_part(all_rows);
    if (rows.rows != own.size()) {
        throw InvalidArgument("rows", std::to_string(rows.rows),
                              "must be " + std::to_string(own.size()) + ", those of " + std::to_string(all_rows) +
                                  " that rank " + std::to_string(ranks.rank()) + " owns");
    }
    return {.all_rows = all_rows, .first = static_cast<Index>(own.begin), .rows = std::move(rows)};
}

DistributedMatrix own_rows(const CsrMatrix<double>& whole, const RankGroup& ranks) {
    const Range own = ranks.own_part(whole.rows);
    CsrMatrix<double> rows{.rows = static_cast<Index>(own.size()), .columns = whole.columns};
    const Offset begin = whole.offsets[own.begin];
    const Offset end = whole.offsets[own.end];
    rows.offsets.resize(own.size() + 1);
    std::transform(whole.offsets.begin() + static_cast<std::ptrdiff_t>(own.begin),
                   whole.offsets.begin() + static_cast<std::ptrdiff_t>(own.end) + 1, rows.offsets.begin(),
                   [begin](Offset offset) { return offset - begin; });
    rows.indices.assign(whole.indices.begin() + static_cast<std::ptrdiff_t>(begin),
                        whole.indices.begin() + static_cast<std::ptrdiff_t>(end));
    rows.values.assign(whole.values.begin() + static_cast<std::ptrdiff_t>(begin),
                       whole.values.begin() + static_cast<std::ptrdiff_t>(end));
    return distributed(std::move(rows), whole.rows, ranks);
}

MultiVector<double> own_rows(const MultiVector<double>& whole, const RankGroup& ranks) {
    const Range own = ranks.own_part(whole.rows());
    MultiVector<double> rows(static_cast<Index>(own.size()), whole.columns());
    std::copy(whole.row(own.begin), whole.row(own.begin) + rows.values().size(), rows.values().begin());
    return rows;
}

CsrMatrix<double> whole(const DistributedMatrix& matrix, const RankGroup& ranks) {
    CsrMatrix<double> result{.rows = matrix.all_rows, .columns = matrix.rows.columns};
    std::vector<Offset> lengths(matrix.rows.rows);
    for (Index i = 0; i < matrix.rows.rows; ++i) {
        lengths[i] = matrix.rows.offsets[i + 1] - matrix.rows.offsets[i];
    }
    lengths = gathered(std::span<const Offset>(lengths), ranks);
    result.offsets.resize(std::size_t{result.rows} + 1);
    std::partial_sum(lengths.begin(), lengths.end(), result.offsets.begin() + 1);
    result.indices = gathered(std::span<const Index>(matrix.rows.indices), ranks);
    result.values = gathered(std::span<const double>(matrix.rows.values), ranks);
    return result;
}

MultiVector<double> whole(const MultiVector<double>& own, const RankGroup& ranks) {
    std::vector<double> values = gathered(std::span<const double>(own.values()), ranks);
    const auto rows = static_cast<Index>(own.columns() == 0 ? 0 : values.size() / own.columns());
    return {rows, own.columns(), std::move(values)};
}

DistributedMatrix transposed(const DistributedMatrix& matrix, const RankGroup& ranks) {
    const Index columns = matrix.rows.columns;
    std::vector<std::size_t> ends;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        ends.push_back(rank_range(columns, rank, ranks.size()).end);
    }
    std::vector<std::vector<ExchangedEntry>> to(ranks.size());
    for (Index i = 0; i < matrix.rows.rows; ++i) {
        const auto indices = matrix.rows.row_indices(i);
        const auto values = matrix.rows.row_values(i);
        for (std::size_t k = 0; k < indices.size(); ++k) {
            to[owner_of(indices[k], ends)].push_back({indices[k], matrix.first + i, values[k]});
        }
    }
    // Rows of ascending number come from ranks of ascending number, so that columns of the transpose ascend.
    return distributed(by_rows(exchanged(to, ranks), ranks.own_part(columns), matrix.all_rows), columns, ranks);
}

DistributedMatrix identity_minus(const DistributedMatrix& weights) {
    const CsrMatrix<double>& w = weights.rows;
    if (w.columns != weights.all_rows) {
        throw InvalidArgument("weights", std::to_string(weights.all_rows) + " x " + std::to_string(w.columns),
                              "must have as many columns as rows");
    }
    DistributedMatrix result{.all_rows = weights.all_rows, .first = weights.first};
    result.rows = {.rows = w.rows, .columns = w.columns};
    for (Index i = 0; i < w.rows; ++i) {
        const Index own = weights.first + i;
        const auto columns = w.row_indices(i);
        const auto place = std::lower_bound(columns.begin(), columns.end(), own) - columns.begin();
        if (place < std::ssize(columns) && columns[place] == own) {
            throw InvalidArgument("weights", "row " + std::to_string(own), "must not have a weight on itself");
        }
        for (std::ptrdiff_t k = 0; k <= std::ssize(columns); ++k) {
            if (k == place) {
                result.rows.indices.push_back(own);
                result.rows.values.push_back(1.0);
            }
            if (k < std::ssize(columns)) {
                result.rows.indices.push_back(columns[k]);
                result.rows.values.push_back(-w.row_values(i)[k]);
            }
        }
        result.rows.offsets.push_back(result.rows.indices.size());
    }
    return result;
}

}  // namespace isogon
