#include "shard_heads.hpp"

#include <fmt/format.h>

#include <functional>
#include <numeric>
#include <optional>

#include "isogon/core/error.hpp"
#include "isogon/io/row_file.hpp"

namespace isogon::cli {

namespace {

struct Head {
    std::uint64_t points = 0;
    std::uint64_t dimension = 0;
    std::string type;  ///< "float32 (npy)"
    bool words = false;
};

Head head_of(const std::string& path, const InputFlags& reading) {
    const ReadOptions options = read_options(reading, path);
    const FileInfo info = describe_file(path, options);
    Head head;
    head.type = fmt::format("{} ({})", info.scalar, name(info.format));
    head.words = info.has_words || options.word_column.has_value();
    if (is_streamed(info)) {
        // Opening it compares the head with the size of the file.
        const RowFile file = open_rows(path, options);
        head.points = file.rows->count();
        head.dimension = file.rows->dimension();
        return head;
    }
    head.points = info.shape.front();
    head.dimension = std::accumulate(info.shape.begin() + 1, info.shape.end(), std::uint64_t{1}, std::multiplies<>());
    return head;
}

/// The head of a file, or a mistake.
std::optional<Head> readable_head(const std::string& path, const InputFlags& reading,
                                  std::vector<std::string>& mistakes) {
    try {
        return head_of(path, reading);
    } catch (const InputError& error) {
        mistakes.emplace_back(error.what());
    } catch (const InvalidArgument& error) {
        mistakes.push_back(path + ": " + error.what());
    }
    return std::nullopt;
}

std::string trouble_of(const Head& head, const std::optional<Head>& first, const std::string& first_path,
                       const ShardNeeds& needs) {
    if (head.dimension != needs.dimension) {
        return fmt::format("holds points of {} numbers, and {} was fitted to points of {}", head.dimension, needs.model,
                           needs.dimension);
    }
    if (first && head.type != first->type) {
        return fmt::format(
            "holds {}, and {} holds {}; the files of one set must be alike: convert it, or transform it "
            "by itself",
            head.type, first_path, first->type);
    }
    if (needs.words && !head.words) {
        return "has no words, which word vectors need; write another --output-format, or name their column with "
               "--word-column";
    }
    return {};
}

}  // namespace

std::vector<std::uint64_t> check_heads(const std::vector<ShardFile>& mine, const std::vector<ShardFile>& all,
                                       const ShardNeeds& needs, const InputFlags& reading,
                                       std::vector<std::string>& mistakes) {
    std::vector<std::uint64_t> points;
    // What is wrong with the first file is told by whoever has it to transform.
    std::vector<std::string> ignored;
    const auto first = all.empty() ? std::nullopt : readable_head(all.front().input, reading, ignored);
    for (const ShardFile& file : mine) {
        const auto head = readable_head(file.input, reading, mistakes);
        const std::string trouble = head ? trouble_of(*head, first, all.front().input, needs) : std::string();
        if (!trouble.empty()) {
            mistakes.push_back(file.input + ": " + trouble);
        }
        points.push_back(head && trouble.empty() ? head->points : 0);
    }
    return points;
}

}  // namespace isogon::cli
