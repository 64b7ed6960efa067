//! How liquid bridges share the films of spheres.

/// What a bridge that forms takes from the films of its bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Films {
    /// Share of the film of each sphere; none for that of the part of the sphere that faces the other one.
    pub share: Option<f64>,
    /// Most that a bridge takes \[m³\].
    pub largest: f64,
    /// Least that makes a bridge \[m³\].
    pub least: f64,
}

impl Films {
    /// Share of the film of a sphere \[m\] that is in a bridge to another one, or to a wall if there is none.
    pub fn share_of(&self, radius: f64, other: Option<f64>) -> f64 {
        self.share.unwrap_or_else(|| {
            let sine = other.map_or(1.0, |other| other / (radius + other));
            0.5 * (1.0 - (1.0 - sine * sine).max(0.0).sqrt())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_spheres_share_the_same_and_a_wall_takes_half() {
        let films = Films { share: None, largest: 1.0, least: 0.0 };
        let expected = 0.5 * (1.0 - 0.75f64.sqrt());
        assert!((films.share_of(2.0, Some(2.0)) - expected).abs() < 1e-15);
        assert_eq!(films.share_of(2.0, None), 0.5);
        assert!(films.share_of(1.0, Some(3.0)) > films.share_of(3.0, Some(1.0)));
        assert_eq!(Films { share: Some(0.05), ..films }.share_of(2.0, None), 0.05);
    }
}
