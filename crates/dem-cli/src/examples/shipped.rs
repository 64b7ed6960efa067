//! Files of the examples.

/// A file of `examples/`.
pub struct Shipped {
    /// Its path there.
    pub path: &'static str,
    pub bytes: &'static [u8],
}

/// How the line of a scene begins that says how long it runs.
const RUN_TIME: &str = "# Runs for about ";

impl Shipped {
    /// Its name, if it is a scene.
    pub fn name(&self) -> Option<&'static str> {
        self.path.strip_suffix(".toml")
    }

    /// A scene or a table as text.
    pub fn text(&self) -> std::borrow::Cow<'static, str> {
        String::from_utf8_lossy(self.bytes)
    }

    /// The title of a scene.
    pub fn title(&self) -> &'static str {
        self.line("title = \"").trim_end_matches('"')
    }

    /// How long a scene runs on two cores.
    pub fn run_time(&self) -> &'static str {
        self.line(RUN_TIME).split(" on two cores").next().unwrap_or("")
    }

    /// What follows in the first line that begins so.
    fn line(&self, beginning: &str) -> &'static str {
        let lines = std::str::from_utf8(self.bytes).unwrap_or("").lines();
        lines.filter_map(|line| line.strip_prefix(beginning)).next().unwrap_or("")
    }

    /// A scene and the files that it names.
    pub fn with_files(&'static self) -> Vec<&'static Self> {
        let text = self.text();
        let is_named = |other: &&Self| other.name().is_none() && text.contains(&format!("\"{}\"", other.path));
        std::iter::once(self).chain(SHIPPED.iter().filter(is_named)).collect()
    }
}

macro_rules! shipped {
    ($($path:literal)*) => {
        &[$(Shipped { path: $path, bytes: include_bytes!(concat!("../../../../examples/", $path)) },)*]
    };
}

/// All of them, as they are listed: first what is usual, then what is special, then the files that scenes name.
pub const SHIPPED: &[Shipped] = shipped! {
    "container_filling.toml"
    "hopper.toml"
    "silo.toml"
    "rotating_drum.toml"
    "stirred_hopper.toml"
    "closing_gate.toml"
    "wet_sand_pile.toml"
    "settling_box.toml"
    "ordering.toml"
    "container_slice.toml"
    "clump_pouring.toml"
    "drum_rods.toml"
    "triaxial_small.toml"
    "triaxial.toml"
    "triaxial_clusters.toml"
    "rigid_wall_triaxial.toml"
    "oedometer.toml"
    "stress_probe_small.toml"
    "stress_probe.toml"
    "powder_compaction.toml"
    "mie_clusters.toml"
    "spinning_sphere.toml"
    "three_rolling_spheres.toml"
    "soak.toml"
    "square_hopper.stl"
    "stirrer.stl"
    "spinning_sphere.csv"
    "three_rolling_spheres.csv"
    "library/falling_spheres.rs"
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    fn paths_below(folder: &Path, above: &str, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
            let path = format!("{above}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                paths_below(&entry.path(), &format!("{path}/"), found);
            } else {
                found.insert(path);
            }
        }
    }

    #[test]
    fn every_file_of_the_examples_is_in_the_program() {
        let mut there = BTreeSet::new();
        paths_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), "", &mut there);
        let here: BTreeSet<String> = SHIPPED.iter().map(|example| example.path.to_owned()).collect();
        assert_eq!(here, there, "left: in the program, right: in examples/");
        assert_eq!(here.len(), SHIPPED.len());
    }

    #[test]
    fn every_scene_has_a_title_and_says_how_long_it_runs() {
        for scene in SHIPPED.iter().filter(|example| example.name().is_some()) {
            assert!(!scene.title().is_empty(), "{}", scene.path);
            let time = scene.run_time();
            let unit = time.split_whitespace().last().unwrap_or("");
            assert!(["s", "min", "h"].contains(&unit) && time.len() <= 8, "{}: {RUN_TIME}{time}", scene.path);
        }
    }

    #[test]
    fn scenes_come_with_the_files_they_name() {
        let of = |name: &str| -> Vec<&str> {
            let scene = SHIPPED.iter().find(|example| example.name() == Some(name)).unwrap();
            scene.with_files().iter().map(|file| file.path).collect()
        };
        assert_eq!(of("stirred_hopper"), ["stirred_hopper.toml", "square_hopper.stl", "stirrer.stl"]);
        assert_eq!(of("spinning_sphere"), ["spinning_sphere.toml", "spinning_sphere.csv"]);
        assert_eq!(of("hopper"), ["hopper.toml"]);
    }
}
