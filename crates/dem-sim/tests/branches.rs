//! New branches from saved states: works begin anew, walls go by name, and nothing is put through spheres without a word.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by it")]

use dem_core::DVec3;
use dem_io::checkpoint::CheckpointReader;
use dem_sim::builder;
use dem_sim::checkpoint::{self, Branched, SavedStateError};
use dem_sim::simulation::Simulation;

/// Two spheres that hit each other and a floor aslant and with spin, with resistance to rolling and twisting.
const IMPACT: &str = r#"
[time]
step = "5 us"
end = "1 s"
[materials.g]
density = 2500
young_modulus = "20 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.3
restitution = 0.5
rolling = "elastic-plastic"
rolling_friction = 0.1
twisting = "spring-dashpot"
twisting_friction = 0.05
[fields]
gravity = [0, 0, 0]
[[particles]]
name = "one"
material = "g"
sizes = { type = "single", radius = "5 mm" }
region = { type = "box", min = [0, 0, "0.01 mm"], max = ["10 mm", "10 mm", "10.01 mm"] }
fill = { type = "lattice", gap = 0 }
velocity = ["0.5 m/s", "0.2 m/s", "-0.3 m/s"]
angular_velocity = ["50 rad/s", "20 rad/s", "60 rad/s"]
[[particles]]
name = "other"
material = "g"
sizes = { type = "single", radius = "5 mm" }
region = { type = "box", min = ["10.05 mm", 0, "0.01 mm"], max = ["20.05 mm", "10 mm", "10.01 mm"] }
fill = { type = "lattice", gap = 0 }
velocity = ["-0.4 m/s", "-0.2 m/s", "-0.2 m/s"]
angular_velocity = ["10 rad/s", 0, "-40 rad/s"]
"#;

const FLOOR: &str = r#"
[[walls]]
name = "floor"
material = "g"
shape = { type = "plane", normal = [0, 0, 1] }
"#;

/// A plane that the spheres do not touch.
const SIDE: &str = r#"
[[walls]]
name = "side"
material = "g"
shape = { type = "plane", point = ["-50 mm", 0, 0], normal = [1, 0, 0] }
"#;

fn after(text: &str, steps: usize) -> Simulation {
    let loaded = builder::parse_scene("scene", text, &[]).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    for _ in 0..steps {
        simulation.advance().unwrap();
    }
    simulation
}

fn branch(from: &Simulation, text: &str) -> Result<(Simulation, Branched), SavedStateError> {
    let reader = CheckpointReader::from_bytes(checkpoint::save(from, "first").unwrap()).unwrap();
    let loaded = builder::parse_scene("branch", text, &[]).unwrap();
    let mut simulation = builder::build_empty(&loaded).unwrap();
    let branched = checkpoint::branch(&mut simulation, &loaded, &reader)?;
    Ok((simulation, branched))
}

#[test]
fn works_begin_at_zero_and_springs_stay_loaded() {
    let scene = format!("{IMPACT}{FLOOR}");
    let first = after(&scene, 110);
    let old = first.world.energy();
    assert_eq!(first.world.contact_count().pairs + first.world.contact_count().walls, 3);
    assert!(old.friction > 1e-5 && old.viscous > 1e-5 && old.rolling != 0.0 && old.twisting != 0.0, "{old:?}");
    let (mut branch, _) = branch(&first, &scene).unwrap();
    let new = branch.world.energy();
    assert_eq!([new.friction, new.viscous, new.rolling, new.twisting, new.released, new.walls], [0.0; 6]);
    assert_eq!(new.balance(), 0.0);
    for (new, old) in [
        (new.elastic_normal, old.elastic_normal),
        (new.elastic_tangential, old.elastic_tangential),
        (new.elastic_rolling, old.elastic_rolling),
    ] {
        assert!((new - old).abs() <= 1e-12 * old && old > 0.0, "{new:e} {old:e}");
    }
    // from here on both do the same
    let mut first = first;
    for _ in 0..100 {
        first.advance().unwrap();
        branch.advance().unwrap();
    }
    let (all, later) = (first.world.energy(), branch.world.energy());
    for (all, before, later) in [
        (all.friction, old.friction, later.friction),
        (all.viscous, old.viscous, later.viscous),
        (all.rolling, old.rolling, later.rolling),
        (all.twisting, old.twisting, later.twisting),
    ] {
        let change = all - before;
        assert!((later / change - 1.0).abs() < 1e-3, "{all:e} {before:e} {later:e}");
    }
}

fn count(branched: &Branched, wall: &str) -> (usize, usize, bool) {
    let of_wall = branched.walls.iter().find(|found| found.wall == wall).unwrap_or_else(|| panic!("{branched:?}"));
    (of_wall.histories.kept, of_wall.histories.dropped, of_wall.missing.is_some())
}

