#include "input_need.hpp"

#include <algorithm>

#include "isogon/io/row_file.hpp"

namespace isogon::cli {

namespace {

/// Bytes that reading a file will take, from what its head promises. A mapped file takes none: the system can drop its
/// pages at any time.
struct Need {
    double values = 0.0;  ///< all of the file as float32
    double held = 0.0;    ///< the part of it that reading must hold
};

Need promised_bytes(const std::string& path, const ReadOptions& options) {
    const FileInfo info = describe_file(path, options);
    Need need{sizeof(float), 0.0};
    for (const std::uint64_t side : info.shape) {
        need.values *= static_cast<double>(side);
    }
    const bool mapped = info.format == Format::Npy && !info.gzip && !info.fortran_order && info.scalar == "float32";
    need.held = mapped ? 0.0 : need.values;
    return need;
}

/// What a file takes whose rows are read when they are asked for.
double held_by_stream(const std::string& path, const ReadOptions& options) {
    return is_streamed(describe_file(path, options)) ? 0.0 : promised_bytes(path, options).held;
}

constexpr double most_bytes = 0x1p62;  // a head may promise anything

}  // namespace

void reserve_for_largest(const std::vector<std::string>& paths, const InputFlags& flags, Session& session) {
    if (!session.context().memory_limit) {
        return;
    }
    double held = 0.0;
    for (const auto& path : paths) {
        held = std::max(held, held_by_stream(path, read_options(flags, path)));
    }
    session.reserve_for_input(static_cast<std::uint64_t>(std::min(held, most_bytes)));
}

void reserve_for_streams(const std::vector<std::string>& paths, const InputFlags& flags, Session& session) {
    if (!session.context().memory_limit) {
        return;
    }
    double held = 0.0;
    for (const auto& path : paths) {
        held += held_by_stream(path, read_options(flags, path));
    }
    session.reserve_for_input(static_cast<std::uint64_t>(std::min(held, most_bytes)));
}

void reserve_for_inputs(const std::vector<std::string>& paths, const InputFlags& flags, const RowPicker& picker,
                        Session& session) {
    if (!session.context().memory_limit) {
        return;
    }
    const bool picked = paths.size() > 1 || picker.every > 1 || picker.from > 0;
    Need sum;
    for (const auto& path : paths) {
        const ReadOptions options = read_options(flags, path);
        const Need need = promised_bytes(path, options);
        sum.values += need.values;
        sum.held += picked && is_streamed(describe_file(path, options)) ? 0.0 : need.held;
    }
    if (picked) {
        sum.held += sum.values / static_cast<double>(picker.every);
    }
    session.reserve_for_input(static_cast<std::uint64_t>(std::min(sum.held, most_bytes)));
}

}  // namespace isogon::cli
