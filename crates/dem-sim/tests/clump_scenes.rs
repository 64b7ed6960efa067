//! Rigid bodies of scenes: how every generator places them, and what a clump of one sphere is.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::DVec3;
use dem_core::bodies::body::NO_BODY;
use dem_core::particles::frozen;
use dem_sim::builder::{build, load_scene, parse_scene, parse_scene_in};
use dem_sim::simulation::Simulation;
use dem_sim::world::World;

/// A box 20 mm wide, periodic along x, with a floor.
const SCENE: &str = r#"
seed = 7
[time]
end = "1 s"
[domain]
min = ["0 mm", "0 mm", "0 mm"]
max = ["20 mm", "20 mm", "40 mm"]
x = "periodic"
[fields]
gravity = [0, 0, -9.81]
[materials.glass]
density = 2500
young_modulus = "10 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
restitution = 0.5
friction = 0.3
[[walls]]
name = "floor"
material = "glass"
shape = { type = "plane", normal = [0, 0, 1] }
[clumps.dimer]
spheres = [{ position = ["0 mm", "0 mm", "0 mm"], radius = "1 mm" }, { position = ["1.5 mm", "0 mm", "0 mm"], radius = "0.7 mm" }]
[clumps.rod]
spheres = [
  { position = ["0 mm", "-1.2 mm", "0 mm"], radius = "0.8 mm" },
  { position = ["0 mm", "0 mm", "0 mm"], radius = "0.8 mm" },
  { position = ["0 mm", "1.2 mm", "0 mm"], radius = "0.8 mm" },
]
[clumps.ball]
spheres = [{ position = ["3 mm", "0 mm", "1 mm"], radius = "1 mm" }]
"#;

const REGION: &str = "region = { type = \"box\", min = [0, 0, 0], max = [\"20 mm\", \"20 mm\", \"40 mm\"] }\n";

fn source(name: &str, keys: &str) -> String {
    let region = if keys.contains("type = \"file\"") { "" } else { REGION };
    format!("[[particles]]\nname = \"{name}\"\nmaterial = \"glass\"\n{region}{keys}\n")
}

fn built(sources: &str) -> Simulation {
    let loaded = parse_scene("scene", &format!("{SCENE}{sources}"), &[]).unwrap();
    build(&loaded).unwrap()
}

fn refusal(text: &str) -> String {
    parse_scene("scene", text, &[]).and_then(|loaded| build(&loaded).map(drop)).unwrap_err().to_string()
}

/// Smallest gap between spheres that are not of one body, one of which is meant, and between those and walls \[m\]; by all pairs.
fn smallest_gap(world: &World, is_meant: impl Fn(usize) -> bool) -> f64 {
    let p = &world.particles;
    let mut smallest = f64::INFINITY;
    for i in 0..p.len() {
        for wall in world.walls.iter().filter(|_| is_meant(i)) {
            smallest = smallest.min(wall.distance(p.position[i]) - p.radius[i]);
        }
        for j in 0..i {
            if (is_meant(i) || is_meant(j)) && (p.body[i] == NO_BODY || p.body[i] != p.body[j]) {
                let distance = world.cell.nearest_image(p.position[j] - p.position[i]).length();
                smallest = smallest.min(distance - p.radius[i] - p.radius[j]);
            }
        }
    }
    smallest
}

/// Share of the box that is filled, each point once.
fn packing_fraction(world: &World) -> f64 {
    let solid: f64 = (0..world.particles.len()).map(|slot| world.particles.solid_volume(slot)).sum();
    solid / (0.02 * 0.02 * 0.04)
}

#[test]
fn no_generator_lets_bodies_overlap() {
    let filling = [
        ("lattice", "fill = { type = \"lattice\", jitter = 1.0 }", 140),
        ("random", "fill = { type = \"random\", packing_fraction = 0.3 }", 700),
        ("gap", "fill = { type = \"random\", count = 300, gap = \"0.1 mm\" }", 300),
        ("plane", "fill = { type = \"random\", count = 30, plane = { axis = \"z\", coordinate = \"5 mm\" } }", 30),
    ];
    for (name, fill, least) in filling {
        for clump in ["dimer", "rod"] {
            let simulation = built(&source(name, &format!("clump = \"{clump}\"\n{fill}")));
            let world = &simulation.world;
            let (count, gap) = (world.particles.bodies.len(), smallest_gap(world, |_| true));
            println!("{name} {clump}: {count} bodies, fraction {:.3}, gap {gap:.2e}", packing_fraction(world));
            assert!(count >= least, "{name} {clump}: {count}");
            let asked = if name == "gap" { 1e-4 } else { 0.0 };
            assert!(gap >= asked - 1e-12, "{name} {clump}: {gap:e}");
            // touching spheres of a body are no contacts
            assert_eq!(world.contact_count().pairs, 0);
            for slot in 0..world.particles.len() {
                let (x, r) = (world.particles.position[slot], world.particles.radius[slot]);
                assert!(x.y >= r * 0.999_999 && x.z >= r * 0.999_999 && x.y + r <= 0.020_000_001);
            }
        }
    }
    let fraction = packing_fraction(
        &built(&source("dense", "clump = \"rod\"\nfill = { type = \"random\", packing_fraction = 0.3 }")).world,
    );
    assert!((fraction - 0.3).abs() < 1e-3, "{fraction}");
}

