#include "apps/mpi/ranks.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "painleve/study/map_blocks.hpp"
#include "painleve/study/map_checkpoint.hpp"

namespace painleve::cli {
namespace {

enum class Kind : std::int64_t { ready, block, failed };

struct Header {
  std::uint64_t fingerprint = 0;
  Kind kind = Kind::ready;
  std::int64_t first = -1, last = -1;
};

using Answer = std::array<std::int64_t, 2>;
constexpr Answer no_more = {-1, -1};
constexpr int message_tag = 1, answer_tag = 2;
constexpr auto pause = std::chrono::microseconds(50);

// Not a std::runtime_error: those are full disks here.
class RankFailure : public std::exception {
 public:
  explicit RankFailure(std::string what) : what_(std::move(what)) {}
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

std::optional<MPI_Status> waiting(int source, int tag) {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(source, tag, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return std::nullopt;
  return status;
}

void send_message(const Header& header, const std::string& bytes) {
  std::string message(sizeof(Header), '\0');
  std::memcpy(message.data(), &header, sizeof(Header));
  message += bytes;
  MPI_Send(message.data(), static_cast<int>(message.size()), MPI_BYTE, 0, message_tag, MPI_COMM_WORLD);
}

struct Message {
  int rank = 0;
  Header header;
  std::string bytes;
};

std::optional<Message> receive_message() {
  const auto status = waiting(MPI_ANY_SOURCE, message_tag);
  if (!status) return std::nullopt;
  int size = 0;
  MPI_Get_count(&*status, MPI_BYTE, &size);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  MPI_Recv(bytes.data(), size, MPI_BYTE, status->MPI_SOURCE, message_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  Message message;
  message.rank = status->MPI_SOURCE;
  std::memcpy(&message.header, bytes.data(), sizeof(Header));
  message.bytes = bytes.substr(sizeof(Header));
  return message;
}

void send_answer(int rank, const Answer& answer) {
  MPI_Send(answer.data(), 2, MPI_INT64_T, rank, answer_tag, MPI_COMM_WORLD);
}

Answer wait_for_answer() {
  while (!waiting(0, answer_tag)) std::this_thread::sleep_for(pause);
  Answer answer = no_more;
  MPI_Recv(answer.data(), 2, MPI_INT64_T, 0, answer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return answer;
}

}  // namespace

// The leader's second thread, which computes. It takes blocks from the same list as the ranks do.
class Ranks::OwnThread {
 public:
  using Next = std::function<const MapBlock*()>;

  OwnThread(const MapProblem& problem, Next next)
      : next_(std::move(next)), thread_([this, &problem] { work(problem); }) {}
  ~OwnThread() {
    stop_ = true;
    thread_.join();
  }
  OwnThread(const OwnThread&) = delete;
  OwnThread& operator=(const OwnThread&) = delete;

  bool idle() const { return idle_; }
  // What it computed since it was last asked.
  std::vector<MapBlock> found() {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    return std::exchange(found_, {});
  }

 private:
  void work(const MapProblem& problem) {
    try {
      while (const MapBlock* next = stop_ ? nullptr : next_()) {
        MapBlock block = *next;
        compute_block(problem, block);
        const std::lock_guard lock(mutex_);
        found_.push_back(std::move(block));
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
    idle_ = true;
  }

  Next next_;
  std::atomic<bool> stop_ = false, idle_ = false;
  std::mutex mutex_;
  std::vector<MapBlock> found_;
  std::exception_ptr failure_;
  std::thread thread_;
};

// True where a message was waiting. Its block, if any, goes to `found`.
bool Ranks::answer_one(std::uint64_t fingerprint, const std::function<const MapBlock*()>& next,
                       std::vector<MapBlock>& found) {
  auto message = receive_message();
  if (!message) return false;
  const Header& header = message->header;
  const auto dismiss = [&] {
    send_answer(message->rank, no_more);
    dismissed_[static_cast<std::size_t>(message->rank)] = true;
  };
  if (header.kind == Kind::failed) {
    dismiss();
    throw RankFailure(fmt::format("rank {} failed: {}", message->rank, message->bytes));
  }
  if (header.fingerprint != fingerprint) {
    dismiss();
    throw RankFailure(
        fmt::format("rank {} was given another problem: are the scene file and the program the same on "
                    "all machines?",
                    message->rank));
  }
  if (const MapBlock* block = next(); block != nullptr) {
    send_answer(message->rank, {block->first, block->last});
  } else {
    dismiss();
  }
  if (header.kind == Kind::block) found.push_back({header.first, header.last, std::move(message->bytes)});
  return true;
}

void Ranks::hand_out(const MapProblem& problem, const std::vector<MapBlock>& todo, const Done& done) {
  const std::uint64_t fingerprint = problem.fingerprint();
  std::atomic<std::size_t> taken = 0;
  std::atomic<bool> enough = false;
  const auto next = [&]() -> const MapBlock* {
    if (enough) return nullptr;
    const std::size_t k = taken++;
    return k < todo.size() ? &todo[k] : nullptr;
  };
  OwnThread own(problem, next);
  const auto all_gone = [&] {
    for (std::size_t k = 1; k < dismissed_.size(); ++k) {
      if (!dismissed_[k]) return false;
    }
    return own.idle();
  };
  for (bool last = false; !last;) {
    last = all_gone();  // before looking: what they left is still to be taken
    std::vector<MapBlock> found = own.found();
    const bool spoken = answer_one(fingerprint, next, found);
    for (MapBlock& block : found) {
      if (!done(std::move(block))) enough = true;
    }
    if (!spoken && found.empty() && !last) std::this_thread::sleep_for(pause);
  }
}

// The blocks that the checkpoint does not have; those that it has are added to the map.
std::vector<MapBlock> Ranks::left_to_do(const MapProblem& problem, const Shard& shard, MapCheckpoint* checkpoint,
                                        MapAssembly& assembly) {
  std::map<long, MapBlock> left;
  for (MapBlock& block : map_blocks(problem, shard)) left.emplace(block.first, std::move(block));
  if (checkpoint != nullptr) {
    checkpoint->read([&](const MapBlock& block) {
      const auto at = left.find(block.first);
      if (at == left.end() || at->second.last != block.last) return false;
      assembly.add(block);
      left.erase(at);
      return true;
    });
  }
  std::vector<MapBlock> todo;
  for (auto& [first, block] : left) todo.push_back(std::move(block));
  return todo;
}

Map Ranks::compute(const MapProblem& problem, const MapOptions& options) {
  if (count_ == 1) return compute_map(problem, options);
  MapAssembly assembly(problem, options.shard);
  std::optional<MapCheckpoint> checkpoint;
  if (!options.checkpoint.empty())
    checkpoint.emplace(options.checkpoint, checkpoint_key(problem, options.shard), options.resume);
  const auto todo = left_to_do(problem, options.shard, checkpoint ? &*checkpoint : nullptr, assembly);
  const auto all = static_cast<double>(map_blocks(problem, options.shard).size());
  double left = static_cast<double>(todo.size());
  hand_out(problem, todo, [&](MapBlock&& block) {
    assembly.add(block);
    if (checkpoint) checkpoint->append(block);
    left -= 1;
    return !options.proceed || options.proceed(1 - left / all);
  });
  if (checkpoint) checkpoint->sync();
  return assembly.finish();
}

void Ranks::assist(const MapProblem& problem) {
  Header header;
  header.fingerprint = problem.fingerprint();
  MapBlock block;
  while (true) {
    send_message(header, block.bytes);
    if (const Answer answer = wait_for_answer(); answer != no_more) {
      block = {answer[0], answer[1], {}};
    } else {
      dismissed_[static_cast<std::size_t>(rank_)] = true;
      return;
    }
    compute_block(problem, block);
    header.kind = Kind::block;
    header.first = block.first;
    header.last = block.last;
  }
}

void Ranks::part() {
  if (rank_ != 0 && !dismissed_[static_cast<std::size_t>(rank_)]) {
    Header header;
    header.kind = Kind::failed;
    send_message(header, "it could not read the scene, or had not enough memory");
    while (wait_for_answer() != no_more) {
    }
  }
  for (int left = count_; rank_ == 0 && left > 0;) {
    left = 0;
    for (int k = 1; k < count_; ++k) left += dismissed_[static_cast<std::size_t>(k)] ? 0 : 1;
    if (const auto message = left > 0 ? receive_message() : std::nullopt) {
      send_answer(message->rank, no_more);
      dismissed_[static_cast<std::size_t>(message->rank)] = true;
    } else if (left > 0) {
      std::this_thread::sleep_for(pause);
    }
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  int together = 0;
  while (MPI_Test(&request, &together, MPI_STATUS_IGNORE) == MPI_SUCCESS && together == 0)
    std::this_thread::sleep_for(5 * pause);
}

}  // namespace painleve::cli
