#include "io/zip_file.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <string_view>
#include <variant>

#include "io/safetensors.hpp"
#include "io/scalar_type.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {
constexpr std::uint16_t stored = 0;
constexpr std::uint16_t deflated = 8;
constexpr std::size_t packed_buffer_bytes = std::size_t{128} * 1024;
constexpr int raw_window = -15;  // the largest window, without any wrapping (zlib.h, inflateInit2)
}  // namespace

ZipSource::ZipSource(const std::filesystem::path& path, std::string name, const ZipMember& member, std::uint64_t begin)
    : file_(path), name_(std::move(name)), member_(member), begin_(begin), deflated_(member.method == deflated) {
    if (deflated_) {
        input_.resize(packed_buffer_bytes);
        if (inflateInit2(&stream_, raw_window) != Z_OK) {
            throw std::bad_alloc();
        }
    }
}

ZipSource::~ZipSource() {
    if (deflated_) {
        inflateEnd(&stream_);
    }
}

std::size_t ZipSource::read(std::span<char> buffer) {
    const std::size_t got = deflated_ ? inflate_into(buffer) : copy(buffer);
    if (got == 0) {
        check_end();
        return 0;
    }
    checksum_ = crc32_of(checksum_, {buffer.data(), got});
    given_ += got;
    if (given_ > member_.bytes) {
        fail("the data is longer than the archive's directory says: the file is damaged");
    }
    return got;
}

std::size_t ZipSource::copy(std::span<char> buffer) {
    const std::size_t count = std::min<std::uint64_t>(buffer.size(), member_.packed - taken_);
    file_.read_at(begin_ + taken_, buffer.first(count));
    taken_ += count;
    return count;
}

std::size_t ZipSource::inflate_into(std::span<char> buffer) {
    const std::size_t capacity = std::min<std::size_t>(buffer.size(), std::numeric_limits<uInt>::max());
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = static_cast<uInt>(capacity);
    while (stream_.avail_out == capacity && !ended_) {
        if (stream_.avail_in == 0) {
            refill();
        }
        const int result = ::inflate(&stream_, Z_NO_FLUSH);
        ended_ = result == Z_STREAM_END;
        if (result == Z_MEM_ERROR) {
            throw std::bad_alloc();
        }
        if (result == Z_BUF_ERROR) {
            fail("the packed data ends early: the file is damaged");
        }
        if (result != Z_OK && !ended_) {
            fail("the packed data is corrupt (" + std::string(stream_.msg != nullptr ? stream_.msg : "no detail") +
                 ")");
        }
    }
    return capacity - stream_.avail_out;
}

void ZipSource::refill() {
    // With no input left, zlib may still have buffered bits.
    const std::size_t count = std::min<std::uint64_t>(input_.size(), member_.packed - taken_);
    file_.read_at(begin_ + taken_, std::span(input_).first(count));
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(count);
    taken_ += count;
}

void ZipSource::check_end() const {
    if (given_ != member_.bytes || taken_ != member_.packed || stream_.avail_in != 0) {
        fail("the data is of another length than the archive's directory says: the file is damaged");
    }
    if (checksum_ != member_.checksum) {
        fail("its checksum (CRC-32) is wrong: the file is damaged");
    }
}

void ZipSource::fail(const std::string& why) const {
    throw InputError(name_, "byte " + std::to_string(given_), why);
}

