// What the writers and readers of HDF5 files share. Not for other modules' headers: it shows the C library.
//
// A file is made in memory as a whole, so that the disk is met in one place only, where errors have a reason
// (replace_files); it holds no time stamps, so that equal content gives equal bytes.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace painleve::detail {

// The library has one state for the whole program and is not safe for threads: hold this, and be quiet, while you use
// it. Errors come back as return values; the library is not to print them.
class Hdf5Session {
 public:
  Hdf5Session();
  ~Hdf5Session();
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;

 private:
  std::lock_guard<std::mutex> alone_;
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// Throws std::runtime_error for the negative numbers that mean failure.
hid_t checked(hid_t id);

// An identifier with the function that closes it.
class Hdf5Handle {
 public:
  Hdf5Handle(hid_t id, herr_t (*release)(hid_t)) : id_(checked(id)), release_(release) {}
  ~Hdf5Handle() {
    if (id_ >= 0) release_(id_);
  }
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), release_(other.release_) {}
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(Hdf5Handle&&) = delete;
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor)

 private:
  hid_t id_;
  herr_t (*release_)(hid_t);
};

Hdf5Handle without_times(hid_t kind);  // creation properties, as H5P_DATASET_CREATE
Hdf5Handle text_type(std::size_t length);

void put_attribute(hid_t where, const char* name, const std::string& text);
void put_attribute(hid_t where, const char* name, double x);
void put_attribute(hid_t where, const char* name, std::int64_t x);

Hdf5Handle make_group(hid_t where, const std::string& name);
// Texts of one fixed width, the longest one's, padded with zeros.
std::string padded(const std::vector<std::string>& texts, std::size_t& width);

// The bytes of a file that `fill` writes its content into.
std::string hdf5_image(const std::function<void(hid_t file)>& fill);

}  // namespace painleve::detail
