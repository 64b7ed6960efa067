//! A worked example of every extension point that needs no change of the engine: a contact law with a normal model of its own, an
//! integrator, a broadphase, a study. What becomes part of the engine is the same code in the file that CONTRIBUTING.md names, and one
//! line in a registry. Shapes of walls, motions and fields are variants of an enumeration: ARCHITECTURE.md lists where they are written.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;

use dem_broadphase::{Broadphase, BruteForce, TooManyPairs};
use dem_contact::composite::{Composite, Recipe};
use dem_contact::kernel::{Acceptance, LawKernel};
use dem_contact::law::{ContactLaw, Derived, Kinematics, LawDescription};
use dem_contact::normal::{NormalModel, NormalResponse};
use dem_contact::submodels::dashpot::Dashpot;
use dem_contact::tangential::NoTangential;
use dem_contact::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec, ParameterValue};
use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::contact_list::{CandidateRows, LawSelection};
use dem_core::lanes::Real;
use dem_core::material::{Material, PairMaterial};
use dem_core::particles::Particles;
use dem_core::rotation::{rodrigues_from_rotation_vector, rotate_orientation};
use dem_report::{Report, Table};
use dem_sim::error::StepError;
use dem_sim::forces::ForceEvaluation;
use dem_sim::integrators::{Integrator, VelocityVerlet};
use dem_sim::pipeline::Pipeline;
use dem_sim::world::World;
use dem_testkit::worlds;

// --- a contact law ---

/// `N = k δ²`, without damping.
#[derive(Clone, Copy, Debug)]
struct Quadratic {
    /// k \[N/m²\].
    coefficient: f64,
}

impl NormalModel for Quadratic {
    const KEY: &'static str = "quadratic";
    type Record<R: Real> = [R; 0];

    fn parameters() -> Vec<ParameterSpec> {
        vec![ParameterSpec {
            name: "coefficient",
            unit: "N/m^2",
            meaning: "force over the square of the overlap",
            kind: ParameterKind::Required(Interval::POSITIVE),
        }]
    }

    fn new(parameters: &ParameterSet, _pair: &PairMaterial) -> Result<Self, LawError> {
        Ok(Self { coefficient: parameters.number("coefficient") })
    }

    fn constant_stiffness(&self) -> Option<f64> {
        None
    }

    fn stiffness<R: Real>(&self, _effective_radius: R, overlap: R) -> R {
        R::parameter(2.0 * self.coefficient) * overlap.maximum(R::zero())
    }

    fn dashpot(&self) -> Dashpot {
        Dashpot::NONE
    }

    fn impact_overlap(&self, _effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        // m* v²/2 = k δ³/3
        libm::cbrt(1.5 * effective_mass * speed * speed / self.coefficient)
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        // 2 δ/v ∫ dx/√(1 − x³) from 0 to 1
        2.0 * 1.402_182_105_325_454_6 * self.impact_overlap(effective_radius, effective_mass, speed) / speed
    }

    fn elastic_force(&self, _effective_radius: f64, overlap: f64, _record: &[f64]) -> f64 {
        self.coefficient * overlap.max(0.0) * overlap.max(0.0)
    }

    fn elastic_energy(&self, _effective_radius: f64, overlap: f64, _record: &[f64]) -> f64 {
        let overlap = overlap.max(0.0);
        self.coefficient * overlap * overlap * overlap / 3.0
    }

    fn derived(&self) -> Vec<Derived> {
        Vec::new()
    }

    fn respond<R: Real>(&self, k: &Kinematics<R>, _dashpot0: R, _start: &[R; 0]) -> (NormalResponse<R>, [R; 0]) {
        let zero = R::zero();
        let (overlap0, overlap1) = (k.overlap0.maximum(zero), k.overlap1.maximum(zero));
        let coefficient = R::parameter(self.coefficient);
        let (elastic0, elastic1) = (coefficient * overlap0 * overlap0, coefficient * overlap1 * overlap1);
        let response = NormalResponse {
            force0: elastic0,
            force1: elastic1,
            dashpot_force: zero,
            elastic0,
            elastic1,
            limit0: elastic0,
            limit1: elastic1,
            elastic_limit0: elastic0,
            elastic_limit1: elastic1,
            contact_radius0: (k.effective_radius * overlap0).sqrt(),
            contact_radius1: (k.effective_radius * overlap1).sqrt(),
            viscosity: zero,
            viscous_work: zero,
        };
        (response, [])
    }
}

/// The law: this normal force and no friction.
#[derive(Clone, Copy, Debug)]
struct FrictionlessQuadratic;

