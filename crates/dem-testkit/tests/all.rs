//! All tests of contact laws against each other and against closed forms in one program: each program more is one link of the engine more.

mod adhesion_and_plasticity;
mod branches_of_contacts;
mod cohesive_gas;
mod cohesive_subjects;
mod combinations;
mod conformance;
mod energy_ledger;
mod falling_friction;
mod loops_of_contacts;
mod micro_slip;
mod proof_laws;
mod pull_off;
mod sliding_dashpot;
mod slip_across;
mod step_convergence;
mod steps_of_adhesion;
