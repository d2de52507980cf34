#include "painleve/contact/contact_law.hpp"

#include <gtest/gtest.h>

#include "painleve/base/error.hpp"

namespace painleve {
namespace contact_law_test {

TEST(ContactLaw, NamesGoThereAndBack) {
  for (const auto& name : restitution_laws()) EXPECT_EQ(to_string(restitution_law(name)), name);
  for (const auto& name : compliances()) EXPECT_EQ(to_string(compliance(name)), name);
  EXPECT_EQ(restitution_law("poisson"), RestitutionLaw::poisson);
  EXPECT_EQ(compliance("hunt-crossley"), Compliance::hunt_crossley);
  EXPECT_EQ(compliance("hertz"), Compliance::hertz);
}

TEST(ContactLaw, UnknownNamesAreRefusedWithTheList) {
  EXPECT_THROW(restitution_law("Newton"), InputError);
  try {
    compliance("herz");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("hertz"), std::string::npos);
  }
}

}  // namespace contact_law_test
}  // namespace painleve
