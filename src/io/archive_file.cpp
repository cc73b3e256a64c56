#include "isogon/io/archive_file.hpp"

#include <algorithm>
#include <bit>
#include <memory>

#include "io/byte_stream.hpp"
#include "io/safetensors.hpp"
#include "io/scalar_type.hpp"
#include "io/zip_file.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// Sorted by the size of a number, descending, then by name: all arrays are then aligned without gaps, which the format
/// forbids.
std::vector<Tensor> lay_out(const Archive& archive) {
    std::vector<Tensor> tensors;
    std::uint64_t end = 0;
    for (const std::size_t width : {sizeof(double), sizeof(float), sizeof(std::uint8_t)}) {
        for (const auto& [name, array] : archive.arrays) {
            if (number_bytes(array.values) == width) {
                const std::uint64_t begin = end;
                end += *element_count(array.shape) * width;
                tensors.push_back({name, std::string(tensor_type(array.values)), array.shape, begin, end});
            }
        }
    }
    return tensors;
}

/// Length and text, the checksum still zeros.
std::string header_bytes(const Archive& archive, const std::vector<Tensor>& tensors) {
    const std::string text = safetensors_header_text({to_metadata(archive), tensors});
    if (text.size() > most_safetensors_header_bytes) {
        throw InvalidArgument("arrays", std::to_string(archive.arrays.size()),
                              "their names, with options and notes, must fit into a header of " +
                                  std::to_string(most_safetensors_header_bytes) + " bytes; this one would have " +
                                  std::to_string(text.size()));
    }
    std::string bytes;
    store(bytes, std::uint64_t{text.size()}, std::endian::little);
    return bytes + text;
}

void put_checksum(std::string& header, const Archive& archive, const std::vector<Tensor>& tensors) {
    std::uint32_t checksum = crc32_of(0, header);
    for (const Tensor& tensor : tensors) {
        for_each_block(archive.array(tensor.name).values,
                       [&](std::string_view block) { checksum = crc32_of(checksum, block); });
    }
    const std::string digits = checksum_text(checksum);
    header.replace(checksum_position(header), digits.size(), digits);
}

/// Reads the text of the header; the stream is then at the data.
std::string read_header_text(ByteStream& stream) {
    constexpr std::size_t shown = safetensors_length_bytes + 2;
    const std::string_view first = stream.peek(shown).substr(0, shown);
    if (first.size() == shown && !is_safetensors(first)) {
        stream.fail("byte 0", "is not a safetensors file: that begins with eight bytes of length and a brace");
    }
    std::string length_bytes(safetensors_length_bytes, '\0');
    stream.read(length_bytes, "the length of a safetensors header");
    const auto length = load<std::uint64_t>(length_bytes.data(), std::endian::little);
    if (length > most_safetensors_header_bytes) {
        stream.fail("byte 0", "a safetensors header of " + std::to_string(length) +
                                  " bytes; a model of isogon's has at most " +
                                  std::to_string(most_safetensors_header_bytes));
    }
    stream.require_bytes(length, "the header");
    std::string text(length, '\0');
    stream.read(text, "the safetensors header");
    return text;
}

/// Nothing has been allocated for the data when this returns or throws.
void check_tensors(const ByteStream& stream, const std::vector<Tensor>& tensors) {
    for (const Tensor& tensor : tensors) {
        const Array::Values empty = tensor_values(tensor);
        if (!is_archive_name(tensor.name) || tensor.shape.size() > most_array_axes) {
            throw SafetensorsFault("array " + shown_text(tensor.name), "its name or its number of axes (" +
                                                                           std::to_string(tensor.shape.size()) +
                                                                           ") is none that isogon writes");
        }
    }
    if (!tensors.empty()) {
        stream.require_bytes(tensors.back().end, "the data");
    }
}

void require_checksum(const ByteStream& stream, const std::string& said, std::uint32_t checksum) {
    const std::string found = checksum_text(checksum);
    if (found != said) {
        stream.fail("", "the file is damaged, or was changed by another program: its checksum should be " + said +
                            " and is " + found + "; fit or copy it again");
    }
}