#[test]
fn poured_bodies_appear_clear_of_all_and_their_mass_is_that_of_the_union() {
    let keys = "clump = \"dimer\"\nfill = { type = \"pour\", mass_rate = \"50 g/s\", mass = \"1 g\" }\nvelocity = [0, 0, -0.5]\nangular_velocity = [0, 0, 3]";
    let mut simulation = built(&source("rain", keys));
    assert!(simulation.world.particles.is_empty());
    simulation.initialise().unwrap();
    let (mut count, mut steps) = (0, 0);
    while !simulation.is_poured() {
        simulation.advance().unwrap();
        steps += 1;
        assert!(steps < 200_000);
        let world = &simulation.world;
        if world.particles.bodies.len() > count {
            count = world.particles.bodies.len();
            let newest = world.particles.bodies.all.iter().map(|body| body.id).max().unwrap();
            // it has moved for a step
            let gap = smallest_gap(world, |slot| world.particles.body[slot] == newest);
            assert!(gap > -2.0 * world.time_step, "{gap}");
        }
    }
    let bodies = &simulation.world.particles.bodies.all;
    let mass: f64 = bodies.iter().map(|body| body.mass).sum();
    let each = bodies[0].mass;
    // volume of spheres of 1 and 0.7 mm at 1.5 mm: spheres without the lens
    let lens = std::f64::consts::PI * 0.04 * (2.25 + 2.0 * 1.5 * 1.7 - 3.0 * 0.09) / 18.0;
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 1.343 - lens;
    assert!((each - 2.5e-6 * volume).abs() < 1e-9 * each, "{each} {volume}");
    assert!((mass - 1e-3).abs() < 0.51 * each, "{mass}");
    assert!((simulation.sources[0].pouring.mass() - mass).abs() < 1e-9 * mass);
}

#[test]
fn a_clump_of_one_sphere_gives_the_bits_of_the_sphere() {
    let of = |shape: &str| {
        let random = format!("{shape}\nfill = {{ type = \"random\", count = 60 }}\nangular_velocity = [1, 2, 3]");
        let pour = format!("{shape}\nfill = {{ type = \"pour\", rate = 2000, count = 20 }}");
        let mut simulation = built(&(source("bed", &random) + &source("rain", &pour)));
        simulation.initialise().unwrap();
        (0..600).for_each(|_| simulation.advance().unwrap());
        simulation.world
    };
    let (spheres, clumps) = (of("sizes = { type = \"single\", radius = \"1 mm\" }"), of("clump = \"ball\""));
    assert!(clumps.particles.bodies.is_empty() && spheres.particles.len() > 65);
    assert_eq!(spheres.time_step, clumps.time_step);
    assert_eq!(spheres.particles.position, clumps.particles.position);
    assert_eq!(spheres.particles.angular_velocity, clumps.particles.angular_velocity);
    assert_eq!(spheres.particles.force, clumps.particles.force);
}

