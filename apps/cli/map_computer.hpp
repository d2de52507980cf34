// Who computes a map: the threads of this process, or the processes of an MPI job, of which one leads.
#pragma once

#include "painleve/study/map.hpp"

namespace painleve::cli {

class MapComputer {
 public:
  virtual ~MapComputer() = default;
  // False in processes that only compute: they touch no file and print nothing.
  virtual bool leads() const { return true; }
  // The leader's part. An interrupted map is not complete.
  virtual Map compute(const MapProblem& problem, const MapOptions& options) { return compute_map(problem, options); }
  // The others' part: computes what the leader asks for, until it asks no more.
  virtual void assist(const MapProblem& /*problem*/) {}
};

}  // namespace painleve::cli
