"""What is measured beside what. A family is a set of our measurements whose names match a pattern; each of its peers gives one
row per match. Names are those of the measurements in bench/*_bench.cpp and of bench/numpy_peer.py and scipy_peer.py; names that
are not measured, because a peer is missing, give a row that says so."""
import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Peer:
    label: str  # who, and by what method
    name: str  # of its measurement; {n} is the group n of the family's pattern
    package: str  # key of peers.PACKAGES
    least: float | None = None  # bound: its time in ours
    least_from: int = 0  # the bound holds from this n on
    slow: bool = False  # left out with --quick


@dataclass(frozen=True)
class Family:
    group: str
    title: str  # {n} as in Peer.name
    pattern: str  # of our names
    peers: tuple = ()
    most_ns: float | None = None  # bound on our time
    all_solved: bool = False  # bound: every problem is solved
    least_per_solved: float | None = None  # bound on every peer: its time in ours, each per problem that is solved
    same_theta: float | None = None  # final angles of ours and the peer differ by at most this, or the row says so
    must_agree: bool = False  # and it is a fault: the peer integrates the same equations
    short: str = ".*"  # names of ours that go into the short table
    sizes: dict = field(default_factory=dict)  # of {…} in the title: words for values


@dataclass(frozen=True)
class Row:
    group: str
    title: str
    ours: str
    peer: Peer
    theirs: str
    family: Family
    short: bool
    bound: float | None

    @property
    def id(self):
        return f"{self.ours} | {self.theirs}"


WHERE = {"2": "plane", "3": "space"}

