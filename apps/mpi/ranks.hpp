// A map shared out to the processes (ranks) of an MPI job.
//
// Rank 0 leads: it alone touches files and prints. The others ask it for a block, compute it, and ask again with what
// they found; so fast ones get more. Rank 0 computes too, on a thread beside the one that answers. Which rank computed
// a block leaves no trace in the map. MPI's own waiting would keep a core busy: here everybody looks, and sleeps.
//
//   rank k -> 0   message:  fingerprint, kind (ready, block, failed), first, last, then the block's bytes or the reason
//   0 -> rank k   answer:   first, last of the next block, or −1, −1: no more
//
// Each rank sends messages until it is answered −1; so none waits for a rank that is gone.
#pragma once

#include <vector>

#include "apps/cli/map_computer.hpp"

namespace painleve {
class MapAssembly;
class MapCheckpoint;
}  // namespace painleve

namespace painleve::cli {

class Ranks : public MapComputer {
 public:
  Ranks(int rank, int count) : rank_(rank), count_(count), dismissed_(static_cast<std::size_t>(count), false) {}

  bool leads() const override { return rank_ == 0; }
  Map compute(const MapProblem& problem, const MapOptions& options) override;
  void assist(const MapProblem& problem) override;
  // The last words of every rank, however its part went.
  void part();

 private:
  using Done = std::function<bool(MapBlock&&)>;
  class OwnThread;
  static std::vector<MapBlock> left_to_do(const MapProblem& problem, const Shard& shard, MapCheckpoint* checkpoint,
                                          MapAssembly& assembly);
  void hand_out(const MapProblem& problem, const std::vector<MapBlock>& todo, const Done& done);
  bool answer_one(std::uint64_t fingerprint, const std::function<const MapBlock*()>& next,
                  std::vector<MapBlock>& found);

  int rank_, count_;
  std::vector<bool> dismissed_;  // the leader's list of ranks that were answered −1; of the others, their own place
};

}  // namespace painleve::cli
