// The checkpoint of a map: finished blocks in a file that survives the end of the process at any moment. Not part of
// the public interface.
//
//   file    header, then records
//   header  16 bytes of magic, u64 format, u64 build, u64 fingerprint of problem and shard, u64 hash of all before
//   record  i64 first, i64 last, u64 length, the bytes of the block, u64 hash of all of the record before
//
// Records are appended and synced about once a second. After a crash the last ones may be torn: reading stops at the
// first whose hash is wrong, and the file is cut there.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "painleve/study/map.hpp"

namespace painleve {

// What a checkpoint is of: a shard of a problem.
std::uint64_t checkpoint_key(const MapProblem& problem, const Shard& shard);

class MapCheckpoint {
 public:
  // Opens, or makes, and locks the file; what is refused is an InputError.
  MapCheckpoint(std::filesystem::path path, std::uint64_t fingerprint, bool resume);
  MapCheckpoint(const MapCheckpoint&) = delete;
  MapCheckpoint& operator=(const MapCheckpoint&) = delete;
  ~MapCheckpoint();

  // Hands over every good record; `take` says whether it is one, too. To be called once, before append().
  void read(const std::function<bool(const MapBlock&)>& take);
  // Throws std::runtime_error when it cannot be written; the records before stay good.
  void append(const MapBlock& block);
  void sync();

 private:
  void open(bool resume);
  void check_header(std::uint64_t fingerprint);
  void write(const std::string& bytes);
  std::string read_at(std::uint64_t offset, std::size_t size) const;  // shorter at the end of the file
  void cut();                                                         // back to what is good
  [[noreturn]] void fail(int error) const;

  std::filesystem::path path_;
  int file_ = -1;
  std::uint64_t good_ = 0;  // bytes that hold a header and whole records
  std::chrono::steady_clock::time_point synced_;
};

}  // namespace painleve
