#pragma once
#include <string_view>
#include <vector>

#include "isogon/methods/method.hpp"

namespace isogon {

/// All methods, in the order in which they should be listed.
[[nodiscard]] const std::vector<Method>& methods();

/// The method of that name; throws InvalidArgument listing the names there are.
[[nodiscard]] const Method& find_method(std::string_view name);

}  // namespace isogon
