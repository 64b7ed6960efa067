//! Rigid bodies in frames: their table, columns of particles and contacts, points, colours of pictures.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use dem_core::cell::Cell;
use dem_core::{DQuat, DVec3};
use dem_io::snapshot::{Column, ColumnData, Frame, Table};
use dem_sim::run::{PictureRequest, Scenery, body_points, contact_lines, frame, render_frame};
use dem_sim::world::World;
use dem_testkit::bodies::{body, dimer, jack, set_templates};
use dem_testkit::worlds::{self, Scatter};

const RADIUS: f64 = 1e-3;

/// Jacks, dimers and spheres that overlap above a floor.
fn heap() -> World {
    let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.5, 0.5), Cell::unbounded());
    worlds::add_floor(&mut world);
    set_templates(&mut world, vec![dimer(RADIUS, 1.3 * RADIUS), jack(0.45 * RADIUS)]);
    let mut scatter = Scatter(4);
    for k in 0..27 {
        let site = DVec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9));
        let at = (site * 2.4 + DVec3::Z * 0.9) * RADIUS;
        if k % 3 == 0 {
            world.insert(worlds::sphere(at, RADIUS));
            continue;
        }
        let mut new = body(at, DQuat::from_scaled_axis(scatter.next_vector() * 3.0));
        (new.angular_velocity, new.template, new.scale) = (scatter.next_vector() * 50.0, k % 2, 1.1);
        world.insert_body(new);
    }
    world.fields.gravity = DVec3::new(0.0, 0.0, -9.81);
    worlds::pipeline().initialise(&mut world).unwrap();
    world
}

fn table<'a>(frame: &'a Frame, name: &str) -> &'a Table {
    frame.tables.iter().find(|table| table.name == name).unwrap()
}

fn data<'a>(columns: &'a [Column], name: &str) -> &'a ColumnData {
    &columns.iter().find(|column| column.spec.name == name).unwrap_or_else(|| panic!("no column {name}")).data
}

fn numbers<'a>(columns: &'a [Column], name: &str) -> &'a [f64] {
    let ColumnData::F64(values) = data(columns, name) else { panic!("{name} is not of numbers") };
    values
}

fn small<'a>(columns: &'a [Column], name: &str) -> &'a [u32] {
    let ColumnData::U32(values) = data(columns, name) else { panic!("{name} is not of small ids") };
    values
}

#[test]
fn a_frame_has_the_state_of_bodies_and_says_which_spheres_are_theirs() {
    let world = heap();
    let frame = frame(&world, true);
    let bodies = table(&frame, "bodies");
    assert_eq!(bodies.rows, 18);
    let ids = small(&bodies.columns, "id");
    assert!(ids.is_sorted());
    let all = &world.particles.bodies;
    let (mut mass, mut contacts) = (0.0, 0);
    for (row, body) in all.by_id().into_iter().enumerate() {
        assert_eq!(ids[row], body.id);
        let vector = |name: &str| DVec3::from_slice(&numbers(&bodies.columns, name)[3 * row..]);
        assert_eq!(vector("position"), body.position);
        assert_eq!(vector("angular_momentum"), body.angular_momentum);
        assert_eq!(vector("angular_velocity"), body.angular_velocity());
        assert_eq!((vector("force"), vector("torque")), (body.force, body.torque));
        assert_eq!(vector("moments"), body.moments);
        assert_eq!(numbers(&bodies.columns, "orientation")[4 * row..][..4], body.orientation);
        assert_eq!(numbers(&bodies.columns, "equivalent_diameter")[row], 2.0 * body.equivalent_radius);
        assert_eq!(small(&bodies.columns, "template")[row], body.template);
        mass += numbers(&bodies.columns, "mass")[row];
        contacts += small(&bodies.columns, "contacts")[row];
    }
    let of_spheres = small(&frame.point_data, "body");
    let member_mass: f64 = numbers(&frame.point_data, "mass")
        .iter()
        .zip(of_spheres)
        .filter(|(_, body)| **body != u32::MAX)
        .map(|(mass, _)| mass)
        .sum();
    assert!((member_mass / mass - 1.0).abs() < 1e-12);
    let touching = small(&frame.point_data, "contacts").iter().zip(of_spheres).filter(|(_, body)| **body != u32::MAX);
    assert_eq!(touching.map(|(contacts, _)| contacts).sum::<u32>(), contacts);
    // contacts name bodies, and have branches from centre of mass to centre of mass
    let rows = table(&frame, "contacts");
    let ColumnData::U64(first) = data(&rows.columns, "first") else { panic!() };
    let ColumnData::U64(particles) = data(&frame.point_data, "id") else { panic!() };
    let (of_first, branch) = (small(&rows.columns, "first_body"), numbers(&rows.columns, "body_branch"));
    let of_second = small(&rows.columns, "second_body");
    assert!(rows.rows > 30);
    for row in 0..rows.rows {
        let particle = particles.binary_search(&first[row]).unwrap();
        assert_eq!(of_first[row], of_spheres[particle]);
        assert!(of_first[row] != of_second[row] || of_first[row] == u32::MAX);
        let (Ok(one), Ok(other)) = (ids.binary_search(&of_first[row]), ids.binary_search(&of_second[row])) else {
            continue;
        };
        let centre = |row: usize| DVec3::from_slice(&numbers(&bodies.columns, "position")[3 * row..]);
        let expected = centre(other) - centre(one);
        assert!((DVec3::from_slice(&branch[3 * row..]) - expected).length() < 1e-15);
    }
    assert!(contact_lines(&frame).is_some());
    let points = body_points(&frame).unwrap();
    assert_eq!(points.positions.len(), 18);
    assert!(points.positions.iter().zip(all.by_id()).all(|(x, body)| *x == body.position));
}

#[test]
fn a_frame_of_spheres_has_nothing_of_bodies() {
    let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.5, 0.5), Cell::unbounded());
    world.insert(worlds::sphere(DVec3::ZERO, RADIUS));
    world.insert(worlds::sphere(DVec3::X * 1.99 * RADIUS, RADIUS));
    worlds::pipeline().initialise(&mut world).unwrap();
    let frame = frame(&world, true);
    assert!(frame.tables.iter().all(|table| table.name != "bodies"));
    assert!(frame.point_data.iter().chain(&table(&frame, "contacts").columns).all(|c| !c.spec.name.contains("body")));
    assert!(body_points(&frame).is_none());
}

#[test]
fn pictures_are_coloured_by_bodies_and_by_what_they_have() {
    let frame = frame(&heap(), false);
    let picture = |colour: &str| {
        let request = PictureRequest { colour: colour.to_owned(), size: (160, 120), ..PictureRequest::default() };
        render_frame(&frame, &Scenery { up: DVec3::Z, ..Scenery::default() }, &request)
    };
    let mut pictures: Vec<Vec<u8>> = Vec::new();
    for colour in ["height", "body", "bodies/mass", "bodies/angular_velocity", "bodies/template"] {
        let png = picture(colour).unwrap_or_else(|error| panic!("{colour}: {error}"));
        assert!(!pictures.contains(&png), "{colour} looks like another");
        pictures.push(png);
    }
    let message = picture("bodies/mas").unwrap_err().to_string();
    assert!(message.contains("did you mean bodies/mass?"), "{message}");
}
