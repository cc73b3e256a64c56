#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/error.hpp"
#include "session.hpp"

namespace isogon::cli {

/// Finished runs, kept in a folder by the digest of all that they depend on, each a file that is there whole or not at
/// all. What is damaged, or is another run than its name says, is told and done again; a folder that cannot be written
/// is told once, and nothing is kept.
class RunCache {
public:
    /// `folder` empty: nothing is kept. `fresh`: nothing that is there is taken, and what comes replaces it.
    RunCache(std::filesystem::path folder, bool fresh, Session& session);

    /// What is kept under this key, or nothing.
    [[nodiscard]] std::optional<Archive> find(const std::string& key);
    void keep(const std::string& key, Archive archive);
    /// The same as find() for what can be read out of an archive, which `read` throws InputError for if it cannot.
    template <class Read>
    [[nodiscard]] auto find(const std::string& key, const Read& read) -> std::optional<decltype(read(Archive()))> {
        try {
            const auto archive = find(key);
            return archive ? std::optional(read(*archive)) : std::nullopt;
        } catch (const InputError& error) {
            tell_damage(error.what());
            return std::nullopt;
        }
    }

private:
    [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;
    void tell_damage(const std::string& what);

    std::filesystem::path folder_;
    bool fresh_;
    bool writable_ = true;
    Session& session_;
};

/// Where runs are kept unless the user says otherwise: the folder isogon-runs beside the first of these outputs that is
/// named, or nowhere ("") without one. No hidden folder elsewhere: what fills a disk should be seen.
[[nodiscard]] std::filesystem::path default_cache(const std::vector<std::string>& outputs);

}  // namespace isogon::cli