FAMILIES = (
    Family("diagnosis", "contact (W, b, u, mu) to verdict with all forces", "contact_to_verdict", (
        Peer("NumPy, one contact at a time", "numpy/contact_one", "numpy", 100),
        Peer("NumPy, 1024 contacts in one call", "numpy/contact_many", "numpy"),
    ), most_ns=20, short=".*"),
    Family("diagnosis", "contact at rest to verdict with all forces", "contact_at_rest", (
        Peer("Siconos, all bases of its LCP", "siconos_enumeration", "siconos"),
        Peer("NumPy, all bases of its LCP", "numpy/lcp_bases", "numpy", 100),
    ), most_ns=20),
    Family("diagnosis", "rod and its state to verdict with all forces", "rod_to_verdict", (
        Peer("NumPy, equations of the rod by hand, one at a time", "numpy/rod_one", "numpy", 100),
    ), most_ns=300),
    Family("diagnosis", "C function, {what} of {n} contacts, without allocation", r"c_abi/(?P<what>analyze|step)/c/(?P<n>\d+)", (
        Peer("our C++ function of the same question", "c_abi/{what}/cpp/{n}", "us"),
    ), short="none"),
    Family("all solutions", "Painlevé step, all solutions with certificates", "painleve_step", (
        Peer("Siconos Lemke, one solution", "siconos_step", "siconos"),
    ), most_ns=100),
    Family("all solutions", "{n} slipping contacts, all modes", r"all_slip_modes/(?P<n>4|8|12)", (
        Peer("Siconos, all bases, no certificates", "siconos_all_slip_modes/{n}", "siconos"),
    ), short=r"all_slip_modes/12"),
    Family("all solutions", "{n} slipping contacts, all modes", r"all_slip_modes/(?P<n>16)", (
        Peer("Siconos, all bases, no certificates", "siconos_all_slip_modes/{n}", "siconos", slow=True),
    ), most_ns=20e6),
    Family("all solutions", "{n} contacts at rest, all modes", r"all_modes_at_rest/(?P<n>1|2|4)/(?P<m>5|7|11)", (
        Peer("Siconos, all bases, no certificates", "siconos_all_modes_at_rest/{n}/{m}", "siconos"),
    ), short=r"all_modes_at_rest/4/11"),
    Family("Lemke", "{d}, {n} contacts, one solution", r"pivoting/(?P<d>[23])/(?P<n>\d+)", (
        Peer("Siconos Lemke", "siconos_pivoting/{d}/{n}", "siconos", 2, least_from=2),
        Peer("DART Lemke", "dart_pivoting/{d}/{n}", "dart", 1),
    ), all_solved=True, least_per_solved=1, short=r"pivoting/[23]/(1|8|64)", sizes={"d": {"2": "plane", "3": "space, 4 facets"}}),
    Family("iterative", "{d}, {n} contacts, to 1e-10", r"sweeping/(?P<d>[23])/(?P<n>\d+)", (
        Peer("Siconos NSGS", "siconos_sweeping/{d}/{n}", "siconos", 1),
        Peer("Bullet projected Gauss-Seidel, boxes", "bullet_sweeping/{d}/{n}", "bullet"),
        Peer("Bullet Dantzig, boxes", "bullet_dantzig/{d}/{n}", "bullet"),
        Peer("DART projected Gauss-Seidel, boxes", "dart_sweeping/{d}/{n}", "dart"),
        Peer("DART Dantzig, boxes", "dart_dantzig/{d}/{n}", "dart"),
    ), all_solved=True, least_per_solved=1, short=r"sweeping/[23]/(1|8|64)", sizes={"d": {"2": "plane", "3": "space, round cone"}}),
    Family("impact", "planar impact, energetic law, closed form", "planar_impacts", (
        Peer("Dormand-Prince 5(4) over the impulse, by hand", "hand_planar_impacts", "us"),
        Peer("SciPy solve_ivp over the impulse, 16 of the impacts", "scipy/planar_impacts", "scipy", 100),
    )),
    Family("impact", "spatial impact, energetic law, slip goes on", "slipping_impacts", (
        Peer("Dormand-Prince 5(4) over the impulse, by hand", "hand_slipping_impacts", "us"),
    )),
    Family("event-driven", "falling rod for 1 s, energy to 1e-9", "falling_rod", (
        Peer("Dormand-Prince 5(4), this rod alone by hand", "hand_written_falling_rod", "us", 1 / 1.5),
        Peer("SciPy solve_ivp DOP853, this rod alone by hand", "scipy/falling_rod", "scipy", 100),
    ), same_theta=1e-7, must_agree=True),  # [rad]
    Family("compliant", "rod without solution, springs 1e8, to 1e-{n}", r"compliant_rod/(?P<n>8|10|12)", (
        Peer("SUNDIALS CVODE, equations and Jacobian by hand", "cvode_compliant_rod/{n}", "cvode", 3),
    )),
    Family("compliant", "rod without solution, springs 1e8, to 1e-{n}", r"compliant_rod/(?P<n>8)", (
        Peer("SciPy solve_ivp Radau, equations and Jacobian by hand", "scipy/compliant_rod_radau", "scipy", 100),
        Peer("SciPy solve_ivp BDF, equations and Jacobian by hand", "scipy/compliant_rod_bdf", "scipy", 100),
    )),
    Family("compliant", "rod without solution, springs 1e{k}, 10 ms, to 1e-8", r"stiffness/(?P<k>\d+)", (
        Peer("SUNDIALS CVODE, equations and Jacobian by hand", "cvode_stiffness/{k}", "cvode"),
    ), short="stiffness/(4|12)"),
    Family("time stepping", "sliding rod, 200 steps, all solutions of each", "sliding_rod", (
        Peer("Siconos Lemke, W and q by hand", "peer_sliding_rod/siconos", "siconos"),
        Peer("Bullet, in space", "peer_sliding_rod/bullet", "bullet"),
        Peer("ODE, in space", "peer_sliding_rod/ode", "ode"),
        Peer("MuJoCo, in space", "peer_sliding_rod/mujoco", "mujoco"),
        Peer("DART, in space", "peer_sliding_rod/dart", "dart"),
        Peer("Simbody, in the plane", "peer_sliding_rod/simbody", "simbody"),
        Peer("Box2D, single precision", "peer_sliding_rod/box2d", "box2d"),
    ), same_theta=0.5),  # [degree] methods of order 1
    Family("maps", "verdict of the rod over angle and friction, {n} threads, from the scenario",
           r"study_map/(?P<n>\d+)/real_time", (
        Peer("NumPy, equations of the rod by hand, vectorised, 1 thread", "numpy/map_rod", "numpy"),
    ), short="none"),
    Family("maps", "verdict of the rod over {axes}, 2 threads, from the scenario", r"rod_to_map/(?P<axes>[^/]*)/real_time", (
        Peer("NumPy, equations of the rod by hand, vectorised, 1 thread", "numpy/map_rod", "numpy", 1),
    ), short=r"rod_to_map/(theta,theta_dot|theta,mu)/real_time"),
    Family("maps", "verdicts of contacts, {kind}, {set}, 2 threads",
           r"contacts_to_verdicts/(?P<set>\w+)/(?P<kind>\w+)/real_time/threads:2", (
        Peer("NumPy, vectorised, 1 thread", "numpy/map_contact", "numpy", 1),
        Peer("our kernel, one contact after the other, 2 threads", "contacts_one_by_one/{kind}/real_time/threads:2", "us"),
    ), short=r"contacts_to_verdicts/\w+/mixed/.*"),
)


