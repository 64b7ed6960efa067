//! Scenes to begin with. Each teaches what it needs in at most 40 lines and runs for less than a minute on two cores, with frames for a movie.

/// A scene and its files.
pub struct Template {
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// How long it runs on two cores.
    pub run_time: &'static str,
    pub scene: &'static str,
    /// Files that it names.
    pub files: &'static [(&'static str, &'static [u8])],
}

/// All of them, the first for who wants none in particular.
pub const TEMPLATES: [Template; 6] = [
    Template {
        name: "container",
        about: "spheres are poured into a cylinder and come to rest",
        run_time: "8 s",
        scene: include_str!("../../templates/container.toml"),
        files: &[],
    },
    Template {
        name: "hopper",
        about: "a conical hopper is filled, opened and runs out",
        run_time: "15 s",
        scene: include_str!("../../templates/hopper.toml"),
        files: &[],
    },
    Template {
        name: "drum",
        about: "a drum turns, its filling flows down over the surface",
        run_time: "20 s",
        scene: include_str!("../../templates/drum.toml"),
        files: &[],
    },
    Template {
        name: "triaxial",
        about: "a sample in a periodic cell is compressed and sheared",
        run_time: "20 s",
        scene: include_str!("../../templates/triaxial.toml"),
        files: &[],
    },
    Template {
        name: "heap",
        about: "grains that resist rolling form a heap on a plate",
        run_time: "20 s",
        scene: include_str!("../../templates/heap.toml"),
        files: &[],
    },
    Template {
        name: "mixer",
        about: "a stirrer, a mesh from an STL file, mixes two layers",
        run_time: "25 s",
        scene: include_str!("../../templates/mixer.toml"),
        files: &[("stirrer.stl", include_bytes!("../../../../examples/stirrer.stl"))],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_short_and_have_frames_for_a_movie() {
        let folder = tempfile::tempdir().unwrap();
        for Template { name, scene, run_time, files, .. } in &TEMPLATES {
            for (file, bytes) in *files {
                std::fs::write(folder.path().join(file), bytes).unwrap();
            }
            assert!(scene.lines().count() <= 40, "{name} has {} lines", scene.lines().count());
            let seconds: f64 = run_time.strip_suffix(" s").unwrap().parse().unwrap();
            assert!(seconds <= 60.0, "{name}");
            let loaded = dem_sim::builder::parse_scene_in(folder.path(), name, scene, &[]).unwrap().scene;
            let times = loaded.stages.iter().filter_map(|stage| stage.until.time).map(|time| time.si());
            let end: f64 = times.sum();
            // the others end at rest or at a strain
            if !["container", "heap", "triaxial"].contains(name) {
                let frames = end / loaded.output.snapshots.unwrap().si();
                assert!((30.0..60.0).contains(&frames), "{name}: {frames}");
            }
        }
    }
}
