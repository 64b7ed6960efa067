//! What follows from laws whose contacts depend on size and speed: forces that pull off, speeds that stick and yield.

use dem_contact::ParameterValue;
use dem_contact::kernel::ForceKernel;
use dem_contact::law::Derived;
use dem_contact::submodels::adhesion::{BRIDGE_PULL, PULL_OFF, SURFACE_ENERGY, VAN_DER_WAALS_PULL, WORK_OF_ADHESION};
use dem_core::particles::sphere_volume;

use crate::simulation::components::Simulation;

/// A contact of two materials between spheres of their mean radii that meet at the expected speed.
struct MeanContact {
    effective_radius: f64,
    effective_mass: f64,
    lightest: f64,
    /// Whether forces at a distance act: between spheres, and with walls that ask for it.
    has_near_field: bool,
}

impl MeanContact {
    /// `None` where no sphere is of either material.
    fn of(simulation: &Simulation, a: u16, b: u16) -> Option<Self> {
        // materials that no sphere has are those of walls
        let spheres = [a, b].map(|material| mean_radius(simulation, material));
        let effective_radius = match spheres {
            [Some(first), Some(second)] => first * second / (first + second),
            [Some(radius), None] | [None, Some(radius)] => radius,
            [None, None] => return None,
        };
        let density = |material: u16| simulation.world.materials[material as usize].density;
        let masses: Vec<f64> = [a, b]
            .into_iter()
            .zip(spheres)
            .filter_map(|(material, radius)| Some(density(material) * sphere_volume(radius?)))
            .collect();
        Some(Self {
            effective_radius,
            effective_mass: 1.0 / masses.iter().map(|mass| 1.0 / mass).sum::<f64>(),
            lightest: masses.iter().copied().fold(f64::INFINITY, f64::min),
            has_near_field: spheres.iter().all(Option::is_some)
                || simulation.world.walls.iter().any(|wall| wall.near_field && [a, b].contains(&wall.material)),
        })
    }

    /// Facts of a kernel, and the Bond number.
    fn facts(&self, simulation: &Simulation, kernel: &dyn ForceKernel, a: u16, b: u16) -> Vec<Derived> {
        let speed = simulation.time_step.expected_speed;
        let mut facts = kernel.facts(a, b, self.effective_radius, self.effective_mass, speed);
        let gravity = simulation.world.fields.gravity.length();
        let at_distance = [BRIDGE_PULL, VAN_DER_WAALS_PULL];
        facts.retain(|fact| self.has_near_field || !at_distance.contains(&fact.name));
        let is_pull = |fact: &&Derived| fact.name == PULL_OFF || at_distance.contains(&fact.name);
        let pull_off = facts.iter().find(is_pull).map(|fact| fact.value);
        if let Some(pull_off) = pull_off.filter(|_| gravity > 0.0) {
            let value = pull_off / (self.lightest * gravity);
            facts.push(Derived { name: "granular Bond number (pull-off force over weight)", value, unit: "-" });
        }
        facts
    }
}

/// Facts of a contact of two materials, for spheres of their mean radii that meet at the expected speed.
pub fn contact_facts(simulation: &Simulation, a: u16, b: u16) -> Vec<Derived> {
    let world = &simulation.world;
    let kernel = &world.kernels[world.laws.get(a, b) as usize];
    MeanContact::of(simulation, a, b).map_or_else(Vec::new, |contact| contact.facts(simulation, kernel.as_ref(), a, b))
}

/// The same with the real Young's moduli of the materials, and the surface energy with which the softened ones lose as much by sticking: the work of adhesion of
/// an impact goes with `(γ⁵/E*²)^(1/3)`, so that `γ (E*/E*_real)^(2/5)` keeps it. Nothing where no real modulus is given.
pub fn real_contact_facts(simulation: &Simulation, a: u16, b: u16) -> Vec<Derived> {
    let (Some(contact), Some((entry, parameters, material))) =
        (MeanContact::of(simulation, a, b), simulation.contact.real_pair(usize::from(a), usize::from(b)))
    else {
        return Vec::new();
    };
    let given = parameters.pairs.first().and_then(|pair| pair.as_ref()).map(|(_, values)| values.clone());
    let number = |name: &str| match given.as_ref().and_then(|values| values.get(name)) {
        Some(ParameterValue::Number(value)) => Some(*value),
        _ => None,
    };
    let energy = number(SURFACE_ENERGY.name).or_else(|| number(WORK_OF_ADHESION.name).map(|work| 0.5 * work));
    let softened = simulation.contact.pair_material(usize::from(a), usize::from(b)).effective_young_modulus;
    // a law may refuse what it takes with softer materials
    let mut facts = (entry.build)(&parameters)
        .map_or_else(|_| Vec::new(), |kernel| contact.facts(simulation, kernel.as_ref(), 0, 0));
    if let Some(energy) = energy {
        let value = energy * libm::pow(softened / material.effective_young_modulus, 0.4);
        facts.push(Derived {
            name: "surface energy that keeps the work of adhesion with the softened modulus",
            value,
            unit: "J/m^2",
        });
    }
    facts
}