@dataclass(frozen=True)
class Growth:
    """How time grows from one member of a family to another, beside the same of a peer."""

    title: str
    ours: tuple  # names of the small and of the large one
    theirs: tuple | None
    peer: str
    speedup: bool = False  # the large one has more threads: less time is better


def growths():
    list_ = []
    for name, where in (("pivoting", "Lemke"), ("sweeping", "iterative")):
        for d in "23":
            for small, large in ((1, 8), (8, 64)):
                list_.append(Growth(f"{where}, {WHERE[d]}: {small} to {large} contacts",
                                    tuple(f"{name}/{d}/{n}" for n in (small, large)),
                                    tuple(f"siconos_{name}/{d}/{n}" for n in (small, large)), "Siconos"))
    for small, large in ((8, 12), (12, 16), (16, 20)):
        theirs = tuple(f"siconos_all_slip_modes/{n}" for n in (small, large))
        list_.append(Growth(f"all modes: {small} to {large} slipping contacts",
                            tuple(f"all_slip_modes/{n}" for n in (small, large)), theirs, "Siconos, all bases"))
    for small, large in (("4/11", "8/19"), ("8/19", "12/27")):
        list_.append(Growth(f"all modes at rest: {small.split('/')[0]} to {large.split('/')[0]} contacts",
                            tuple(f"all_modes_at_rest/{n}" for n in (small, large)), None, ""))
    for small, large in ((4, 8), (8, 12)):
        list_.append(Growth(f"compliant rod: springs of 1e{small} to 1e{large}",
                            tuple(f"stiffness/{n}" for n in (small, large)),
                            tuple(f"cvode_stiffness/{n}" for n in (small, large)), "SUNDIALS CVODE"))
    list_.append(Growth("map of the rod: 1 to 2 threads", tuple(f"study_map/{n}/real_time" for n in (1, 2)), None, "",
                        speedup=True))
    return list_


def family_rows(family, names):
    """Rows of one family, in the order of its numbers."""
    found = [m for m in (re.fullmatch(family.pattern, name) for name in names) if m]
    found.sort(key=lambda m: [int(part) if part.isdigit() else 0 for part in re.split(r"\D+", m.group(0))])
    for match in found:
        values = {key: value or "" for key, value in match.groupdict().items()}
        words = {key: family.sizes.get(key, {}).get(value, value) for key, value in values.items()}
        size = int(values["n"]) if values.get("n", "").isdigit() else 0
        for peer in family.peers:
            bound = peer.least if size >= peer.least_from else None
            title = re.sub(r"\b1 (contact|thread)s", r"1 \1", family.title.format(**words))
            yield Row(family.group, title, match.group(0), peer, peer.name.format(**values), family,
                      re.fullmatch(family.short, match.group(0)) is not None, bound)


def all_rows(names):
    """One row per measurement of ours and peer of it, of the names that exist."""
    return [row for family in FAMILIES for row in family_rows(family, names)]


def matches(row, pattern):
    return re.search(pattern, f"{row.group} {row.title} {row.ours} {row.peer.label} {row.theirs}", re.IGNORECASE) is not None
