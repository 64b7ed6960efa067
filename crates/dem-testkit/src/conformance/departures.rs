//! Laws that depart from a property by design, with the reason.

use super::Departure;

/// All of them.
pub const DEPARTURES: &[Departure] = &[
    Departure { law: "hertz-mindlin", property: CYCLES, reason: INCREMENTAL },
    Departure { law: "mindlin", property: CYCLES, reason: INCREMENTAL },
    Departure {
        law: "mindlin-total",
        property: CYCLES,
        reason: "the force is the present stiffness times the whole elastic slip: a load that grows while the spring is loaded adds \
                 ½ Δk s², which taking the slip back returns. Kept for comparison with published results",
    },
    Departure {
        law: "balevicius",
        property: CYCLES,
        reason: "the force follows from the slip since the last reversal with the amplitude 2 μN_A of the normal force there, so that slip at a \
                 small and back at a large overlap gives back more than it took; the ledger books it as negative friction work. Published \
                 for constant N",
    },
];

const CYCLES: &str = "closed cycles";

const INCREMENTAL: &str = "the stiffness follows the area of contact in loading and in unloading: slip at a large and back at a small overlap returns \
     more than it took (D. Elata, J. G. Berryman, Mech. Mater. 24 (1996) 229). The other order dissipates, and `mindlin-deresiewicz` and \
     `mdr` do neither";
