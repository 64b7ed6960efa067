//! What a result was computed with: the version of the engine, and the machine.

use std::fmt;
use std::sync::OnceLock;

use dem_core::lanes::Width;
use serde::Serialize;

/// Version of the engine, as in `dem 0.1.0`.
pub const ENGINE: &str = concat!("dem ", env!("CARGO_PKG_VERSION"));

static COMMIT: OnceLock<&'static str> = OnceLock::new();

/// Says which commit the program was built from, for all that it writes from now on. What is built last knows it, so that a commit alone does not
/// let every crate be built again. Later calls change nothing.
pub fn set_commit(commit: &'static str) {
    // a program says it once, at its beginning
    let _ = COMMIT.set(commit);
}

/// Commit that the program was built from, with `, modified` behind it if its sources differed from it; none if it is
/// unknown.
#[must_use]
pub fn commit() -> Option<&'static str> {
    COMMIT.get().copied()
}

/// Version and commit, as in `dem 0.1.0 (3f2a9c41d0aa)`.
#[must_use]
pub fn engine() -> String {
    commit().map_or_else(|| ENGINE.to_owned(), |commit| format!("{ENGINE} ({commit})"))
}

/// A machine, as far as the system reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Machine {
    /// Name of the processor.
    pub processor: String,
    /// Cores that this process may use.
    pub cores: usize,
    /// Memory \[byte\], 0 if the system does not report it.
    #[serde(rename = "memory_bytes")]
    pub memory: u64,
    /// Instruction set that contacts are computed with.
    pub lanes: &'static str,
    /// Speed with it in proportion to the widest one that contacts are compiled for, from and to \[-\]; none with that one.
    pub lanes_speed: Option<[f64; 2]>,
    /// Operating system.
    pub system: &'static str,
    /// Architecture of the processor.
    pub architecture: &'static str,
    /// Version of the engine.
    pub version: &'static str,
    /// Commit of the engine, if it is known.
    pub commit: Option<&'static str>,
    /// `debug` or `release`.
    pub build: &'static str,
}

impl Machine {
    /// This one; `lanes` is the instruction set that contacts are computed with.
    pub fn here(lanes: &'static str) -> Self {
        Self {
            processor: field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processor".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory: kilobytes("/proc/meminfo", "MemTotal"),
            lanes,
            lanes_speed: Width::from_name(lanes).and_then(Width::relative_speed),
            system: std::env::consts::OS,
            architecture: std::env::consts::ARCH,
            version: env!("CARGO_PKG_VERSION"),
            commit: commit(),
            build: if cfg!(debug_assertions) { "debug" } else { "release" },
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { processor, cores, memory, lanes, system, architecture, build, .. } = self;
        let memory = *memory as f64 / 1e9;
        write!(f, "{processor}, {cores} cores, {memory:.0} GB, {lanes}, {system} {architecture}, {} {build}", engine())
    }
}

/// Peak memory of this process \[byte\], 0 if the system does not report it.
pub fn peak_memory() -> u64 {
    kilobytes("/proc/self/status", "VmHWM")
}

/// Present memory of this process \[byte\], 0 if the system does not report it.
pub fn present_memory() -> u64 {
    kilobytes("/proc/self/status", "VmRSS")
}

/// Time that this thread has had a processor \[s\], 0 if the system does not report it.
pub fn processor_time() -> f64 {
    let reported = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: u64 = reported.split_whitespace().next().and_then(|first| first.parse().ok()).unwrap_or(0);
    nanoseconds as f64 / 1e9
}

/// Memory that this process may have \[byte\]: that of the machine, of its control group or of its limit of addresses,
/// whichever is least. None if the system does not report it.
pub fn memory_bound() -> Option<u64> {
    static BOUND: OnceLock<Option<u64>> = OnceLock::new();
    *BOUND.get_or_init(|| {
        let installed = Some(kilobytes("/proc/meminfo", "MemTotal")).filter(|&bytes| bytes > 0);
        let of_group = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
            .into_iter()
            .find_map(|file| std::fs::read_to_string(file).ok()?.trim().parse().ok());
        let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
        [installed, of_group, limit_of_addresses(&limits)].into_iter().flatten().min()
    })
}

/// The soft limit of the address space in the text of `/proc/self/limits`.
fn limit_of_addresses(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn kilobytes(file: &str, name: &str) -> u64 {
    let number = field(file, name).and_then(|text| text.split_whitespace().next().and_then(|n| n.parse::<u64>().ok()));
    number.unwrap_or(0) * 1024
}

/// Value of a line `name : value`.
fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_of_the_shell_is_read() {
        let table = |limit: &str| {
            format!(
                "Limit  Soft Limit  Hard Limit  Units\nMax cpu time  unlimited  unlimited  seconds\nMax address space         {limit}  unlimited  bytes\n"
            )
        };
        assert_eq!(limit_of_addresses(&table("2048000000")), Some(2_048_000_000));
        assert_eq!(limit_of_addresses(&table("unlimited")), None);
        assert_eq!(limit_of_addresses(""), None);
        if cfg!(target_os = "linux") {
            assert!(memory_bound().is_some_and(|bytes| bytes > 1 << 24));
        }
    }

    #[test]
    fn a_machine_tells_what_it_is() {
        let machine = Machine::here("scalar");
        let json = serde_json::to_value(&machine).unwrap();
        for key in [
            "processor",
            "cores",
            "memory_bytes",
            "lanes",
            "lanes_speed",
            "system",
            "architecture",
            "version",
            "commit",
            "build",
        ] {
            assert!(json.get(key).is_some(), "{key}");
        }
        for width in Width::available() {
            assert_eq!(Machine::here(width.name()).lanes_speed, width.relative_speed(), "{}", width.name());
        }
        assert!(machine.cores > 0);
        let line = machine.to_string();
        assert!(line.contains(std::env::consts::OS) && line.contains(&engine()), "{line}");
    }
}
