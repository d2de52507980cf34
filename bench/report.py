"""Prints the measurements of one run as a table, with ratios to the peers. Input: the JSON of painleve_bench, and the line
of numpy_peer.py."""
import json
import platform
import sys


def processor():
    try:
        with open("/proc/cpuinfo") as info:
            return next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


def report_solutions(times):
    """All solutions with certificates. Bounds: 100 ns, 20 ms, 300 ms."""
    step, siconos = times["painleve_step"], times["siconos_step"]
    print(f"{'all solutions of the Painlevé step, with certificates':<58}{step:>10.1f}{'1':>12}{'100 ns':>10}")
    print(f"{'  Siconos: lexicographic Lemke, one solution':<58}{siconos:>10.1f}{siconos / step:>10.1f} x")
    print(f"\n{'all modes of n contacts':<58}{'ms':>10}{'':>12}{'bound':>10}")
    rows = (("12 that slip", "all_slip_modes/12", None), ("16 that slip", "all_slip_modes/16", 20),
            ("20 that slip", "all_slip_modes/20", 300), ("4 at rest, regular W", "all_modes_at_rest/4/11", None),
            ("8 at rest, regular W", "all_modes_at_rest/8/19", None), ("12 at rest, regular W", "all_modes_at_rest/12/27", None),
            ("12 at rest of one body", "all_modes_at_rest/12/3", None))
    bad = step > 100
    for name, key, bound in rows:
        print(f"{name:<58}{times[key]:>10.3f}{'1' if 'siconos_' + key in times else '':>12}{f'{bound} ms' if bound else '':>10}")
        if "siconos_" + key in times:
            theirs = times["siconos_" + key]
            print(f"{'  Siconos: all bases of the LCP, without certificates':<58}{theirs:>10.3f}{theirs / times[key]:>10.0f} x")
        bad |= bound is not None and times[key] > bound
    return bad


def dart_columns(times, solved, dimension, n):
    if "dart_pivoting/2/1" not in times:
        return "  not installed"
    key = f"dart_pivoting/{dimension}/{n}"
    if key not in times:
        return ""
    return f"{100 * solved[key]:>8.1f} %{times[key] / times[f'pivoting/{dimension}/{n}']:>8.1f} x"


def report_sweeping(times, solved):
    """Block Gauss-Seidel against Siconos' NSGS; who solves is decided by our certificate of the laws for both."""
    for dimension, where in ((2, "plane"), (3, "space, round cone")):
        print(f"\nGauss-Seidel, {where}: share solved, and time of Siconos' NSGS in ours")
        print(f"{'contacts':>10}{'solved':>10}{'Siconos':>10}{'time':>10}")
        for n in (1, 2, 4, 8, 16):
            ours, theirs = f"sweeping/{dimension}/{n}", f"siconos_sweeping/{dimension}/{n}"
            print(f"{n:>10}{100 * solved[ours]:>8.1f} %{100 * solved[theirs]:>8.1f} %{times[theirs] / times[ours]:>8.2f} x")


def report_pivoting(times, solved):
    """Lemke's method against those of Siconos and DART on the same problems. Bounds: all solved, and half of Siconos' time
    from two contacts on."""
    bad = False
    for dimension, where in ((2, "plane"), (3, "space, 4 facets")):
        print(f"\nLemke, {where}: share solved, and time of the peer in ours")
        print(f"{'contacts':>10}{'solved':>10}{'Siconos':>10}{'time':>10}{'DART':>10}{'time':>10}")
        for n in (1, 2, 4, 8, 16, 32, 64):
            ours, theirs = f"pivoting/{dimension}/{n}", f"siconos_pivoting/{dimension}/{n}"
            ratio = times[theirs] / times[ours]
            print(f"{n:>10}{100 * solved[ours]:>8.1f} %{100 * solved[theirs]:>8.1f} %{ratio:>8.1f} x"
                  + dart_columns(times, solved, dimension, n))
            bad |= solved[ours] < 1 or (n >= 2 and ratio < 2)  # one planar contact has the kernel
    return bad


def report_equal_accuracy(title, ours, theirs, peer, least, what):
    """One measurement beside its peer. Bound: the peer takes at least `least` times ours; None: no bound."""
    print(f"{title:<62}{ours['cpu_time']:>10.1f}{'1':>10}{'':>10}  {what} {ours['error']:.0e}, {ours['steps']:.0f} steps")
    if theirs is None:
        print(f"  {peer:<60}{'not installed':>20}")
        return False
    ratio = theirs["cpu_time"] / ours["cpu_time"]
    bound = f"{least:.2f} x" if least else ""
    print(f"  {peer:<60}{theirs['cpu_time']:>10.1f}{ratio:>8.2f} x{bound:>10}  {what} {theirs['error']:.0e}, {theirs['steps']:.0f} steps")
    return least is not None and ratio < least


