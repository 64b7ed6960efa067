use super::*;
use crate::wall::Shape;

/// Uniform numbers in [0, 1).
struct Draw(u64);

impl Draw {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn point(&mut self, low: DVec3, high: DVec3) -> DVec3 {
        low + (high - low) * DVec3::new(self.number(), self.number(), self.number())
    }
}

fn quad(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> [[DVec3; 3]; 2] {
    [[a, b, c], [a, c, d]]
}

/// Box with `pieces`² quads per face.
fn box_facets(low: DVec3, high: DVec3, pieces: usize) -> Vec<[DVec3; 3]> {
    let mut facets = Vec::new();
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [low[axis], high[axis]] {
            let place = |i: usize, j: usize| {
                let mut corner = DVec3::ZERO;
                corner[axis] = side;
                corner[u] = low[u] + (high[u] - low[u]) * i as f64 / pieces as f64;
                corner[v] = low[v] + (high[v] - low[v]) * j as f64 / pieces as f64;
                corner
            };
            for i in 0..pieces {
                for j in 0..pieces {
                    facets.extend(quad(place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)));
                }
            }
        }
    }
    facets
}

/// Sphere of unit radius from an octahedron whose facets are divided.
fn ball(divisions: usize) -> Vec<[DVec3; 3]> {
    let mut facets = Vec::new();
    for octant in 0..8 {
        let sign = |bit: usize| if octant >> bit & 1 == 1 { -1.0 } else { 1.0 };
        facets.push([DVec3::X * sign(0), DVec3::Y * sign(1), DVec3::Z * sign(2)]);
    }
    for _ in 0..divisions {
        facets = facets
            .into_iter()
            .flat_map(|[a, b, c]| {
                let [p, q, r] = [a + b, b + c, c + a].map(DVec3::normalize);
                [[a, p, r], [p, b, q], [r, q, c], [p, q, r]]
            })
            .collect();
    }
    facets
}

/// Plate with a step, a slot and a fin that stands on it.
fn relief() -> Vec<[DVec3; 3]> {
    let strip = |a: DVec3, b: DVec3| quad(a, b, b + DVec3::Y, a + DVec3::Y);
    let at = |x: f64, z: f64| DVec3::new(x, 0.0, z);
    [
        strip(at(0.0, 0.0), at(1.0, 0.0)),
        strip(at(1.0, 0.0), at(1.0, 0.5)),
        strip(at(1.0, 0.5), at(2.0, 0.5)),
        strip(at(2.2, 0.5), at(3.0, 0.5)),
        strip(at(3.0, 0.5), at(3.0, 1.0)),
        strip(at(3.0, 0.5), at(4.0, 0.5)),
        strip(at(4.0, 0.5), at(5.0, 1.2)),
    ]
    .concat()
}

fn touched(mesh: &Mesh, point: DVec3, radius: f64) -> Vec<(u32, SurfacePoint)> {
    let mut near = Vec::new();
    mesh.visit_near(point, radius, 0.0, &mut |feature| near.push(feature));
    near.sort_unstable();
    near.dedup();
    let surfaces = near.into_iter().map(|feature| (feature, mesh.surface_point(feature, point, f64::INFINITY)));
    surfaces.filter(|(_, surface)| surface.is_nearest && surface.distance < radius).collect()
}

#[test]
fn seams_of_a_plane_are_no_features() {
    // corners of a grid, moved at random inside the plane, rounded to single precision on a tilted one
    let mut draw = Draw(3);
    let n = 24;
    for tilt in [0.0f64, 0.3] {
        let corners: Vec<DVec3> = (0..=n)
            .flat_map(|i| (0..=n).map(move |j| (i, j)))
            .map(|(i, j)| {
                let inner = |k: usize| if k == 0 || k == n { 0.0 } else { 0.45 };
                let x = (i as f64 + (draw.number() - 0.5) * inner(i)) / n as f64;
                let y = (j as f64 + (draw.number() - 0.5) * inner(j)) / n as f64;
                DVec3::new(x * tilt.cos(), y, x * tilt.sin()).as_vec3().as_dvec3()
            })
            .collect();
        let at = |i: usize, j: usize| corners[i * (n + 1) + j];
        let facets: Vec<[DVec3; 3]> = (0..n)
            .flat_map(|i| (0..n).map(move |j| (i, j)))
            .flat_map(|(i, j)| quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)))
            .collect();
        let mesh = Mesh::new(&facets).unwrap();
        assert_eq!(mesh.counts(), [2 * n * n, 1, 4, 4]);
        let normal = DVec3::new(-tilt.sin(), 0.0, tilt.cos());
        for _ in 0..2000 {
            let (x, y) = (0.02 + 0.96 * draw.number(), 0.02 + 0.96 * draw.number());
            let point = DVec3::new(x * tilt.cos(), y, x * tilt.sin()) + normal * 0.01;
            let contacts = touched(&mesh, point, 0.015);
            assert_eq!(contacts.len(), 1, "{point}");
            let (feature, surface) = contacts[0];
            assert_eq!(feature, 0);
            assert!((surface.distance - 0.01).abs() < 1e-7 && surface.normal.dot(normal) > 1.0 - 1e-12);
            if tilt == 0.0 {
                assert_eq!((surface.distance, surface.normal), (0.01, DVec3::Z));
            }
        }
    }
}

