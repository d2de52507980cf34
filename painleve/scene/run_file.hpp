// Result files of runs: what the samples, the events and the energy ledger hold, for plotting tools and notebooks.
//
//   run.csv         one row per sample:  t, x, …, x_dot, …, tip.gap, tip.u_t, tip.u_n, tip.lambda_t, tip.lambda_n, …,
//                   mode, energy, solutions, taken, future
//   run.events.csv  one row per event:   t, kind, contact, mode, tip.u_t_before, …, tip.u_t_after, …, tip.Lambda_t, …,
//                   note, future
//   run.h5          groups samples and events with one dataset per column of the same name (units as attributes),
//   energy
//                   (attributes), impulse; futures/0, futures/1, … with the same layout each
//
// In space the tangents are u_t1 and u_t2. What does not exist is an empty cell, in HDF5 NaN. `future` is empty for the
// run itself, and "1" or "1.0" for its future 1 or that one's future 0. Plotting tools reject two rows at one time:
// where samples stand before and after an impact at the same time, CSV keeps the one after; the event holds the other.
//
// Files are written beside their place as PATH.part and moved there when complete: what stands under the name is whole.
// The same run gives the same bytes.
#pragma once

#include <string>

#include "painleve/simulation/run.hpp"

namespace painleve {

// By the end of the name, .csv or .h5 (.hdf5). Throws InputError for other names (check_run_path), and
// with path and reason when a file cannot be written; nothing is left then.
void write_run(const Run& run, const std::string& path);
void check_run_path(const std::string& path);  // throws InputError: another ending, or no such folder

void write_csv(const Run& run, const std::string& path);
void write_hdf5(const Run& run, const std::string& path);

// run.csv -> run.events.csv
std::string events_path(const std::string& path);

}  // namespace painleve
