//! All tests that run the command, and those of the pages and of the build script, in one program: each program more is one link of the whole
//! engine more.

mod circles;
mod clump_commands;
mod command;
mod commit;
mod comparison;
mod counting;
mod crashes;
mod directories;
mod documentation;
mod ensembles;
mod examples;
mod exchange;
mod expectations;
mod exports;
mod faults;
mod figures;
mod films;
mod first_steps;
mod guards;
mod meshes;
mod packings;
mod ranks;
mod reports;
mod restart;
mod run_log;
mod scenes;
mod soak;
mod studies;
mod time_by_phase;
mod views;
