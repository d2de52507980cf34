// What the class s1 s2 of two slipping planar contacts decides: Table 4 of Champneys & Várkonyi (2016), derived.
//
//   z̈ = b + P λ,  P = [p1 p2].  A mode is consistent when −b lies inside its cone:
//     FF: cone(−e1, −e2)    SS: cone(p1, p2)    SF: cone(p1, −e2)    FS: cone(−e1, p2)
//   Impact without collision (Sec. 6.3; E25 of docs/errata.md):
//     IF: p11 < 0 < p21     FI: p22 < 0 < p12   II: cone(p1, p2) meets the open third quadrant
//
// Each of these is a statement about the cyclic order of ±e1, ±e2, p1, −p1, p2 and −b, and so are the signs of det P
// and of the entries of P, which decide stability for all springs (Sec. 6.2). The class is that order, so one member
// speaks for all: the facts are read off a member with small integer entries, in exact arithmetic.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace painleve {

struct TwoContactFacts {
  std::string name;  // s1 s2
  std::string dual;  // the class after the contacts are swapped
  // Consistent modes of the six subclasses s3 = 1 … 6, in the order FF, SS, SF, FS.
  std::array<std::vector<std::string>, 6> modes;
  bool IF = false, FI = false;  // impact without collision at one contact: possible
  bool II = false;              // at both: necessary condition
  // In the stiff limit: "stable", "unstable", or "depends" on the springs.
  std::string SS_stability, SF_stability, FS_stability;

  // The subclasses in which a mode is consistent, as Table 4 prints them: "126".
  std::string sectors(const std::string& mode) const;
};

// All 24 classes, by ascending name.
std::vector<TwoContactFacts> two_contact_facts();

// The class (s1 s2) or subclass (s1 s2 s3) after the contacts are swapped: P and b with rows and columns reversed.
// Throws InputError for what is not the name of a class.
std::string dual_class(const std::string& name);

}  // namespace painleve
