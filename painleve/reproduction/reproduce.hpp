// Computes published items, several at a time, and puts what came out into a page or a JSON object.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "painleve/reproduction/item.hpp"

namespace painleve {

struct ReproducedItem {
  const PublishedItem* item = nullptr;
  Reproduction result;
  std::string failure;  // why there is no result; empty: there is one
};

struct ReproduceReport {
  std::vector<ReproducedItem> items;  // in the order asked for; those not reached are left out
  bool complete = true;               // false: interrupted

  bool explained() const;  // every item asked for has a result, and it leaves nothing unexplained
};

struct ReproduceOptions {
  int threads = 0;  // 0: one per core
  // Told the part done after each item, from one thread at a time; false: no further item is begun.
  std::function<bool(double)> proceed;
};

// The items that "" (all), "paper" or "paper/item" stands for. Throws InputError with the nearest name.
std::vector<const PublishedItem*> select_items(const std::vector<PublishedItem>& items, const std::string& name);

ReproduceReport reproduce(const std::vector<const PublishedItem*>& items, const ReproduceOptions& options);

// The numbers of one item for its line in a table.
struct Tally {
  int compared = 0, matched = 0, errata = 0, unexplained = 0;  // errata: do not match, and it is known why
  int features = 0, holding = 0;
  int figures = 0;
};
Tally tally(const Reproduction& result);

// "peiret/fig-4", and the name of the file of its figure: "peiret-fig-4.svg", with a number where there are several.
std::string full_name(const PublishedItem& item);
std::string figure_file(const PublishedItem& item, std::size_t index, std::size_t count, const std::string& format);

// One self-contained page; the same bytes on every machine.
std::string reproduction_page(const ReproduceReport& report);

// The object that `painleve reproduce --json` prints; keys as in docs/interface.md.
nlohmann::ordered_json to_json(const ReproduceReport& report);

}  // namespace painleve
