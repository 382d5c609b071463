// What a function needs to be called by XLA's compiled programs: the records of its foreign function
// interface that we read (version 0.3 of its binary interface, which only grows). Written out here, so that
// building needs no JAX.
#pragma once

#include <cstddef>
#include <cstdint>

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

}  // namespace dicezero::xla
