// Drawn inputs as text, for a peer in another language.
#pragma once

#include <string>

namespace painleve {

// One input per line, numbers in the order of the struct:
//   contacts, resting   W_tt W_tn W_nn b_t b_n u_t mu
//   rods                theta v_x v_y omega mu
//   impacts             W_tt W_tn W_nn u_t mu u_n restitution, then u_t and u_n after by the closed form
//   compliant           impulses along t and n of the rod of compliant_bench.cpp, by our finest run
// Throws InputError for another name.
std::string printed_inputs(const std::string& name);

}  // namespace painleve