#[test]
fn spheres_and_bodies_of_several_kinds_fill_one_box() {
    let sources = [
        source("dimers", "clump = \"dimer\"\nfill = { type = \"random\", count = 100 }"),
        source(
            "balls",
            "sizes = { type = \"uniform\", min = \"0.5 mm\", max = \"1 mm\" }\nfill = { type = \"random\", count = 200 }",
        ),
        source(
            "rods",
            "clump = \"rod\"\nsizes = { type = \"uniform\", min = \"0.8 mm\", max = \"1.2 mm\" }\nfill = { type = \"random\", count = 100 }\ngroup = \"flat\"",
        ),
        source("rain", "clump = \"rod\"\nscale = 0.8\nfill = { type = \"pour\", rate = 3000, count = 15 }"),
    ];
    let flat = "[groups.flat]\nfrozen = [\"y\", \"rotation_x\", \"rotation_z\"]\n";
    let mut simulation = built(&(sources.concat() + flat));
    assert!(smallest_gap(&simulation.world, |_| true) >= -1e-12);
    simulation.initialise().unwrap();
    (0..300).for_each(|_| simulation.advance().unwrap());
    let world = &simulation.world;
    let p = &world.particles;
    assert_eq!((p.bodies.len() >= 203, p.bodies.all.len() + 200 <= p.len()), (true, true));
    let equal: Vec<f64> = p.bodies.all.iter().filter(|b| b.template == 2).map(|b| b.equivalent_radius).collect();
    assert!(equal.iter().all(|r| (0.8e-3..=1.2e-3).contains(r) || (r / 1.1e-3 - 0.8).abs() < 0.5));
    // sources of members are known, and frozen degrees of freedom are
    let mut held = 0;
    for slot in 0..p.len() {
        let name = &world.provenance.names()[world.provenance.of(p.id[slot]) as usize];
        assert_eq!(p.body[slot] == NO_BODY, name == "balls", "{name}");
        if name == "rods" {
            held += 1;
            assert_eq!(p.frozen[slot] & frozen::TRANSLATION[1], frozen::TRANSLATION[1]);
        }
    }
    assert_eq!(held, 300);
    assert!(p.bodies.all.iter().filter(|body| body.frozen != 0).all(|body| body.velocity.y == 0.0));
}

#[test]
fn random_bodies_look_everywhere_and_others_where_they_are_told() {
    let directions = |orientation: &str| {
        let keys = format!(
            "clump = \"rod\"\nscale = 0.3\norientation = {orientation}\nfill = {{ type = \"lattice\", gap = 0.2 }}"
        );
        let simulation = built(&source("rods", &keys));
        // the rod is long along y, its principal axis x
        simulation.world.particles.bodies.all.iter().map(|body| body.to_space(DVec3::X)).collect::<Vec<_>>()
    };
    let all = directions("\"random\"");
    let squares: DVec3 = all.iter().map(|n| n * n).sum::<DVec3>() / all.len() as f64;
    // the standard deviation of a square is 0.3
    let tolerance = 4.0 * 0.3 / (all.len() as f64).sqrt();
    assert!(all.len() > 1000 && (squares - 1.0 / 3.0).abs().max_element() < tolerance, "{} {squares}", all.len());
    assert!(directions("\"fixed\"").iter().all(|n| (n.abs() - DVec3::Y).length() < 1e-12));
    let turned = "{ fixed = [0, 0, 0.7071067811865476, 0.7071067811865476] }";
    assert!(directions(turned).iter().all(|n| (n.abs() - DVec3::X).length() < 1e-12));
    let cone = directions("{ axis = [0, 0, 2], spread = \"20 deg\" }");
    let cosine = 20f64.to_radians().cos();
    assert!(cone.iter().all(|n| n.z > cosine - 1e-12) && cone.iter().any(|n| n.z < cosine + 0.01));
}

#[test]
fn tables_put_bodies_with_their_orientations() {
    let folder = tempfile::tempdir().unwrap();
    let radius =
        built(&source("one", "clump = \"rod\"\nfill = { type = \"lattice\", count = 1 }")).world.particles.bodies.all
            [0]
        .equivalent_radius;
    let half = 0.5f64.sqrt();
    let table = format!(
        "x,y,z,r,vx,vy,vz,wx,wy,wz,qx,qy,qz,qw\n0.005,0.005,0.01,{radius:?},0,0,1,0,0,5,{half:?},0,0,{half:?}\n"
    );
    std::fs::write(folder.path().join("rods.csv"), &table).unwrap();
    let keys = "clump = \"rod\"\nfill = { type = \"file\", path = \"rods.csv\" }";
    let text = format!("{SCENE}{}", source("rods", keys));
    let simulation = build(&parse_scene_in(folder.path(), "scene", &text, &[]).unwrap()).unwrap();
    let body = &simulation.world.particles.bodies.all[0];
    assert_eq!((body.scale, body.velocity), (1.0, DVec3::Z));
    assert!((body.to_space(DVec3::X).abs() - DVec3::Z).length() < 1e-12, "y has become z");
    assert!((body.angular_velocity() - 5.0 * DVec3::Z).length() < 1e-12);
    // a second one that crosses it
    std::fs::write(
        folder.path().join("rods.csv"),
        format!("{table}0.005,0.005,0.012,{radius:?},0,0,0,0,0,0,0,0,0,1\n"),
    )
    .unwrap();
    let error =
        parse_scene_in(folder.path(), "scene", &text, &[]).and_then(|loaded| build(&loaded).map(drop)).unwrap_err();
    assert!(error.to_string().contains("particle 1 and particle 2 overlap"), "{error}");
}