impl Recipe for FrictionlessQuadratic {
    const KEY: &'static str = "frictionless-quadratic";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "a force that grows with the square of the overlap",
        formula: "N = k d^2",
        source: "an example",
        notes: "neither damping nor friction",
    };
    type Normal = Quadratic;
    type Tangential = NoTangential;
}

/// Two spheres under the law, about to meet at a relative speed of 2 m/s.
fn two_spheres(coefficient: f64) -> World {
    let material =
        Material { name: "own".to_owned(), density: worlds::DENSITY, young_modulus: 1e7, poisson_ratio: 0.25 };
    let given = BTreeMap::from([("coefficient".to_owned(), ParameterValue::Number(coefficient))]);
    type Law = Composite<FrictionlessQuadratic>;
    let parameters = ParameterSet::resolve(&Law::parameters(), given).unwrap();
    let law = Law::new(&parameters, &PairMaterial::new(&material, &material)).unwrap();
    let kernel = LawKernel::of_any_type(1, vec![Box::new(law)]);
    let laws = LawSelection::uniform(1);
    let mut world = World::new(Cell::unbounded(), vec![material], laws, vec![Box::new(kernel)], 1e-6);
    for side in [-1.0, 1.0] {
        let mut sphere = worlds::sphere(DVec3::X * side * 1.001e-2, 1e-2);
        sphere.velocity = DVec3::X * -side;
        world.insert(sphere);
    }
    world
}

#[test]
fn a_law_of_ones_own_conserves_energy_and_reaches_the_overlap_of_its_closed_form() {
    let mut world = two_spheres(1e9);
    let mass = world.particles.mass[0];
    let mut pipeline = Pipeline::new(Box::new(VelocityVerlet::default()), ForceEvaluation::default());
    pipeline.initialise(&mut world).unwrap();
    let mut deepest = 0.0f64;
    for _ in 0..2000 {
        pipeline.step(&mut world).unwrap();
        let distance = (world.particles.position[1] - world.particles.position[0]).length();
        deepest = deepest.max(2e-2 - distance);
    }
    let expected = Quadratic { coefficient: 1e9 }.impact_overlap(5e-3, 0.5 * mass, 2.0);
    // the largest overlap among some hundred steps, which is flat there
    assert!((deepest / expected - 1.0).abs() < 1e-5, "{deepest}, expected {expected}");
    let speed = world.particles.velocity.iter().map(|v| v.x.abs()).sum::<f64>();
    assert!((speed - 2.0).abs() < 1e-5, "{speed}");
    assert!(world.energy().balance().abs() < 1e-5 * mass);
}

// --- an integrator ---

/// Explicit Euler, `x₁ = x₀ + dt v₀`, `v₁ = v₀ + dt a₀`, of first order; for a world without periodic faces and guides.
struct ExplicitEuler;

impl Integrator for ExplicitEuler {
    fn key(&self) -> &'static str {
        "explicit-euler"
    }

    fn advance(&mut self, world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
        let dt = world.time_step;
        let p = &mut world.particles;
        for slot in 0..p.len() {
            // contact laws take displacements from these
            p.previous_position[slot] = p.position[slot];
            p.rotation_increment[slot] = rodrigues_from_rotation_vector(p.angular_velocity[slot] * dt);
            p.orientation[slot] = rotate_orientation(p.orientation[slot], p.rotation_increment[slot]);
            let velocity = p.velocity[slot];
            p.position[slot] += velocity * dt;
            // `force` is the total of the last accepted evaluation, gravity included
            p.velocity[slot] += p.force[slot] * (p.inverse_mass[slot] * dt);
            let inertia = p.inertia(slot);
            p.angular_velocity[slot] += p.torque[slot] * (dt / inertia);
        }
        forces.evaluate(world, dt, Acceptance::Final)?;
        forces.commit(world);
        Ok(())
    }
}

#[test]
fn an_integrator_of_ones_own_falls_as_its_formula_says() {
    let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.5, 0.5), Cell::unbounded());
    world.fields.gravity = DVec3::new(0.0, 0.0, -10.0);
    world.time_step = 1e-3;
    world.insert(worlds::sphere(DVec3::ZERO, 1e-2));
    let mut pipeline = Pipeline::new(Box::new(ExplicitEuler), ForceEvaluation::default());
    pipeline.initialise(&mut world).unwrap();
    for _ in 0..100 {
        pipeline.step(&mut world).unwrap();
    }
    // x_n = g dt² n (n − 1)/2
    let expected = -10.0 * 1e-6 * 100.0 * 99.0 / 2.0;
    assert!((world.particles.position[0].z - expected).abs() < 1e-14);
}

// --- a broadphase ---

/// Sorts along x and sweeps; for worlds without periodic faces.
struct SweepAlongX;

