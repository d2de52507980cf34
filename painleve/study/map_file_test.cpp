#include "painleve/study/map_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>

#include "painleve/base/error.hpp"

namespace painleve {
namespace map_file_test {

namespace fs = std::filesystem;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

class MapFiles : public testing::Test {
 protected:
  MapFiles() {
    std::string pattern = (fs::temp_directory_path() / "painleve_map_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder for the test");
    folder_ = pattern;
  }
  ~MapFiles() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    fs::remove(file(name));  // to overwrite a file takes longer: the system then waits for the disk
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }

  fs::path folder_;
};

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Two axes of three and two points, a word and a number; the number is missing twice, for two reasons.
MapFile example() {
  MapFile file;
  Map& map = file.map;
  map.axes = {{"state.theta", "theta", "rad", 0, 1.5, 3}, {"contact.mu", "mu", "1", 0.1, 0.3, 2}};
  map.columns = {{"verdict", "", true, {1, 0, 1, 1, none, 0}, {"inconsistent", "unique"}, {-1, -1, -1, -1, 1, -1}},
                 {"tip.p", "1/kg", false, {0.5, 1.0 / 3, -0.0, none, none, 1e300}, {}, {-1, -1, -1, 0, 1, -1}}};
  map.reasons = {"it is at rest, so to speak", "no posture"};
  map.fingerprint = 0xfedcba9876543210U;
  map.last = 6;
  file.program = "painleve 0.1.0";
  file.scene = "rod";
  file.scene_text = "mechanism = \"rod\"\n[state]\ntheta = 1.0\n";
  return file;
}

MapFile with_boundaries() {
  MapFile file = example();
  file.boundaries = {{"verdict", "unique", "inconsistent", {{{0.1, 0.2}, {0.3, 0.4}}, {{0.5, 0.6}}}},
                     {"verdict", "", "unique", {{{1.25, 0.125}}}}};
  return file;
}

void expect_same_numbers(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  EXPECT_EQ(std::mismatch(a.begin(), a.end(), b.begin(), same).first - a.begin(), static_cast<long>(a.size()));
}

void expect_same(const MapFile& a, const MapFile& b) {
  EXPECT_EQ(a.program, b.program);
  EXPECT_EQ(a.scene, b.scene);
  EXPECT_EQ(a.scene_text, b.scene_text);
  EXPECT_EQ(a.map.fingerprint, b.map.fingerprint);
  EXPECT_EQ(a.map.first, b.map.first);
  EXPECT_EQ(a.map.last, b.map.last);
  EXPECT_EQ(a.map.reasons, b.map.reasons);
  ASSERT_EQ(a.map.axes.size(), b.map.axes.size());
  for (std::size_t k = 0; k < a.map.axes.size(); ++k) {
    const MapAxis &x = a.map.axes[k], &y = b.map.axes[k];
    EXPECT_EQ(std::tie(x.name, x.path, x.unit, x.from, x.to, x.count),
              std::tie(y.name, y.path, y.unit, y.from, y.to, y.count));
  }
  ASSERT_EQ(a.map.columns.size(), b.map.columns.size());
  for (std::size_t k = 0; k < a.map.columns.size(); ++k) {
    const MapColumn &x = a.map.columns[k], &y = b.map.columns[k];
    EXPECT_EQ(std::tie(x.quantity, x.unit, x.words, x.names, x.reasons),
              std::tie(y.quantity, y.unit, y.words, y.names, y.reasons));
    expect_same_numbers(x.values, y.values);
  }
  ASSERT_EQ(a.boundaries.size(), b.boundaries.size());
  for (std::size_t k = 0; k < a.boundaries.size(); ++k) {
    const Boundary &x = a.boundaries[k], &y = b.boundaries[k];
    EXPECT_EQ(std::tie(x.quantity, x.below, x.above, x.chains), std::tie(y.quantity, y.below, y.above, y.chains));
  }
}

void expect_refused(const std::function<void()>& call, const std::vector<std::string>& parts) {
  try {
    call();
    FAIL() << "not refused";
  } catch (const InputError& error) {
    for (const auto& part : parts) EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST_F(MapFiles, CsvHasOneRowPerCell) {
  EXPECT_EQ(map_csv(example().map),
            "theta [rad],mu,verdict,verdict_reason,tip.p [1/kg],tip.p_reason\n"
            "0,0.1,unique,,0.5,\n"
            "0,0.3,inconsistent,,0.3333333333333333,\n"
            "0.75,0.1,unique,,0,\n"
            "0.75,0.3,unique,,,\"it is at rest, so to speak\"\n"
            "1.5,0.1,,no posture,,no posture\n"
            "1.5,0.3,inconsistent,,1e+300,\n");
}

// The rows of a shard are those of the whole.
TEST_F(MapFiles, CsvOfAShard) {
  Map map = example().map;
  for (MapColumn& column : map.columns) {
    column.values = {column.values[3], column.values[4]};
    column.reasons = {column.reasons[3], column.reasons[4]};
  }
  map.first = 3;
  map.last = 5;
  EXPECT_EQ(map_csv(map),
            "theta [rad],mu,verdict,verdict_reason,tip.p [1/kg],tip.p_reason\n"
            "0.75,0.3,unique,,,\"it is at rest, so to speak\"\n"
            "1.5,0.1,,no posture,,no posture\n");
}

TEST_F(MapFiles, CsvOfBoundaries) {
  const MapFile file = with_boundaries();
  EXPECT_EQ(boundaries_csv(file.map.axes, file.boundaries),
            "quantity,word_1,word_2,chain,theta [rad],mu\n"
            "verdict,unique,inconsistent,0,0.1,0.2\n"
            "verdict,unique,inconsistent,0,0.3,0.4\n"
            "verdict,unique,inconsistent,1,0.5,0.6\n"
            "verdict,,unique,0,1.25,0.125\n");
  EXPECT_EQ(boundaries_csv({file.map.axes[0]}, {file.boundaries[1]}),
            "quantity,word_1,word_2,chain,theta [rad]\n"
            "verdict,,unique,0,1.25\n");
}

TEST_F(MapFiles, Hdf5GivesBackWhatItWasGiven) {
  MapFile slashed = example();
  slashed.map.axes[1].name = "a/b.mu";  // a slash would make groups
  slashed.map.columns[0].quantity = "a/b.verdict";
  for (const MapFile& written : {example(), with_boundaries(), slashed}) {
    const std::string path = file("map.h5");
    write_map(written, path);
    expect_same(written, read_map(path));
    EXPECT_EQ(fs::exists(path + ".part"), false);
  }
}

TEST_F(MapFiles, ManyWordsAndNone) {
  MapFile many = example();
  MapColumn& column = many.map.columns[0];
  column.names.clear();
  for (int i = 0; i < 300; ++i) column.names.push_back(std::to_string(1000 + i));
  column.values = {0, 254, 255, 256, none, 299};
  many.map.columns[1].words = true;
  many.map.columns[1].names = {"", "F"};  // an empty word is a word
  many.map.columns[1].values = {0, 1, 0, none, none, 1};
  write_map(many, file("many.h5"));
  expect_same(many, read_map(file("many.h5")));
  MapFile empty = example();
  empty.map.last = 0;
  empty.map.reasons.clear();
  for (MapColumn& one : empty.map.columns) {
    one.values.clear();
    one.reasons.clear();
    one.names.clear();
  }
  write_map(empty, file("empty.h5"));
  expect_same(empty, read_map(file("empty.h5")));
}

// The layout that other programs rely on, read through the C library.
TEST_F(MapFiles, Hdf5HasTheShapeOfTheGrid) {
  const std::string path = file("map.h5");
  write_map(example(), path);
  const hid_t opened = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(opened, 0);
  const auto shape = [&](const char* name) {
    const hid_t set = H5Dopen2(opened, name, H5P_DEFAULT), space = H5Dget_space(set);
    std::vector<hsize_t> sides(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, sides.data(), nullptr);
    H5Sclose(space);
    H5Dclose(set);
    return sides;
  };
  using Shape = std::vector<hsize_t>;
  EXPECT_EQ(shape("/axes/theta"), Shape({3}));
  EXPECT_EQ(shape("/axes/mu"), Shape({2}));
  EXPECT_EQ(shape("/quantities/verdict"), Shape({3, 2}));
  EXPECT_EQ(shape("/quantities/tip.p"), Shape({3, 2}));
  EXPECT_EQ(shape("/words/verdict"), Shape({3}));
  EXPECT_EQ(shape("/reason/tip.p"), Shape({3, 2}));
  EXPECT_EQ(shape("/reasons"), Shape({3}));
  std::vector<unsigned char> indices(6);
  const hid_t words = H5Dopen2(opened, "/quantities/verdict", H5P_DEFAULT);
  H5Dread(words, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, indices.data());
  EXPECT_EQ(indices, (std::vector<unsigned char>{2, 1, 2, 2, 0, 1}));  // 0 is no word
  H5Dclose(words);
  std::vector<double> theta(3);
  const hid_t axis = H5Dopen2(opened, "/axes/theta", H5P_DEFAULT);
  H5Dread(axis, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, theta.data());
  EXPECT_EQ(theta, (std::vector<double>{0, 0.75, 1.5}));
  H5Dclose(axis);
  H5Fclose(opened);
}

TEST_F(MapFiles, EqualMapsGiveEqualBytes) {
  const std::string bytes = map_hdf5(with_boundaries());
  MapFile other = with_boundaries();
  for (double& x : other.map.columns[1].values) {
    if (std::isnan(x)) x = -none;  // the sign of what is not a number means nothing
  }
  EXPECT_TRUE(map_hdf5(other) == bytes);
  other.map.columns[1].values[0] = std::nextafter(0.5, 1);
  EXPECT_TRUE(map_hdf5(other) != bytes);
}

TEST_F(MapFiles, DamageIsNoticed) {
  const std::string bytes = map_hdf5(with_boundaries());
  for (std::size_t at = 0; at < bytes.size(); at += 19) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ static_cast<char>(1U << (at % 8)));
    EXPECT_THROW(read_map(write("flipped.h5", flipped)), InputError) << at;
  }
  for (std::size_t size = 0; size < bytes.size(); size += 511)
    EXPECT_THROW(read_map(write("short.h5", bytes.substr(0, size))), InputError) << size;
  EXPECT_THROW(read_map(write("long.h5", bytes + "x")), InputError);
  EXPECT_NO_THROW(read_map(write("whole.h5", bytes)));
}

TEST_F(MapFiles, WhatIsNoMapIsRefused) {
  expect_refused([&] { read_map(file("none.h5")); }, {"there is no file", "none.h5"});
  expect_refused([&] { read_map(folder_.string()); }, {"is no file"});
  expect_refused([&] { read_map(write("text.h5", "theta,mu\n")); }, {"text.h5", "not an HDF5 file"});
  const hid_t other = H5Fcreate(file("other.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(other);
  expect_refused([&] { read_map(file("other.h5")); }, {"other.h5", "not a map"});
  expect_refused([&] { write_map(example(), file("map.txt")); }, {"map.txt", ".csv"});
  expect_refused([&] { write_map(example(), file("no/map.h5")); }, {"folder that does not exist"});
}

TEST_F(MapFiles, AFullDiskLeavesWhatStoodThere) {
  const std::string path = write("map.h5", "before");
  fs::create_symlink("/dev/full", path + ".part");
  try {
    write_map(example(), path);
    FAIL() << "written to a full disk";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("No space left"), std::string::npos) << error.what();
  }
  EXPECT_EQ(content(path), "before");
}

// A shard as compute_map gives it: only the words and reasons that occur in it.
MapFile shard(long first, long last) {
  MapFile file = example();
  file.map.first = first;
  file.map.last = last;
  const std::vector<std::string> all = file.map.reasons;
  std::vector<bool> used(all.size(), false);
  for (MapColumn& column : file.map.columns) {
    column.values = {column.values.begin() + first, column.values.begin() + last};
    column.reasons = {column.reasons.begin() + first, column.reasons.begin() + last};
    for (const std::int32_t reason : column.reasons) {
      if (reason >= 0) used[static_cast<std::size_t>(reason)] = true;
    }
    std::vector<std::string> names;
    for (std::size_t k = 0; k < column.names.size(); ++k) {
      if (std::count(column.values.begin(), column.values.end(), static_cast<double>(k)) == 0) continue;
      std::replace(column.values.begin(), column.values.end(), static_cast<double>(k),
                   static_cast<double>(names.size()));
      names.push_back(column.names[k]);
    }
    if (column.words) column.names = names;
  }
  file.map.reasons.clear();
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!used[k]) continue;
    for (MapColumn& column : file.map.columns) {
      std::replace(column.reasons.begin(), column.reasons.end(), static_cast<std::int32_t>(k),
                   static_cast<std::int32_t>(file.map.reasons.size()));
    }
    file.map.reasons.push_back(all[k]);
  }
  return file;
}