/// Mean radius of the spheres of a material, present or, if there are none yet, to come \[m\].
fn mean_radius(simulation: &Simulation, material: u16) -> Option<f64> {
    let p = &simulation.world.particles;
    let radii = p.material.iter().zip(&p.radius).filter(|(of, _)| **of == material).map(|(_, radius)| *radius);
    let (count, sum) = radii.fold((0.0, 0.0), |(count, sum), radius| (count + 1.0, sum + radius));
    if count > 0.0 {
        return Some(sum / count);
    }
    let poured = simulation
        .sources
        .iter()
        .find(|source| source.smallest_impacts().into_iter().any(|(of, ..)| of == material))?;
    Some(0.5 * (poured.smallest + poured.largest))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::builder;

    /// Spheres of 0.5 mm with E* = 2 GPa, of a material with a hundred times that.
    const SCENE: &str = r#"
[time]
end = "1 ms"
step = "1 us"
[materials.glass]
density = "2500 kg/m^3"
young_modulus = "3.75 GPa"
real_young_modulus = "375 GPa"
poisson_ratio = 0.25
[contact]
law = "jkr"
surface_energy = "0.05 J/m^2"
friction = 0.3
restitution = 0.9
[domain]
min = [0, 0, 0]
max = ["20 mm", "20 mm", "20 mm"]
[[particles]]
name = "grains"
material = "glass"
sizes = { type = "single", radius = "0.5 mm" }
region = { type = "box", min = ["1 mm", "1 mm", "1 mm"], max = ["5 mm", "5 mm", "5 mm"] }
fill = { type = "random", count = 20 }
velocity = ["0.1 m/s", "0 m/s", "0 m/s"]
"#;

    fn built(text: &str) -> Simulation {
        builder::build(&builder::parse_scene("softened", text, &[]).unwrap()).unwrap()
    }

    fn value(facts: &[Derived], name: &str) -> f64 {
        facts.iter().find(|fact| fact.name.contains(name)).unwrap().value
    }

    #[test]
    fn softening_shows_what_keeps_the_work_of_adhesion() {
        let simulation = built(SCENE);
        let [soft, real] = [contact_facts(&simulation, 0, 0), real_contact_facts(&simulation, 0, 0)];
        // two equal spheres: r* = 0.25 mm
        for facts in [&soft, &real] {
            assert!((value(facts, "pull-off") / (3.0 * PI * 0.05 * 0.25e-3) - 1.0).abs() < 1e-12);
        }
        // the sticking speed goes with E^(−1/3), the Tabor number with E^(−2/3)
        let stick = "speed below which bodies stick";
        assert!((value(&soft, stick) / value(&real, stick) / 100f64.cbrt() - 1.0).abs() < 1e-9);
        assert!((value(&soft, "Tabor") / value(&real, "Tabor") / 100f64.cbrt().powi(2) - 1.0).abs() < 1e-9);
        let kept = value(&real, "keeps the work");
        assert!((kept / (0.05 * 0.01_f64.powf(0.4)) - 1.0).abs() < 1e-12);
        // with this energy the softened spheres stick as the real ones do
        let reduced = built(&SCENE.replace("0.05 J/m^2", &format!("{kept:?} J/m^2")));
        assert!((value(&contact_facts(&reduced, 0, 0), stick) / value(&real, stick) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_real_modulus_changes_no_bit_of_a_run() {
        let without = SCENE.replace("real_young_modulus = \"375 GPa\"\n", "");
        assert!(real_contact_facts(&built(&without), 0, 0).is_empty());
        let ends = [SCENE, &without].map(|text| {
            let mut simulation = built(text);
            simulation.initialise().unwrap();
            for _ in 0..300 {
                simulation.advance().unwrap();
            }
            (simulation.world.particles.position.clone(), simulation.world.energy())
        });
        assert_eq!(ends[0], ends[1]);
    }

    /// Wet grains of 0.5 mm that lie on a floor.
    const WET: &str = r#"
[time]
end = "1 ms"
step = "1 us"
[materials.glass]
density = "2500 kg/m^3"
young_modulus = "10 MPa"
poisson_ratio = 0.25
[materials.steel]
density = "7800 kg/m^3"
young_modulus = "100 MPa"
poisson_ratio = 0.3
[contact]
law = "hertz-mindlin"
friction = 0.3
restitution = 0.9
near_field = "liquid-bridge"
bridge_form = "willett-closed"
surface_tension = "73 mN/m"
contact_angle = "30 deg"
bridge_volume = "1e-12 m^3"
[domain]
min = [0, 0, 0]
max = ["20 mm", "20 mm", "20 mm"]
[fields]
gravity = [0, 0, "-9.81 m/s^2"]
[[walls]]
name = "floor"
material = "steel"
near_field = true
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "grains"
material = "glass"
sizes = { type = "single", radius = "0.5 mm" }
region = { type = "box", min = ["1 mm", "1 mm", "1 mm"], max = ["5 mm", "5 mm", "5 mm"] }
fill = { type = "random", count = 20 }
"#;

    /// 2πRσ cos θ over the weight: R = r between equal spheres, 2r at a wall, and nothing at a wall that takes no part.
    #[test]
    fn wet_grains_have_the_pull_and_the_bond_number_of_their_bridges() {
        let wet = built(WET);
        let weight = 2500.0 * sphere_volume(0.5e-3) * 9.81;
        for (partner, radius) in [(0, 0.5e-3), (1, 1e-3)] {
            let facts = contact_facts(&wet, 0, partner);
            let expected = 2.0 * PI * radius * 0.073 * 0.75f64.sqrt();
            assert!((value(&facts, "pull of a liquid bridge") / expected - 1.0).abs() < 1e-9, "{partner}");
            assert!((value(&facts, "Bond number") / (expected / weight) - 1.0).abs() < 1e-9, "{partner}");
        }
        let dry_wall = built(&WET.replace("near_field = true\n", ""));
        let names = |simulation: &Simulation, partner: u16| -> Vec<&'static str> {
            contact_facts(simulation, 0, partner).into_iter().map(|fact| fact.name).collect()
        };
        assert_eq!((names(&dry_wall, 0).len(), names(&dry_wall, 1).len()), (2, 0));
        // without weight there is no Bond number
        assert_eq!(names(&built(&WET.replace("-9.81 m/s^2", "0 m/s^2")), 0), [BRIDGE_PULL]);
        let van_der_waals = WET
            .replace("liquid-bridge", "van-der-waals")
            .replace("bridge_form = \"willett-closed\"\n", "")
            .replace("surface_tension = \"73 mN/m\"", "hamaker_constant = 6.5e-20")
            .replace("contact_angle = \"30 deg\"", "separation_minimum = \"0.4 nm\"")
            .replace("bridge_volume = \"1e-12 m^3\"", "van_der_waals_cutoff = \"100 nm\"");
        // A r*/6h₀²
        let pull = 6.5e-20 * 0.25e-3 / (6.0 * 16e-20);
        assert!(
            (value(&contact_facts(&built(&van_der_waals), 0, 0), "Bond number") / (pull / weight) - 1.0).abs() < 1e-9
        );
        // a constant pull is what is given
        let (before, after) = (WET.find("near_field = \"liquid").unwrap(), WET.find("[domain]").unwrap());
        let constant = format!("{}adhesion = \"constant\"\npull = \"3 mN\"\n{}", &WET[..before], &WET[after..]);
        let constant = constant.replace("near_field = true\n", "");
        for partner in [0, 1] {
            let facts = contact_facts(&built(&constant), 0, partner);
            assert!((value(&facts, "pull-off force") / 3e-3 - 1.0).abs() < 1e-12);
            assert!((value(&facts, "Bond number") / (3e-3 / weight) - 1.0).abs() < 1e-9);
        }
    }
}