#[test]
fn files_of_other_programs_become_clumps_and_are_copied_beside_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("two.txt"), "# a dimer\n0 0 0 1\n1.5 0 0 0.7\n").unwrap();
    let path = folder.path().join("scene.toml");
    let clump = "[clumps.read]\nfile = \"two.txt\"\nformat = \"liggghts\"\nunit = \"1 mm\"\n";
    std::fs::write(
        &path,
        format!("{SCENE}{clump}{}", source("a", "clump = \"read\"\nfill = { type = \"lattice\", count = 5 }")),
    )
    .unwrap();
    let loaded = load_scene(&path, &[]).unwrap();
    let simulation = build(&loaded).unwrap();
    let bodies = &simulation.world.particles.bodies;
    let template = |name: &str| bodies.templates.iter().find(|template| template.name == name).unwrap();
    let (read, written) = (template("read"), template("dimer"));
    assert!((read.moments - written.moments).length() < 1e-12 * written.moments.length());
    assert_eq!(bodies.all[0].template as usize, 2);
    let resolved = loaded.resolved().to_string();
    assert!(resolved.contains("clumps/two-"), "{resolved}");
}

#[test]
fn a_molecule_brings_its_mass_its_centre_and_its_inertia() {
    let folder = tempfile::tempdir().unwrap();
    let molecule = "two spheres\n\n2 atoms\n2.5 mass\n0.4 0 0 com\n1 3 3.5 0 0 0 inertia\n\nCoords\n\n1 0 0 0\n2 1 0 0\n\nDiameters\n\n1 2\n2 2\n";
    std::fs::write(folder.path().join("two.mol"), molecule).unwrap();
    let clump = "[clumps.read]\nfile = \"two.mol\"\nformat = \"lammps-molecule\"\nunit = \"1 mm\"\nmass_unit = \"1 mg\"\nmass_from = \"given\"\n";
    let keys = "clump = \"read\"\nscale = 2\norientation = \"fixed\"\nfill = { type = \"lattice\", count = 1 }";
    let text = format!("{SCENE}{clump}{}", source("a", keys));
    let simulation = build(&parse_scene_in(folder.path(), "scene", &text, &[]).unwrap()).unwrap();
    let p = &simulation.world.particles;
    let body = &p.bodies.all[0];
    let moments = DVec3::new(1.0, 3.0, 3.5) * 1e-12 * 32.0;
    assert!((body.mass - 2.5e-6 * 8.0).abs() < 1e-12 * body.mass, "{}", body.mass);
    assert!((body.moments - moments).length() < 1e-12 * moments.length(), "{}", body.moments);
    let way = |slot: usize| simulation.world.cell.nearest_image(p.position[slot] - body.position);
    let [a, b] = [0, 1].map(way);
    assert!((a + 0.8e-3 * DVec3::X).length() < 1e-15 && (b - 1.2e-3 * DVec3::X).length() < 1e-15, "{a} {b}");
}

#[test]
fn what_bodies_cannot_have_is_refused() {
    let rods =
        |keys: &str| source("rods", &format!("clump = \"rod\"\n{keys}fill = {{ type = \"lattice\", count = 3 }}"));
    let with = |text: &str, sources: &str| refusal(&format!("{SCENE}{text}\n{sources}"));
    let guide = "[[guides]]\nname = \"wire\"\nparticles = \"rods\"\npath = { type = \"line\", direction = [0, 0, 1] }\nmotion = { type = \"free\" }\n";
    let gear =
        refusal(&format!("{SCENE}{}", rods("")).replace("end = \"1 s\"", "end = \"1 s\"\nintegrator = \"gear\""));
    let wide = refusal(&format!("{SCENE}{}", rods("scale = 3\n")));
    let unknown = source("rods", "clump = \"rodd\"\nfill = { type = \"lattice\" }");
    for (message, words) in [
        (with("[output]\norientations = false", &rods("")), "expected true, or no such key, with rigid bodies"),
        (gear, "gear does not move rigid bodies, expected one of velocity-verlet"),
        (with(guide, &rods("")), "expected none in a periodic cell"),
        (wide, "expected less than a quarter"),
        (refusal(&format!("{SCENE}{unknown}")), "expected the name of a clump: ball, dimer, rod"),
        (
            refusal(&format!("{SCENE}{}", rods("scale = 1\nsizes = { type = \"single\", radius = 1 }\n"))),
            "either scale or sizes",
        ),
        (refusal(&format!("{SCENE}{}", rods("orientation = { axis = [0, 0, 0] }\n"))), "not zero"),
        (refusal(&format!("{SCENE}{}", rods("orientation = \"upright\"\n"))), "expected \"random\""),
    ] {
        assert!(message.contains(words), "{message}\nexpected: {words}");
    }
}
