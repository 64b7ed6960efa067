//! Scenes of studies: those of the examples, and small ones into which particles are set by hand.

use dem_core::particles::NewParticle;
use dem_core::{DQuat, DVec3};
use dem_io::document::Override;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::simulation::Simulation;

use crate::error::WorkloadError;

/// Example 5.1 of Campello (2015).
pub const SPINNING_SPHERE: Example = Example {
    name: "spinning_sphere.toml",
    scene: include_str!("../../../examples/spinning_sphere.toml"),
    particles: include_str!("../../../examples/spinning_sphere.csv"),
};
/// Example 5.2.
pub const THREE_ROLLING_SPHERES: Example = Example {
    name: "three_rolling_spheres.toml",
    scene: include_str!("../../../examples/three_rolling_spheres.toml"),
    particles: include_str!("../../../examples/three_rolling_spheres.csv"),
};
/// Example 5.3.
pub const CONTAINER_SLICE: Example = Example {
    name: "container_slice.toml",
    scene: include_str!("../../../examples/container_slice.toml"),
    particles: "",
};

/// The silo that is filled.
pub const SILO: Example =
    Example { name: "silo.toml", scene: include_str!("../../../examples/silo.toml"), particles: "" };
/// The hopper that runs out.
pub const HOPPER: Example =
    Example { name: "hopper.toml", scene: include_str!("../../../examples/hopper.toml"), particles: "" };

/// The container that is poured full.
pub const CONTAINER_FILLING: Example = Example {
    name: "container_filling.toml",
    scene: include_str!("../../../examples/container_filling.toml"),
    particles: "",
};

/// Triaxial compression of 1,000 spheres in a periodic cell.
pub const TRIAXIAL_SMALL: Example = Example {
    name: "triaxial_small.toml",
    scene: include_str!("../../../examples/triaxial_small.toml"),
    particles: "",
};

/// Triaxial compression of 1,000 octahedral clusters of spheres in a periodic cell.
pub const TRIAXIAL_CLUSTERS: Example = Example {
    name: "triaxial_clusters.toml",
    scene: include_str!("../../../examples/triaxial_clusters.toml"),
    particles: "",
};

/// A scene of `examples/`, part of the program, so that a study needs no files.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Name of its file.
    pub name: &'static str,
    scene: &'static str,
    /// The table of particles that it refers to, if any.
    particles: &'static str,
}

impl Example {
    /// The simulation with some values replaced (`key.path=value`), its initial forces evaluated.
    ///
    /// # Errors
    /// Values that the scene refuses.
    pub fn simulation(&self, overrides: &[String]) -> Result<Simulation, WorkloadError> {
        let loaded = self.load(overrides)?;
        if self.particles.is_empty() {
            let mut simulation = builder::build(&loaded)?;
            simulation.initialise()?;
            return Ok(simulation);
        }
        let mut simulation = builder::build_empty(&loaded)?;
        for mut sphere in self.spheres() {
            let materials = &simulation.world.materials;
            sphere.material = materials.iter().position(|material| material.name == "sphere").unwrap_or(0) as u16;
            sphere.density = materials[sphere.material as usize].density;
            simulation.world.insert(sphere);
        }
        simulation.initialise()?;
        Ok(simulation)
    }

    /// The scene with some values replaced.
    ///
    /// # Errors
    /// Values that the scene refuses.
    pub fn load(&self, overrides: &[String]) -> Result<LoadedScene, WorkloadError> {
        let overrides = overrides.iter().map(|text| Override::parse(text)).collect::<Result<Vec<_>, _>>()?;
        Ok(builder::parse_scene(self.name, self.scene, &overrides)?)
    }

    /// The scene as it is in its file.
    pub fn text(&self) -> &'static str {
        self.scene
    }

    /// Rows of the table: `x,y,z,r,vx,vy,vz,wx,wy,wz`.
    fn spheres(&self) -> impl Iterator<Item = NewParticle> {
        let rows = self.particles.lines().filter(|line| !line.starts_with('#') && !line.starts_with('x'));
        rows.filter_map(|line| {
            let numbers: Vec<f64> = line.split(',').filter_map(|number| number.trim().parse().ok()).collect();
            let [x, y, z, r, vx, vy, vz, wx, wy, wz] = numbers.try_into().ok()?;
            let mut sphere = sphere(DVec3::new(x, y, z), r);
            sphere.velocity = DVec3::new(vx, vy, vz);
            sphere.angular_velocity = DVec3::new(wx, wy, wz);
            Some(sphere)
        })
    }
}

/// Replacements that give a triaxial example of 1,000 grains another number of them in as much room for each, and another seed.
pub fn triaxial_with_spheres(count: u64, seed: u64) -> Vec<String> {
    let edge = 25e-3 * libm::cbrt(count as f64 / 1000.0);
    vec![
        format!("seed={seed}"),
        format!("domain.max=[{edge}, {edge}, {edge}]"),
        format!("particles.sample.region.max=[{edge}, {edge}, {edge}]"),
        format!("particles.sample.fill.count={count}"),
    ]
}

/// Density of the spheres that are set by hand \[kg/m³\].
pub const DENSITY: f64 = 2500.0;

/// A sphere of the first material at rest.
pub fn sphere(position: DVec3, radius: f64) -> NewParticle {
    NewParticle {
        position,
        velocity: DVec3::ZERO,
        angular_velocity: DVec3::ZERO,
        orientation: DQuat::IDENTITY,
        radius,
        density: DENSITY,
        material: 0,
        group: 1,
        frozen: 0,
    }
}

/// The simulation of a scene with spheres set by hand, its initial forces evaluated.
///
/// # Errors
/// A scene that cannot be built.
pub fn with_spheres(scene: &str, spheres: impl IntoIterator<Item = NewParticle>) -> Result<Simulation, WorkloadError> {
    let mut simulation = builder::build_empty(&builder::parse_scene("study", scene, &[])?)?;
    for sphere in spheres {
        simulation.world.insert(sphere);
    }
    simulation.initialise()?;
    Ok(simulation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_hold_their_particles() {
        let one = SPINNING_SPHERE.simulation(&[]).unwrap();
        assert_eq!(one.world.particles.angular_velocity, [DVec3::new(0.0, 0.0, -127.03)]);
        assert!((one.world.particles.mass[0] - 1000.0).abs() < 1e-9);
        let three = THREE_ROLLING_SPHERES.simulation(&[]).unwrap();
        assert_eq!(three.world.particles.len(), 3);
        assert_eq!(three.world.contact_count().walls, 3);
        let few = ["particles.0.fill.count=9".to_owned(), "seed=4".to_owned()];
        assert_eq!(CONTAINER_SLICE.simulation(&few).unwrap().world.particles.len(), 9);
    }
}
