#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace isogon::fuzz {

/// An archive as docs/model_file.md lays it out, taken apart and put together without the library, and without asking
/// whether it makes sense.
struct ArchiveBytes {
    struct Tensor {
        std::string name{};
        std::string type{};  ///< F32, F64, U32, U64
        std::vector<std::uint64_t> shape{};
        std::string bytes{};
    };

    nlohmann::ordered_json metadata{};
    std::vector<Tensor> tensors{};

    /// Nothing if the bytes are no archive.
    [[nodiscard]] static std::optional<ArchiveBytes> parse(const std::string& bytes);
    /// The checksum is right, whatever else is not.
    [[nodiscard]] std::string text() const;
};

/// With the eight digits of the checksum replaced by what they should be.
[[nodiscard]] std::string with_checksum(std::string bytes);

}  // namespace isogon::fuzz
