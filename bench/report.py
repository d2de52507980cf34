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


def main():
    with open(sys.argv[1]) as file:
        run = json.load(file)
    numpy_one, numpy_many, _ = (float(x) for x in sys.argv[2].split())
    times = {}
    allocations = {}
    for b in run["benchmarks"]:
        if b.get("aggregate_name", "median") == "median":
            times[b["run_name"]] = b["cpu_time"]
            allocations[b["run_name"]] = b.get("allocations", 0)
    kernel, rod, rest, siconos = (
        times[n] for n in ("contact_to_verdict", "rod_to_verdict", "contact_at_rest", "siconos_enumeration"))
    print(f"machine: {processor()}, {run['context']['num_cpus']} processors, {platform.platform()}")
    print("medians of one run; baseline x86-64, one thread\n")
    print(f"{'measurement':<58}{'ns':>10}{'ratio':>12}{'bound':>10}")
    row = "{:<58}{:>10.1f}{:>12}{:>10}"
    print(row.format("contact (W, b, u, mu) to verdict with all forces", kernel, "1", "20 ns"))
    print(row.format("  the same in NumPy, one contact at a time", numpy_one, f"{numpy_one / kernel:.0f} x", ""))
    print(row.format("  the same in NumPy, 1024 contacts in one call", numpy_many, f"{numpy_many / kernel:.1f} x", ""))
    print(row.format("contact at rest to verdict with all forces", rest, "1", "20 ns"))
    print(row.format("  Siconos: LCP of that state, all bases enumerated", siconos, f"{siconos / rest:.0f} x", ""))
    print(row.format("rod and its state to verdict with all forces", rod, "1", "300 ns"))
    print(f"\nallocations: {allocations['contact_to_verdict']:.0f} in the contact kernel, {allocations['rod_to_verdict']:.0f} from the rod")
    bad = kernel > 20 or rest > 20 or rod > 300 or allocations["contact_to_verdict"] or allocations["rod_to_verdict"]
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
