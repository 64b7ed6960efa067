//! The `dem` command: runs scenes, checks them, shows what came out. A library, so that other programs can be the command, too.

mod bench;
mod check;
mod compare;
mod completions;
mod describe;
mod diff;
mod examples;
mod export;
mod failure;
mod import;
mod info;
mod lanes;
mod laws;
mod man;
pub mod memory;
mod merge;
mod methods;
mod new;
mod new_files;
mod once;
mod pack;
mod plot;
mod probe;
mod profile;
mod progress;
mod quantity;
mod render;
mod report;
mod run;
mod schema;
mod shell;
mod signals;
mod study;
mod terminal;
mod threads;
mod triaxial;
mod validate;
mod view;

use std::ffi::OsString;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{FilterExt, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

// programs choose theirs; the tests of the allocator need it
#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: memory::HugePages = memory::HugePages;

/// Discrete element simulations of spheres.
#[derive(Parser)]
#[command(name = "dem", version = env!("DEM_VERSION"), arg_required_else_help = true)]
struct Command {
    #[command(subcommand)]
    action: Action,
    /// More log messages; twice for even more.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Say nothing of progress and results, only what is wrong. Answers are printed all the same: lists, checks, timings and --json.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
}

#[derive(Subcommand)]
enum Action {
    /// Write a scene to begin with.
    New(new::Arguments),
    /// List, print or copy the examples.
    Examples(examples::Arguments),
    /// Run a scene and write its results into a directory.
    Run(Box<run::Arguments>),
    /// Merge the runs of an ensemble into one table.
    Merge(merge::Arguments),
    /// Run a scene under several contact laws from the same initial state, and report differences beyond the scatter between seeds.
    Compare(compare::Arguments),
    /// Check a scene and show derived quantities; writes nothing.
    Check(check::Arguments),
    /// List the contact laws, or describe one.
    Laws(laws::Arguments),
    /// Show what a run directory, checkpoint, snapshot or scene holds.
    Info(info::Arguments),
    /// Compare two run directories, checkpoints or snapshot files.
    Diff(diff::Arguments),
    /// Draw the plots of a run directory again.
    Plot(plot::Arguments),
    /// Draw a picture of a snapshot.
    Render(render::Arguments),
    /// Write an interactive picture of a run or a scene for the browser, or serve it while the run goes on.
    View(view::Arguments),
    /// Write particles for other programs (CSV, VTK, LAMMPS, extended XYZ), or contacts, walls and cell as lines and triangles for ParaView.
    Export(export::Arguments),
    /// Make a table of particles and a scene to start from out of a file of another code.
    Import(import::Arguments),
    /// Profiles and structure of the packing in a run directory.
    Profile(profile::Arguments),
    /// Prepare a packing of spheres for use in other scenes.
    Pack(pack::Arguments),
    /// Write everything about a run on one page of HTML.
    Report(report::Arguments),
    /// Print a methods paragraph for a paper.
    Methods(methods::Arguments),
    /// Probe a saved state of a periodic sample with small strains: plastic modulus, yield and flow directions, stiffness.
    Probe(probe::Arguments),
    /// Triaxial test of a scene: strength, volume change, fabric, repetitions at a lower rate and a higher stiffness, states at fractions of the
    /// peak.
    Triaxial(triaxial::Arguments),
    /// Run a study: tables, figures and a statement that answer one question.
    #[command(subcommand)]
    Study(study::Study),
    /// Time a fixed workload.
    Bench(bench::Arguments),
    /// Check the engine against reference solutions and published numbers.
    Validate(validate::Arguments),
    /// Print the JSON Schema of scene files.
    Schema,
    /// Print a script that completes commands and options in a shell.
    Completions(completions::Arguments),
    /// Print the page of the manual, or write those of all commands.
    Man(man::Arguments),
}

impl Action {
    /// Whether what it prints is what it was called for, and not a report of what it did.
    fn is_answer(&self) -> bool {
        match self {
            Self::New(arguments) => arguments.lists(),
            Self::Examples(arguments) => !arguments.copies(),
            Self::Check(_)
            | Self::Laws(_)
            | Self::Info(_)
            | Self::Diff(_)
            | Self::Methods(_)
            | Self::Bench(_)
            | Self::Validate(_)
            | Self::Schema
            | Self::Completions(_)
            | Self::Man(_) => true,
            _ => false,
        }
    }
}

/// Whether data were asked for, of whatever command.
fn is_json(matches: &ArgMatches) -> bool {
    let is_set = matches!(matches.try_get_one::<bool>("json"), Ok(Some(true)));
    is_set || matches.subcommand().is_some_and(|(_, inner)| is_json(inner))
}

pub use check::as_data as checked;
/// The version, with the commit it was built from if that is known.
pub const VERSION: &str = env!("DEM_VERSION");

/// The command line as data: every command with its `name`, `about`, `arguments` and `commands`, see the package for Python.
pub fn commands() -> serde_json::Value {
    describe::command(&Command::command())
}

/// Tells the engine which commit it was built from, for summaries.
pub fn note_commit() {
    if let Some(commit) = option_env!("DEM_COMMIT") {
        dem_sim::machine::set_commit(commit);
    }
}

/// Runs the command as `arguments` say, the name of the program first, and returns its exit code. Meant for the thread that a process starts with, once.
pub fn run_command(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    memory::keep_little();
    signals::ignore_limit_of_file_size();
    note_commit();
    let parsed = Command::command().try_get_matches_from(arguments);
    let parsed = parsed.and_then(|matches| Ok((Command::from_arg_matches(&matches)?, is_json(&matches))));
    let (command, is_json) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            // help and version are no errors; where nobody reads them, nothing is lost
            let _ = error.print();
            return error.exit_code() as u8;
        }
    };
    if command.quiet {
        terminal::be_quiet(is_json || command.action.is_answer());
    }
    let level = match command.verbose {
        0 if command.quiet => tracing::Level::WARN,
        // a study is hundreds of runs, a packing several
        0 if matches!(
            command.action,
            Action::Study(_) | Action::Validate(_) | Action::Pack(_) | Action::Probe(_) | Action::Triaxial(_)
        ) =>
        {
            tracing::Level::WARN
        }
        0 => tracing::Level::INFO,
        1 => tracing::Level::DEBUG,
        _ => tracing::Level::TRACE,
    };
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        // it would say on standard error that standard error is closed, and panic
        .log_internal_errors(false)
        .with_target(false)
        .without_time()
        .with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()));
    let progress = if command.quiet { tracing::Level::WARN } else { tracing::Level::INFO };
    let shown = Targets::new().with_default(level).with_target(dem_report::progress::TARGET, progress);
    // the parts of a study build the same scenes again and again
    let repeated = level == tracing::Level::WARN;
    tracing_subscriber::registry().with(lines.with_filter(shown.and(once::Once::new(repeated)))).init();
    let outcome = match command.action {
        Action::New(arguments) => new::new(&arguments),
        Action::Examples(arguments) => examples::examples(&arguments),
        Action::Run(arguments) => run::run(*arguments),
        Action::Merge(arguments) => merge::run(&arguments),
        Action::Compare(arguments) => compare::compare(&arguments),
        Action::Check(arguments) => check::check(&arguments),
        Action::Laws(arguments) => laws::laws(&arguments),
        Action::Info(arguments) => info::info(&arguments),
        Action::Diff(arguments) => diff::diff(&arguments),
        Action::Plot(arguments) => plot::plot(&arguments),
        Action::Render(arguments) => render::render(&arguments),
        Action::View(arguments) => view::view(&arguments),
        Action::Export(arguments) => export::export(&arguments),
        Action::Import(arguments) => import::import(&arguments),
        Action::Profile(arguments) => profile::profile(&arguments),
        Action::Pack(arguments) => pack::pack(&arguments),
        Action::Report(arguments) => report::report(&arguments),
        Action::Methods(arguments) => methods::methods(&arguments),
        Action::Probe(arguments) => probe::probe(&arguments),
        Action::Triaxial(arguments) => triaxial::triaxial(&arguments),
        Action::Study(chosen) => study::study(&chosen),
        Action::Bench(arguments) => bench::bench(&arguments),
        Action::Validate(arguments) => validate::validate(&arguments),
        Action::Schema => schema::schema(),
        Action::Completions(arguments) => completions::completions(&arguments, Command::command()),
        Action::Man(arguments) => man::man(&arguments, Command::command()),
    };
    // a failure of the work itself is the more important one
    match outcome.and_then(|code| terminal::finish().map(|()| code)) {
        Ok(code) => code.0,
        Err(failure) => {
            if !failure.message().is_empty() {
                terminal::complain!("{}", failure.message());
            }
            failure.code().0
        }
    }
}
