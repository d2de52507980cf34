#include "painleve/base/expression.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <system_error>
#include <utility>
#include <vector>

#include "painleve/base/characters.hpp"
#include "painleve/base/detail/time_functions.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve {
namespace {

constexpr int kDeepestNesting = 200;      // parentheses, signs and powers: bounds the recursion of the reader
constexpr std::size_t kMostPending = 64;  // operands that wait for their operator: the stack of an evaluation
constexpr std::size_t kLongestText = 1U << 16U;

/// One step of the evaluation: push a number, push t, or apply the one of the two functions that is set.
struct Instruction {
  enum Kind { kNumber, kTime, kUnary, kBinary };

  Kind kind = kNumber;
  double number = 0.0;
  detail::Unary unary = nullptr;
  detail::Binary binary = nullptr;
};

std::string shortest(double value) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), error == std::errc{} ? end : digits.data()};
}

// What a name may contain.
bool is_name(char c) { return detail::is_letter(c) || detail::is_digit(c) || c == '_'; }

}  // namespace

/// The formula in postfix order: flat, so that an evaluation needs neither recursion nor allocation.
struct Expression::Program {
  std::string text;
  std::vector<Instruction> instructions;
  bool constant = true;

  TimeValue at(double t) const {
    std::array<TimeValue, kMostPending> stack;
    std::size_t top = 0;
    for (const Instruction& instruction : instructions) {
      switch (instruction.kind) {
        case Instruction::kNumber:
          stack[top++] = {instruction.number, 0.0};
          break;
        case Instruction::kTime:
          stack[top++] = {t, 1.0};
          break;
        case Instruction::kUnary:
          stack[top - 1] = instruction.unary(stack[top - 1]);
          break;
        case Instruction::kBinary:
          --top;
          stack[top - 1] = instruction.binary(stack[top - 1], stack[top]);
          break;
      }
    }
    return stack[0];
  }
};

