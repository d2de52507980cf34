#include "painleve/study/map_checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "painleve/base/error.hpp"
#include "painleve/base/fingerprint.hpp"
#include "painleve/base/names.hpp"
#include "painleve/study/build_identity.hpp"

namespace painleve {
namespace {

constexpr std::string_view magic = "painleve map ck\n";
constexpr std::uint64_t format = 2;
constexpr std::size_t header_size = 16 + 4 * 8;
constexpr std::size_t head_size = 3 * 8;  // of a record

void append_number(std::string& bytes, std::uint64_t x) {
  char raw[sizeof x];
  std::memcpy(raw, &x, sizeof x);
  bytes.append(raw, sizeof x);
}

std::uint64_t number_at(const std::string& bytes, std::size_t at) {
  std::uint64_t x = 0;
  std::memcpy(&x, bytes.data() + at, sizeof x);
  return x;
}

std::string with_hash(std::string bytes) {
  append_number(bytes, hash_bytes(bytes));
  return bytes;
}

std::string header(std::uint64_t fingerprint) {
  std::string bytes(magic);
  append_number(bytes, format);
  append_number(bytes, build_identity());
  append_number(bytes, fingerprint);
  return with_hash(bytes);
}

std::string words_of(int error) { return std::generic_category().message(error); }

// A new name is safe only when its folder is on the disk, too. Not every file system can do that.
void sync_folder(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

}  // namespace

std::uint64_t checkpoint_key(const MapProblem& problem, const Shard& shard) {
  Fingerprint print;
  print.add(static_cast<long>(problem.fingerprint()));
  print.add(shard.index);
  print.add(shard.count);
  return print.value();
}

MapCheckpoint::MapCheckpoint(std::filesystem::path path, std::uint64_t fingerprint, bool resume)
    : path_(std::move(path)), synced_(std::chrono::steady_clock::now()) {
  open(resume);
  try {
    check_header(fingerprint);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

MapCheckpoint::~MapCheckpoint() { ::close(file_); }

void MapCheckpoint::open(bool resume) {
  const std::string name = in_quotes(path_.string());
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (resume ? 0 : O_EXCL), 0666);
  if (file_ < 0 && errno == EEXIST)
    throw InputError(fmt::format(
        "the checkpoint {} exists: another run may be at work on it; if not, go on from it with --resume, or delete it",
        name));
  if (file_ < 0) throw InputError(fmt::format("cannot write the checkpoint {}: {}", name, words_of(errno)));
  struct stat status {};
  std::string refused;
  if (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode))
    refused = fmt::format("the checkpoint {} is not a file that can be written", name);
  else if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
    refused = fmt::format("the checkpoint {} is in use by another process", name);
  if (refused.empty()) return;
  ::close(file_);
  throw InputError(refused);
}

void MapCheckpoint::check_header(std::uint64_t fingerprint) {
  const std::string expected = header(fingerprint);
  const std::string found = read_at(0, header_size);
  const std::string name = in_quotes(path_.string());
  const auto known = std::min(found.size(), magic.size());
  if (found.compare(0, known, magic.substr(0, known)) != 0)
    throw InputError(fmt::format("{} is not the checkpoint of a map", name));
  if (found.size() < header_size) {  // new, or it ended before its header was written
    cut();
    write(expected);
    sync();
    sync_folder(path_);
    return;
  }
  if (number_at(found, header_size - 8) != hash_bytes(std::string_view(found).substr(0, header_size - 8)))
    throw InputError(fmt::format("the checkpoint {} is damaged: delete it", name));
  if (number_at(found, magic.size()) != format)
    throw InputError(fmt::format("the checkpoint {} is of another version of the program", name));
  if (number_at(found, magic.size() + 8) != build_identity()) {
    throw InputError(fmt::format(
        "the checkpoint {} is of another build of the program, whose digits may differ: finish it with that one, or "
        "delete it",
        name));
  }
  if (found != expected)
    throw InputError(fmt::format(
        "the checkpoint {} belongs to another map: another scene, range, quantity, shard or version", name));
  good_ = header_size;
}

void MapCheckpoint::read(const std::function<bool(const MapBlock&)>& take) {
  struct stat status {};
  if (::fstat(file_, &status) != 0) fail(errno);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  while (good_ + head_size + 8 <= size) {
    std::string record = read_at(good_, head_size);
    if (record.size() < head_size) break;
    const std::uint64_t length = number_at(record, 16);
    if (length > size - good_ - head_size - 8) break;
    record += read_at(good_ + head_size, length + 8);
    const std::string_view body = std::string_view(record).substr(0, record.size() - 8);
    if (record.size() != head_size + length + 8 || number_at(record, body.size()) != hash_bytes(body)) break;
    const MapBlock block{static_cast<long>(number_at(record, 0)), static_cast<long>(number_at(record, 8)),
                         std::string(body.substr(head_size))};
    if (!take(block)) break;
    good_ += record.size();
  }
  if (good_ < size) cut();
}

void MapCheckpoint::append(const MapBlock& block) {
  std::string record;
  append_number(record, static_cast<std::uint64_t>(block.first));
  append_number(record, static_cast<std::uint64_t>(block.last));
  append_number(record, block.bytes.size());
  record += block.bytes;
  write(with_hash(std::move(record)));
  if (std::chrono::steady_clock::now() - synced_ >= std::chrono::seconds(1)) sync();
}

void MapCheckpoint::sync() {
  if (::fsync(file_) != 0) fail(errno);
  synced_ = std::chrono::steady_clock::now();
}

void MapCheckpoint::write(const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto n = ::pwrite(file_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(good_ + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int error = n < 0 ? errno : ENOSPC;
      cut();
      fail(error);
    }
    done += static_cast<std::size_t>(n);
  }
  good_ += bytes.size();
}

std::string MapCheckpoint::read_at(std::uint64_t offset, std::size_t size) const {
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const auto n = ::pread(file_, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(errno);
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  bytes.resize(done);
  return bytes;
}

// If this fails, too, the torn record is found by its hash.
void MapCheckpoint::cut() { [[maybe_unused]] const int ignored = ::ftruncate(file_, static_cast<off_t>(good_)); }

void MapCheckpoint::fail(int error) const {
  throw std::runtime_error(fmt::format("cannot write the checkpoint {}: {}; the cells that it holds are good",
                                       in_quotes(path_.string()), words_of(error)));
}

}  // namespace painleve
