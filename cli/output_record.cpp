#include "output_record.hpp"

namespace isogon::cli {

OutputRecord::State::State(const std::string& path) : there(::stat(path.c_str(), &status) == 0) {}

bool OutputRecord::State::operator==(const State& other) const {
    if (!there || !other.there) {
        return there == other.there;
    }
    return status.st_dev == other.status.st_dev && status.st_ino == other.status.st_ino &&
           status.st_mtim.tv_sec == other.status.st_mtim.tv_sec &&
           status.st_mtim.tv_nsec == other.status.st_mtim.tv_nsec;
}

void OutputRecord::add(const std::string& path) {
    if (!path.empty()) {
        entries_.push_back({path, State(path)});
    }
}

}  // namespace isogon::cli
