#pragma once
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon::cli {

/// Works like std::allocator. It makes Json a type of ours, for which std::allocator may be specialised, as it is
/// below.
template <class T>
class JsonAllocator {
public:
    using value_type = T;  // NOLINT(readability-identifier-naming): an allocator's
    JsonAllocator() = default;
    template <class U>
    JsonAllocator(const JsonAllocator<U>& /*other*/) noexcept {}  // NOLINT(google-explicit-constructor): an allocator's
    [[nodiscard]] T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T))); }
    void deallocate(T* memory, std::size_t /*count*/) noexcept { ::operator delete(memory); }
    template <class U>
    friend bool operator==(const JsonAllocator& /*a*/, const JsonAllocator<U>& /*b*/) noexcept {
        return true;
    }
};

/// Keys keep their order of insertion.
using Json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t, std::uint64_t,
                                  double, JsonAllocator>;

/// Memory for the destructors of Json: from operator new, or where that fails from a block of some hundred kilobytes
/// that is kept for it. Throws std::bad_alloc if that is full.
[[nodiscard]] void* allocate_for_destructor(std::size_t bytes);
void deallocate_for_destructor(void* memory) noexcept;

}  // namespace isogon::cli

/// A destructor of nlohmann's JSON (3.11) moves all values below it to a std::vector, and ends the program if there is
/// no memory for that. Arrays and objects have JsonAllocator, so this is used for that vector alone.
template <>
class std::allocator<isogon::cli::Json> {
public:
    using value_type = isogon::cli::Json;  // NOLINT(readability-identifier-naming): an allocator's
    allocator() = default;
    template <class U>
    allocator(const allocator<U>& /*other*/) noexcept {}  // NOLINT(google-explicit-constructor): as of the template
    [[nodiscard]] value_type* allocate(std::size_t count) {
        return static_cast<value_type*>(isogon::cli::allocate_for_destructor(count * sizeof(value_type)));
    }
    void deallocate(value_type* memory, std::size_t /*count*/) noexcept {
        isogon::cli::deallocate_for_destructor(memory);
    }
    friend bool operator==(const allocator& /*a*/, const allocator& /*b*/) noexcept { return true; }
};

namespace isogon::cli {

[[nodiscard]] Json to_json(const OptionValue& value);  ///< "auto" for what is chosen from the data
[[nodiscard]] Json to_json(const OptionValues& values);
[[nodiscard]] Json to_json(const OptionSpec& spec);
[[nodiscard]] Json to_json(const std::vector<OptionSpec>& specs);
[[nodiscard]] Json to_json(const std::vector<std::pair<std::string, double>>& named);

/// null for an empty name: a file that there is not.
[[nodiscard]] Json json_or_null(const std::string& name);

/// {"points": n, "dimension": D}
[[nodiscard]] Json shape_json(const PointsView& points);

/// Adds termination, message, seconds_by_phase, counts, measures, trace, warnings, seed and threads to `json`.
void add_summary(Json& json, const Summary& summary);

/// One line. Bytes that are not UTF-8 (file names may hold any) become the replacement character. Where there are
/// characters that a terminal would obey, all but ASCII is escaped.
[[nodiscard]] std::string to_line(const Json& json);

}  // namespace isogon::cli
