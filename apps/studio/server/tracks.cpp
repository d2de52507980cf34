#include "tracks.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "drawing_json.hpp"

namespace painleve::studio {
namespace {

Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

// One branch: its run, and its samples from where its parent ends.
struct Branch {
  const Run* run = nullptr;
  int parent = -1;
  std::vector<const Sample*> samples;
};

// A future that is sampled for the first time after it began starts with the last sample of its parent, or of who came
// before where that has none.
void add_branches(const Run& run, int parent, const Sample* last, std::vector<Branch>& all) {
  Branch branch{&run, parent, {}};
  if (last != nullptr && (run.samples.empty() || run.samples.front().t > last->t)) branch.samples.push_back(last);
  for (const Sample& sample : run.samples) branch.samples.push_back(&sample);
  if (!run.samples.empty()) last = &run.samples.back();
  const int self = static_cast<int>(all.size());
  all.push_back(std::move(branch));
  for (const Run& future : run.futures) add_branches(future, self, last, all);
}

// `count` of the numbers 0 … n − 1, evenly, both ends among them.
std::vector<std::size_t> evenly(std::size_t n, std::size_t count) {
  std::vector<std::size_t> chosen;
  if (n <= count) {
    for (std::size_t k = 0; k < n; ++k) chosen.push_back(k);
  } else if (count == 1) {
    chosen.push_back(n - 1);
  } else {
    for (std::size_t k = 0; k < count; ++k) chosen.push_back(k * (n - 1) / (count - 1));
  }
  return chosen;
}

// ---- points of the plots

// The samples at events, both ends, and of the others as many as there is room for.
std::vector<const Sample*> shown_samples(const Branch& branch, std::size_t most) {
  const auto& samples = branch.samples;
  if (samples.size() <= most) return samples;
  std::set<double> times;
  for (const SimulationEvent& event : branch.run->events) times.insert(event.t);
  std::set<std::size_t> chosen = {0, samples.size() - 1};
  std::vector<std::size_t> others;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (times.contains(samples[k]->t))
      chosen.insert(k);
    else
      others.push_back(k);
  }
  if (chosen.size() < most)
    for (const std::size_t k : evenly(others.size(), most - chosen.size())) chosen.insert(others[k]);
  const std::vector<std::size_t> all(chosen.begin(), chosen.end());
  std::vector<const Sample*> shown;
  for (const std::size_t k : evenly(all.size(), most)) shown.push_back(samples[all[k]]);
  return shown;
}

// Per component, over time; null where a sample has no such component.
Json components(const std::vector<const Sample*>& samples, Eigen::VectorXd Sample::*vector, Eigen::Index count) {
  Json all = Json::array();
  for (Eigen::Index i = 0; i < count; ++i) {
    Json::array_t row;
    row.reserve(samples.size());
    for (const Sample* sample : samples) {
      const Eigen::VectorXd& v = sample->*vector;
      row.push_back(i < v.size() ? finite(v(i)) : Json(nullptr));
    }
    all.push_back(std::move(row));
  }
  return all;
}

void put_samples(Json& j, const Run& run, const std::vector<const Sample*>& samples) {
  const auto contacts = static_cast<Eigen::Index>(run.contacts.size());
  j["t"] = Json::array();
  for (const Sample* sample : samples) j["t"].push_back(sample->t);
  j["gap"] = components(samples, &Sample::gap, contacts);
  j["u"] = components(samples, &Sample::u, contacts * run.dimension);
  j["lambda"] = components(samples, &Sample::lambda, contacts * run.dimension);
  j["energy"] = Json::array();
  for (const Sample* sample : samples) j["energy"].push_back(finite(sample->energy));
  j["mode"] = Json::array();
  for (const Sample* sample : samples) j["mode"].push_back(sample->mode);
}

Json events_json(const Run& run) {
  Json events = Json::array();
  for (const SimulationEvent& e : run.events) {
    const Json contact = e.contact >= 0 ? Json(run.contacts[static_cast<std::size_t>(e.contact)]) : Json(nullptr);
    events.push_back(
        {{"t", e.t}, {"kind", to_string(e.kind)}, {"contact", contact}, {"mode", e.mode}, {"note", e.note}});
  }
  return events;
}

// ---- frames

// Times of frames: both ends and all events, then ever denser before each event, for a logarithmic zoom into it, and
// the rest evenly. Sorted.
std::vector<double> frame_times(const Branch& branch, std::size_t most) {
  constexpr std::size_t most_before_event = 12;
  constexpr double ratio = 0.25;
  const auto& samples = branch.samples;
  const double begin = samples.front()->t;
  const double end = samples.back()->t;
  std::set<double> events;
  for (const SimulationEvent& event : branch.run->events)
    if (event.t >= begin && event.t <= end) events.insert(event.t);
  std::set<double> times = events;
  times.insert({begin, end});
  if (times.size() < most) {
    const std::size_t before =
        events.empty() ? 0 : std::min(most_before_event, (most - times.size()) / 2 / events.size());
    const std::size_t rest = most - times.size() - before * events.size();
    for (const std::size_t k : evenly(samples.size(), rest)) times.insert(samples[k]->t);
    const double spacing = (end - begin) / static_cast<double>(std::max<std::size_t>(rest, 1));
    for (const double event : events) {
      for (std::size_t k = 1; k <= before; ++k) {
        const double t = event - spacing * std::pow(ratio, static_cast<double>(k));
        if (t > begin) times.insert(t);
      }
    }
  }
  const std::vector<double> all(times.begin(), times.end());
  std::vector<double> shown;
  for (const std::size_t k : evenly(all.size(), most)) shown.push_back(all[k]);
  return shown;
}

// Where the mechanism is at a time of this branch: at a sample, or on the straight way between two. That is what a
// picture needs: off by an eighth of the acceleration times the square of their distance in time.
State state_at(const Branch& branch, double t) {
  const auto& samples = branch.samples;
  const auto after = std::lower_bound(samples.begin(), samples.end(), t,
                                      [](const Sample* sample, double time) { return sample->t < time; });
  const Sample& b = after == samples.end() ? *samples.back() : **after;
  if (b.t <= t || after == samples.begin()) return {b.q, b.v, t};
  const Sample& a = **std::prev(after);
  const double part = (t - a.t) / (b.t - a.t);
  return {a.q + part * (b.q - a.q), a.v + part * (b.v - a.v), t};
}

Json frames_json(const Scene& scene, const Branch& branch, std::size_t most) {
  Json frames = Json::array();
  if (scene.kind != SceneKind::mechanism || branch.samples.empty()) return frames;
  for (const double t : frame_times(branch, most)) {
    Json picture = drawing(scene, state_at(branch, t));
    if (picture.is_null()) return Json::array();
    frames.push_back({{"t", t}, {"drawing", std::move(picture)}});
  }
  return frames;
}

}  // namespace

Json tracks(const Scene& scene, const Run& run, const TrackLimits& limits) {
  std::vector<Branch> branches;
  add_branches(run, -1, nullptr, branches);
  const std::size_t frames = std::min(limits.frames, std::max<std::size_t>(2, limits.all_frames / branches.size()));
  Json all = Json::array();
  for (const Branch& branch : branches) {
    const Run& r = *branch.run;
    Json j = {{"parent", branch.parent},      {"why", r.why},         {"stopped", r.stopped},
              {"stop_reason", r.stop_reason}, {"outcome", r.outcome}, {"contacts", r.contacts},
              {"rows", r.dimension}};
    put_samples(j, r, shown_samples(branch, limits.points));
    j["events"] = events_json(r);
    j["frames"] = frames_json(scene, branch, frames);
    all.push_back(std::move(j));
  }
  return all;
}

}  // namespace painleve::studio
