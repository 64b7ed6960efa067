use std::collections::BTreeMap;
use std::sync::Arc;

use dem_core::DVec3;
use dem_core::wall::{Motion, Shape, Wall};
use dem_sim::builder::Surroundings;
use dem_testkit::worlds::Scatter;

use super::outcome::SurfaceAngle;
use super::relief::slices;
use super::*;
use crate::profile::assembly::{Assembly, Contact};
use crate::profile::test_packings::spheres;

/// Spheres of diameter 1 on a cubic lattice below a surface.
fn below(surface: impl Fn(f64, f64) -> f64, half: i32) -> Assembly {
    let sites = (-half..=half).flat_map(|i| (-half..=half).flat_map(move |j| (0..2 * half).map(move |k| [i, j, k])));
    let sites = sites.map(|site| DVec3::from_array(site.map(f64::from)));
    let (mut assembly, _) = spheres(sites.filter(|x| x.z < surface(x.x, x.y)).collect(), 100.0, false);
    assembly.contacts = None;
    assembly
}

fn with_drum(assembly: Assembly) -> Assembly {
    let shape =
        Shape::Revolution { base: DVec3::ZERO, axis: DVec3::Y, start: [50.0, -9.0].into(), end: [50.0, 9.0].into() };
    let old = &assembly.surroundings;
    let walls = vec![Wall::new("drum", shape, DVec3::ZERO, 0, Motion::default())];
    let surroundings = Surroundings { walls, up: old.up, cell: old.cell, has_friction: true };
    Assembly { surroundings: Arc::new(surroundings), ..assembly }
}

fn angle(assembly: &Assembly, kind: Kind) -> SurfaceAngle {
    SurfaceAngle::of(&slices(&[Relief::of(assembly, kind).unwrap()])).unwrap()
}

#[test]
fn angle_of_a_cone_is_found_inside_and_outside() {
    let slope = 25f64.to_radians().tan();
    let heap = below(|x, y| 14.0 - slope * x.hypot(y), 30);
    let found = angle(&heap, Kind::Heap);
    // heights are whole diameters, over seven cells
    assert!((found.angle + 25.0).abs() < 2.0 && found.half_width < 2.5, "{found:?}");
    let crater = below(|x, y| 4.0 + slope * x.hypot(y), 30);
    let found = angle(&crater, Kind::Heap);
    assert!((found.angle - 25.0).abs() < 1.5, "{found:?}");
}

/// Spheres of diameter 1 at random places in the layer under a cone of 25 degrees: cells far from the axis hold more of them than those near it,
/// which without parts of equal area makes the surface 0.3 degrees flatter.
#[test]
fn angle_of_a_disordered_cone_is_not_flattened_by_the_growth_of_rings() {
    let (slope, radius) = (25f64.to_radians().tan(), 30.0);
    let mut scatter = Scatter(3);
    let mut angles = Vec::new();
    for _ in 0..12 {
        let mut grid: BTreeMap<[i64; 3], Vec<DVec3>> = BTreeMap::new();
        for _ in 0..200_000 {
            let [x, y] = [(); 2].map(|()| radius * (2.0 * scatter.next_unit() - 1.0));
            let depth = 2.5 * scatter.next_unit();
            let centre = DVec3::new(x, y, slope * (radius - x.hypot(y)) - depth);
            let bin = centre.to_array().map(|x| x.floor() as i64);
            let near = (0..27).flat_map(|k| {
                grid.get(&[0, 1, 2].map(|i| bin[i] + k / 3i64.pow(i as u32) % 3 - 1)).into_iter().flatten()
            });
            if x.hypot(y) < radius && near.into_iter().all(|other| other.distance(centre) >= 1.0) {
                grid.entry(bin).or_default().push(centre);
            }
        }
        let (mut heap, _) = spheres(grid.into_values().flatten().collect(), 100.0, false);
        heap.contacts = None;
        angles.push(angle(&heap, Kind::Heap).angle);
    }
    let mean = angles.iter().sum::<f64>() / 12.0;
    println!("{mean} from {angles:?}");
    assert!((mean + 25.0).abs() < 0.15, "{mean} from {angles:?}");
}

