#include "painleve/base/replaced_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

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

// Closes and, unless all went well, removes a half-written file.
class PartFile {
 public:
  explicit PartFile(const std::string& path)
      : path_(path),
        device_(is_device(path)),
        written_(device_ ? path : path + ".part"),
        descriptor_(open(written_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail(path_, errno);
    if (access(path_.c_str(), F_OK) == 0 && access(path_.c_str(), W_OK) != 0) {  // a rename would not mind
      const int error = errno;
      close(descriptor_);
      if (!device_) unlink(written_.c_str());
      fail(path_, error);
    }
  }
  ~PartFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!moved_ && !device_) unlink(written_.c_str());
  }
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
    if (!device_ && fsync(descriptor_) != 0) fail(path_, errno);
    const int descriptor = descriptor_;
    descriptor_ = -1;
    if (close(descriptor) != 0) fail(path_, errno);
  }

  void move() {
    if (!device_ && std::rename(written_.c_str(), path_.c_str()) != 0) fail(path_, errno);
    moved_ = true;
  }

 private:
  std::string path_;
  bool device_;
  std::string written_;
  int descriptor_;
  bool moved_ = false;
};

}  // namespace

void replace_files(const std::vector<FileContent>& files) {
  std::vector<std::unique_ptr<PartFile>> parts;
  for (const FileContent& file : files) {
    parts.push_back(std::make_unique<PartFile>(file.path));
    parts.back()->write_all(file.bytes);
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
