#pragma once

#if defined(__GNUC__)
// Not there unless the program is linked with the sanitizer: the library may have it where the tests have not.
extern "C" void __asan_init() __attribute__((weak));  // NOLINT(bugprone-reserved-identifier): the sanitizer's own name
#endif

namespace isogon::support {

/// Whether a sanitizer runs beside the test, which takes more addresses than any limit would leave.
inline bool under_a_sanitizer() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__GNUC__)
    return __asan_init != nullptr;
#else
    return false;
#endif
}

}  // namespace isogon::support