#[test]
fn a_mesh_of_a_box_is_touched_as_the_box() {
    let (low, high) = (DVec3::new(-1.0, -0.5, 0.0), DVec3::new(1.0, 0.75, 2.0));
    let shape = Shape::Box { low, high, closed: [true; 6] };
    let mesh = Mesh::new(&box_facets(low, high, 5)).unwrap();
    assert_eq!(mesh.counts(), [300, 6, 12, 8]);
    let mut draw = Draw(5);
    let radius = 0.3;
    let mut seen = [0; 4];
    for _ in 0..20_000 {
        let point = draw.point(low - 0.3, high + 0.3);
        let mut expected: Vec<(f64, DVec3)> = (0..6)
            .map(|feature| shape.surface_point(feature, point))
            .filter(|surface| surface.is_nearest && surface.distance < radius)
            .map(|surface| (surface.distance, surface.normal))
            .collect();
        let mut found: Vec<(f64, DVec3)> =
            touched(&mesh, point, radius).iter().map(|(_, surface)| (surface.distance, surface.normal)).collect();
        // outside, the rims of the box's faces that are behind the nearest one are in reach but no local minima of the whole surface
        if point.cmplt(low).any() || point.cmpgt(high).any() {
            let nearest = expected.iter().map(|contact| contact.0).fold(f64::INFINITY, f64::min);
            expected.retain(|contact| contact.0 == nearest);
        }
        let order = |a: &(f64, DVec3), b: &(f64, DVec3)| a.0.total_cmp(&b.0);
        expected.sort_by(order);
        found.sort_by(order);
        assert_eq!(found.len(), expected.len(), "{point}: {found:?} {expected:?}");
        for (a, b) in found.iter().zip(&expected) {
            assert!((a.0 - b.0).abs() < 1e-15 && (a.1 - b.1).length() < 1e-12, "{point}: {a:?} {b:?}");
        }
        seen[found.len()] += 1;
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

/// Plate with a hole and a dent, and a pyramid over part of it.
fn frame() -> Vec<[DVec3; 3]> {
    let cell = |i: i32, j: i32| {
        let at = |i: i32, j: i32| DVec3::new(0.25 * f64::from(i), 0.25 * f64::from(j), 0.0);
        quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1))
    };
    let left_out = [(1, 1), (2, 1), (4, 2), (3, 2)];
    let cells = (0..5).flat_map(|i| (0..4).map(move |j| (i, j))).filter(|cell| !left_out.contains(cell));
    let mut facets: Vec<[DVec3; 3]> = cells.flat_map(|(i, j)| cell(i, j)).collect();
    let base = [DVec3::ZERO, DVec3::X * 0.25, DVec3::new(0.25, 0.25, 0.0), DVec3::Y * 0.25];
    facets.extend((0..4).map(|k| [base[k], base[(k + 1) % 4], DVec3::new(0.1, 0.1, 0.2)]));
    facets
}

#[test]
fn convex_faces_are_known_by_their_outline_and_others_are_not() {
    let outlines = |facets: &[[DVec3; 3]]| -> Vec<usize> {
        Mesh::new(facets).unwrap().faces.iter().map(|face| face.outline.len()).collect()
    };
    assert_eq!(outlines(&box_facets(DVec3::ZERO, DVec3::ONE, 3)), [4; 6]);
    assert_eq!(outlines(&ball(1)), [3; 32]);
    // the plate has a hole, a dent and the base of the pyramid on it
    let frame = outlines(&frame());
    assert_eq!(frame.iter().filter(|&&sides| sides == 0).count(), 1, "{frame:?}");
    assert_eq!(frame.iter().filter(|&&sides| sides == 3).count(), 4, "{frame:?}");
}

