// How the velocity of a scene moves with one number of its state. Not part of the public interface.
#pragma once

#include <optional>

#include "painleve/scene/scene.hpp"

namespace painleve {

// dv/dx along the axis `path`, a velocity or the slip, by the rules of solve_posture(): what is solved for moves such
// that closed contacts stay closed and a slip that is asked for is kept. Empty where that is not plain: several closed
// contacts, rows that are nearly dependent, entries that translate their state; then a second scene has to tell.
std::optional<Eigen::VectorXd> line_direction(const Scene& scene, const std::string& path);

}  // namespace painleve