#[test]
fn histories_follow_walls_by_name() {
    let first = after(&format!("{IMPACT}{SIDE}{FLOOR}"), 110);
    let loaded = |walls: &str| {
        let (mut branch, branched) = branch(&first, &format!("{IMPACT}{walls}")).unwrap();
        let number = branch.world.walls.iter().position(|wall| wall.name == "floor").unwrap();
        for _ in 0..20 {
            branch.advance().unwrap();
        }
        (branch.world.walls[number].force, branched)
    };
    let (same, branched) = loaded(&format!("{SIDE}{FLOOR}"));
    assert_eq!((branched.kept, branched.dropped, branched.pairs.kept), (3, 0, 1));
    assert_eq!(count(&branched, "floor"), (2, 0, false));
    let lid = FLOOR.replace("floor", "lid").replace("normal", "point = [0, 0, -1], normal");
    for others in [format!("{FLOOR}{SIDE}"), format!("{lid}{FLOOR}"), FLOOR.to_owned()] {
        let (force, branched) = loaded(&others);
        assert_eq!(force, same, "{others}");
        assert_eq!((branched.kept, branched.dropped), (3, 0), "{others}");
    }
}

#[test]
fn what_is_dropped_is_said_per_wall() {
    let first = after(&format!("{IMPACT}{FLOOR}"), 110);
    // another name
    let named = FLOOR.replace("floor", "bottom").replace("[[walls]]", "[[walls]]\nmax_overlap = 0.1");
    let (_, branched) = branch(&first, &format!("{IMPACT}{named}")).unwrap();
    assert_eq!((branched.kept, branched.dropped), (1, 2));
    assert_eq!(count(&branched, "floor"), (0, 2, true));
    // another shape
    let disc = "[[walls]]\nname = \"floor\"\nmaterial = \"g\"\nshape = { type = \"disc\", radius = 1 }\n";
    let (_, branched) = branch(&first, &format!("{IMPACT}{disc}")).unwrap();
    assert_eq!(count(&branched, "floor"), (0, 2, true));
    // a tenth of a radius lower: near, but nothing touches it
    let lower = FLOOR.replace("normal", "point = [0, 0, \"-0.5 mm\"], normal");
    let (branch, branched) = branch(&first, &format!("{IMPACT}{lower}")).unwrap();
    assert_eq!(count(&branched, "floor"), (0, 2, false));
    assert_eq!((branched.kept, branched.pairs.kept, branch.world.contact_count().walls), (1, 1, 0));
}

#[test]
fn walls_are_not_put_through_spheres_unless_it_is_allowed() {
    let first = after(&format!("{IMPACT}{FLOOR}"), 110);
    let refused = |walls: &str| branch(&first, &format!("{IMPACT}{walls}")).err().unwrap().to_string();
    let higher = FLOOR.replace("normal", "point = [0, 0, \"0.5 mm\"], normal");
    let message = refused(&higher);
    assert!(message.contains("and wall \"floor\" overlap by") && message.contains("max_overlap"), "{message}");
    let behind = FLOOR.replace("[0, 0, 1]", "[0, 0, -1]");
    let message = refused(&behind);
    assert!(message.contains("lies behind wall \"floor\""), "{message}");
    let allowed = higher.replace("[[walls]]", "[[walls]]\nmax_overlap = 0.2");
    let (branch, _) = branch(&first, &format!("{IMPACT}{allowed}")).unwrap();
    assert_eq!(branch.world.energy().balance(), 0.0);
    let overlap =
        |simulation: &Simulation, height: f64| 5e-3 + height - simulation.world.particles.position[0].dot(DVec3::Z);
    assert!(overlap(&branch, 0.5e-3) > overlap(&first, 0.0) + 0.49e-3);
}

/// The same law under other options: what it remembers under the same names goes on, the rest is dropped or begins at zero, and is named.
#[test]
fn records_keep_what_the_law_still_remembers_under_other_options() {
    let with = format!("{IMPACT}{FLOOR}");
    let without = with
        .lines()
        .filter(|line| !["rolling", "twisting"].iter().any(|key| line.starts_with(key)))
        .collect::<Vec<&str>>()
        .join("\n");
    let names = |simulation: &Simulation| -> Vec<&'static str> {
        simulation.world.kernels[0].fields().iter().map(|field| field.name).collect()
    };
    for (from, into) in [(&with, &without), (&without, &with)] {
        let first = after(from, 110);
        let (branch, branched) = branch(&first, into).unwrap();
        assert_eq!((branched.kept, branched.dropped), (3, 0), "the contacts go on");
        let (old, new) = (names(&first), names(&branch));
        let of_law = &branched.fields[0];
        let expected = |fields: &[&str], others: &[&str], shared: bool| -> Vec<String> {
            fields.iter().filter(|name| others.contains(name) == shared).map(|&name| name.to_owned()).collect()
        };
        assert_eq!(of_law.law, "hertz-mindlin");
        assert_eq!(of_law.kept, expected(&new, &old, true));
        assert_eq!(of_law.dropped, expected(&old, &new, false));
        assert_eq!(of_law.new, expected(&new, &old, false));
        assert!(of_law.dropped.len() + of_law.new.len() > 0 && of_law.kept.len() > 1, "{of_law:?}");
        let (before, after) = (first.world.energy(), branch.world.energy());
        let tangential = (before.elastic_tangential, after.elastic_tangential);
        assert!((tangential.0 - tangential.1).abs() <= 1e-12 * tangential.0 && tangential.0 > 0.0, "{tangential:?}");
        assert_eq!(after.elastic_rolling, 0.0, "springs of rolling begin without load, or are gone");
        assert_eq!(after.balance(), 0.0);
    }
    // nothing to tell where nothing differs
    let (_, branched) = branch(&after(&with, 110), &with).unwrap();
    assert!(branched.fields.is_empty());
}