namespace {

// Signatures and lengths of the records: APPNOTE 6.3, 4.3.7 (local header), 4.3.12 (directory), 4.3.14 to 4.3.16
// (ends).
constexpr std::size_t local_bytes = 30;
constexpr std::size_t entry_bytes = 46;
constexpr std::size_t wide_end_bytes = 56;
constexpr std::size_t wide_locator_bytes = 20;
constexpr std::size_t end_bytes = 22;
constexpr std::uint16_t wide_extra = 1;
constexpr std::uint16_t encrypted = 1;
constexpr auto wide_number = std::numeric_limits<std::uint32_t>::max();  // "look in the 64-bit record"

constexpr std::uint64_t most_members = 1000;
constexpr std::uint64_t most_directory_bytes = std::uint64_t{1024} * 1024;

template <class Number>
Number at(std::string_view bytes, std::size_t place) {
    return load<Number>(bytes.data() + place, std::endian::little);
}

[[noreturn]] void fail(const InputFile& file, const std::string& why) {
    throw InputError(file.name(), "", why);
}

std::string bytes_at(const InputFile& file, std::uint64_t begin, std::uint64_t count) {
    if (begin > file.size() || count > file.size() - begin) {
        fail(file, "the zip archive is truncated or damaged: a record should lie at byte " + std::to_string(begin) +
                       ", beyond the end");
    }
    std::string bytes(count, '\0');
    file.read_at(begin, bytes);
    return bytes;
}

/// The position and size of the directory.
struct Directory {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
    std::uint64_t members = 0;
};

/// The last record of the file, with a comment of up to 65,535 bytes after it.
std::uint64_t find_end(const InputFile& file) {
    const std::uint64_t shown =
        std::min<std::uint64_t>(file.size(), end_bytes + std::numeric_limits<std::uint16_t>::max());
    const std::string tail = bytes_at(file, file.size() - shown, shown);
    for (std::size_t back = end_bytes; back <= tail.size(); ++back) {
        const std::size_t place = tail.size() - back;
        if (at<std::uint32_t>(tail, place) == zip_signature::end &&
            at<std::uint16_t>(tail, place + end_bytes - 2) == back - end_bytes) {
            return file.size() - back;
        }
    }
    fail(file, "the zip archive has no directory at its end: it is truncated or damaged");
}

/// Reads the 64-bit record into `directory`, if a locator before the end record refers to one.
void find_wide(const InputFile& file, std::uint64_t end, Directory& directory) {
    if (end < wide_locator_bytes) {
        return;
    }
    const std::string locator = bytes_at(file, end - wide_locator_bytes, wide_locator_bytes);
    if (at<std::uint32_t>(locator, 0) != zip_signature::wide_locator) {
        return;
    }
    const std::string record = bytes_at(file, at<std::uint64_t>(locator, 8), wide_end_bytes);
    if (at<std::uint32_t>(record, 0) != zip_signature::wide_end) {
        fail(file, "the zip archive's 64-bit directory record is damaged");
    }
    directory = {at<std::uint64_t>(record, 48), at<std::uint64_t>(record, 40), at<std::uint64_t>(record, 32)};
}

Directory find_directory(const InputFile& file) {
    const std::uint64_t end = find_end(file);
    const std::string record = bytes_at(file, end, end_bytes);
    Directory directory{at<std::uint32_t>(record, 16), at<std::uint32_t>(record, 12), at<std::uint16_t>(record, 10)};
    find_wide(file, end, directory);
    if (directory.members > most_members || directory.bytes > most_directory_bytes) {
        fail(file, "the zip archive has a directory of " + std::to_string(directory.members) + " members in " +
                       std::to_string(directory.bytes) + " bytes; at most " + std::to_string(most_members) + " in " +
                       std::to_string(most_directory_bytes) + " make sense here");
    }
    return directory;
}

/// Sizes and position beyond 32 bits are stored in an extra field: only those that need it, in this order (4.5.3).
void apply_wide_extra(const InputFile& file, std::string_view extra, ZipMember& member) {
    while (extra.size() >= 4) {
        const std::uint16_t length = at<std::uint16_t>(extra, 2);
        std::string_view field = extra.substr(4, length);
        if (at<std::uint16_t>(extra, 0) == wide_extra) {
            for (std::uint64_t* number : {&member.bytes, &member.packed, &member.header_begin}) {
                if (*number == wide_number) {
                    if (field.size() < sizeof(std::uint64_t)) {
                        fail(file, "the zip archive's directory is damaged: sizes of 64 bits are missing");
                    }
                    *number = at<std::uint64_t>(field, 0);
                    field.remove_prefix(sizeof(std::uint64_t));
                }
            }
            return;
        }
        extra.remove_prefix(std::min<std::size_t>(extra.size(), std::size_t{4} + length));
    }
}

/// Parses the first directory entry in `bytes` and removes it from them.
ZipMember take_member(const InputFile& file, std::string_view& bytes) {
    if (bytes.size() < entry_bytes || at<std::uint32_t>(bytes, 0) != zip_signature::entry) {
        fail(file, "the zip archive's directory is damaged");
    }
    const std::size_t name = at<std::uint16_t>(bytes, 28);
    const std::size_t extra = at<std::uint16_t>(bytes, 30);
    const std::size_t whole = entry_bytes + name + extra + at<std::uint16_t>(bytes, 32);
    if (bytes.size() < whole) {
        fail(file, "the zip archive's directory is damaged: it ends within a member");
    }
    ZipMember member{.name = std::string(bytes.substr(entry_bytes, name)),
                     .method = at<std::uint16_t>(bytes, 10),
                     .checksum = at<std::uint32_t>(bytes, 16),
                     .packed = at<std::uint32_t>(bytes, 20),
                     .bytes = at<std::uint32_t>(bytes, 24),
                     .header_begin = at<std::uint32_t>(bytes, 42)};
    if ((at<std::uint16_t>(bytes, 8) & encrypted) != 0) {
        fail(file, "the zip archive is encrypted");
    }
    apply_wide_extra(file, bytes.substr(entry_bytes + name, extra), member);
    bytes.remove_prefix(whole);
    return member;
}

/// The position of the data, after the local header. Sizes are taken from the directory: the local header may lack
/// them.
std::uint64_t data_begin(const InputFile& file, const ZipMember& member) {
    const std::string header = bytes_at(file, member.header_begin, local_bytes);
    if (at<std::uint32_t>(header, 0) != zip_signature::local) {
        fail(file, "the zip archive is damaged: the directory names a member where there is none");
    }
    const std::uint64_t begin =
        member.header_begin + local_bytes + at<std::uint16_t>(header, 26) + at<std::uint16_t>(header, 28);
    if (begin > file.size() || member.packed > file.size() - begin) {
        fail(file, "the zip archive is truncated or damaged: a member of " + std::to_string(member.packed) +
                       " bytes does not fit into it");
    }
    return begin;
}

}  // namespace

