#include "io/npz_member.hpp"

#include <zlib.h>

#include <cstdint>
#include <string_view>
#include <variant>

#include "io/safetensors_data.hpp"

namespace isogon {

namespace {

std::uint32_t crc32_of(std::uint32_t before, std::string_view bytes) {
    return static_cast<std::uint32_t>(::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint64_t count_of(const Array::Values& numbers) {
    return std::visit([](const auto& list) { return std::uint64_t{list.size()}; }, numbers);
}

}  // namespace

void write_npz_member(OutputStream& out, ZipWriter& zip, const std::string& path, const std::string& name,
                      const std::string& head, const Array::Values& numbers) {
    std::uint32_t checksum = crc32_of(0, head);
    for_each_block(numbers, [&](std::string_view block) { checksum = crc32_of(checksum, block); });
    zip.begin_member(path, name + ".npy", head.size() + count_of(numbers) * number_bytes(numbers), checksum);
    out.write(head);
    for_each_block(numbers, [&](std::string_view block) { out.write(block); });
}

}  // namespace isogon
