// What a function needs to be called by XLA's compiled programs: the records of its foreign function
// interface that we read (version 0.3 of its binary interface, which only grows). Written out here, so that
// building needs no JAX.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <exception>

namespace dicezero::xla {

struct Error;  // XLA's own

struct Extension {
  std::size_t size;
  int type;
  Extension* next;
};
inline constexpr int kMetadata = 1, kExecute = 3, kFloat32 = 11, kInvalidArgument = 3;

struct Version {
  std::size_t size;
  Extension* extensions;
  int major, minor;
};

struct Metadata {
  std::size_t size;
  Version version;
  std::uint32_t traits;
};

struct MetadataExtension {
  Extension base;
  Metadata* metadata;
};

struct ErrorRequest {
  std::size_t size;
  Extension* extensions;
  const char* message;
  int code;
};

struct Api {
  std::size_t size;
  Extension* extensions;
  Version version;
  const void* internal;
  Error* (*make_error)(ErrorRequest*);
};

struct Buffer {
  std::size_t size;
  Extension* extensions;
  int type;
  void* data;
  std::int64_t rank;
  std::int64_t* shape;

  float* floats() const { return static_cast<float*>(data); }
};

struct Buffers {
  std::size_t size;
  Extension* extensions;
  std::int64_t count;
  int* types;
  void** items;

  const Buffer& operator[](std::int64_t i) const { return *static_cast<const Buffer*>(items[i]); }
};

struct Call {
  std::size_t size;
  Extension* extensions;
  const Api* api;
  void* context;
  int stage;
  Buffers arguments, results;
};

inline Error* fail(const Call& call, const char* message) {
  ErrorRequest request{sizeof(ErrorRequest), nullptr, message, kInvalidArgument};
  return call.api->make_error(&request);
}

// XLA asks each function once for the version it was written for.
inline bool answers_metadata(const Call& call) {
  if (!call.extensions || call.extensions->type != kMetadata) return false;
  Metadata* metadata = reinterpret_cast<MetadataExtension*>(call.extensions)->metadata;
  metadata->version = {sizeof(Version), nullptr, 0, 3};
  metadata->traits = 0;
  return true;
}

// No exception may leave a function that XLA calls.
template <class Work>
Error* guarded(const Call& call, Work work) {
  try {
    work();
    return nullptr;
  } catch (const std::exception& error) {
    return fail(call, error.what());
  }
}

inline nanobind::capsule target(Error* (*function)(Call*)) {
  return nanobind::capsule(reinterpret_cast<void*>(function), "xla._CUSTOM_CALL_TARGET");
}

}  // namespace dicezero::xla

namespace dicezero {

void add_dense_targets(nanobind::dict& targets);

}  // namespace dicezero
