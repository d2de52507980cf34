#include "painleve/base/expression.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"

namespace painleve {
namespace expression_test {

double value(const std::string& text, double t = 0.0) { return Expression::parse(text).at(t).value; }

double rate(const std::string& text, double t) { return Expression::parse(text).at(t).rate; }

std::string message(const std::string& text) {
  try {
    Expression::parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Expression, FollowsThePrecedenceOfMathematics) {
  EXPECT_EQ(value("1 + 2*3"), 7.0);
  EXPECT_EQ(value("(1 + 2)*3"), 9.0);
  EXPECT_EQ(value("8 - 3 - 2"), 3.0);
  EXPECT_EQ(value("8/4/2"), 1.0);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("-t^2", 3.0), -9.0);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2*-3"), -6.0);
  EXPECT_EQ(value("1 - -1"), 2.0);
  EXPECT_EQ(value("--+-2"), -2.0);
  EXPECT_EQ(value("1e-3*.5e3"), 0.5);
  EXPECT_EQ(value(" 2 * pi "), 2.0 * std::numbers::pi);
}

TEST(Expression, KnowsItsFunctions) {
  const double t = 0.3;
  EXPECT_EQ(value("sin(t)", t), std::sin(t));
  EXPECT_EQ(value("cos(t)", t), std::cos(t));
  EXPECT_EQ(value("tan(t)", t), std::tan(t));
  EXPECT_EQ(value("asin(t)", t), std::asin(t));
  EXPECT_EQ(value("acos(t)", t), std::acos(t));
  EXPECT_EQ(value("atan(t)", t), std::atan(t));
  EXPECT_EQ(value("sinh(t)", t), std::sinh(t));
  EXPECT_EQ(value("cosh(t)", t), std::cosh(t));
  EXPECT_EQ(value("tanh(t)", t), std::tanh(t));
  EXPECT_EQ(value("exp(t)", t), std::exp(t));
  EXPECT_EQ(value("log(t)", t), std::log(t));
  EXPECT_EQ(value("sqrt(t)", t), std::sqrt(t));
  EXPECT_EQ(value("abs(-t)", t), t);
  EXPECT_EQ(value("min(t, 1)", t), t);
  EXPECT_EQ(value("max(t, 1)", t), 1.0);
  EXPECT_EQ(value("step(t)", -1e-300), 0.0);
  EXPECT_EQ(value("step(t)", 0.0), 1.0);
}

// Smooth and finite for all arguments A and B, so that finite differences can judge the derivative.
constexpr std::array<std::string_view, 18> kSmooth{"A + B",
                                                   "(A) - (B)",
                                                   "(A)*(B)",
                                                   "(A)/(2 + sin(B))",
                                                   "(1.5 + cos(A))^sin(B)",
                                                   "-(A)^2",
                                                   "sin(A)",
                                                   "cos(A)",
                                                   "tan(0.5*sin(A))",
                                                   "asin(0.9*sin(A))",
                                                   "acos(0.9*cos(A))",
                                                   "atan(A)",
                                                   "exp(sin(A))",
                                                   "log(2 + cos(A))",
                                                   "sqrt(1.2 + sin(A))",
                                                   "sinh(sin(A))",
                                                   "cosh(cos(A))",
                                                   "tanh(A)"};

std::string drawn_formula(Draws& draws, int depth) {
  if (depth == 0) return draws.integer(0, 1) == 0 ? "t" : std::to_string(draws.uniform(0.2, 2.0));
  const std::string a = drawn_formula(draws, depth - 1);
  const std::string b = drawn_formula(draws, depth - 1);
  std::string formula;
  for (const char c : kSmooth.at(static_cast<std::size_t>(draws.integer(0, 17)))) {
    formula += c == 'A' ? a : c == 'B' ? b : std::string(1, c);
  }
  return formula;
}

TEST(Expression, DerivativeAgreesWithFiniteDifferencesOfDrawnFormulas) {
  Draws draws(20240);
  int tested = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const std::string text = drawn_formula(draws, draws.integer(1, 4));
    const Expression formula = Expression::parse(text);
    const double t = draws.uniform(0.1, 0.9);
    // Richardson extrapolation of central differences: error O(h^4); h balances it with the rounding eps/h.
    const auto central = [&](double h) { return (formula.at(t + h).value - formula.at(t - h).value) / (2.0 * h); };
    const double h = 1e-3;
    const double expected = (4.0 * central(h / 2.0) - central(h)) / 3.0;
    // Steep formulas, whose two estimates disagree, say nothing about the exact derivative.
    const double trust = std::abs(central(h / 2.0) - central(h));
    if (!(trust < 1e-4 * (1.0 + std::abs(expected)))) continue;
    ++tested;
    EXPECT_NEAR(formula.at(t).rate, expected, 1e-7 * (1.0 + std::abs(expected))) << text << " at " << t;
  }
  EXPECT_GT(tested, 400);
}

TEST(Expression, DerivativeIsExactOnPolynomials) {
  EXPECT_EQ(rate("3*t^4 - 2*t + 7", 2.0), 94.0);
  EXPECT_EQ(rate("t^2", -3.0), -6.0);
  EXPECT_EQ(rate("t^1", 0.0), 1.0);
  EXPECT_EQ(rate("t^0", 0.0), 0.0);
  EXPECT_EQ(rate("1/t", 2.0), -0.25);
  EXPECT_DOUBLE_EQ(rate("t^t", 2.0), 4.0 * (std::log(2.0) + 1.0));
}

TEST(Expression, AKinkHasItsDerivativeToTheRight) {
  EXPECT_EQ(rate("abs(t)", 0.0), 1.0);
  EXPECT_EQ(rate("abs(-t)", 0.0), 1.0);
  EXPECT_EQ(rate("max(0, t)", 0.0), 1.0);
  EXPECT_EQ(rate("max(t, 0)", 0.0), 1.0);
  EXPECT_EQ(rate("min(0, t)", 0.0), 0.0);
  EXPECT_EQ(rate("min(-t, t)", 0.0), -1.0);
  EXPECT_EQ(rate("step(t)", 0.0), 0.0);
}

TEST(Expression, APointAtRestStaysAtRest) {
  EXPECT_EQ(rate("sqrt(max(0, t - 1))", 0.5), 0.0);
  EXPECT_EQ(rate("max(0, t - 1)^0.5", 0.5), 0.0);
  EXPECT_EQ(rate("asin(min(1, t))", 3.0), 0.0);
  EXPECT_EQ(rate("sqrt(t)", 0.0), std::numeric_limits<double>::infinity());
}

TEST(Expression, IsNotFiniteOutsideItsDomain) {
  EXPECT_TRUE(std::isnan(value("sqrt(t)", -1.0)));
  EXPECT_TRUE(std::isnan(value("log(t)", -1.0)));
  EXPECT_TRUE(std::isnan(value("min(log(t), 1)", -1.0))) << "min must not hide it";
  EXPECT_TRUE(std::isnan(value("max(1, log(t))", -1.0)));
  EXPECT_TRUE(std::isnan(value("step(log(t))", -1.0)));
  EXPECT_TRUE(std::isinf(value("1/t", 0.0)));
}

TEST(Expression, TellsConstantsFromFunctionsOfTime) {
  EXPECT_TRUE(Expression::parse("2*sin(pi/2)").constant());
  EXPECT_EQ(Expression::parse("2*sin(pi/2)").at(17.0).value, 2.0);
  EXPECT_EQ(Expression::parse("2*sin(pi/2)").at(17.0).rate, 0.0);
  EXPECT_FALSE(Expression::parse("0*t").constant());
  EXPECT_TRUE(Expression().constant());
  EXPECT_EQ(Expression().at(1.0).value, 0.0);
  EXPECT_EQ(Expression().text(), "0");
}

TEST(Expression, TextReadsBackAsTheSameFunction) {
  Draws draws(3);
  for (int trial = 0; trial < 300; ++trial) {
    const double number = draws.normal() * std::pow(10.0, draws.integer(-30, 30));
    const Expression constant = Expression::constant(number);
    EXPECT_EQ(Expression::parse(constant.text()).at(0.0).value, number);
    const std::string text = drawn_formula(draws, 3);
    const Expression formula = Expression::parse("  " + text + "\n");
    EXPECT_EQ(formula.text(), text);
    EXPECT_EQ(Expression::parse(formula.text()).at(0.5).rate, formula.at(0.5).rate);
  }
}

TEST(Expression, SaysWhereItFails) {
  EXPECT_EQ(message(" "), "the expression '' is empty, expected a number or a formula in t");
  EXPECT_EQ(message("sni(t)"),
            "the expression 'sni(t)' fails at position 1: unknown function 'sni'; did you mean 'sin'?");
  EXPECT_EQ(message("2*T"), "the expression '2*T' fails at position 3: unknown name 'T'; did you mean 't'?");
  EXPECT_EQ(message("2 t"), "the expression '2 t' fails at position 3: expected an operator, got 't'");
  EXPECT_EQ(message("0x10"), "the expression '0x10' fails at position 2: expected an operator, got 'x'");
  EXPECT_EQ(message("(t + 1"), "the expression '(t + 1' fails at position 7: expected ')', got the end");
  EXPECT_EQ(message("t)"), "the expression 't)' fails at position 2: expected an operator, got ')'");
  EXPECT_EQ(message("t +"),
            "the expression 't +' fails at position 4: expected a number, t or a function, got the end");
  EXPECT_EQ(message("2*π"), "the expression '2*π' fails at position 3: expected a number, t or a function, got 'π'");
  EXPECT_EQ(message("."), "the expression '.' fails at position 1: expected a number, t or a function, got '.'");
  EXPECT_EQ(message("sin t"), "the expression 'sin t' fails at position 5: expected '(' after 'sin', got 't'");
  EXPECT_EQ(message("min(t)"), "the expression 'min(t)' fails at position 6: 'min' takes 2 arguments, got ')'");
  EXPECT_EQ(message("sin(t, 1)"), "the expression 'sin(t, 1)' fails at position 6: 'sin' takes 1 argument, got ','");
  EXPECT_EQ(message("max(1, 2, 3)"),
            "the expression 'max(1, 2, 3)' fails at position 9: 'max' takes 2 arguments, got ','");
  EXPECT_EQ(message("1e999"),
            "the expression '1e999' fails at position 1: the number is beyond double precision, 4.9e-324 to 1.8e308");
  for (const std::string text : {"1/0", "log(-1)", "sqrt(-1)", "0/0", "exp(1000)", "10^400"}) {
    EXPECT_EQ(message(text), "the expression '" + text + "' has no finite value");
  }
}

TEST(Expression, SurvivesHostileText) {
  const auto repeated = [](const std::string& part, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += part;
    return text;
  };
  EXPECT_EQ(value(repeated("(", 199) + "t" + repeated(")", 199), 2.0), 2.0);
  EXPECT_TRUE(message(repeated("(", 200) + "t" + repeated(")", 200)).ends_with("nested too deeply"));
  EXPECT_TRUE(message(repeated("-", 60000) + "1").ends_with("nested too deeply"));
  EXPECT_TRUE(message(repeated("1^", 30000) + "1").ends_with("nested too deeply"));
  EXPECT_TRUE(message(repeated("1+(", 100) + "1" + repeated(")", 100)).ends_with("nested too deeply"));
  EXPECT_EQ(value(repeated("1+(", 63) + "1" + repeated(")", 63)), 64.0);
  EXPECT_EQ(value(repeated("t+", 30000) + "t", 1.0), 30001.0);
  EXPECT_TRUE(message(repeated("t+", 40000) + "t").ends_with("is longer than 65536 bytes"));
  EXPECT_THROW(Expression::constant(std::nan("")), InputError);
  EXPECT_THROW(Expression::constant(std::numeric_limits<double>::infinity()), InputError);
}

TEST(Expression, RefusesOrReadsDrawnText) {
  constexpr std::array<const char*, 14> parts{"t", "1", "+", "-",   "*",    "/", "^",
                                              "(", ")", ",", "sin", "min(", " ", "\xff"};
  Draws draws(77);
  int read = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text;
    for (int i = draws.integer(1, 8); i > 0; --i) text += parts.at(static_cast<std::size_t>(draws.integer(0, 13)));
    try {
      Expression::parse(text).at(0.5);
      ++read;
    } catch (const InputError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("the expression '"));
    }
  }
  EXPECT_GT(read, 100);
}

TEST(Expression, CopiesCanBeEvaluatedFromManyThreads) {
  const Expression formula = Expression::parse("exp(-t)*sin(10*t)");
  std::array<double, 4> sums{};
  std::vector<std::thread> threads;
  threads.reserve(sums.size());
  for (double& sum : sums) {
    threads.emplace_back([formula, &sum] {
      for (int i = 0; i < 1000; ++i) sum += formula.at(i * 1e-3).rate;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const double sum : sums) EXPECT_EQ(sum, sums[0]);
}

}  // namespace expression_test
}  // namespace painleve
