//! All tests of contact laws against each other and against closed forms in one program: each program more is one link of the engine more.

mod adhesion_and_plasticity;
mod conformance;
mod energy_ledger;
mod micro_slip;
mod proof_laws;
mod sliding_dashpot;
mod slip_across;
mod step_convergence;
