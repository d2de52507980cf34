#include <cmath>
#include <nlohmann/json.hpp>

#include "painleve/reproduction/reproduce.hpp"

namespace painleve {
namespace {

using Json = nlohmann::ordered_json;

Json comparison_json(const Comparison& c) {
  Json j{{"what", c.what}, {"printed", c.printed}, {"computed", c.computed}};
  j["difference"] = c.difference && std::isfinite(*c.difference) ? Json(*c.difference) : Json(nullptr);
  if (j["difference"].is_null()) j["difference_reason"] = "not a number on both sides";
  j["match"] = c.match;
  j["erratum"] = c.erratum;
  j["note"] = c.note;
  return j;
}

Json item_json(const ReproducedItem& done) {
  const PublishedItem& item = *done.item;
  const Tally t = tally(done.result);
  Json j{{"paper", item.paper}, {"item", item.name}, {"title", item.title}, {"scenarios", item.scenarios}};
  j["failure"] = done.failure;
  j["explained"] = done.failure.empty() && explained(done.result);
  j["compared"] = t.compared;
  j["matched"] = t.matched;
  j["errata"] = t.errata;
  j["comparisons"] = Json::array();
  for (const auto& c : done.result.comparisons) j["comparisons"].push_back(comparison_json(c));
  j["features"] = Json::array();
  for (const auto& f : done.result.features) {
    j["features"].push_back(
        {{"statement", f.statement}, {"route", f.route}, {"holds", f.holds}, {"measured", f.measured}});
  }
  j["figures"] = Json::array();
  for (const auto& figure : done.result.figures) {
    j["figures"].push_back({{"title", figure.title}, {"caption", figure.caption}});
  }
  j["remark"] = done.result.remark;
  return j;
}

}  // namespace

Json to_json(const ReproduceReport& report) {
  Json j{{"schema", 1}, {"command", "reproduce"}, {"complete", report.complete}, {"explained", report.explained()}};
  j["items"] = Json::array();
  for (const auto& done : report.items) j["items"].push_back(item_json(done));
  return j;
}

}  // namespace painleve
