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

/// Rows whose number only their end tells are held in lists that double when they are full: what is given up and what
/// takes its place are there at once.
constexpr double growth = 2.0;

Need promised_bytes(const std::string& path, const ReadOptions& options) {
    const FileInfo info = describe_file(path, options);
    Need need{sizeof(float), 0.0};
    for (const std::uint64_t side : info.shape) {
        need.values *= static_cast<double>(side);
    }
    const bool mapped = info.format == Format::Npy && !info.gzip && !info.fortran_order && info.scalar == "float32";
    need.held = mapped ? 0.0 : need.values * (has_short_head(path, options) ? 1.0 : growth);
    return need;
}

/// What a file takes whose rows are read when they are asked for.
double held_by_stream(const std::string& path, const ReadOptions& options) {
    return is_streamed(describe_file(path, options)) ? 0.0 : promised_bytes(path, options).held;
}

constexpr double most_bytes = 0x1p62;  // a head may promise anything

void reserve_bytes(double bytes, Session& session) {
    session.reserve_for_input(static_cast<std::uint64_t>(std::min(bytes, most_bytes)));
}

/// To count the rows of a text or of a packed file is to read all of it, which nobody has asked for without a limit.
bool foretold(const std::vector<std::string>& paths, const InputFlags& flags, const Session& session) {
    return session.context().memory_limit || std::all_of(paths.begin(), paths.end(), [&](const std::string& path) {
               return has_short_head(path, read_options(flags, path));
           });
}

double held_by_streams(const std::vector<std::string>& paths, const InputFlags& flags) {
    double held = 0.0;
    for (const auto& path : paths) {
        held += held_by_stream(path, read_options(flags, path));
    }
    return held;
}

double held_by_inputs(const std::vector<std::string>& paths, const InputFlags& flags, const RowPicker& picker) {
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
    return sum.held;
}

}  // namespace

void reserve_for_largest(const std::vector<std::string>& paths, const InputFlags& flags, Session& session) {
    double held = 0.0;
    for (const auto& path : paths) {
        if (foretold({path}, flags, session)) {
            held = std::max(held, held_by_stream(path, read_options(flags, path)));
        }
    }
    reserve_bytes(held, session);
}

bool reserve_for_streams(const std::vector<std::string>& paths, const InputFlags& flags, Session& session) {
    const bool known = foretold(paths, flags, session);
    if (known) {
        reserve_bytes(held_by_streams(paths, flags), session);
    }
    return known;
}

bool reserve_for_inputs(const std::vector<std::string>& paths, const InputFlags& flags, const RowPicker& picker,
                        Session& session) {
    const bool known = foretold(paths, flags, session);
    if (known) {
        reserve_bytes(held_by_inputs(paths, flags, picker), session);
    }
    return known;
}

void reserve_for_read(std::uint64_t rows, std::uint64_t copied, std::uint64_t dimension, Session& session) {
    const double row = static_cast<double>(dimension) * sizeof(float);
    reserve_bytes((growth * static_cast<double>(rows) + static_cast<double>(copied)) * row, session);
}

}  // namespace isogon::cli
