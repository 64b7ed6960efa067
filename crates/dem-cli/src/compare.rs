//! `dem compare`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dem_report::output_directory::{MEMBERS, OutputDirectory};
use dem_report::page::Page;
use dem_studies::compare::{Compared, Comparison, Load, Matching, Options};
use dem_studies::named_choice::separate;

use crate::failure::{ExitCode, Failure, INTERRUPTED};
use crate::quantity::{quantity, share};
use crate::run::{SceneArguments, default_directory};
use crate::study::verdict;
use crate::terminal::{complain, say, tell};
use crate::threads::{interrupt_flag, pool};

/// Quantity that is matched between the laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Common {
    /// Match normal force and tangential stiffness at an overlap or pressure.
    Stiffness,
    /// Match nothing: take the parameters as the scene gives them.
    Parameters,
}

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// Comma-separated laws, each NAME or NAME:key=value,key=value; the others are compared with the first.
    #[arg(long, visible_alias = "law", value_name = "A,B", required = true)]
    laws: Vec<String>,
    /// Start from a saved state, or from an ensemble with one saved state per seed.
    #[arg(long, value_name = "STATE")]
    from: Option<PathBuf>,
    /// Quantity that is matched between the laws.
    #[arg(long = "match", value_enum, default_value_t = Common::Stiffness)]
    matching: Common,
    /// Overlap at which stiffnesses are matched, as a share of the mean radius [default: 0.001].
    #[arg(long, value_name = "SHARE", conflicts_with = "pressure", value_parser = share)]
    overlap: Option<f64>,
    /// Pressure at whose mean contact force stiffnesses are matched, for example "10 kPa".
    #[arg(long, value_name = "PRESSURE")]
    pressure: Option<String>,
    /// Seeds, as in 1..10 (both ends) or 3,5,8. Default: that of the scene.
    #[arg(long, value_name = "LIST")]
    seeds: Option<String>,
    /// Directory for runs and report. Default: runs/ and the name of the scene with `_compared` behind it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of concurrent runs, one thread each. Default: all cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Run everything again.
    #[arg(long)]
    force: bool,
    /// Print the differences as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the scene under all laws and writes what differs.
pub fn compare(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let load = match (&arguments.overlap, &arguments.pressure) {
        (_, Some(text)) => Load::Pressure(quantity("--pressure", "Pa", text)?),
        (share, None) => Load::Overlap(share.unwrap_or(1e-3)),
    };
    let comparison = Comparison::new(&Options {
        scene: arguments.scene.scene.clone(),
        set: arguments.scene.set.clone(),
        laws: separate(&arguments.laws),
        from: arguments.from.clone(),
        matching: match arguments.matching {
            Common::Stiffness => Matching::Stiffness(load),
            Common::Parameters => Matching::Parameters,
        },
        seeds: arguments.seeds.clone(),
    })?;
    for statement in comparison.statements() {
        tell!("{statement}");
    }
    let directory = arguments.out.clone().unwrap_or_else(|| default_directory(&arguments.scene.scene, "_compared"));
    let own = OutputDirectory::shared(&directory, "dem compare", |path| path.join(MEMBERS).is_dir())?;
    let pool = pool(arguments.threads)?;
    let interrupted = interrupt_flag();
    let compared = pool.install(|| {
        comparison.run(&directory, arguments.force, &interrupted, &|done, name, _| tell!("[{done}] {name}"))
    })?;
    let report = match compared {
        Compared::Done(report) => report,
        Compared::Unfinished(left) => {
            complain!("{left} runs have not finished: run the same command again to continue them");
            return Ok(ExitCode::from(INTERRUPTED));
        }
    };
    let mut page = Page::new(&format!("{}: {}", arguments.scene.scene.display(), arguments.laws.join(",")));
    page.report(&report)?;
    let files = own.write(&report, vec![("report.html".to_owned(), page.finish().into_bytes())])?;
    if arguments.json {
        say!("{:#}", report.tables[0].to_json());
        return Ok(verdict(&report));
    }
    say!("{}", report.tables[0].without(&["deviation", "deviation_reference"]).to_text());
    for finding in &report.findings {
        say!("- {finding}");
    }
    say!();
    for path in files {
        say!("{}", path.display());
    }
    Ok(verdict(&report))
}
