#pragma once
#include <sys/stat.h>

#include <string>
#include <string_view>
#include <vector>

namespace isogon::cli {

/// The files that a run is to write, so that a run that fails can say which of them it has written already: those that
/// are not what they were when they were added. An output is always a new file, also where it replaces an old one.
class OutputRecord {
public:
    /// Call it before work starts. An empty name is none.
    void add(const std::string& path);

    /// Calls use(path) for each of them, in their order. Allocates nothing: it is asked when memory is gone.
    template <class Use>
    void for_each_written(const Use& use) const {
        for (const Entry& entry : entries_) {
            if (!(State(entry.path) == entry.before)) {
                use(std::string_view(entry.path));
            }
        }
    }

private:
    struct State {
        explicit State(const std::string& path);
        bool operator==(const State& other) const;
        struct stat status {};
        bool there;
    };
    struct Entry {
        std::string path;
        State before;
    };
    std::vector<Entry> entries_;
};

}  // namespace isogon::cli