#[test]
fn the_nearest_point_of_the_surface_is_always_a_contact() {
    for facets in [relief(), frame(), ball(0), ball(2), box_facets(DVec3::ZERO, DVec3::ONE, 2)] {
        let mesh = Mesh::new(&facets).unwrap();
        let (low, high) = mesh.bounds();
        let mut draw = Draw(7);
        for round in 0..30_000 {
            let mut point = draw.point(low - 0.3, high + 0.3);
            if round % 2 == 0 {
                // above corners, edges and seams
                point = (point * 4.0).round() / 4.0;
            }
            let brute = facets
                .iter()
                .map(|corners| nearest_of_triangle(corners, point).distance(point))
                .fold(f64::INFINITY, f64::min);
            assert!((mesh.distance(point) - brute).abs() < 1e-14);
            if !(1e-3..0.4).contains(&brute) {
                continue;
            }
            let contacts = touched(&mesh, point, brute + 0.01);
            let nearest = contacts.iter().map(|(_, surface)| surface.distance).fold(f64::INFINITY, f64::min);
            assert!((nearest - brute).abs() < 1e-13, "{point}: {nearest} {brute} {contacts:?}");
            for (feature, surface) in contacts {
                let foot = point - surface.normal * surface.distance;
                assert!(mesh.distance(foot) < 1e-12, "{point}: feature {feature} is off the surface");
            }
        }
    }
}

#[test]
fn a_convex_body_is_touched_once_from_outside() {
    for facets in [ball(0), ball(3), box_facets(-DVec3::ONE, DVec3::ONE, 3)] {
        let mesh = Mesh::new(&facets).unwrap();
        let mut draw = Draw(11);
        for round in 0..20_000 {
            let mut point = draw.point(DVec3::splat(-1.5), DVec3::splat(1.5));
            if round % 2 == 0 {
                point = (point * 6.0).round() / 6.0;
            }
            let outside = point.length() > 1.01 && (point.abs().max_element() > 1.0 || facets.len() != 108);
            if outside {
                let contacts = touched(&mesh, point, mesh.distance(point) + 0.2);
                assert_eq!(contacts.len(), 1, "{point}: {contacts:?}");
            }
        }
    }
}

#[test]
fn normals_over_edges_and_vertices_are_exact() {
    let mesh = Mesh::new(&box_facets(DVec3::ZERO, DVec3::ONE, 1)).unwrap();
    let edge = touched(&mesh, DVec3::new(1.3, 0.5, 1.4), 0.6);
    assert_eq!(edge.len(), 1);
    assert!((edge[0].1.normal - DVec3::new(0.6, 0.0, 0.8)).length() < 1e-15);
    assert!((edge[0].1.distance - 0.5).abs() < 1e-15);
    let vertex = touched(&mesh, DVec3::new(1.2, 1.3, 1.6), 0.8);
    assert_eq!(vertex.len(), 1);
    assert!((vertex[0].1.normal - DVec3::new(2.0, 3.0, 6.0) / 7.0).length() < 1e-15);
    assert!((vertex[0].1.distance - 0.7).abs() < 1e-15);
}

#[test]
fn slots_corners_and_fins_are_touched_where_they_should_be() {
    let mesh = Mesh::new(&relief()).unwrap();
    let normals = |x: f64, z: f64, radius: f64| -> Vec<DVec3> {
        touched(&mesh, DVec3::new(x, 0.5, z), radius).iter().map(|(_, surface)| surface.normal).collect()
    };
    assert_eq!(normals(0.9, 0.1, 0.11), [DVec3::Z, -DVec3::X], "concave corner: two faces");
    assert_eq!(normals(2.1, 0.6, 0.2).len(), 2, "slot: two rims");
    assert_eq!(normals(2.9, 0.6, 0.11).len(), 2, "fin and plate");
    assert_eq!(normals(3.1, 0.6, 0.11).len(), 2, "fin and plate, from the other side");
    assert_eq!(normals(3.0, 1.1, 0.15), [DVec3::Z], "top of the fin");
    assert_eq!(normals(3.0, 0.4, 0.15), [-DVec3::Z], "under the fin there is no seam");
}