def report_simulation(runs):
    """Compliant, event-driven and stepping simulation. Bounds: CVODE's time where both are good to 1e-12; 1.5 times that of
    a program written for one rod; and peers must have computed the same motion."""
    print(f"\n{'simulation':<62}{'us':>10}{'ratio':>10}{'bound':>10}")
    bad = False
    for digits in (8, 10, 12):
        cvode = runs.get(f"cvode_compliant_rod/{digits}")
        bad |= report_equal_accuracy(f"rod without solution on springs of 1e8, impulses to 1e-{digits}", runs[f"compliant_rod/{digits}"],
                                     cvode, "CVODE, equations written by hand", 1 if digits == 12 else None, "error")
        bad |= cvode is not None and cvode["apart"] > 1e-12
    rod, hand = runs["falling_rod"], runs["hand_written_falling_rod"]
    bad |= report_equal_accuracy("event-driven: falling rod, energy to 1e-9", rod, hand, "Dormand-Prince 5(4), equations written by hand", 1 / 1.5, "defect")
    bad |= abs(rod["theta"] - hand["theta"]) > 1e-7
    report_stepping(runs)
    return bad


def report_stepping(runs):
    print(f"\n{'time stepping of a sliding rod, 1000 Hz':<62}{'steps/s':>10}{'ratio':>10}  final angle")
    names = (("all solutions of each step, with certificates", "sliding_rod"),
             ("  Siconos: Lemke, the step's W and q written by hand", "peer_sliding_rod/siconos"),
             ("  Bullet, in space", "peer_sliding_rod/bullet"), ("  ODE, in space", "peer_sliding_rod/ode"),
             ("  MuJoCo, in space", "peer_sliding_rod/mujoco"))
    ours = runs["sliding_rod"]["cpu_time"]
    for name, key in names:
        if key not in runs:
            print(f"{name:<62}{'not installed':>20}")
            continue
        run = runs[key]
        ratio = "1" if key == "sliding_rod" else f"{run['cpu_time'] / ours:.2f} x"
        print(f"{name:<62}{1e6 * run['steps'] / run['cpu_time']:>10.0f}{ratio:>10}{run['theta']:>9.2f} deg")
    print(f"\nimpacts per second: {1e9 / runs['planar_impacts']['cpu_time']:.3g} in the plane (closed form), "
          f"{1e9 / runs['spatial_impacts']['cpu_time']:.3g} in space (integrated)")


def main():
    with open(sys.argv[1]) as file:
        run = json.load(file)
    numpy_one, numpy_many, _ = (float(x) for x in sys.argv[2].split())
    times = {}
    allocations = {}
    solved = {}
    runs = {}
    for b in run["benchmarks"]:
        if b.get("aggregate_name", "median") == "median":
            runs[b["run_name"]] = b
            times[b["run_name"]] = b["cpu_time"]
            allocations[b["run_name"]] = b.get("allocations", 0)
            solved[b["run_name"]] = b.get("solved", 0)
    kernel, rod, rest, siconos = (
        times[n] for n in ("contact_to_verdict", "rod_to_verdict", "contact_at_rest", "siconos_enumeration"))
    print(f"machine: {processor()}, {run['context']['num_cpus']} processors, {platform.platform()}, "
          f"load {run['context']['load_avg'][0]:.1f} at the start")
    print("medians of one run; baseline x86-64, one thread\n")
    print(f"{'measurement':<58}{'ns':>10}{'ratio':>12}{'bound':>10}")
    row = "{:<58}{:>10.1f}{:>12}{:>10}"
    print(row.format("contact (W, b, u, mu) to verdict with all forces", kernel, "1", "20 ns"))
    print(row.format("  the same in NumPy, one contact at a time", numpy_one, f"{numpy_one / kernel:.0f} x", ""))
    print(row.format("  the same in NumPy, 1024 contacts in one call", numpy_many, f"{numpy_many / kernel:.1f} x", ""))
    print(row.format("contact at rest to verdict with all forces", rest, "1", "20 ns"))
    print(row.format("  Siconos: LCP of that state, all bases enumerated", siconos, f"{siconos / rest:.0f} x", ""))
    print(row.format("rod and its state to verdict with all forces", rod, "1", "300 ns"))
    bad = report_solutions(times) | report_pivoting(times, solved)
    report_sweeping(times, solved)
    bad |= report_simulation(runs)
    print(f"\nallocations: {allocations['contact_to_verdict']:.0f} in the contact kernel, {allocations['rod_to_verdict']:.0f} from the rod, {allocations['painleve_step']:.0f} in the step")
    allocates = allocations["contact_to_verdict"] > 0 or allocations["rod_to_verdict"] > 0 or allocations["painleve_step"] > 0
    bad |= kernel > 20 or rest > 20 or rod > 300 or allocates
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