enum class Keep { All, SingleNumbers };

/// Whether the numbers of a tensor can be used as they lie in the file.
bool can_be_mapped(const ByteStream& stream, const Tensor& tensor, std::uint64_t data) {
    return stream.plain() && std::endian::native == std::endian::little && tensor.type == "F32" &&
           tensor.end > tensor.begin && (data + tensor.begin) % alignof(float) == 0;
}

MappedFloats mapped_floats(const std::shared_ptr<const char>& file, const Tensor& tensor, std::uint64_t data) {
    const auto* first = reinterpret_cast<const float*>(file.get() + data + tensor.begin);
    return {file, {first, (tensor.end - tensor.begin) / sizeof(float)}};
}

ArchiveInfo read(ByteStream& stream, Keep keep, const std::vector<std::string>& mapped) {
    std::string text = read_header_text(stream);
    const SafetensorsHeader header = parse_safetensors_header(text);
    ArchiveInfo info{archive_from(header.metadata), {}, stream.gzip(), stream.file().size()};
    const auto said = take_checksum(text);
    if (!said) {
        throw SafetensorsFault("__metadata__", "its checksum crc32, eight lower-case hexadecimal digits, is missing");
    }
    check_tensors(stream, header.tensors);
    std::string length;
    store(length, std::uint64_t{text.size()}, std::endian::little);
    TensorReader reader(stream, crc32_of(crc32_of(0, length), text));
    const std::uint64_t data = length.size() + text.size();
    std::shared_ptr<const char> file;
    for (const Tensor& tensor : header.tensors) {
        const bool kept = keep == Keep::All || tensor.shape.empty();
        const bool mappable = can_be_mapped(stream, tensor, data);
        const bool stays = kept && mappable && std::find(mapped.begin(), mapped.end(), tensor.name) != mapped.end();
        Array array = reader.read(tensor, kept && !stays);
        info.arrays.push_back({tensor.name, std::string(scalar_name(array.values)), tensor.shape, mappable});
        if (stays) {
            file = file ? file : stream.file().map();
            array.values = mapped_floats(file, tensor, data);
        }
        if (kept) {
            info.archive.arrays.emplace(tensor.name, std::move(array));
        }
    }
    stream.require_end();
    require_checksum(stream, *said, reader.checksum());
    reader.require_finite();
    info.archive.source = stream.source();
    return info;
}

ArchiveInfo read(const std::filesystem::path& path, Keep keep, const std::vector<std::string>& mapped = {}) {
    ByteStream stream(path);
    try {
        return read(stream, keep, mapped);
    } catch (const SafetensorsFault& fault) {
        stream.fail(fault.place(), fault.what());
    }
}

}  // namespace

void require_writable_archive(const std::filesystem::path& path, const WriteOptions& options) {
    if (!is_safetensors_name(path)) {
        throw OutputError(path.string(), "the name of a model file must end in .safetensors");
    }
    require_writable_target(path, options.overwrite);
}

void write_archive(const std::filesystem::path& path, const Archive& archive, const WriteOptions& options) {
    require_writable_archive(path, options);
    for (const auto& [name, array] : archive.arrays) {
        check_array(name, array);
    }
    const std::vector<Tensor> tensors = lay_out(archive);
    std::string header = header_bytes(archive, tensors);
    put_checksum(header, archive, tensors);
    OutputStream out(path, options.overwrite);
    out.write(header);
    for (const Tensor& tensor : tensors) {
        for_each_block(archive.array(tensor.name).values, [&](std::string_view block) { out.write(block); });
    }
    out.commit();
}

Archive read_archive(const std::filesystem::path& path, const std::vector<std::string>& mapped) {
    return read(path, Keep::All, mapped).archive;
}

ArchiveInfo describe_archive(const std::filesystem::path& path) {
    return read(path, Keep::SingleNumbers);
}

bool is_archive_file(const std::filesystem::path& path) {
    if (is_safetensors_name(path)) {
        return true;
    }
    try {
        return is_safetensors(ByteStream(path).peek(safetensors_length_bytes + 2));
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace isogon
