#include "painleve/base/replaced_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <numeric>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw InputError("cannot write " + in_quotes(path) + ": " + std::strerror(error));
}

// /dev/stdout and its kin cannot be renamed onto.
bool is_device(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

bool same_file(int descriptor, const std::string& name) {
  struct stat held {
  }, named{};
  return fstat(descriptor, &held) == 0 && stat(name.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

// A file system without locks does as well as it can.
void lock(int descriptor) {
  while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR) continue;
}

// PATH.part, empty and ours alone: another process that writes the same file is waited for. The lock ends with its
// holder, however that ends; by then the name may be gone, or that of another file.
int open_part(const std::string& path, const std::string& part) {
  for (;;) {
    const int descriptor = open(part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) fail(path, errno);
    lock(descriptor);
    if (same_file(descriptor, part)) {
      if (ftruncate(descriptor, 0) == 0 || errno == EINVAL) return descriptor;  // EINVAL: a device
      const int error = errno;
      close(descriptor);
      fail(path, error);
    }
    close(descriptor);
  }
}

int open_device(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, errno);
  return descriptor;
}

// Removes a half-written file unless all went well, and closes it only then: the lock guards the name, too.
class PartFile {
 public:
  explicit PartFile(const std::string& path)
      : path_(path),
        device_(is_device(path)),
        written_(device_ ? path : path + ".part"),
        descriptor_(device_ ? open_device(path) : open_part(path, written_)) {
    if (access(path_.c_str(), F_OK) == 0 && access(path_.c_str(), W_OK) != 0) {  // a rename would not mind
      const int error = errno;
      end();
      fail(path_, error);
    }
  }
  ~PartFile() { end(); }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  void write_all(const std::string& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t count = write(descriptor_, bytes.data() + done, bytes.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail(path_, errno);
      done += static_cast<std::size_t>(count);
    }
    if (!device_ && fsync(descriptor_) != 0 && errno != EINVAL) fail(path_, errno);
  }

  void move() {
    if (!device_ && std::rename(written_.c_str(), path_.c_str()) != 0) fail(path_, errno);
    moved_ = true;
  }

 private:
  void end() const {
    if (!moved_ && !device_) unlink(written_.c_str());
    close(descriptor_);
  }

  std::string path_;
  bool device_;
  std::string written_;
  int descriptor_;
  bool moved_ = false;
};

}  // namespace

void replace_files(const std::vector<FileContent>& files) {
  // Locks are taken in the order of the names, so that two processes never wait for each other.
  std::vector<std::size_t> order(files.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return files[a].path < files[b].path; });
  std::vector<std::unique_ptr<PartFile>> parts(files.size());
  for (const std::size_t k : order) {
    if (std::count_if(files.begin(), files.end(), [&](const FileContent& f) { return f.path == files[k].path; }) > 1)
      throw InputError(in_quotes(files[k].path) + " is given for two files");
    parts[k] = std::make_unique<PartFile>(files[k].path);
    parts[k]->write_all(files[k].bytes);
  }
  for (const auto& part : parts) part->move();
}

void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs) {
  std::error_code ignored;
  for (const std::string& input : inputs) {
    if (std::filesystem::equivalent(input, output, ignored))
      throw InputError(in_quotes(output) + " is read and would be overwritten: give another name for the output");
  }
}

void check_writable(const std::string& path) {
  if (path.empty()) throw InputError("the name of an output file is empty");
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) fail(path, EISDIR);
  const PartFile probe(path);  // removed again
}

}  // namespace painleve
