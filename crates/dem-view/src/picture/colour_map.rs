//! Perceptual colour maps.

/// A map from the unit interval, or from category numbers, to colours.
///
/// Viridis, inferno (S. van der Walt, N. Smith, CC0) and cividis (J. R. Nuñez, C. R. Anderton, R. S. Renslow, PLoS ONE
/// 13, e0199239, 2018) grow evenly in lightness; coolwarm (K. Moreland, "Diverging Color Maps for Scientific
/// Visualization", 2009) puts its neutral grey in the middle. The categorical colours are those of M. Okabe and K. Ito
/// (2008). All remain distinct for colour-blind readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColourMap {
    /// Dark blue over green to yellow.
    #[default]
    Viridis,
    /// Dark blue over grey to yellow.
    Cividis,
    /// Black over red to pale yellow.
    Inferno,
    /// Blue over grey to red, for values with a meaningful middle.
    CoolWarm,
    /// Eight distinct colours for whole numbers such as a material or a species; larger numbers start over.
    Categorical,
}

/// Anchors at equal distances along a continuous map; linear in between, at most 5/255 from the published tables.
type Anchors = [u32; 33];

const VIRIDIS: Anchors = [
    0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453781, 0x424086, 0x3e4989, 0x3b528b, 0x375b8d, 0x33638d,
    0x2f6b8e, 0x2c728e, 0x297a8e, 0x26828e, 0x23898e, 0x21918c, 0x1f988b, 0x1fa088, 0x22a785, 0x28ae80, 0x32b67a,
    0x3fbc73, 0x4ec36b, 0x5ec962, 0x70cf57, 0x84d44b, 0x98d83e, 0xaddc30, 0xc2df23, 0xd8e219, 0xece51b, 0xfde725,
];
const CIVIDIS: Anchors = [
    0x00224e, 0x00285b, 0x002e6a, 0x053371, 0x1a386f, 0x273e6e, 0x32436d, 0x3b496c, 0x434e6c, 0x4b546c, 0x535a6d,
    0x5a5f6e, 0x61656f, 0x686a71, 0x6f7073, 0x767676, 0x7d7c78, 0x848279, 0x8c8878, 0x938e78, 0x9b9476, 0xa39a74,
    0xaba072, 0xb4a76f, 0xbcae6c, 0xc4b468, 0xcdbb63, 0xd5c25e, 0xdec958, 0xe7d150, 0xf0d846, 0xf9e03a, 0xfee838,
];
const INFERNO: Anchors = [
    0x000004, 0x040312, 0x0b0724, 0x150b37, 0x210c4a, 0x2f0a5b, 0x3d0965, 0x4a0c6b, 0x57106e, 0x64156e, 0x71196e,
    0x7d1e6d, 0x8a226a, 0x972766, 0xa32c61, 0xb0315b, 0xbc3754, 0xc73e4c, 0xd24644, 0xdb503b, 0xe45a31, 0xeb6628,
    0xf1731d, 0xf68013, 0xf98e09, 0xfb9d07, 0xfcac11, 0xfbbc21, 0xf9cb35, 0xf5db4c, 0xf2ea69, 0xf3f68a, 0xfcffa4,
];
const COOL_WARM: Anchors = [
    0x3b4cc0, 0x445acc, 0x4e68d8, 0x5875e1, 0x6282ea, 0x6c8ff1, 0x779af7, 0x82a6fb, 0x8db0fe, 0x98b9ff, 0xa3c2fe,
    0xaec9fc, 0xb9d0f9, 0xc3d5f4, 0xccd9ed, 0xd5dbe5, 0xdddcdc, 0xe5d8d1, 0xecd3c5, 0xf1ccb8, 0xf5c4ac, 0xf7ba9f,
    0xf7b093, 0xf6a586, 0xf4987a, 0xf08b6e, 0xeb7d62, 0xe46e56, 0xdd5f4b, 0xd44e41, 0xca3b37, 0xbe242e, 0xb40426,
];
/// Okabe and Ito's colours; grey stands in for their black, which would hide the shading of a sphere.
const CATEGORIES: [u32; 8] = [0x0072b2, 0xe69f00, 0x009e73, 0xd55e00, 0x56b4e9, 0xcc79a7, 0xf0e442, 0x8c8c8c];

