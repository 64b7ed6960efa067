//! Which facet of a mesh a contact belongs to.
//!
//! A contact is one of a feature: a face of many facets, an edge between some, a vertex. It belongs to that facet of the feature which is nearest to
//! the contact point; of several that are equally near, as on seams, edges and vertices, to the one with the lowest number.

use glam::DVec3;

use super::features::Facet;
use super::{Mesh, nearest_of_segment, nearest_of_triangle};

/// A feature by its kind, and the point of it that is nearest to some place.
enum Place {
    Face(u32, DVec3),
    Edge(u32, DVec3),
    Vertex(u32, DVec3),
}

impl Place {
    fn point(&self) -> DVec3 {
        match *self {
            Self::Face(_, point) | Self::Edge(_, point) | Self::Vertex(_, point) => point,
        }
    }

    /// Distance of the point from the part of a facet that is of the feature \[m\]; infinite if there is none.
    fn distance(&self, facet: &Facet) -> f64 {
        let Facet { corners, face, sides, vertices } = facet;
        match *self {
            Self::Face(own, point) if *face == own => nearest_of_triangle(corners, point).distance(point),
            Self::Edge(own, point) => (0..3)
                .filter(|&k| sides[k].edge == own)
                .map(|k| nearest_of_segment(corners[k], corners[(k + 1) % 3], point).distance(point))
                .fold(f64::INFINITY, f64::min),
            Self::Vertex(own, point) => {
                (0..3).filter(|&k| vertices[k] == own).map(|k| corners[k].distance(point)).fold(f64::INFINITY, f64::min)
            }
            Self::Face(..) => f64::INFINITY,
        }
    }
}

impl Mesh {
    /// Number of the facet that a contact of a sphere around a point with a feature belongs to; none for a feature that the mesh does not have.
    pub fn facet_at(&self, feature: u32, point: DVec3) -> Option<u32> {
        let place = self.place(feature, point)?;
        let at = place.point();
        let distance = |facet: usize| place.distance(&self.facets[facet]);
        let nearest = self.tree.nearest(at, |facet| distance(facet).powi(2)).sqrt();
        if !nearest.is_finite() {
            return None;
        }
        let (reach, mut found) = (nearest + self.rounding, None);
        self.tree.visit_within(at, reach, |facet| {
            if distance(facet) <= reach && found.is_none_or(|lowest| (facet as u32) < lowest) {
                found = Some(facet as u32);
            }
        });
        found
    }

    fn place(&self, feature: u32, point: DVec3) -> Option<Place> {
        let number = feature as usize;
        if let Some(face) = self.faces.get(number) {
            return Some(Place::Face(feature, point - face.normal * (point - face.origin).dot(face.normal)));
        }
        let number = number - self.faces.len();
        if let Some(edge) = self.edges.get(number) {
            return Some(Place::Edge(number as u32, nearest_of_segment(edge.start, edge.end, point)));
        }
        let number = number - self.edges.len();
        self.vertices.get(number).map(|vertex| Place::Vertex(number as u32, vertex.position))
    }

    /// Number of facets.
    pub fn facet_count(&self) -> usize {
        self.facets.len()
    }

    /// Number of a facet among those that the mesh was made of, from 0: some were left out, and parts of one that was divided share its number.
    pub fn given_as(&self, facet: usize) -> Option<u32> {
        self.given.get(facet).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plate in the plane z = 0 of `pieces` by `pieces` squares of unit length, two facets each.
    fn plate(pieces: u32) -> Vec<[DVec3; 3]> {
        let at = |x: u32, y: u32| DVec3::new(f64::from(x), f64::from(y), 0.0);
        let squares = (0..pieces).flat_map(|x| (0..pieces).map(move |y| (x, y)));
        squares
            .flat_map(|(x, y)| {
                let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
                [[a, b, c], [a, c, d]]
            })
            .collect()
    }

    #[test]
    fn a_contact_on_a_face_belongs_to_the_facet_below_and_on_a_seam_to_the_lowest() {
        let mesh = Mesh::new(&plate(4)).unwrap();
        assert_eq!(mesh.counts()[1], 1);
        for k in 0..400 {
            let place = DVec3::new(0.103 + 0.19 * f64::from(k % 20), 0.071 + 0.19 * f64::from(k / 20), 0.3);
            let (x, y) = (place.x.floor(), place.y.floor());
            let upper = u32::from(place.y - y > place.x - x);
            assert_eq!(mesh.facet_at(0, place), Some((x * 8.0 + y * 2.0) as u32 + upper), "{place}");
        }
        // below the plate, on the diagonal, where two squares meet and where four do
        for (place, lowest) in [
            (DVec3::new(2.5, 1.5, -0.2), 18),
            (DVec3::new(2.0, 1.4, 0.2), 10),
            (DVec3::new(2.0, 2.0, 0.1), 10),
            (DVec3::new(0.3, 1.0, 0.1), 1),
        ] {
            assert_eq!(mesh.facet_at(0, place), Some(lowest), "{place}");
        }
    }

    #[test]
    fn edges_and_vertices_belong_to_the_lowest_facet_that_has_them_there() {
        // two plates in a right angle at x = 4: the second is the first, turned about the line x = 4
        let turn = |x: DVec3| DVec3::new(4.0, x.y, x.x - 4.0);
        let shifted = plate(4).into_iter().map(|corners| corners.map(|x| turn(x + DVec3::X * 4.0)));
        let mut facets = plate(4);
        facets.extend(shifted);
        let mesh = Mesh::new(&facets).unwrap();
        assert_eq!((mesh.counts()[1], mesh.facet_count()), (2, 64));
        let mut found = 0;
        for (place, lowest) in [(DVec3::new(4.3, 2.5, -0.3), 28), (DVec3::new(4.3, 2.0, -0.3), 26)] {
            let mut features = Vec::new();
            mesh.visit_near(place, 1.0, 0.0, &mut |feature| features.push(feature));
            features.sort_unstable();
            features.dedup();
            for feature in features.into_iter().filter(|&f| mesh.surface_point(f, place, 1.0).is_nearest) {
                assert_eq!(mesh.facet_at(feature, place), Some(lowest), "{place}, feature {feature}");
                found += 1;
            }
        }
        assert_eq!(found, 2, "one edge each");
        // a corner of the first plate, which is that of its first facet
        let corner = DVec3::new(-0.2, -0.2, 0.1);
        let vertex = (0..mesh.features()).find(|&f| mesh.surface_point(f, corner, 1.0).is_nearest).unwrap();
        assert_eq!((mesh.facet_at(vertex, corner), mesh.facet_at(mesh.features(), corner)), (Some(0), None));
    }

    #[test]
    fn facets_know_their_numbers_in_the_file() {
        let mut facets = plate(1);
        // one without area in front, and neighbours that divide the side of a facet
        facets.insert(0, [DVec3::ZERO; 3]);
        let at = |x: f64, y: f64| DVec3::new(x, y, 0.0);
        facets.push([at(1.0, 0.0), at(2.0, 0.0), at(1.0, 0.5)]);
        facets.push([at(1.0, 0.5), at(2.0, 0.0), at(1.0, 1.0)]);
        let mesh = Mesh::new(&facets).unwrap();
        assert_eq!((mesh.left_out(), mesh.stitched()), (1, 1));
        let numbers: Vec<u32> = (0..mesh.facet_count()).filter_map(|facet| mesh.given_as(facet)).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 1]);
    }
}
