#include "batch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <map>
#include <thread>

#include "painleve/base/error.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/modes/mode_table.hpp"
#include "painleve/scene/scene.hpp"

namespace painleve::python {
namespace {

constexpr long block_size = 2048;  // items that one thread takes at a time

// What one block of items came to; words are numbered anew in the whole.
struct Block {
  std::vector<std::int32_t> verdict, mode;
  std::vector<std::uint8_t> jam, complete;
  std::vector<std::int32_t> solutions;  // per item
  std::vector<double> lambda, a;
  std::vector<std::string> words;
  std::vector<std::pair<std::int64_t, std::string>> errors;

  std::int32_t word(const std::string& text) {
    const auto number = std::find(words.begin(), words.end(), text) - words.begin();
    if (number == static_cast<std::ptrdiff_t>(words.size())) words.push_back(text);
    return static_cast<std::int32_t>(number);
  }
};

class BlockRun {
 public:
  BlockRun(const BatchInput& input, Block& block) : input_(input), block_(block) {}

  void item(long i) {
    solutions_ = 0;
    if (!by_kernel(i)) by_table(i);
    block_.solutions.push_back(solutions_);
  }

 private:
  bool by_kernel(long i) {
    if (input_.dimension != 2 || input_.contacts != 1) return false;
    const double *W = input_.W + i * input_.W_step, *b = input_.b + i * input_.b_step;
    const double *u = input_.u + i * input_.u_step, mu = input_.mu[i * input_.mu_step];
    const bool plain =
        W[1] == W[2] && W[0] > 0 && W[3] > 0 && W[0] * W[3] > W[1] * W[1] && mu >= 0 && mu <= 1e9 && u[1] == 0;
    if (!plain || !std::isfinite(W[0] + W[1] + W[3] + b[0] + b[1] + u[0] + mu)) return false;
    const PlanarModes m = planar_modes({W[0], W[1], W[3], b[0], b[1], u[0], mu});
    if (m.degenerate || !finite(m) || (m.count() > 1 && !clearly_several(m))) return false;
    const bool slips_into_p = (u[0] > 0 && m.p_plus <= 0) || (u[0] < 0 && m.p_minus <= 0);
    conclude(m.count() == 0 ? "inconsistent" : m.count() == 1 ? "unique" : "indeterminate", slips_into_p, true);
    add(m, mode_F, "F", m.free);
    add(m, mode_T, "T", m.stick);
    add(m, mode_S_plus, "S+", m.slip_plus);
    add(m, mode_S_minus, "S-", m.slip_minus);
    return true;
  }

  // Two motions that differ by far more than the table's rule for one motion (1e-9, and the rounding of what the forces
  // do): where it is close, the table decides.
  static bool clearly_several(const PlanarModes& m) {
    constexpr double far_beyond = 1e-6;
    const PlanarForce* first = nullptr;
    for (const auto& [bit, f] : {std::pair{mode_F, &m.free}, std::pair{mode_T, &m.stick},
                                 std::pair{mode_S_plus, &m.slip_plus}, std::pair{mode_S_minus, &m.slip_minus}}) {
      if ((m.consistent & bit) == 0) continue;
      if (first == nullptr) first = f;
      const double between = std::hypot(f->a_t - first->a_t, f->a_n - first->a_n);
      const double size = std::hypot(m.free.a_t, m.free.a_n) + std::hypot(f->a_t, f->a_n);
      const double response = (std::abs(m.p_plus) + std::abs(m.p_minus) + std::abs(m.k_plus) + std::abs(m.k_minus)) *
                              (std::abs(f->lambda_n) + std::abs(f->lambda_t));
      if (between > far_beyond * (size + 1e-4 * response)) return true;
    }
    return false;
  }

  // A force beyond the range of numbers is for the table to judge.
  static bool finite(const PlanarModes& m) {
    for (const auto& [bit, f] : {std::pair{mode_F, m.free}, std::pair{mode_T, m.stick},
                                 std::pair{mode_S_plus, m.slip_plus}, std::pair{mode_S_minus, m.slip_minus}}) {
      if ((m.consistent & bit) != 0 && !std::isfinite(f.lambda_n + f.lambda_t + f.a_n + f.a_t)) return false;
    }
    return true;
  }

  void add(const PlanarModes& m, unsigned bit, const char* name, const PlanarForce& f) {
    if ((m.consistent & bit) == 0) return;
    ++solutions_;
    block_.mode.push_back(block_.word(name));
    for (const double x : {f.lambda_t, f.lambda_n}) block_.lambda.push_back(x);
    for (const double x : {f.a_t, f.a_n}) block_.a.push_back(x);
  }

  void conclude(const std::string& verdict, bool jam, bool complete) {
    block_.verdict.push_back(block_.word(verdict));
    block_.jam.push_back(jam ? 1 : 0);
    block_.complete.push_back(complete ? 1 : 0);
  }

