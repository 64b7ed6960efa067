//! What a figure was measured on.

use std::fmt;

use serde_json::{Value, json};

/// A machine, as far as it tells about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    processor: String,
    cores: usize,
    memory: u64,
    lanes: &'static str,
    system: &'static str,
    build: &'static str,
}

impl Machine {
    /// This one; `lanes` is the instruction set that contacts are computed with.
    pub fn here(lanes: &'static str) -> Self {
        Self {
            processor: field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processor".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory: kilobytes("/proc/meminfo", "MemTotal"),
            lanes,
            system: std::env::consts::OS,
            build: if cfg!(debug_assertions) { "debug" } else { "release" },
        }
    }

    /// As an object.
    pub fn to_json(&self) -> Value {
        json!({
            "processor": self.processor,
            "cores": self.cores,
            "memory_bytes": self.memory,
            "lanes": self.lanes,
            "system": self.system,
            "version": env!("CARGO_PKG_VERSION"),
            "build": self.build,
        })
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { processor, cores, memory, lanes, system, build } = self;
        let version = env!("CARGO_PKG_VERSION");
        write!(
            f,
            "{processor}, {cores} cores, {:.0} GB, {lanes}, {system}, dem {version} {build}",
            *memory as f64 / 1e9
        )
    }
}

/// Most memory that this process has had \[byte\], 0 if the system does not tell.
pub fn peak_memory() -> u64 {
    kilobytes("/proc/self/status", "VmHWM")
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
