#include "painleve/scene/hdf5_file.hpp"

#include <algorithm>
#include <stdexcept>

#include "painleve/base/memory.hpp"

namespace painleve::detail {
namespace {

std::mutex& library() {
  static std::mutex mutex;
  return mutex;
}

void put(hid_t where, const char* name, hid_t type, const void* value) {
  const Hdf5Handle space(H5Screate(H5S_SCALAR), &H5Sclose);
  const Hdf5Handle a(H5Acreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT), &H5Aclose);
  checked(H5Awrite(a, type, value));
}

}  // namespace

Hdf5Session::Hdf5Session() : alone_(library()) {
  constexpr std::size_t own_needs = std::size_t{16} << 20U;  // 2 MB were seen to matter; the data come on top
  need_memory(own_needs);
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Session::~Hdf5Session() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

hid_t checked(hid_t id) {
  if (id < 0) throw std::runtime_error("the HDF5 library refused a call");
  return id;
}

Hdf5Handle without_times(hid_t kind) {
  Hdf5Handle properties(H5Pcreate(kind), &H5Pclose);
  checked(H5Pset_obj_track_times(properties, false));
  return properties;
}

Hdf5Handle text_type(std::size_t length) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), &H5Tclose);
  checked(H5Tset_size(type, std::max<std::size_t>(length, 1)));
  checked(H5Tset_cset(type, H5T_CSET_UTF8));
  checked(H5Tset_strpad(type, H5T_STR_NULLPAD));
  return type;
}

void put_attribute(hid_t where, const char* name, const std::string& text) {
  std::string bytes = text;
  bytes.resize(std::max<std::size_t>(text.size(), 1), '\0');
  put(where, name, text_type(text.size()), bytes.data());
}

void put_attribute(hid_t where, const char* name, double x) { put(where, name, H5T_NATIVE_DOUBLE, &x); }

void put_attribute(hid_t where, const char* name, std::int64_t x) { put(where, name, H5T_NATIVE_INT64, &x); }

Hdf5Handle make_group(hid_t where, const std::string& name) {
  const Hdf5Handle properties = without_times(H5P_GROUP_CREATE);
  return {H5Gcreate2(where, name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT), &H5Gclose};
}

std::string padded(const std::vector<std::string>& texts, std::size_t& width) {
  width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  std::string bytes;
  bytes.reserve(width * texts.size());
  for (const std::string& text : texts) {
    bytes += text;
    bytes.append(width - text.size(), '\0');
  }
  return bytes;
}

std::string hdf5_image(const std::function<void(hid_t file)>& fill) {
  const Hdf5Session session;
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
  constexpr std::size_t increment = std::size_t{1} << 20U;
  checked(H5Pset_fapl_core(access, increment, false));
  const Hdf5Handle properties = without_times(H5P_FILE_CREATE);
  const Hdf5Handle file(H5Fcreate("image.h5", H5F_ACC_TRUNC, properties, access), &H5Fclose);
  fill(file);
  checked(H5Fflush(file, H5F_SCOPE_GLOBAL));
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size < 0) throw std::runtime_error("the HDF5 library gave no file image");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(file, bytes.data(), bytes.size()) != size)
    throw std::runtime_error("the HDF5 library gave no file image");
  return bytes;
}

}  // namespace painleve::detail