impl Broadphase for SweepAlongX {
    fn key(&self) -> &'static str {
        "sweep_along_x"
    }

    fn candidates_within(
        &mut self,
        particles: &Particles,
        cell: &Cell,
        margin: f64,
        most: usize,
        rows: &mut CandidateRows,
    ) -> Result<(), TooManyPairs> {
        let (x, r) = (&particles.position, &particles.radius);
        let largest = r.iter().copied().fold(0.0, f64::max);
        let order = self.spatial_order(particles, cell, margin);
        let mut partners: Vec<Vec<u32>> = vec![Vec::new(); particles.len()];
        for (at, &i) in order.iter().enumerate() {
            for &j in &order[at + 1..] {
                let (low, high) = (i.min(j) as usize, i.max(j) as usize);
                let d = x[high] - x[low];
                if d.x.abs() >= r[i as usize] + largest + margin {
                    break;
                }
                let range = r[low] + r[high] + margin;
                if d.length_squared() < range * range {
                    partners[low].push(high as u32);
                }
            }
        }
        rows.row.clear();
        rows.partner.clear();
        rows.row.push(0);
        for mut row in partners {
            row.sort_unstable();
            rows.partner.extend(row);
            rows.row.push(rows.partner.len() as u32);
        }
        TooManyPairs::unless_within(most, rows)
    }

    fn spatial_order(&mut self, particles: &Particles, _cell: &Cell, _margin: f64) -> Vec<u32> {
        let mut order: Vec<u32> = (0..particles.len() as u32).collect();
        order.sort_by(|&a, &b| particles.position[a as usize].x.total_cmp(&particles.position[b as usize].x));
        order
    }
}

/// Bits of the positions of a cloud of spheres that have collided, in order of ids.
fn collided(broadphase: Box<dyn Broadphase>) -> Vec<[u64; 3]> {
    let parameters = worlds::common_parameters("hertz-mindlin", 0.5, 0.5);
    let mut world = worlds::world_of("hertz-mindlin", &parameters, Cell::unbounded(), 1e7);
    world.time_step = 1e-5;
    let mut scatter = worlds::Scatter(3);
    for k in 0..125u32 {
        let site = DVec3::new(f64::from(k % 5), f64::from(k / 5 % 5), f64::from(k / 25));
        let mut sphere = worlds::sphere(site * 2.3e-2, 1e-2);
        sphere.velocity = scatter.next_vector();
        world.insert(sphere);
    }
    let mut pipeline = Pipeline::new(Box::new(VelocityVerlet::default()), ForceEvaluation::new(broadphase, None));
    pipeline.initialise(&mut world).unwrap();
    let mut touched = 0;
    for _ in 0..500 {
        pipeline.step(&mut world).unwrap();
        touched = touched.max(world.contact_count().pairs);
    }
    assert!(touched > 10, "{touched}");
    let order = world.particles.slots_by_id();
    order.into_iter().map(|slot| world.particles.position[slot as usize].to_array().map(f64::to_bits)).collect()
}

#[test]
fn a_broadphase_of_ones_own_changes_no_bit() {
    assert_eq!(collided(Box::new(SweepAlongX)), collided(Box::new(BruteForce)));
}

// --- a study ---

/// What to run.
struct Options {
    coefficients: Vec<f64>,
}

/// How does the largest force of an impact depend on the coefficient?
fn largest_force(options: &Options) -> Report {
    let mut table = Table::new("largest_force", &["coefficient_N_per_m2", "force_N"]);
    for &coefficient in &options.coefficients {
        let mut world = two_spheres(coefficient);
        let mut pipeline = Pipeline::new(Box::new(VelocityVerlet::default()), ForceEvaluation::default());
        pipeline.initialise(&mut world).unwrap();
        let mut largest = 0.0f64;
        for _ in 0..3000 {
            pipeline.step(&mut world).unwrap();
            largest = largest.max(world.particles.force[0].length());
        }
        table.push([coefficient.into(), largest.into()]);
    }
    let forces = table.numbers("force_N");
    let findings = vec![format!("The largest force grows from {:.3} to {:.3} N.", forces[0], forces[forces.len() - 1])];
    Report { tables: vec![table], findings, ..Report::default() }
}

#[test]
fn a_study_of_ones_own_leaves_tables_and_a_finding() {
    let report = largest_force(&Options { coefficients: vec![1e8, 8e8] });
    let forces = report.tables[0].numbers("force_N");
    // N = k δ² with δ ~ k^(-1/3) grows with the cube root of k
    assert!((forces[1] / forces[0] - 2.0).abs() < 1e-3, "{forces:?}");
    let folder = tempfile::tempdir().unwrap();
    let files = report.write(folder.path()).unwrap();
    assert!(files.iter().any(|file| file.ends_with("largest_force.csv")), "{files:?}");
    assert_eq!(report.findings.len(), 1);
}
