// The MJCF of the cases in MuJoCo: mass matrix, forces and contact Jacobians are those of the mechanism. MuJoCo builds
// them from bodies and joints, the gallery from one kinematic description: two independent routes.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <Eigen/Dense>
#include <cstring>
#include <memory>
#include <string>

#include "painleve/reproduction/cases_mjcf.hpp"

namespace cases_mjcf_test {

using namespace painleve;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double agreed = 1e-9;

struct Loaded {
  std::unique_ptr<mjModel, void (*)(mjModel*)> model;
  std::unique_ptr<mjData, void (*)(mjData*)> data;
};

// From memory, by MuJoCo's virtual files.
Loaded load(const std::string& xml) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "case.xml", static_cast<int>(xml.size()));
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  char error[1000] = "";
  Loaded l{{mj_loadXML("case.xml", files.get(), error, sizeof error), mj_deleteModel}, {nullptr, mj_deleteData}};
  mj_deleteVFS(files.get());
  EXPECT_NE(l.model, nullptr) << error << "\n" << xml;
  if (!l.model) return l;
  l.data.reset(mj_makeData(l.model.get()));
  mj_resetDataKeyframe(l.model.get(), l.data.get(), 0);
  mj_forward(l.model.get(), l.data.get());
  return l;
}

void expect_same_contacts(const Loaded& l, const Mjcf& m, const Dynamics& d, int dimension) {
  for (std::size_t i = 0; i < m.contacts.size(); ++i) {
    const int site = mj_name2id(l.model.get(), mjOBJ_SITE, m.contacts[i].site.c_str());
    ASSERT_GE(site, 0);
    RowMajor J(3, l.model->nv);
    mj_jacSite(l.model.get(), l.data.get(), J.data(), nullptr, site);
    for (int k = 0; k < dimension; ++k) {
      const Eigen::Vector3d e =
          k < dimension - 1 ? m.contacts[i].tangents[static_cast<std::size_t>(k)] : m.contacts[i].normal;
      const Eigen::RowVectorXd row = e.transpose() * J * m.T;
      EXPECT_LE((row - d.J.row(dimension * static_cast<int>(i) + k)).cwiseAbs().maxCoeff(), agreed);
    }
  }
}

TEST(CasesMjcf, MujocoAgreesOnMassForcesAndJacobians) {
  int models = 0;
  for (const Scenario& scenario : scenarios()) {
    SCOPED_TRACE(scenario.name);
    const Scene scene = SceneSource::open(scenario.name).build();
    const MjcfResult written = to_mjcf(scene);
    if (!written.mjcf) continue;
    const Mjcf& m = *written.mjcf;
    const Loaded l = load(m.xml);
    ASSERT_NE(l.data, nullptr);
    ++models;
    const Dynamics d = scene.posed.mechanism->dynamics(scene.posed.state);
    const int nv = l.model->nv;
    ASSERT_EQ(nv, d.M.rows());
    RowMajor M(nv, nv);
    mj_fullM(l.model.get(), M.data(), l.data->qM);
    EXPECT_LE((m.T.transpose() * M * m.T - d.M).cwiseAbs().maxCoeff(), agreed * d.M.cwiseAbs().maxCoeff());
    const Eigen::Map<const Eigen::VectorXd> bias(l.data->qfrc_bias, nv);
    const Eigen::VectorXd f = m.T.transpose() * (m.qfrc_applied - bias);
    EXPECT_LE((f - d.f).cwiseAbs().maxCoeff(), agreed * (1 + d.f.cwiseAbs().maxCoeff()));
    expect_same_contacts(l, m, d, scene.space.dimension);
  }
  EXPECT_EQ(models, 24);
}

}  // namespace cases_mjcf_test