namespace {

/// Recursive descent over the grammar in the header; each rule emits its instructions after those of its operands.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<Instruction> read() {
    if (text_.size() > kLongestText) {
      throw InputError("the expression " + in_quotes(text_) + " is longer than 65536 bytes");
    }
    if (text_.empty()) {
      throw InputError("the expression '' is empty, expected a number or a formula in t");
    }
    read_sum();
    if (!at_end()) {
      fail("expected an operator, got " + here());
    }
    return std::move(instructions_);
  }

 private:
  void read_sum() {
    read_product();
    while (true) {
      if (take('+')) {
        read_product();
        apply(detail::sum);
      } else if (take('-')) {
        read_product();
        apply(detail::difference);
      } else {
        return;
      }
    }
  }

  void read_product() {
    read_signed();
    while (true) {
      if (take('*')) {
        read_signed();
        apply(detail::product);
      } else if (take('/')) {
        read_signed();
        apply(detail::quotient);
      } else {
        return;
      }
    }
  }

  // Every cycle of the grammar passes here, so this is the one place that counts the depth.
  void read_signed() {
    if (++depth_ > kDeepestNesting) {
      fail("nested too deeply");
    }
    if (take('-')) {
      read_signed();
      apply(detail::negative);
    } else if (take('+')) {
      read_signed();
    } else {
      read_power();
    }
    --depth_;
  }

  void read_power() {
    read_primary();
    if (!take('^')) {
      return;
    }
    read_signed();
    apply(detail::power);
  }

  void read_primary() {
    const char c = at_end() ? '\0' : text_[position_];
    if (detail::is_digit(c) || c == '.') {
      return read_number();
    }
    if (is_name(c)) {
      return read_name();
    }
    if (!take('(')) {
      fail("expected a number, t or a function, got " + here());
    }
    read_sum();
    if (!take(')')) {
      fail("expected ')', got " + here());
    }
  }

  void read_number() {
    const std::string_view rest = text_.substr(position_);
    double number = 0.0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error == std::errc::result_out_of_range) {
      fail("the number is beyond double precision, 4.9e-324 to 1.8e308");
    }
    if (error != std::errc{}) {
      fail("expected a number, t or a function, got '.'");
    }
    position_ += static_cast<std::size_t>(end - rest.data());
    push({Instruction::kNumber, number});
  }

  void read_name() {
    const std::size_t start = position_;
    while (position_ < text_.size() && is_name(text_[position_])) {
      ++position_;
    }
    const std::string_view name = text_.substr(start, position_ - start);
    if (name == "t") {
      return push({Instruction::kTime});
    }
    if (name == "pi") {
      return push({Instruction::kNumber, std::numbers::pi});
    }
    const auto same = [&](const detail::NamedFunction& f) { return f.name == name; };
    const auto found = std::find_if(detail::kFunctions.begin(), detail::kFunctions.end(), same);
    if (found == detail::kFunctions.end()) {
      fail_unknown(name, start);
    }
    read_arguments(*found);
  }

  void read_arguments(const detail::NamedFunction& function) {
    if (!take('(')) {
      fail("expected '(' after '" + std::string(function.name) + "', got " + here());
    }
    const std::size_t wanted = function.binary != nullptr ? 2 : 1;
    std::size_t given = 0;
    do {
      read_sum();
      ++given;
    } while (given < wanted && take(','));
    const std::string arguments = wanted == 1 ? "1 argument" : "2 arguments";
    if (given < wanted || (!at_end() && text_[position_] == ',')) {
      fail("'" + std::string(function.name) + "' takes " + arguments + ", got " + here());
    }
    if (!take(')')) {
      fail("expected ')', got " + here());
    }
    if (function.binary != nullptr) {
      apply(function.binary);
    } else {
      apply(function.unary);
    }
  }

  void push(Instruction instruction) {
    if (++pending_ > kMostPending) {
      fail("nested too deeply");
    }
    instructions_.push_back(instruction);
  }

  void apply(detail::Unary function) { instructions_.push_back({Instruction::kUnary, 0.0, function, nullptr}); }

  void apply(detail::Binary function) {
    --pending_;
    instructions_.push_back({Instruction::kBinary, 0.0, nullptr, function});
  }

  void skip_blanks() {
    while (position_ < text_.size() && detail::is_blank(text_[position_])) {
      ++position_;
    }
  }

  bool at_end() {
    skip_blanks();
    return position_ >= text_.size();
  }

  bool take(char c) {
    if (at_end() || text_[position_] != c) {
      return false;
    }
    ++position_;
    return true;
  }

  std::string here() { return at_end() ? "the end" : in_quotes(detail::first_character(text_.substr(position_))); }

  [[noreturn]] void fail_unknown(std::string_view name, std::size_t start) {
    const bool called = take('(');
    std::vector<std::string> known;
    if (!called) {
      known = {"t", "pi"};
    }
    for (const detail::NamedFunction& function : detail::kFunctions) {
      known.emplace_back(function.name);
    }
    position_ = start;
    fail(unknown_name(called ? "function" : "name", name, known));
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError("the expression " + in_quotes(text_) + " fails at position " + std::to_string(position_ + 1) +
                     ": " + reason);
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t pending_ = 0;
  int depth_ = 0;
  std::vector<Instruction> instructions_;
};

}  // namespace

Expression::Expression() : Expression(constant(0.0)) {}

Expression::Expression(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

Expression Expression::parse(std::string_view text) {
  auto program = std::make_shared<Program>();
  program->text = detail::trimmed(text);
  program->instructions = Reader(program->text).read();
  const auto varies = [](const Instruction& i) { return i.kind == Instruction::kTime; };
  program->constant = std::none_of(program->instructions.begin(), program->instructions.end(), varies);
  if (program->constant) {
    const double value = program->at(0.0).value;
    if (!std::isfinite(value)) {
      throw InputError("the expression " + in_quotes(program->text) + " has no finite value");
    }
    program->instructions = {{Instruction::kNumber, value}};
  }
  return Expression(std::move(program));
}

Expression Expression::constant(double value) {
  if (!std::isfinite(value)) {
    throw InputError("a constant expression is " + shortest(value) + ", expected a finite number");
  }
  auto program = std::make_shared<Program>();
  program->text = shortest(value);
  program->instructions = {{Instruction::kNumber, value}};
  return Expression(std::move(program));
}

TimeValue Expression::at(double t) const { return program_->at(t); }

bool Expression::constant() const { return program_->constant; }

std::string Expression::text() const { return program_->text; }

}  // namespace painleve
