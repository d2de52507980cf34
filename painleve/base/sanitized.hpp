// Whether the program is built with a sanitizer that brings a malloc of its own and reserves terabytes of addresses: 1
// or 0. gcc says so by macros, clang by features.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PAINLEVE_SANITIZED 1
#elif defined(__has_feature)
#define PAINLEVE_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define PAINLEVE_SANITIZED 0
#endif