bool is_zip(std::string_view first_bytes) {
    return first_bytes.substr(0, 4) == std::string_view("PK\x03\x04", 4);
}

ZipFile::ZipFile(const std::filesystem::path& path) : path_(path) {
    const InputFile file(path);
    const Directory directory = find_directory(file);
    const std::string bytes = bytes_at(file, directory.begin, directory.bytes);
    std::string_view left = bytes;
    for (std::uint64_t k = 0; k < directory.members; ++k) {
        members_.push_back(take_member(file, left));
    }
}

bool ZipFile::has(std::string_view name) const {
    return std::any_of(members_.begin(), members_.end(), [&](const ZipMember& member) { return member.name == name; });
}

std::unique_ptr<ByteStream> ZipFile::open(std::string_view name) const {
    const InputFile file(path_);
    const auto member =
        std::find_if(members_.begin(), members_.end(), [&](const ZipMember& m) { return m.name == name; });
    if (member == members_.end()) {
        fail(file, "the zip archive has no member " + std::string(name));
    }
    const std::string shown = file.name() + " (member " + std::string(name) + ")";
    if (member->method != stored && member->method != deflated) {
        throw InputError(
            shown, "",
            "is packed by method " + std::to_string(member->method) + "; stored and deflated members can be read");
    }
    const std::uint64_t begin = data_begin(file, *member);
    const std::uint64_t most = member->method == deflated ? most_inflated_bytes(member->packed) : member->packed;
    if (member->bytes > most || (member->method == stored && member->bytes != member->packed)) {
        throw InputError(shown, "",
                         "should unpack to " + std::to_string(member->bytes) + " bytes, which its " +
                             std::to_string(member->packed) + " packed ones cannot: the file is damaged");
    }
    return std::make_unique<ByteStream>(path_, shown, std::make_unique<ZipSource>(path_, shown, *member, begin),
                                        member->bytes);
}

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

/// Writes the common part of a member's header and its line in the directory: from the flags to the length of the name.
void put_description(std::string& bytes, std::uint32_t checksum, std::uint32_t size, std::size_t name_bytes) {
    put_zeros(bytes, 2 + 2 + 2);  // flags, method (stored), time
    put(bytes, earliest_day);
    put(bytes, checksum);
    put(bytes, size);  // packed
    put(bytes, size);  // unpacked
    put(bytes, static_cast<std::uint16_t>(name_bytes));
}

}  // namespace

void ZipWriter::begin_member(const std::string& name, std::uint64_t bytes, std::uint32_t checksum) {
    const std::uint64_t overhead = (members_.size() + 2) * (record_bytes + name.size());
    if (bytes > std::numeric_limits<std::uint32_t>::max() ||
        position_ + bytes + overhead > std::numeric_limits<std::uint32_t>::max()) {
        throw OutputError(path_, name + " of " + std::to_string(bytes) +
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

void ZipWriter::add_npy(const std::string& name, const std::string& head, const Array::Values& numbers) {
    std::uint32_t checksum = crc32_of(0, head);
    for_each_block(numbers, [&](std::string_view block) { checksum = crc32_of(checksum, block); });
    begin_member(name + ".npy", head.size() + value_count(numbers) * number_bytes(numbers), checksum);
    out_.write(head);
    for_each_block(numbers, [&](std::string_view block) { out_.write(block); });
}

}  // namespace isogon
