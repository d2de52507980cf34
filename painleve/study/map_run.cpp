// compute_map(): threads take block after block from a common counter.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>

#include "painleve/base/error.hpp"
#include "painleve/base/threads.hpp"
#include "painleve/study/map_blocks.hpp"
#include "painleve/study/map_checkpoint.hpp"

namespace painleve {
namespace {

class MapRun {
 public:
  MapRun(const MapProblem& problem, const MapOptions& options)
      : problem_(problem),
        options_(options),
        grid_(problem.axes),
        blocks_(map_blocks(problem, options.shard)),
        lines_(problem) {
    for (const auto& block : blocks_) cells_ += block.last - block.first;
  }

  Map run() {
    if (!options_.checkpoint.empty()) open_checkpoint();
    report();
    in_threads(std::min(thread_count(options_.threads), blocks_.size()), [this](bool) { work(); });
    if (checkpoint_ && !failure_) checkpoint_->sync();
    if (failure_) std::rethrow_exception(failure_);
    return assembly().finish(thread_count(options_.threads));
  }

 private:
  using Clock = std::chrono::steady_clock;

  void open_checkpoint() {
    checkpoint_.emplace(options_.checkpoint, checkpoint_key(problem_, options_.shard), options_.resume);
    std::vector<bool> known(blocks_.size());
    checkpoint_->read([&](const MapBlock& block) {
      const auto at = std::lower_bound(blocks_.begin(), blocks_.end(), block.first,
                                       [](const MapBlock& b, long first) { return b.first < first; });
      if (at == blocks_.end() || at->first != block.first || at->last != block.last) return false;
      try {
        assembly().add(block);
      } catch (const std::runtime_error&) {  // not what this program writes
        return false;
      }
      known[static_cast<std::size_t>(at - blocks_.begin())] = true;
      return true;
    });
    std::vector<MapBlock> left;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (known[i])
        done_ += blocks_[i].last - blocks_[i].first;
      else
        left.push_back(blocks_[i]);
    }
    blocks_ = std::move(left);
  }

  void work() {
    try {
      CellValues values(problem_, &stop_);
      for (std::size_t i = next_++; i < blocks_.size() && !stop_; i = next_++) {
        compute_block(problem_, grid_, lines_, values, blocks_[i], [this] { return go_on(); });
        if (stop_ || blocks_[i].bytes.empty()) return;
        keep(blocks_[i]);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stop_ = true;
    }
  }

  // Made by the first who needs it: to lay out a large map takes as long as to compute some blocks of it, which others
  // do meanwhile.
  MapAssembly& assembly() {
    std::call_once(laid_out_, [this] { assembly_.emplace(problem_, options_.shard); });
    return *assembly_;
  }

  void keep(MapBlock& block) {
    assembly().add(block);
    const std::lock_guard lock(mutex_);
    if (checkpoint_ && !failure_) checkpoint_->append(block);
    block.bytes = {};
    done_ += block.last - block.first;
    report();
  }

  // Asks `proceed` from within long blocks, too; who finds another thread asking does not wait.
  bool go_on() {
    if (stop_) return false;
    if (!options_.proceed || Clock::now() < ask_again_.load(std::memory_order_relaxed)) return true;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock()) report();
    return !stop_;
  }

  // With mutex_ held, or before there are threads.
  void report() {
    if (!options_.proceed) return;
    const double part = cells_ == 0 ? 1 : static_cast<double>(done_) / static_cast<double>(cells_);
    if (!options_.proceed(part)) stop_ = true;
    ask_again_ = Clock::now() + std::chrono::milliseconds(50);
  }

  const MapProblem& problem_;
  const MapOptions& options_;
  MapGrid grid_;
  std::vector<MapBlock> blocks_;  // still to do
  MapLines lines_;
  std::once_flag laid_out_;
  std::optional<MapAssembly> assembly_;
  std::optional<MapCheckpoint> checkpoint_;
  long cells_ = 0, done_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::atomic<Clock::time_point> ask_again_{Clock::time_point{}};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

Map compute_map(const MapProblem& problem, const MapOptions& options) {
  if (options.threads < 0) throw InputError(fmt::format("threads must be >= 0, not {}", options.threads));
  return MapRun(problem, options).run();
}

}  // namespace painleve