/// A strip of a drum that is empty in some frames is not joined with its neighbours.
#[test]
fn slices_are_joined_by_their_number() {
    let strip = |height: f64| (0..20).map(|cell| (cell, height)).collect::<BTreeMap<i64, f64>>();
    let frame = |strips: &[(i64, f64)]| Relief {
        time: 0.0,
        cell: 1.0,
        slices: strips.iter().map(|&(number, height)| (number, strip(height))).collect(),
    };
    let found = slices(&[frame(&[(-1, 5.0), (0, 7.0)]), frame(&[(0, 7.0)]), frame(&[(0, 7.0)])]);
    // the strip of one frame in three is not part of the surface
    assert_eq!(found.len(), 1);
    assert!(found[0].points.iter().all(|point| point[1] == 7.0));
}

#[test]
fn angle_of_a_plane_in_a_drum_is_found() {
    let slope = 30f64.to_radians().tan();
    let bed = with_drum(below(|x, _| 20.0 + slope * x, 20));
    let found = angle(&bed, Kind::Drum);
    assert!((found.angle.abs() - 30.0).abs() < 1.5 && found.half_width < 2.0, "{found:?}");
    let relief = Relief::of(&bed, Kind::Drum).unwrap();
    let options = Options { run: "drum".into(), kind: Kind::Drum, frame: -1, window: None };
    let report = outcome::report(&options, &[relief.clone(), relief]).unwrap();
    assert!((report.tables[0].numbers("angle_deg")[0] - found.angle.abs()).abs() < 1e-9);
    report.write(tempfile::tempdir().unwrap().path()).unwrap();
}

#[test]
fn grains_in_flight_are_no_surface() {
    let mut heap = below(|x, y| 14.0 - 0.5 * x.hypot(y), 28);
    let before = angle(&heap, Kind::Heap);
    let count = heap.len();
    // a chain of contacts through all that lie
    let contact = |k: usize| Contact {
        start: DVec3::ZERO,
        first: k,
        second: Some((k + 1) % count),
        force: DVec3::ZERO,
        branch: DVec3::X,
        normal: DVec3::X,
        overlap: 0.0,
    };
    heap.contacts = Some((0..count).map(contact).collect());
    for k in 0..20 {
        heap.position.push(DVec3::new(f64::from(k), 0.3, 30.0));
        heap.velocity.push(DVec3::ZERO);
        heap.radius.push(0.5);
        heap.mass.push(1e-9);
        heap.grains.row.push(heap.grains.row.len() as u32);
    }
    assert!((angle(&heap, Kind::Heap).angle - before.angle).abs() < 1e-3);
    // bodies of two spheres, one of which touches others
    heap.contacts =
        Some((0..count).step_by(2).map(|k| Contact { second: Some((k + 2) % count / 2 * 2), ..contact(k) }).collect());
    heap.grains.row[..count].iter_mut().for_each(|row| *row = *row / 2 * 2);
    assert!((angle(&heap, Kind::Heap).angle - before.angle).abs() < 1e-3);
}

#[test]
fn a_drum_needs_an_axis_and_a_surface_some_extent() {
    let bed = below(|_, _| 5.0, 4);
    assert!(Relief::of(&bed, Kind::Drum).unwrap_err().to_string().starts_with("--kind = drum, expected"));
    let options = Options { run: "bed".into(), kind: Kind::Heap, frame: -1, window: None };
    let few = below(|_, _| 5.0, 2);
    let error = outcome::report(&options, &[Relief::of(&few, Kind::Heap).unwrap()]).unwrap_err();
    assert!(error.to_string().contains("too small for a line"), "{error}");
}
