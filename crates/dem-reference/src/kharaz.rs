//! The experiment of Kharaz, Gorham and Salman: a 5 mm sphere of aluminium oxide that meets a thick plate of soda-lime glass at 3.9 m/s
//! without spin, under many angles.
//!
//! Sources: A. H. Kharaz, D. A. Gorham, A. D. Salman, Powder Technol. 120 (2001) 281; constants by A. Di Renzo, F. P. Di Maio, Chem. Eng.
//! Sci. 59 (2004) 525, Table 1. The shear modulus of the oxide is that of its Young's modulus, 154.5 GPa; the printed 154 GPa belongs
//! to 378.8 GPa.

use crate::error::ReferenceError;
use crate::oblique_impact::{ElasticPair, ObliqueImpact, Solid};

/// The impact at an angle from the normal \[rad\].
///
/// # Errors
/// An angle outside (0, π/2).
pub fn kharaz(angle: f64) -> Result<ObliqueImpact, ReferenceError> {
    let (oxide, glass) = (Solid::isotropic(380e9, 0.23), Solid::isotropic(70e9, 0.25));
    let pair = ElasticPair::sphere_on_wall(2.5e-3, 4000.0, oxide, glass, 0.092)?;
    ObliqueImpact::at_angle(pair, 3.9, angle)
}

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Tangential velocity of the centre over that before.
    TangentialRestitution,
    /// Spin of the rebound \[rad/s\].
    Spin,
    /// Angle of the velocity of the contact point from the normal \[degrees\].
    ContactAngle,
}

/// A measured point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredRebound {
    /// What was measured.
    pub quantity: Quantity,
    /// Angle of incidence from the normal \[degrees\].
    pub angle: f64,
    /// The value, read off a plot with an error of a few per cent.
    pub value: f64,
}

/// The points of `data/kharaz_2001.csv`, in its order.
pub fn measured_rebounds() -> Vec<MeasuredRebound> {
    let file = include_str!("../../../data/kharaz_2001.csv");
    let point = |line: &str| {
        let mut cells = line.split(',').skip(1);
        let quantity = match cells.next()? {
            "e_t" => Quantity::TangentialRestitution,
            "omega" => Quantity::Spin,
            "phi" => Quantity::ContactAngle,
            _ => return None,
        };
        let mut number = || cells.next()?.parse().ok();
        Some(MeasuredRebound { quantity, angle: number()?, value: number()? })
    };
    file.lines().filter_map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_of_the_file_is_read() {
        let points = measured_rebounds();
        let count = |quantity| points.iter().filter(|point| point.quantity == quantity).count();
        assert_eq!(count(Quantity::TangentialRestitution), 16);
        assert_eq!(count(Quantity::Spin), 10);
        assert_eq!(count(Quantity::ContactAngle), 11);
        let first = MeasuredRebound { quantity: Quantity::TangentialRestitution, angle: 2.24, value: 0.7965 };
        assert_eq!(points[0], first);
    }
}
