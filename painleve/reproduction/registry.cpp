// The papers, and their items in the order of the papers.
#include <iterator>

#include "painleve/reproduction/items_of_papers.hpp"

namespace painleve {
namespace {

std::vector<PublishedItem> all_items() {
  std::vector<PublishedItem> all;
  for (auto* const of_paper :
       {peiret_cone_items, peiret_items, preclik_items, champneys_varkonyi_items, varkonyi_items}) {
    std::vector<PublishedItem> items = of_paper();
    all.insert(all.end(), std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
  }
  return all;
}

}  // namespace

const std::vector<Paper>& papers() {
  static const std::vector<Paper> list = {
      {"peiret-cone",
       "A. Peiret, J. Kövecses, J. M. Font-Llagunes: On the generalized friction cone for multibody systems. "
       "Abstract."},
      {"peiret",
       "A. Peiret, J. Kövecses, J. M. Font-Llagunes: Analysis of friction coupling and the Painlevé paradox in "
       "multibody "
       "systems. Multibody System Dynamics."},
      {"preclik",
       "T. Preclik, U. Rüde: Numerical experiments with the Painlevé paradox: rigid body vs. compliant contact."},
      {"champneys-varkonyi",
       "A. R. Champneys, P. L. Várkonyi: The Painlevé paradox in contact mechanics. IMA Journal of Applied "
       "Mathematics, "
       "2016."},
      {"varkonyi",
       "P. L. Várkonyi: Transitions and singularities during slip motion of rigid bodies. European Journal of Applied "
       "Mathematics, 2018."}};
  return list;
}

const std::vector<PublishedItem>& published_items() {
  static const std::vector<PublishedItem> items = all_items();
  return items;
}

}  // namespace painleve