  void by_table(long i) {
    try {
      const ModeTable table = mode_table(space(i), mode_options(laws(i), {0, 0}));
      conclude(table.verdict, table.jam, table.complete);
      for (const ModeEntry& mode : table.modes)
        if (mode.consistent) add(mode);
    } catch (const std::exception& error) {
      block_.verdict.push_back(-1);
      block_.jam.push_back(0);
      block_.complete.push_back(0);
      block_.errors.emplace_back(i, error.what());
    }
  }

  void add(const ModeEntry& mode) {
    ++solutions_;
    block_.mode.push_back(block_.word(mode.name));
    const Eigen::VectorXd nothing = Eigen::VectorXd::Constant(input_.rows(), std::nan(""));
    const Eigen::VectorXd& lambda = mode.lambda ? *mode.lambda : nothing;
    const Eigen::VectorXd& a = mode.a ? *mode.a : nothing;
    block_.lambda.insert(block_.lambda.end(), lambda.begin(), lambda.end());
    block_.a.insert(block_.a.end(), a.begin(), a.end());
  }

  // All contacts are closed, so that the words of the table name them all.
  ContactSpace space(long i) const {
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const int n = input_.rows();
    ContactSpace s = raw_contact_space(input_.dimension, Eigen::Map<const Rows>(input_.W + i * input_.W_step, n, n),
                                       Eigen::Map<const Eigen::VectorXd>(input_.b + i * input_.b_step, n),
                                       Eigen::Map<const Eigen::VectorXd>(input_.u + i * input_.u_step, n), mu(i));
    check(s);
    return s;
  }

  Eigen::VectorXd mu(long i) const {
    return Eigen::Map<const Eigen::VectorXd>(input_.mu + i * input_.mu_step, input_.contacts);
  }

  std::vector<ContactLaw> laws(long i) const {
    std::vector<ContactLaw> list(static_cast<std::size_t>(input_.contacts));
    for (std::size_t k = 0; k < list.size(); ++k) list[k].mu = mu(i)(static_cast<Eigen::Index>(k));
    return list;
  }

  const BatchInput& input_;
  Block& block_;
  std::int32_t solutions_ = 0;
};

std::vector<Block> run_blocks(const BatchInput& input, int threads, const std::atomic<bool>& stop) {
  std::vector<Block> blocks(static_cast<std::size_t>((input.items + block_size - 1) / block_size));
  std::atomic<long> next{0};
  const auto work = [&] {
    for (long k = next++; k < static_cast<long>(blocks.size()) && !stop; k = next++) {
      BlockRun run(input, blocks[static_cast<std::size_t>(k)]);
      const long last = std::min(input.items, (k + 1) * block_size);
      for (long i = k * block_size; i < last && !stop; ++i) run.item(i);
    }
  };
  const auto cores = static_cast<long>(std::max(1U, std::thread::hardware_concurrency()));
  const long wanted = std::min(threads > 0 ? threads : cores, static_cast<long>(blocks.size()));
  std::vector<std::thread> others;
  for (long k = 1; k < wanted; ++k) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  return blocks;
}

template <class Value>
void append(std::vector<Value>& all, const std::vector<Value>& some) {
  all.insert(all.end(), some.begin(), some.end());
}

// Words by their number in the block -> words by their number in the alphabet.
std::map<std::string, std::int32_t> all_words(const std::vector<Block>& blocks) {
  std::map<std::string, std::int32_t> numbers;
  for (const Block& block : blocks)
    for (const std::string& word : block.words) numbers[word] = 0;
  std::int32_t number = 0;
  for (auto& entry : numbers) entry.second = number++;
  return numbers;
}

}  // namespace

BatchOutput analyze_batch(const BatchInput& input, int threads, const std::atomic<bool>& stop) {
  const std::vector<Block> blocks = run_blocks(input, threads, stop);
  const auto numbers = all_words(blocks);
  BatchOutput out;
  for (const auto& entry : numbers) out.words.push_back(entry.first);
  out.first.push_back(0);
  for (const Block& block : blocks) {
    const auto renumbered = [&](std::int32_t word) {
      return word < 0 ? -1 : numbers.at(block.words[static_cast<std::size_t>(word)]);
    };
    for (const std::int32_t word : block.verdict) out.verdict.push_back(renumbered(word));
    for (const std::int32_t word : block.mode) out.mode.push_back(renumbered(word));
    for (const std::int32_t count : block.solutions) out.first.push_back(out.first.back() + count);
    append(out.jam, block.jam);
    append(out.complete, block.complete);
    append(out.lambda, block.lambda);
    append(out.a, block.a);
    append(out.errors, block.errors);
  }
  return out;
}

}  // namespace painleve::python
