#include "painleve/modes/two_contact_facts.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>

#include "painleve/base/error.hpp"
#include "painleve/modes/stability.hpp"
#include "painleve/modes/two_contact_class.hpp"

namespace painleve {
namespace {

using Ray = Eigen::Vector2i;

constexpr int quadrants = 4;
constexpr int sectors_of_a_class = 6;

int det(const Ray& g, const Ray& h) { return g.x() * h.y() - g.y() * h.x(); }

// Whether the angle from +e1, counted in [0, 2π), is less for g than for h.
bool before(const Ray& g, const Ray& h) {
  const auto lower_half = [](const Ray& r) { return r.y() < 0 || (r.y() == 0 && r.x() < 0); };
  return lower_half(g) != lower_half(h) ? lower_half(h) : det(g, h) > 0;
}

// Strictly inside the cone of g and h.
bool inside(const Ray& c, const Ray& g, const Ray& h) {
  const int turn = det(g, h) > 0 ? 1 : -1;
  return det(g, h) != 0 && turn * det(g, c) > 0 && turn * det(c, h) > 0;
}

// A ray inside sector number `sector` = 1 … 6 of those that the axes and two more rays cut. Neighbours are less than
// a half turn apart, so their sum lies between them.
Ray ray_in_sector(int sector, const Ray& cut1, const Ray& cut2) {
  std::array<Ray, sectors_of_a_class> cuts{Ray(1, 0), Ray(0, 1), Ray(-1, 0), Ray(0, -1), cut1, cut2};
  std::sort(cuts.begin(), cuts.end(), before);
  const auto i = static_cast<std::size_t>(sector);
  return cuts[i - 1] + cuts[i % cuts.size()];
}

// A member of a class.
struct Member {
  Ray p1, p2;

  Eigen::Matrix2d P() const {
    Eigen::Matrix2i columns;
    columns << p1, p2;
    return columns.cast<double>();
  }
};

Member member(int s1, int s2) {
  const std::array<Ray, quadrants> first{Ray(2, 1), Ray(-1, 2), Ray(-2, -1), Ray(1, -2)};
  const Ray& p1 = first[static_cast<std::size_t>(s1 - 1)];
  return {p1, ray_in_sector(s2, p1, -p1)};
}

// The member with its contacts swapped, and −b with it; both lie well inside their sectors.
std::string swapped_class(const Member& m, const Ray& minus_b) {
  return two_contact_class(m.P().reverse(), -minus_b.cast<double>().reverse());
}

std::vector<std::string> modes_in(const Member& m, const Ray& minus_b) {
  const Ray e1(1, 0);
  const Ray e2(0, 1);
  std::vector<std::string> modes;
  if (inside(minus_b, -e1, -e2)) modes.emplace_back("FF");
  if (inside(minus_b, m.p1, m.p2)) modes.emplace_back("SS");
  if (inside(minus_b, m.p1, -e2)) modes.emplace_back("SF");
  if (inside(minus_b, -e1, m.p2)) modes.emplace_back("FS");
  return modes;
}

// Whether cone(g, h) meets the open third quadrant: an edge of the cone lies there, or all of the quadrant in the cone.
bool meets_third_quadrant(const Ray& g, const Ray& h) {
  const auto third = [](const Ray& r) { return r.x() < 0 && r.y() < 0; };
  return third(g) || third(h) || inside(Ray(-1, -1), g, h);
}

bool names_class(const std::string& name) {
  if (name.size() != 2 && name.size() != 3) return false;
  const auto digit = [](char c, int most) { return c >= '1' && c - '0' <= most; };
  return digit(name[0], quadrants) &&
         std::all_of(name.begin() + 1, name.end(), [&](char c) { return digit(c, sectors_of_a_class); });
}

TwoContactFacts facts(int s1, int s2) {
  const Member m = member(s1, s2);
  TwoContactFacts f;
  f.name = fmt::format("{}{}", s1, s2);
  f.dual = dual_class(f.name);
  for (int s3 = 1; s3 <= sectors_of_a_class; ++s3) {
    f.modes[static_cast<std::size_t>(s3 - 1)] = modes_in(m, ray_in_sector(s3, m.p1, m.p2));
  }
  f.IF = m.p1.x() < 0 && m.p1.y() > 0;
  f.FI = m.p2.y() < 0 && m.p2.x() > 0;
  f.II = meets_third_quadrant(m.p1, m.p2);
  const Eigen::Matrix2d P = m.P();
  f.SS_stability = stability_for_all(P).verdict;
  f.SF_stability = stability_for_all(P.topLeftCorner(1, 1)).verdict;
  f.FS_stability = stability_for_all(P.bottomRightCorner(1, 1)).verdict;
  return f;
}

}  // namespace

std::string TwoContactFacts::sectors(const std::string& mode) const {
  std::string digits;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (std::find(modes[i].begin(), modes[i].end(), mode) != modes[i].end()) digits += std::to_string(i + 1);
  }
  return digits;
}

std::vector<TwoContactFacts> two_contact_facts() {
  std::vector<TwoContactFacts> table;
  for (int s1 = 1; s1 <= quadrants; ++s1) {
    for (int s2 = 1; s2 <= sectors_of_a_class; ++s2) table.push_back(facts(s1, s2));
  }
  return table;
}

std::string dual_class(const std::string& name) {
  if (!names_class(name)) {
    throw InputError(fmt::format(
        "\"{}\" is not a class of two slipping contacts: two or three digits, s1 from 1 to {}, s2 and s3 from 1 to {}",
        name, quadrants, sectors_of_a_class));
  }
  const Member m = member(name[0] - '0', name[1] - '0');
  const int s3 = name.size() == 3 ? name[2] - '0' : 1;  // any sector of −b will do for the class
  return swapped_class(m, ray_in_sector(s3, m.p1, m.p2)).substr(0, name.size());
}

}  // namespace painleve
