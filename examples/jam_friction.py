# Question: from which friction on can a rod jam, and how does that depend on its angle?
# Run:      python3 examples/jam_friction.py        (twin: build/release/bin/jam_friction)
# Answer:   mu_jam is least, 4/3, where tan θ = 2; at 60° it is 1.3472. Below it no state of the rod is a paradox.
import painleve as pnl

rod = pnl.scenario("rod", mu=1.5)
for degrees in range(15, 90, 15):
    a = pnl.analyze(rod.with_(theta=f"{degrees}deg"))
    print(f"theta {degrees} deg: mu_jam {a.contacts[0].mu_jam:.10f}, at mu 1.5 {a.verdict}{', jams' if a.jam else ''}")