#[test]
fn shallow_valleys_are_touched_once_and_steep_ones_twice() {
    for (angle, contacts) in [(0.02, 1), (0.15, 1), (0.25, 2), (0.6, 2)] {
        let at = |x: f64, y: f64| DVec3::new(x, y, x.abs() * libm::tan(0.5 * angle));
        let facets = [
            quad(at(-1.0, 0.0), at(0.0, 0.0), at(0.0, 1.0), at(-1.0, 1.0)),
            quad(at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)),
        ]
        .concat();
        let mesh = Mesh::new(&facets).unwrap();
        for x in [-1e-4, 0.0, 1e-4] {
            let found = touched(&mesh, DVec3::new(x, 0.5, 0.1 / libm::cos(0.5 * angle)), 0.11);
            assert_eq!(found.len(), contacts, "{angle} {x}");
            let nearest = mesh.distance(DVec3::new(x, 0.5, 0.1 / libm::cos(0.5 * angle)));
            assert!(found.iter().any(|(_, surface)| (surface.distance - nearest).abs() < 1e-15));
        }
        assert_eq!(touched(&mesh, DVec3::new(0.0, 0.5, -0.1), 0.11).len(), 1, "the edge from the other side");
    }
}

#[test]
fn meshes_that_cannot_be_walls_are_refused() {
    let good = [DVec3::ZERO, DVec3::X, DVec3::Y];
    assert_eq!(Mesh::new(&[]), Err(MeshError::Empty));
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        assert_eq!(Mesh::new(&[good, [DVec3::ZERO, DVec3::X * bad, DVec3::Y]]), Err(MeshError::NotFinite { facet: 2 }));
    }
    for bad in [DVec3::ZERO, DVec3::X * 1e-9, DVec3::X * 0.5, DVec3::new(0.3, 1e-9, 0.0)] {
        let mesh = Mesh::new(&[good, [DVec3::ZERO, DVec3::X, bad]]).unwrap();
        assert_eq!((mesh.counts()[1], mesh.left_out()), (1, 1), "{bad}");
    }
    assert_eq!(Mesh::new(&[[DVec3::ZERO; 3]; 2]), Err(MeshError::NoArea { found: 2 }));
    let fan: Vec<[DVec3; 3]> = (0..=MOST_AT_SIDE)
        .map(|k| [DVec3::ZERO, DVec3::Z, DVec3::new(libm::cos(k as f64 * 0.01), libm::sin(k as f64 * 0.01), 0.0)])
        .collect();
    assert!(matches!(Mesh::new(&fan), Err(MeshError::Crowded { found: 65, .. })));
}

/// Tube of unit radius around z, of `staves` plane faces that are `pieces` facets long.
fn tube(staves: usize, pieces: usize) -> Vec<[DVec3; 3]> {
    let corner = |k: usize, at: usize| {
        let angle = std::f64::consts::TAU * (k % staves) as f64 / staves as f64;
        DVec3::new(libm::cos(angle), libm::sin(angle), 4.0 * at as f64 / pieces as f64)
    };
    (0..staves)
        .flat_map(|k| (0..pieces).map(move |at| (k, at)))
        .flat_map(|(k, at)| quad(corner(k, at), corner(k + 1, at), corner(k + 1, at + 1), corner(k, at + 1)))
        .collect()
}

fn found_near(mesh: &Mesh, point: DVec3, reach: f64, margin: f64) -> Vec<u32> {
    let mut near = Vec::new();
    mesh.visit_near(point, reach, margin, &mut |feature| near.push(feature));
    near.sort_unstable();
    near.dedup();
    near
}

#[test]
fn what_a_sphere_can_touch_before_it_has_moved_by_the_margin_is_found() {
    let mut draw = Draw(11);
    let meshes = [relief(), frame(), ball(2), tube(36, 3), box_facets(DVec3::ZERO, DVec3::ONE, 3)];
    let mut touching = 0;
    for facets in meshes {
        let mesh = Mesh::new(&facets).unwrap();
        let (low, high) = mesh.bounds();
        for _ in 0..1500 {
            let (point, reach) = (draw.point(low - 0.5, high + 0.5), 0.05 + 1.6 * draw.number());
            let margin = 0.3 * draw.number() * draw.number();
            let found = found_near(&mesh, point, reach, margin);
            for _ in 0..10 {
                let away = draw.point(DVec3::NEG_ONE, DVec3::ONE).normalize() * (margin * draw.number());
                for feature in touched_among_all(&mesh, point + away, reach) {
                    touching += 1;
                    assert!(found.binary_search(&feature).is_ok(), "{feature} at {point} + {away}");
                }
            }
        }
    }
    assert!(touching > 10_000, "{touching}");
}

