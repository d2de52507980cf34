// What the items of Champneys & Várkonyi, "The Painlevé paradox in contact mechanics" (2016), share.
//
// Letters of the paper: A = W_tt, B = W_tn, C = W_nn, a = b_t, b = b_n, u = u_t, v = u_n, λ_T = λ_t, λ_N = λ_n, and
// p± = C ∓ μB, k± = μA ∓ B, K = (AC − B²)/A.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "painleve/reproduction/item.hpp"
#include "painleve/scene/scene.hpp"

namespace painleve::champneys_varkonyi {

std::vector<PublishedItem> mechanism_items();           // Sec. 2, Figs. 2 to 5
std::vector<PublishedItem> several_contact_items();     // Figs. 6 to 8
std::vector<PublishedItem> chalk_items();               // Fig. 1
std::vector<PublishedItem> mode_items();                // Sec. 3, Tables 1 and 2, Fig. 9
std::vector<PublishedItem> impact_items();              // Sec. 3.2, Fig. 10
std::vector<PublishedItem> chatter_items();             // Sec. 3.3, Fig. 11
std::vector<PublishedItem> stability_items();           // Sec. 4, Table 3, Fig. 12
std::vector<PublishedItem> jam_items();                 // Sec. 5, Fig. 13
std::vector<PublishedItem> two_contact_items();         // Sec. 6, Table 4, Fig. 14
std::vector<PublishedItem> two_contact_motion_items();  // Fig. 15
std::vector<PublishedItem> tumbling_items();            // Fig. 16
std::vector<PublishedItem> space_items();               // Sec. 7, Fig. 17

PublishedItem item(const std::string& name, const std::string& title, std::function<Reproduction()> compute,
                   std::vector<std::string> scenarios = {});

struct Friction {
  double A, B, C;
  double K() const { return C - B * B / A; }
};
PlanarContact contact(const Friction& f, double a, double b, double u, double mu);
ContactSpace space_of(const PlanarContact& contact);

using Settings = std::initializer_list<std::pair<const char*, double>>;
SceneSource source_of(const std::string& scene, Settings settings);
Scene scene_of(const std::string& scene, Settings settings);
// Of the first contact.
PlanarContact first_contact(const Scene& scene);

// The least value of a quantity along one path of a scene, and where.
struct Least {
  double value = 0, at = 0;
};
Least least_along(const SceneSource& source, const std::string& quantity, const std::string& path, double from,
                  double to, int count = 41);

// The zero of a function that changes sign between the ends.
double zero_between(const std::function<double(double)>& f, double low, double high);
// Where a statement that is false at `low` and true at `high`, or the reverse, changes.
double change_between(const std::function<bool(double)>& holds, double low, double high);

// A printed formula or number in words beside ours, which has to agree to `tolerance`.
Comparison compare_value(const std::string& what, const std::string& printed, double value, double computed,
                         double tolerance, const std::string& erratum = "", const std::string& note = "");

// A misprint: the comparison names it, and a feature holds only where the printed statement fails and the corrected one
// does not.
struct Misprint {
  std::string id;  // as in docs/errata.md
  std::string what, printed, corrected;
  bool printed_fails = false, corrected_holds = false;
  std::string proof;  // the numbers
};
void add(Reproduction& result, const Misprint& misprint);
// A label or cross-reference: nothing to compute but the fact that the label as printed names something else.
void add_label(Reproduction& result, const std::string& id, const std::string& where, const std::string& printed,
               const std::string& read);

// A mechanism, drawn, under a title of ours.
Panel drawing(const Scene& scene, const std::string& title);

std::vector<double> evenly(double from, double to, int count);
std::vector<Point> curve(const std::function<double(double)>& f, double from, double to, int count);

}  // namespace painleve::champneys_varkonyi
