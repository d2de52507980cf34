// Round numbers: multiples of 1, 2 or 5 times a power of ten; on axes in degrees also of 15, 30, 45 and 90.
#include "painleve/figure/detail/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace painleve {
namespace {

struct Step {
  double mantissa = 1;  // whole
  int exponent = 0;

  double size() const { return times(1); }
  // k steps. Dividing by a power of ten rounds once: 3 × 0.1 is 0.3.
  double times(double k) const {
    return exponent < 0 ? k * mantissa / std::pow(10.0, -exponent) : k * mantissa * std::pow(10.0, exponent);
  }
};

// The round step nearest in ratio to `wanted`.
Step round_step(double wanted, bool degrees) {
  static constexpr std::array<double, 3> plain{1, 2, 5};
  static constexpr std::array<double, 7> angles{15, 30, 45, 90, 180, 360, 720};
  Step best;
  double least = HUGE_VAL;
  const auto consider = [&](const Step& step) {
    const double ratio = std::abs(std::log(step.size() / wanted));
    if (ratio >= least) return;
    least = ratio;
    best = step;
  };
  if (degrees && wanted > 8 && wanted < 1000) {
    for (const double mantissa : angles) consider({mantissa, 0});
    return best;
  }
  const int decade = static_cast<int>(std::floor(std::log10(wanted)));
  for (int exponent = decade; exponent <= decade + 1; ++exponent) {
    for (const double mantissa : plain) consider({mantissa, exponent});
  }
  return best;
}

std::vector<double> multiples(const Step& step, double from, double to) {
  // Ends that are round but for the last bits count as inside.
  const double slack = 1e-9;
  const double first = std::ceil(from / step.size() - slack), last = std::floor(to / step.size() + slack);
  std::vector<double> values;
  for (double k = first; k <= last && values.size() < 1000; ++k) values.push_back(k == 0 ? 0 : step.times(k));
  return values;
}

struct RoundTicks {
  Step step;
  std::vector<double> values;
};

RoundTicks round_multiples(double from, double to, int count, bool degrees) {
  if (from > to) std::swap(from, to);
  const double room = to / 2 - from / 2;  // halves: the difference may overflow
  // Narrower than the spacing of doubles can label: one tick says all there is.
  if (!(room > std::max(1e-290, 1e-14 * std::max(std::abs(from), std::abs(to)))) || !std::isfinite(room))
    return {{}, {from}};
  RoundTicks ticks;
  ticks.step = round_step(2 * (room / std::max(count, 1)), degrees);
  ticks.values = multiples(ticks.step, from, to);
  return ticks;
}

std::string with_true_minus(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

std::string fixed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 15));
  if (text.find_first_not_of("-0.") == std::string::npos && text.starts_with('-')) text.erase(0, 1);
  return with_true_minus(text);
}

int decade_of(double value) { return static_cast<int>(std::floor(std::log10(value) + 1e-9)); }

// The power of ten taken out of the labels, so that none has more than five digits before or four noughts after the
// point.
int common_exponent(const std::vector<double>& values) {
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  if (largest == 0) return 0;
  const int decade = decade_of(largest);
  return decade >= 5 || decade <= -3 ? decade : 0;
}

detail::AxisTicks linear_ticks(const Axis& axis, double from, double to, int count) {
  const bool degrees = axis.unit == "deg" || axis.unit == "°";
  const RoundTicks found = round_multiples(axis.factor * from, axis.factor * to, count, degrees);
  detail::AxisTicks result;
  result.exponent = common_exponent(found.values);
  // Far from nought with a narrow range, 123456.1 reads better than 1.234561 times a power.
  if (result.exponent - found.step.exponent > 3 && std::abs(result.exponent) < 8) result.exponent = 0;
  const double unit = std::pow(10.0, result.exponent);
  for (const double shown : found.values) {
    const std::string label = found.values.size() == 1 ? detail::number_label(shown / unit, 6)
                                                       : fixed(shown / unit, result.exponent - found.step.exponent);
    result.ticks.push_back({shown / axis.factor, label});
  }
  return result;
}

std::string power_label(int mantissa, int exponent, bool plain) {
  if (plain) return fixed(mantissa * std::pow(10.0, exponent), std::max(0, -exponent));
  const std::string power = "10^{" + with_true_minus(std::to_string(exponent)) + "}";
  return mantissa == 1 ? power : std::to_string(mantissa) + "·" + power;
}

// Decades; 1, 2 and 5 where there are few of them; each mantissa gets a small tick at least.
detail::AxisTicks logarithmic_ticks(const Axis& axis, double from, double to, int count) {
  const double low = axis.factor * std::min(from, to), high = axis.factor * std::max(from, to);
  const int first = decade_of(low), last = decade_of(high * (1 + 1e-9));
  const double decades = std::log10(high) - std::log10(low);
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(count, 1))));
  const bool plain = first >= -2 && last <= 3, few = decades < 2.2;
  const auto inside = [&](double v) { return v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9); };
  detail::AxisTicks result;
  for (int exponent = first; exponent <= last; ++exponent) {
    for (int mantissa = 1; mantissa <= 9; ++mantissa) {
      const double value = Step{static_cast<double>(mantissa), exponent}.size();
      if (!inside(value) || (mantissa > 1 && stride > 2)) continue;
      const bool labelled = mantissa == 1 ? exponent % stride == 0 : few && (mantissa == 2 || mantissa == 5);
      if (!labelled && stride > 5) continue;
      result.ticks.push_back({value / axis.factor, labelled ? power_label(mantissa, exponent, plain) : ""});
    }
  }
  return result;
}

std::size_t labels_in(const detail::AxisTicks& found) {
  return static_cast<std::size_t>(
      std::count_if(found.ticks.begin(), found.ticks.end(), [](const auto& tick) { return !tick.label.empty(); }));
}

}  // namespace

std::vector<double> round_ticks(double from, double to, int count) {
  return round_multiples(from, to, count, false).values;
}

detail::AxisTicks detail::axis_ticks(const Axis& axis, double from, double to, int count) {
  if (!axis.ticks.empty()) {
    AxisTicks own;
    for (const auto& [at, label] : axis.ticks) {
      if (at >= std::min(from, to) && at <= std::max(from, to)) own.ticks.push_back({at, label});
    }
    return own;
  }
  if (axis.scale == Scale::logarithmic && axis.factor > 0) {
    AxisTicks powers = logarithmic_ticks(axis, from, to, count);
    if (labels_in(powers) >= 2) return powers;
  }
  return linear_ticks(axis, from, to, count);
}

std::string detail::number_label(double value, int digits) {
  if (value == 0) return "0";
  if (!std::isfinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "–";
  const std::string text = fmt::format("{:.{}g}", value, digits);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return with_true_minus(text);
  const std::string power = "10^{" + with_true_minus(std::to_string(std::stoi(text.substr(e + 1)))) + "}";
  const std::string mantissa = with_true_minus(text.substr(0, e));
  return mantissa == "1" ? power : mantissa == "−1" ? "−" + power : mantissa + "·" + power;
}

std::string detail::axis_title(const std::string& label, const std::string& unit, int exponent) {
  std::string bracket = exponent == 0 ? "" : "10^{" + with_true_minus(std::to_string(exponent)) + "}";
  if (!unit.empty()) bracket += (bracket.empty() ? "" : " ") + unit;
  if (bracket.empty()) return label;
  return label + (label.empty() ? "[" : " [") + bracket + "]";
}

}  // namespace painleve