TEST_F(MapFiles, ShardsMakeTheWhole) {
  std::vector<std::string> paths;
  for (const auto& [first, last] : {std::pair{4L, 6L}, {0L, 1L}, {1L, 4L}}) {
    paths.push_back(file("shard" + std::to_string(first) + ".h5"));
    write_map(shard(first, last), paths.back());
    expect_same(shard(first, last), read_map(paths.back()));
  }
  std::vector<MapFile> shards;
  for (const std::string& path : paths) shards.push_back(read_map(path));
  EXPECT_TRUE(map_hdf5(merge_map_files(shards, paths)) == map_hdf5(example()));
  shards[0].scene = "./rod.toml";  // the first of the names, not of the cells
  EXPECT_TRUE(map_hdf5(merge_map_files(shards, paths)) == map_hdf5(example()));
  const std::vector<MapFile> two(shards.begin(), shards.begin() + 2);
  expect_refused([&] { merge_map_files(two, paths); }, {"missing"});
  expect_refused(
      [&] {
        merge_map_files({shards[0], shards[1], shards[2], shards[2]}, {"a", "b", "c", "d"});
      },
      {"twice"});
  shards[2].map.fingerprint += 1;
  expect_refused([&] { merge_map_files(shards, paths); }, {"shard4.h5", "shard1.h5", "different problems"});
  shards[2].program = "painleve 0.0.9";
  expect_refused([&] { merge_map_files(shards, paths); }, {"0.0.9", "versions"});
  expect_refused([&] { merge_map_files({}, {}); }, {"nothing"});
}

// A map of four million cells goes to memory in some tenths of a second; the bound leaves room for busy machines.
TEST_F(MapFiles, LargeMapsAreWrittenFast) {
  MapFile large = example();
  Map& map = large.map;
  map.axes[0].count = map.axes[1].count = 2000;
  map.last = map.cells();
  for (MapColumn& column : map.columns) {
    column.values.resize(static_cast<std::size_t>(map.last));
    column.reasons.assign(static_cast<std::size_t>(map.last), -1);
    for (std::size_t i = 0; i < column.values.size(); ++i)
      column.values[i] = column.words ? static_cast<double>(i / 7 % 2) : std::sin(static_cast<double>(i));
  }
  const auto start = std::chrono::steady_clock::now();
  write_map(large, file("large.h5"));
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  RecordProperty("seconds", std::to_string(spent.count()));
  EXPECT_LT(spent.count(), 5);
  expect_same(large, read_map(file("large.h5")));
}

}  // namespace map_file_test
}  // namespace painleve
