//! Liquid of films and of the bridges that share them.

use dem_core::liquid;

use super::world::World;

/// Where the liquid is \[m³\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LiquidVolumes {
    /// In films.
    pub films: f64,
    /// In bridges.
    pub bridges: f64,
}

impl World {
    /// Whether any liquid bridge shares the films of spheres.
    pub fn shares_films(&self) -> bool {
        self.kernels.iter().any(|kernel| kernel.shares_films())
    }

    /// Where the liquid is. That of bridges of a fixed volume comes from nowhere, and does not count.
    pub fn liquid(&self) -> LiquidVolumes {
        if !self.shares_films() {
            return LiquidVolumes::default();
        }
        let [bridges] = self.sum_over_contacts(|c| [if c.shares_films { c.work.liquid } else { 0.0 }]);
        let films = liquid::films(&self.particles).unwrap_or_default();
        let films = self.sum_over_particles(|slot| films.get(slot).copied().unwrap_or(0.0));
        LiquidVolumes { films, bridges }
    }
}
