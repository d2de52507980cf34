// The class s1 s2 s3 of two slipping planar contacts, by the directions of the columns of P and of −b.
// Champneys & Várkonyi (2016) Sec. 6.1, Table 4; E23 of docs/errata.md.
#pragma once

#include <Eigen/Core>
#include <string>

namespace painleve {

// s1: quadrant of column 1. s2: sector of column 2 among the axes, column 1 and its opposite. s3: sector of −b among
// the axes and both columns. Sectors are counted from 1 with growing angle.
std::string two_contact_class(const Eigen::Matrix2d& P, const Eigen::Vector2d& b);

}  // namespace painleve
