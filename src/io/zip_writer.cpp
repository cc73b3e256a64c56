#include "io/zip_writer.hpp"

#include <cstdint>
#include <limits>
#include <string_view>
#include <variant>

#include "io/crc32.hpp"
#include "io/safetensors.hpp"
#include "io/scalar_type.hpp"
#include "io/zip_signatures.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

constexpr std::uint16_t version = 20;        // 2.0, the first with folders (APPNOTE 6.3)
constexpr std::uint16_t earliest_day = 33;   // 1980-01-01: year 0, month 1, day 1
constexpr std::uint64_t record_bytes = 128;  // more than any record here, its name aside

template <class Number>
void put(std::string& bytes, Number value) {
    store(bytes, value, std::endian::little);
}

void put_zeros(std::string& bytes, std::size_t count) {
    bytes.append(count, '\0');
}

/// What the header of a member and its line in the directory have in common: from the flags to the length of the name.
void put_description(std::string& bytes, std::uint32_t checksum, std::uint32_t size, std::size_t name_bytes) {
    put_zeros(bytes, 2 + 2 + 2);  // flags, method (stored), time
    put(bytes, earliest_day);
    put(bytes, checksum);
    put(bytes, size);  // packed
    put(bytes, size);  // unpacked
    put(bytes, static_cast<std::uint16_t>(name_bytes));
}

}  // namespace

void ZipWriter::begin_member(const std::string& path, const std::string& name, std::uint64_t bytes,
                             std::uint32_t checksum) {
    const std::uint64_t overhead = (members_.size() + 2) * (record_bytes + name.size());
    if (bytes > std::numeric_limits<std::uint32_t>::max() ||
        position_ + bytes + overhead > std::numeric_limits<std::uint32_t>::max()) {
        throw OutputError(path, name + " of " + std::to_string(bytes) +
                                    " bytes would make it 4 GB or more, which .npz is not written for here");
    }
    const auto size = static_cast<std::uint32_t>(bytes);
    members_.push_back({name, size, checksum, static_cast<std::uint32_t>(position_)});
    std::string header;
    put(header, zip_signature::local);
    put(header, version);
    put_description(header, checksum, size, name.size());
    put_zeros(header, 2);  // no extra field
    header += name;
    out_.write(header);
    position_ += header.size() + bytes;
}

void ZipWriter::finish() {
    std::string directory;
    for (const Member& member : members_) {
        put(directory, zip_signature::entry);
        put(directory, version);  // made by
        put(directory, version);  // needed
        put_description(directory, member.checksum, member.bytes, member.name.size());
        put_zeros(directory, 2 + 2 + 2 + 2 + 4);  // extra field, comment, disk, attributes twice
        put(directory, member.begin);
        directory += member.name;
    }
    const auto members = static_cast<std::uint16_t>(members_.size());
    const auto bytes = static_cast<std::uint32_t>(directory.size());
    put(directory, zip_signature::end);
    put_zeros(directory, 2 + 2);  // disks
    put(directory, members);
    put(directory, members);
    put(directory, bytes);
    put(directory, static_cast<std::uint32_t>(position_));
    put_zeros(directory, 2);  // no comment
    out_.write(directory);
}

namespace {

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
