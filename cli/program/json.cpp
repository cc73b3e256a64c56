#include "program/json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <mutex>
#include <new>
#include <string_view>
#include <type_traits>

#include "isogon/core/error.hpp"
#include "program/command_line.hpp"

namespace isogon::cli {

namespace {

/// Blocks one after the other in a fixed piece of memory, which is free again when the last block is: destructors hold
/// few blocks, and not for long.
class DestructorMemory {
public:
    /// Null if there is not enough.
    [[nodiscard]] void* allocate(std::size_t bytes) {
        constexpr std::size_t alignment = alignof(std::max_align_t);
        const std::lock_guard lock(mutex_);
        if (bytes > memory_.size() - used_) {
            return nullptr;
        }
        void* block = memory_.data() + used_;
        used_ = std::min(memory_.size(), used_ + (bytes + alignment - 1) / alignment * alignment);
        ++blocks_;
        return block;
    }

    /// False if the block is not one of these.
    bool release(const void* block) {
        if (std::less<>()(block, memory_.data()) || !std::less<>()(block, memory_.data() + memory_.size())) {
            return false;
        }
        const std::lock_guard lock(mutex_);
        used_ = --blocks_ == 0 ? 0 : used_;
        return true;
    }

private:
    std::mutex mutex_{};
    alignas(std::max_align_t) std::array<std::byte, std::size_t{256} * 1024> memory_{};
    std::size_t used_ = 0;
    std::size_t blocks_ = 0;
};

DestructorMemory destructor_memory;

}  // namespace

void* allocate_for_destructor(std::size_t bytes) {
    void* block = ::operator new(bytes, std::nothrow);
    if (block == nullptr) {
        block = destructor_memory.allocate(bytes);
    }
    return block != nullptr ? block : throw std::bad_alloc();
}

void deallocate_for_destructor(void* memory) noexcept {
    if (!destructor_memory.release(memory)) {
        ::operator delete(memory);
    }
}

namespace {

std::string_view kind_name(OptionKind kind) {
    constexpr std::array<std::string_view, 4> names{"flag", "integer", "number", "choice"};
    return names.at(static_cast<std::size_t>(kind));
}

/// Counts are kept as float64; a whole one is shown as a whole number.
Json number(double value) {
    constexpr double largest_exact = 9007199254740992.0;  // 2^53
    if (std::floor(value) == value && std::abs(value) < largest_exact) {
        return static_cast<std::int64_t>(value);
    }
    return value;
}

Json trace_json(const std::vector<IterationRecord>& trace) {
    Json list = Json::array();
    for (const auto& record : trace) {
        list.push_back({{"iteration", record.iteration},
                        {"objective", record.objective},
                        {"change", record.change},
                        {"seconds", record.seconds}});
    }
    return list;
}

}  // namespace

Json to_json(const OptionValue& value) {
    return std::visit(
        [](const auto& v) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::monostate>) {
                return "auto";
            } else {
                return v;
            }
        },
        value);
}

Json to_json(const OptionValues& values) {
    Json json = Json::object();
    for (const auto& [name, value] : values) {
        json[name] = to_json(value);
    }
    return json;
}

Json to_json(const OptionSpec& spec) {
    Json json{{"name", spec.name},           {"kind", kind_name(spec.kind)}, {"default", to_json(spec.default_value)},
              {"automatic", spec.automatic}, {"minimum", nullptr},           {"maximum", nullptr},
              {"open", spec.open},           {"choices", spec.choices},      {"help", spec.help},
              {"needs", Json::array()}};
    for (const auto& need : spec.needs) {
        json["needs"].push_back({{"option", need.option}, {"values", need.values}});
    }
    if (spec.minimum) {
        json["minimum"] = number(*spec.minimum);
    }
    if (spec.maximum) {
        json["maximum"] = number(*spec.maximum);
    }
    return json;
}

Json to_json(const std::vector<OptionSpec>& specs) {
    Json list = Json::array();
    for (const auto& spec : specs) {
        list.push_back(to_json(spec));
    }
    return list;
}

Json to_json(const std::vector<std::pair<std::string, double>>& named) {
    Json json = Json::object();
    for (const auto& [name, value] : named) {
        json[name] = number(value);
    }
    return json;
}

Json json_or_null(const std::string& name) {
    return name.empty() ? Json(nullptr) : Json(name);
}

Json shape_json(const PointsView& points) {
    return {{"points", points.count}, {"dimension", points.dimension}};
}

void add_summary(Json& json, const Summary& summary) {
    json["termination"] = name(summary.termination);
    json["message"] = summary.message;
    json["seconds_by_phase"] = to_json(summary.seconds);
    json["counts"] = to_json(summary.counts);
    json["measures"] = to_json(summary.measures);
    json["trace"] = trace_json(summary.trace);
    json["warnings"] = in_flags(summary.warnings);
    json["seed"] = summary.seed;
    json["threads"] = summary.threads;
}

std::string to_line(const Json& json) {
    constexpr int one_line = -1;
    std::string line = json.dump(one_line, ' ', false, Json::error_handler_t::replace);
    const bool harmless = printable(line) == line;
    return harmless ? line : json.dump(one_line, ' ', true, Json::error_handler_t::replace);
}

}  // namespace isogon::cli
