//! Disordered flows: lists, the ledger, bits.

use dem_broadphase::{Broadphase, BruteForce, CellList};
use dem_contact::ParameterValue;
use dem_core::contact_list::{CandidateRows, ContactKey, PartnerKind};
use dem_core::{DMat3, DVec3};
use dem_sim::deformation::Deformation;
use dem_sim::deformation::displacement::Displacement;
use dem_sim::forces::ForceEvaluation;
use dem_sim::world::World;
use dem_testkit::worlds::{self, Scatter};

use super::{drive, periodic, stress};

const SIZE: f64 = 0.08;

/// A gas of spheres of two sizes.
pub fn gas(friction: f64, restitution: f64, filling: f64) -> World {
    let law = "linear";
    let mut given = worlds::common_parameters(law, friction, restitution);
    // soft, so that many touch at a time
    given.insert("normal_stiffness".to_owned(), ParameterValue::Number(1e5));
    let mut world = worlds::world(law, &given, periodic(DVec3::splat(SIZE)));
    let mut scatter = Scatter(3);
    for k in 0..216 {
        let site = DVec3::new(f64::from(k % 6), f64::from(k / 6 % 6), f64::from(k / 36));
        let radius = filling * SIZE / 6.0 * if k % 3 == 0 { 1.0 } else { 0.8 };
        let mut sphere = worlds::sphere((site + 0.5) * (SIZE / 6.0), radius);
        sphere.velocity = scatter.next_vector();
        world.insert(sphere);
    }
    world.deformation = Some(Deformation::default());
    world.time_step = 2e-6;
    world
}

/// Shear, compression and rotation at once, fast against the motion of the spheres.
pub fn gradient() -> DMat3 {
    DMat3::from_cols(DVec3::new(-3.0, 20.0, 5.0), DVec3::new(60.0, -4.0, 0.0), DVec3::new(-10.0, 30.0, -2.0))
}

fn state(world: &World) -> Vec<(u64, DVec3, DVec3, [i32; 3])> {
    let p = &world.particles;
    p.slots_by_id().iter().map(|&s| s as usize).map(|s| (p.id[s], p.position[s], p.velocity[s], p.image[s])).collect()
}

#[test]
fn bits_depend_neither_on_the_skin_nor_on_the_broadphase_nor_on_threads() {
    for displacement in [Displacement::Affine, Displacement::Boundary] {
        assert_bits_are_the_same(displacement);
    }
}

fn assert_bits_are_the_same(displacement: Displacement) {
    let run = |evaluation: Option<ForceEvaluation>, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = gas(0.4, 0.8, 0.49);
            world.deformation.as_mut().unwrap().displacement = displacement;
            let mut pipeline = worlds::pipeline();
            if let Some(evaluation) = evaluation {
                pipeline.forces = evaluation;
            }
            pipeline.initialise(&mut world).unwrap();
            drive(&mut world, gradient());
            for _ in 0..4000 {
                pipeline.step(&mut world).unwrap();
            }
            let rebuilds = pipeline.forces.rebuilds;
            (state(&world), stress(&world), world.energy(), rebuilds)
        })
    };
    let reference = run(None, 1);
    let ledger = &reference.2;
    assert!(reference.3 > 20 && ledger.friction > 0.05 * ledger.cell, "{} rebuilds, {ledger:?}", reference.3);
    // the thinnest skin is thinner than the way of a step: pairs that separate in a step must be found nevertheless
    let others = [
        run(Some(ForceEvaluation::new(Box::new(CellList::default()), Some(1e-9))), 2),
        run(Some(ForceEvaluation::new(Box::new(CellList::default()), Some(2e-3))), 3),
        run(Some(ForceEvaluation::new(Box::new(BruteForce), None)), 1),
    ];
    assert!(others[0].3 > 10 * others[1].3, "skins differ");
    for other in others {
        assert!(other.0 == reference.0 && other.1 == reference.1 && other.2 == reference.2);
    }
}

/// Against all images of all pairs around the one that the cell takes for the nearest.
#[test]
fn the_list_of_a_deforming_cell_is_never_too_late() {
    let mut world = gas(0.3, 0.9, 0.49);
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    drive(&mut world, gradient());
    let mut checked = 0;
    for step in 0..3000 {
        pipeline.step(&mut world).unwrap();
        if step % 20 != 0 {
            continue;
        }
        let p = &world.particles;
        let mut listed: Vec<ContactKey> = Vec::new();
        for segment in &world.list.segments {
            listed.extend((segment.start..segment.end).map(|c| world.list.key(segment, c as usize, &p.id)));
        }
        listed.sort_unstable();
        for i in 0..p.len() {
            for j in i + 1..p.len() {
                let d = p.position[j] - p.position[i];
                let near = (world.cell.inverse() * d).round();
                let touches = (0..27).any(|k| {
                    let n = DVec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9)) - 1.0 - near;
                    (d + world.cell.matrix() * n).length() < p.radius[i] + p.radius[j]
                });
                if touches {
                    let key = ContactKey {
                        first: p.id[i].min(p.id[j]),
                        kind: PartnerKind::Particle,
                        second: p.id[i].max(p.id[j]),
                        feature: 0,
                    };
                    assert!(listed.binary_search(&key).is_ok(), "step {step}: {key:?}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 3_000 && world.accumulated.cell > 0.0, "{checked}");
    let mut rows = CandidateRows::default();
    CellList::default().candidates(&world.particles, &world.cell, 1e-3, &mut rows);
    let found = rows.partner.len();
    BruteForce.candidates(&world.particles, &world.cell, 1e-3, &mut rows);
    assert_eq!(found, rows.partner.len());
}

/// A gas heated by shear and compression, cooled by friction and damping of contacts or by the fields, which see the peculiar motion.
#[test]
fn the_work_of_the_cell_closes_the_ledger() {
    use Displacement::{Affine, Boundary};
    for (restitution, local, mass, displacement) in [
        (0.6, 0.0, 0.0, Affine),
        (1.0, 0.0, 0.0, Affine),
        (1.0, 0.3, 0.0, Affine),
        (1.0, 0.0, 10.0, Affine),
        (0.6, 0.0, 0.0, Boundary),
        (0.6, 0.0, 10.0, Boundary),
    ] {
        let mut world = gas(0.4, restitution, 0.46);
        world.deformation.as_mut().unwrap().displacement = displacement;
        (world.fields.local_damping, world.fields.mass_damping) = (local, mass);
        let mut pipeline = worlds::pipeline();
        pipeline.initialise(&mut world).unwrap();
        let start = world.energy().balance();
        drive(&mut world, gradient());
        for _ in 0..10_000 {
            pipeline.step(&mut world).unwrap();
        }
        let ledger = world.energy();
        let residual = (ledger.balance() - start).abs() / ledger.cell;
        println!(
            "{}, restitution {restitution}, damping {local}, {mass}: work {:.3} J, dissipated {:.3} J in contacts, {:.3} J in fields, residual {residual:.1e}",
            displacement.describe(),
            ledger.cell,
            ledger.friction + ledger.viscous,
            ledger.fields
        );
        assert!(ledger.cell > ledger.kinetic() && ledger.friction > 0.05 * ledger.cell);
        assert_eq!(ledger.fields > 0.05 * ledger.cell, local + mass > 0.0);
        assert!(residual < 1e-3, "{residual}");
    }
}
