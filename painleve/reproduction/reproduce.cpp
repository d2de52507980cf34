#include "painleve/reproduction/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/threads.hpp"

namespace painleve {
namespace {

std::vector<std::string> names_of_papers(const std::vector<PublishedItem>& items) {
  std::vector<std::string> names;
  for (const auto& item : items) {
    if (std::find(names.begin(), names.end(), item.paper) == names.end()) names.push_back(item.paper);
  }
  return names;
}

ReproducedItem compute(const PublishedItem& item) {
  ReproducedItem done{&item, {}, ""};
  try {
    done.result = item.compute();
  } catch (const std::exception& error) {
    done.failure = error.what();
  }
  return done;
}

// What the threads share: the next item, and what is done.
struct Work {
  Work(const std::vector<const PublishedItem*>& wanted, const ReproduceOptions& how)
      : items(wanted), options(how), results(wanted.size()) {}

  const std::vector<const PublishedItem*>& items;
  const ReproduceOptions& options;
  std::vector<ReproducedItem> results;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stopped = false;
  std::mutex reporting;
  std::size_t done = 0;

  void run() {
    for (std::size_t i = next++; i < items.size() && !stopped; i = next++) {
      results[i] = compute(*items[i]);
      const std::lock_guard lock(reporting);
      ++done;
      if (options.proceed && !options.proceed(static_cast<double>(done) / static_cast<double>(items.size()))) {
        stopped = true;
      }
    }
  }
};

}  // namespace

bool ReproduceReport::explained() const {
  return complete && std::all_of(items.begin(), items.end(), [](const ReproducedItem& item) {
           return item.failure.empty() && painleve::explained(item.result);
         });
}

std::vector<const PublishedItem*> select_items(const std::vector<PublishedItem>& items, const std::string& name) {
  const auto slash = name.find('/');
  const std::string of = name.substr(0, slash);
  const auto papers_known = names_of_papers(items);
  if (!name.empty() && std::find(papers_known.begin(), papers_known.end(), of) == papers_known.end()) {
    throw InputError(unknown_name("paper", of, papers_known));
  }
  std::vector<const PublishedItem*> selected;
  std::vector<std::string> of_paper;
  for (const auto& item : items) {
    if (!name.empty() && item.paper != of) continue;
    of_paper.push_back(item.name);
    if (slash == std::string::npos || item.name == name.substr(slash + 1)) selected.push_back(&item);
  }
  if (selected.empty() && slash != std::string::npos) {
    throw InputError(unknown_name("item of " + of, name.substr(slash + 1), of_paper));
  }
  return selected;
}

ReproduceReport reproduce(const std::vector<const PublishedItem*>& items, const ReproduceOptions& options) {
  if (options.threads < 0) throw InputError("the number of threads is 0 (one per core) or positive");
  Work work(items, options);
  in_threads(std::min(thread_count(options.threads), items.size()), [&work](bool) { work.run(); });
  ReproduceReport report;
  for (auto& result : work.results) {
    if (result.item != nullptr) report.items.push_back(std::move(result));
  }
  report.complete = report.items.size() == items.size();
  return report;
}

Tally tally(const Reproduction& result) {
  Tally t;
  t.compared = static_cast<int>(result.comparisons.size());
  for (const auto& c : result.comparisons) {
    t.matched += c.match ? 1 : 0;
    t.errata += !c.match && !c.erratum.empty() ? 1 : 0;
  }
  t.unexplained = t.compared - t.matched - t.errata;
  t.features = static_cast<int>(result.features.size());
  for (const auto& f : result.features) t.holding += f.holds ? 1 : 0;
  t.figures = static_cast<int>(result.figures.size());
  return t;
}

std::string full_name(const PublishedItem& item) { return item.paper + "/" + item.name; }

std::string figure_file(const PublishedItem& item, std::size_t index, std::size_t count, const std::string& format) {
  return count == 1 ? fmt::format("{}-{}.{}", item.paper, item.name, format)
                    : fmt::format("{}-{}-{}.{}", item.paper, item.name, index + 1, format);
}

}  // namespace painleve
