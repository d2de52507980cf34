// The laws of one contact, as data: friction, restitution for impacts, and springs for the compliant method.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace painleve {

enum class RestitutionLaw { energetic, poisson, newton };
const char* to_string(RestitutionLaw law);
const std::vector<std::string>& restitution_laws();       // the names, in the order of the enumeration
RestitutionLaw restitution_law(const std::string& name);  // throws InputError

// Normal force of a compliant contact with gap g, stiffness k > 0, damping c ≥ 0:
//   viscoelastic    g ≤ 0: max(0, −k g − c ġ), else 0                      Várkonyi (2018) eq. (2.20)
//   kelvin_voigt    max(0, −k g − c ġ), also above the surface             Champneys & Várkonyi (2016) eq. (31)
//   preclik         g ≤ 0: −k g − c min(ġ, 0), else 0                      Preclik & Rüde (2011) eq. (22)
//   hunt_crossley   g ≤ 0: max(0, k |g| (1 − c ġ)), else 0; c [s/m]
//   hertz           g ≤ 0: max(0, k |g|^{3/2} (1 − c ġ)), else 0; k [N/m^{3/2}], c [s/m]
enum class Compliance { viscoelastic, kelvin_voigt, preclik, hunt_crossley, hertz };
const char* to_string(Compliance compliance);
const std::vector<std::string>& compliances();
Compliance compliance(const std::string& name);  // throws InputError

struct ContactLaw {
  double mu = 0.5;
  double restitution = 0;  // 0 ≤ r ≤ 1
  RestitutionLaw law = RestitutionLaw::energetic;
  std::optional<double> mu_impact, mu_static;  // where they differ from mu
  std::optional<double> stiffness, damping, tangential_stiffness, tangential_damping;
  Compliance compliance = Compliance::viscoelastic;
  // [m] A foot on stepping stones: in the plane it lands only where it is farther along +t than every closed contact by
  // this much, and passes below the surface elsewhere, as the swing leg of a walker without knees must.
  std::optional<double> lands_beyond;
};

}  // namespace painleve
