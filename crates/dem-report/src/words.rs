//! Names of columns in words, with their units, as axes and headings have them.

/// Units at the ends of names of columns, as the tables of studies have them, and as they are written.
const ENDS: [(&str, &str); 29] = [
    ("kPa", "kPa"),
    ("MPa", "MPa"),
    ("GPa", "GPa"),
    ("Pa", "Pa"),
    ("ms", "ms"),
    ("us", "µs"),
    ("ns", "ns"),
    ("s", "s"),
    ("mm", "mm"),
    ("um", "µm"),
    ("nm", "nm"),
    ("m", "m"),
    ("kN", "kN"),
    ("mN", "mN"),
    ("N", "N"),
    ("kg", "kg"),
    ("mJ", "mJ"),
    ("uJ", "µJ"),
    ("J", "J"),
    ("W", "W"),
    ("Hz", "Hz"),
    ("deg", "deg"),
    ("rad", "rad"),
    ("m_per_s", "m/s"),
    ("kg_per_s", "kg/s"),
    ("rad_per_s", "rad/s"),
    ("m3", "m^3"),
    ("%", "%"),
    ("1_per_MPa", "1/MPa"),
];

/// Quantities that have a symbol, which their components carry as indices.
const SYMBOLS: [(&str, &str); 4] =
    [("stress", "\\sigma"), ("strain", "\\epsilon"), ("fabric", "F"), ("contact_fabric", "F")];

/// The name of a column in words, and its unit: `known`, or the one at the end of the name.
pub fn describe(name: &str, known: Option<&str>) -> (String, String) {
    let (stem, unit) = match known {
        Some(unit) => (name, unit.to_owned()),
        None => match ENDS.iter().find_map(|(end, unit)| Some((name.strip_suffix(end)?.strip_suffix('_')?, *unit))) {
            Some((stem, unit)) => (stem, unit.to_owned()),
            None => (name, String::new()),
        },
    };
    (in_words(stem), unit)
}

fn in_words(stem: &str) -> String {
    for (quantity, symbol) in SYMBOLS {
        let component = stem.strip_prefix(quantity).and_then(|rest| rest.strip_prefix('_'));
        if let Some(axes) = component.filter(|axes| ["xx", "yy", "zz", "xy", "xz", "yz"].contains(axes)) {
            return format!("{symbol}_{{{axes}}}");
        }
    }
    match stem {
        "q_over_p" => "q/p".to_owned(),
        "E50" => "E_{50}".to_owned(),
        "sin_phi" => "sin \\phi_m".to_owned(),
        _ => stem.replace('_', " "),
    }
}

/// What quantities of a unit are in general.
pub fn of_unit(unit: &str) -> &'static str {
    match unit {
        "J" | "mJ" | "kJ" | "µJ" => "energy",
        "N" | "kN" | "mN" => "force",
        "Pa" | "kPa" | "MPa" | "GPa" => "stress",
        "m" | "mm" | "µm" => "length",
        "kg" | "g" => "mass",
        "s" | "ms" => "time",
        "m/s" => "speed",
        "N m" => "torque",
        "W" | "J/s" => "power",
        "kg/s" => "mass flow",
        _ => "",
    }
}

/// A name and a unit as the label of an axis.
pub fn label(name: &str, unit: &str) -> String {
    match (name, unit) {
        (name, "") => name.to_owned(),
        ("", unit) => format!("[{unit}]"),
        (name, unit) => format!("{name} [{unit}]"),
    }
}

/// A heading: the first letter is a capital, unless it is a symbol.
pub fn first_capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if letters.clone().next().is_some_and(char::is_alphabetic) => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_in_words_with_their_units() {
        let of = |name, known| {
            let (words, unit) = describe(name, known);
            label(&words, &unit)
        };
        assert_eq!(of("kinetic_energy", Some("J")), "kinetic energy [J]");
        assert_eq!(of("wall_drum_torque_y", Some("N m")), "wall drum torque y [N m]");
        assert_eq!(of("strain_zz", Some("-")), "\\epsilon_{zz} [-]");
        assert_eq!(of("contact_time_s", None), "contact time [s]");
        assert_eq!(of("friction_angle_at_peak_deg", None), "friction angle at peak [deg]");
        assert_eq!((of("E50_Pa", None), of("steps", None)), ("E_{50} [Pa]".into(), "steps".into()));
    }
}
