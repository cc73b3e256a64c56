#include "methods/checkpoints.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "core/archive_schema.hpp"
#include "distributed/rank_group.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// One round of the mixing function of splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31U);
}

}  // namespace

std::uint64_t fingerprint(const DistributedPoints& x) {
    std::uint64_t sum = mixed((std::uint64_t{x.count()} << 32U) + x.dimension());
    const auto add_own = [&] {
        for (Index i = 0; i < x.local().count; ++i) {
            for (const float value : x.local()[i]) {
                sum = mixed(sum + 0x9E3779B97F4A7C15U + std::bit_cast<std::uint32_t>(value));
            }
        }
    };
    if (!x.is_distributed()) {
        add_own();
        return sum;
    }
    const RankGroup ranks = ranks_of(x);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        if (rank == ranks.rank()) {
            add_own();
        }
        ranks.broadcast(rank, std::as_writable_bytes(std::span(&sum, 1)));
    }
    return sum;
}

std::uint64_t fingerprint(const NeighborLists* lists) {
    if (lists == nullptr) {
        return 0;
    }
    std::uint64_t sum = mixed(lists->size);
    for (const Index index : lists->indices) {
        sum = mixed(sum + 0x9E3779B97F4A7C15U + index);
    }
    for (const float distance : lists->distances) {
        sum = mixed(sum + 0x9E3779B97F4A7C15U + std::bit_cast<std::uint32_t>(distance));
    }
    return sum;
}

std::uint64_t fingerprint(const CsrMatrix<double>* affinities) {
    if (affinities == nullptr) {
        return 0;
    }
    std::uint64_t sum = mixed(affinities->rows);
    for (Index i = 0; i < affinities->rows; ++i) {
        sum = mixed(sum + affinities->offsets[i + 1]);
        for (Offset e = affinities->offsets[i]; e < affinities->offsets[i + 1]; ++e) {
            sum = mixed(sum + 0x9E3779B97F4A7C15U + affinities->indices[e]);
            sum = mixed(sum + std::bit_cast<std::uint64_t>(affinities->values[e]));
        }
    }
    return sum;
}

Checkpoints::Checkpoints(std::string method, OptionValues options, const DistributedPoints& x, FitExtras extras)
    : method_(std::move(method)), options_(std::move(options)), extras_(std::move(extras)), ranks_(ranks_of(x)) {
    const bool needed = extras_.checkpoint || extras_.resume != nullptr;
    if (!needed && !x.is_distributed()) {
        return;
    }
    input_ = fingerprint(x);
    start_ = fingerprint(extras_.start);
    neighbors_ = fingerprint(extras_.neighbors) ^ fingerprint(extras_.affinities);
    if (extras_.resume != nullptr) {
        refuse_another_run();
    }
}

void Checkpoints::refuse_another_run() const {
    const Archive& saved = *extras_.resume;
    const auto refuse = [&](const std::string& why) { throw InputError(saved.source, "", why); };
    ArchiveSchema schema(ArchiveKind::Checkpoint);
    for (const char* name : {"input_fingerprint", "start_fingerprint", "neighbors_fingerprint"}) {
        schema.add({.name = name, .scalar = ArchiveArray::Scalar::Uint64});
    }
    schema.require(saved);
    if (saved.method != method_) {
        refuse("a checkpoint of " + saved.method + ", not of " + method_);
    }
    for (const auto& [option, value] : options_) {
        if (option == "iterations") {
            continue;  // a run may well go on for longer than was planned
        }
        const auto found = saved.options.find(option);
        const std::string had = found == saved.options.end() ? "nothing" : to_text(found->second);
        if (had != to_text(value)) {
            std::string why = "made with " + option + " = ";
            why += had + ", but this run has " + to_text(value);
            why += ": resume with the options of the first run";
            refuse(why);
        }
    }
    if (saved.count("input_fingerprint") != input_) {
        refuse("made of another input: resume with the very same points");
    }
    if (saved.count("start_fingerprint") != start_) {
        refuse("made from another start: resume with the very same one");
    }
    if (saved.count("neighbors_fingerprint") != neighbors_) {
        refuse("made with other neighbours or affinities: resume with the very same, or without if it had none");
    }
}

bool Checkpoints::is_due(bool now) const {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - last_;
    return extras_.checkpoint && (now || since.count() >= extras_.checkpoint_seconds);
}

void Checkpoints::take(const std::function<void(Archive&)>& save, bool now, const std::function<void()>& help) {
    const bool due = is_due(now);
    if (help) {
        std::vector<std::uint64_t> of_all(ranks_.size());
        of_all[ranks_.rank()] = due ? 1 : 0;
        ranks_.all_gather_parts(of_all.size(), sizeof(of_all[0]), std::as_writable_bytes(std::span(of_all)));
        if (!due && std::ranges::count(of_all, 1U) > 0) {
            help();
        }
    }
    if (!due) {
        return;
    }
    Archive archive{.kind = ArchiveKind::Checkpoint, .method = method_, .options = options_};
    archive.add_count("input_fingerprint", input_);
    archive.add_count("start_fingerprint", start_);
    archive.add_count("neighbors_fingerprint", neighbors_);
    save(archive);
    extras_.checkpoint(archive);
    last_ = std::chrono::steady_clock::now();
}

}  // namespace isogon