impl ColourMap {
    /// All maps, in the order in which to offer them.
    pub const ALL: [Self; 5] = [Self::Viridis, Self::Cividis, Self::Inferno, Self::CoolWarm, Self::Categorical];

    /// Lower-case name, as in a scene file or on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Viridis => "viridis",
            Self::Cividis => "cividis",
            Self::Inferno => "inferno",
            Self::CoolWarm => "coolwarm",
            Self::Categorical => "categorical",
        }
    }

    /// The map of that [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|map| map.name() == name)
    }

    /// sRGB colour at `fraction` of the range, clamped to 0 to 1; NaN counts as 0.
    ///
    /// The categorical map divides the interval into its eight colours.
    pub fn colour(self, fraction: f64) -> [u8; 3] {
        let fraction = if fraction.is_nan() { 0.0 } else { fraction.clamp(0.0, 1.0) };
        let anchors = match self {
            Self::Viridis => &VIRIDIS,
            Self::Cividis => &CIVIDIS,
            Self::Inferno => &INFERNO,
            Self::CoolWarm => &COOL_WARM,
            Self::Categorical => {
                return unpack(CATEGORIES[((fraction * 8.0) as usize).min(CATEGORIES.len() - 1)]);
            }
        };
        let place = fraction * (anchors.len() - 1) as f64;
        let below = (place as usize).min(anchors.len() - 2);
        let part = place - below as f64;
        let (low, high) = (unpack(anchors[below]), unpack(anchors[below + 1]));
        std::array::from_fn(|k| (f64::from(low[k]) + (f64::from(high[k]) - f64::from(low[k])) * part).round() as u8)
    }

    /// sRGB colour of the category that `value` rounds to.
    pub fn category(value: f64) -> [u8; 3] {
        let count = CATEGORIES.len() as f64;
        unpack(CATEGORIES[(value.round().rem_euclid(count) as usize).min(CATEGORIES.len() - 1)])
    }
}

fn unpack(hexadecimal: u32) -> [u8; 3] {
    let [_, red, green, blue] = hexadecimal.to_be_bytes();
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn end_points_are_the_published_ones() {
        assert_eq!(ColourMap::Viridis.colour(0.0), [68, 1, 84]);
        assert_eq!(ColourMap::Viridis.colour(1.0), [253, 231, 37]);
        assert_eq!(ColourMap::Inferno.colour(0.0), [0, 0, 4]);
        assert_eq!(ColourMap::Cividis.colour(1.0), [254, 232, 56]);
        assert_eq!(ColourMap::CoolWarm.colour(0.5), [221, 220, 220]);
        assert_eq!(ColourMap::Viridis.colour(-3.0), ColourMap::Viridis.colour(0.0));
        assert_eq!(ColourMap::Viridis.colour(f64::INFINITY), ColourMap::Viridis.colour(1.0));
    }

    #[test]
    fn sequential_maps_grow_in_lightness() {
        for map in [ColourMap::Viridis, ColourMap::Cividis, ColourMap::Inferno] {
            let lightness = |t| {
                let [r, g, b] = map.colour(t).map(f64::from);
                0.2126 * r + 0.7152 * g + 0.0722 * b
            };
            // One unit of slack: channels are rounded to whole numbers.
            assert!((0..100).all(|k| lightness(f64::from(k + 1) / 100.0) > lightness(f64::from(k) / 100.0) - 1.0));
        }
    }

    #[test]
    fn categories_repeat_and_differ() {
        assert_eq!(ColourMap::category(1.0), ColourMap::category(9.2));
        assert_eq!(ColourMap::category(-1.0), ColourMap::category(7.0));
        assert_ne!(ColourMap::category(0.0), ColourMap::category(1.0));
    }

    #[test]
    fn names_round_trip() {
        assert!(ColourMap::ALL.into_iter().all(|map| ColourMap::from_name(map.name()) == Some(map)));
        assert_eq!(ColourMap::from_name("jet"), None);
    }
}
