// The small languages: numbers with units, ranges, formulas in t, names of quantities, springs, and KEY=VALUE. The
// first byte chooses.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "painleve/base/expression.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/quantity.hpp"
#include "painleve/base/unit.hpp"
#include "painleve/scene/scene.hpp"
#include "painleve/study/quantity.hpp"
#include "painleve/study/regularisation.hpp"
#include "target_list.hpp"

namespace painleve::fuzz {
namespace {

void read_quantity(const std::string& text) {
  double value = 0;
  if (accepted([&] { value = parse_quantity(text, "m/s"); })) law(std::isfinite(value), "a number that is not finite");
  if (accepted([&] { value = parse_number(text); })) law(std::isfinite(value), "a number that is not finite");
}

void read_range(const std::string& text) {
  Range range;
  if (!accepted([&] { range = parse_range(text, "rad"); })) return;
  law(std::isfinite(range.from) && std::isfinite(range.to) && range.from <= range.to, "a range that is none");
  law(range.count != 1 || range.from == range.to, "one value for a range");
  law(range.count >= 0, "a negative count");
}

void read_unit(const std::string& text) {
  Unit unit;
  if (accepted([&] { unit = parse_unit(text); })) law(fits(unit, unit), "a unit that does not fit itself");
}

void read_formula(const std::string& text) {
  std::optional<Expression> formula;
  if (!accepted([&] { formula = Expression::parse(text); })) return;
  std::optional<Expression> again;
  law(accepted([&] { again = Expression::parse(formula->text()); }), "a formula is not read again");
  for (const double t : {0.0, 0.5, -3.0}) {
    const TimeValue a = formula->at(t), b = again->at(t);
    law(a.value == b.value || (std::isnan(a.value) && std::isnan(b.value)), "a formula changes when it is read again");
  }
  if (formula->constant()) law(std::isfinite(formula->at(0).value), "a constant that is not finite");
}

void read_names(const std::string& text) {
  std::optional<Quantity> quantity;
  if (accepted([&] { quantity = Quantity::parse(text); })) law(quantity->name() == text, "a quantity of another name");
  std::optional<Regularisation> springs;
  if (!accepted([&] { springs = Regularisation::parse(text); })) return;
  const std::string name = springs->name();
  law(accepted([&] { law(Regularisation::parse(name).name() == name, "springs change their name"); }),
      "springs are not read again");
}

void read_assignment(const std::string& text, const char* scene) {
  SceneSource source = SceneSource::open(scene);
  if (!accepted([&] { source.set(text); })) return;
  const std::string written = source.text();
  std::optional<SceneSource> again;
  law(accepted([&] { again = SceneSource::parse(written, "fuzz.toml"); }), "an edited scenario is not read again");
  law(again->text() == written, "an edited scenario changes when it is read again");
  accepted([&] { source.build(); });
}

}  // namespace

void read_words(std::string_view bytes) {
  Draw draw(bytes);
  const unsigned what = draw.below(8);
  const std::string text(draw.rest());
  if (what == 0) return read_quantity(text);
  if (what == 1) return read_range(text);
  if (what == 2) return read_unit(text);
  if (what == 3) return read_formula(text);
  if (what == 4) return read_names(text);
  static constexpr const char* scenes[] = {"rod", "klein-several", "fig15a"};
  read_assignment(text, scenes[what - 5]);
}

}  // namespace painleve::fuzz