#[test]
fn of_a_fine_mesh_hardly_more_is_found_than_can_be_touched() {
    // a sphere in a tube of 120 staves, whose radius is that of ten of them, and on a plate of as small facets
    let staves = Mesh::new(&tube(120, 60)).unwrap();
    let at_wall = found_near(&staves, DVec3::new(0.6, 0.01, 2.03), 0.5, 0.01);
    assert!((1..=3).contains(&at_wall.len()), "{at_wall:?}");
    // of a ball only what is below the centre
    let ball = Mesh::new(&ball(4)).unwrap();
    let above = found_near(&ball, DVec3::new(0.3, 0.4, 1.2).normalize() * 1.45, 0.5, 0.01);
    assert!((1..=3).contains(&above.len()), "{above:?}");
}

#[test]
fn what_is_certain_stays_so_until_a_point_has_moved_that_far() {
    let mut draw = Draw(17);
    let meshes = [relief(), frame(), ball(2), tube(36, 3), tube(8, 1), box_facets(DVec3::ZERO, DVec3::ONE, 3)];
    let (mut nearest, mut others, mut unknown) = (0, 0, 0);
    for facets in meshes {
        let mesh = Mesh::new(&facets).unwrap();
        let (low, high) = mesh.bounds();
        for _ in 0..1500 {
            let point = draw.point(low - 0.3, high + 0.3);
            for feature in found_near(&mesh, point, 0.5, 0.3) {
                let certainty = mesh.certainty(feature, point);
                let count = if certainty > 0.0 { &mut nearest } else { &mut others };
                *(if certainty == 0.0 { &mut unknown } else { count }) += 1;
                for _ in 0..20 {
                    let away = draw.point(DVec3::NEG_ONE, DVec3::ONE).normalize();
                    // most of them as far as may be
                    let place = point + away * (certainty.abs() * draw.number().sqrt().sqrt());
                    let found = mesh.surface_point(feature, place, f64::INFINITY).is_nearest;
                    assert!(
                        certainty == 0.0 || found == (certainty > 0.0),
                        "{feature} at {point} + {away}, {certainty}"
                    );
                }
            }
        }
    }
    assert!(nearest > 2000 && others > 2000 && unknown < nearest, "{nearest}, {others}, {unknown}");
}

/// Near the axis of a ring faces are touched whose own feet lie beside them.
#[test]
fn all_around_the_axis_of_a_ring_what_is_led_is_found() {
    let mesh = Mesh::new(&tube(36, 3)).unwrap();
    let mut draw = Draw(23);
    let mut most = 0;
    for _ in 0..300 {
        let point = draw.point(DVec3::new(-0.3, -0.3, 1.0), DVec3::new(0.3, 0.3, 3.0));
        let found = found_near(&mesh, point, 1.5, 0.01);
        for place in [point, point + DVec3::X * 0.009, point - DVec3::Y * 0.009] {
            let touched = touched_among_all(&mesh, place, 1.5);
            most = most.max(touched.len());
            assert!(touched.iter().all(|feature| found.binary_search(feature).is_ok()), "{touched:?} at {place}");
        }
    }
    assert!(most > 8, "{most}");
}

/// Every feature is asked. Faces that are led count as far as their facets, not as their planes are: the list does not look farther, and only
/// overlaps of the size of the ring reach between both.
fn touched_among_all(mesh: &Mesh, point: DVec3, radius: f64) -> Vec<u32> {
    let is_touched = |&feature: &u32| {
        let surface = mesh.surface_point(feature, point, f64::INFINITY);
        let mut facets = mesh.facets.iter().filter(|facet| facet.face == feature);
        let is_within = |facet: &Facet| nearest_of_triangle(&facet.corners, point).distance(point) < radius;
        let reaches_facets = feature as usize >= mesh.faces.len() || facets.any(is_within);
        surface.is_nearest && surface.distance < radius && reaches_facets
    };
    (0..mesh.features()).filter(is_touched).collect()
}
