//! Values of a scene in words, each number with its unit.

use dem_contact::ParameterValue;
use dem_contact::registry;

/// Units of numbers that a scene gives without one, by the key; what is not listed has none.
const UNITS: [(&str, &str); 23] = [
    ("stress", "Pa"),
    ("mean_stress", "Pa"),
    ("pressure", "Pa"),
    ("force", "N"),
    ("rate", "1/s"),
    ("mass_rate", "kg/s"),
    ("max_rate", "1/s"),
    ("velocity", "m/s"),
    ("max_speed", "m/s"),
    ("max_travel", "m"),
    ("amplitude", "m"),
    ("origin", "m"),
    ("frequency", "Hz"),
    ("phase", "rad"),
    ("angular_velocity", "rad/s"),
    ("radius", "m"),
    ("radii", "m"),
    ("min", "m"),
    ("max", "m"),
    ("mean", "m"),
    ("median", "m"),
    ("standard_deviation", "m"),
    ("area", "m^2"),
];

/// Keys and values of a table but for its type, numbers of a list in brackets.
pub fn words(value: &toml::Value) -> String {
    of_key("", value)
}

/// The value of a key.
pub fn of_key(key: &str, value: &toml::Value) -> String {
    let unit = UNITS.iter().find(|(known, _)| *known == key).map_or("", |(_, unit)| unit);
    with_unit(value, unit)
}

fn with_unit(value: &toml::Value, own: &str) -> String {
    match value {
        toml::Value::Table(table) => {
            let entries = table.iter().filter(|(key, _)| *key != "type");
            let words = entries.map(|(key, value)| format!("{} {}", key.replace('_', " "), of_key(key, value)));
            words.collect::<Vec<_>>().join(", ")
        }
        toml::Value::Array(values) => {
            // one unit behind the bracket, unless some have their own
            let plain = values.iter().all(|value| matches!(value, toml::Value::Integer(_) | toml::Value::Float(_)));
            let inside = if plain { "" } else { own };
            let list = values.iter().map(|value| with_unit(value, inside)).collect::<Vec<_>>().join(", ");
            if plain { format!("({list}){}", unit(own)) } else { format!("({list})") }
        }
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => format!("{number}{}", unit(own)),
        toml::Value::Float(number) => format!("{}{}", exact(*number), unit(own)),
        other => other.to_string(),
    }
}

/// Parameters of a law that were given, as `name = value unit`.
pub fn parameters<'a>(law: &str, given: impl Iterator<Item = (&'a str, toml::Value)>) -> Vec<String> {
    let specs = registry::find(law).map(|entry| (entry.parameters)()).unwrap_or_default();
    let one = |(name, value): (&str, toml::Value)| {
        let unit = specs.iter().find(|spec| spec.name == name).map_or("-", |spec| spec.unit);
        let unit = if unit == "-" { "" } else { unit };
        format!("{} = {}", name.replace('_', " "), with_unit(&value, unit))
    };
    given.map(one).collect()
}

/// A parameter as a scene gives it.
pub fn plain(value: &ParameterValue) -> toml::Value {
    match value {
        ParameterValue::Number(number) => (*number).into(),
        ParameterValue::Flag(flag) => (*flag).into(),
        ParameterValue::Word(word) => format!("\"{word}\"").into(),
    }
}

/// A unit behind a number.
pub fn unit(unit: &str) -> String {
    if unit == "-" || unit.is_empty() { String::new() } else { format!(" {unit}") }
}

/// A number as it was given.
pub fn exact(x: f64) -> String {
    if x == 0.0 || (1e-3..1e5).contains(&x.abs()) { format!("{x}") } else { format!("{x:e}") }
}

/// A measured number with four digits.
pub fn rounded(x: f64) -> String {
    if x.is_finite() { exact(format!("{x:.3e}").parse().unwrap_or(x)) } else { "unknown".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_given_or_of_four_digits() {
        assert_eq!(
            (exact(0.1), exact(1e8), exact(0.0), exact(-9.81)),
            ("0.1".into(), "1e8".into(), "0".into(), "-9.81".into())
        );
        assert_eq!(
            (rounded(6.269_43e-6), rounded(0.980_561), rounded(f64::NAN)),
            ("6.269e-6".into(), "0.9806".into(), "unknown".into())
        );
    }

    #[test]
    fn numbers_without_a_unit_get_that_of_their_key() {
        let table: toml::Table = toml::from_str(
            "mean_stress = 1e5\nzz = { rate = 0.5 }\nvelocity = [0, 0, 0.1]\norigin = [0, \"1 mm\", 2.0]\nshare = 0.3",
        )
        .unwrap();
        let said = words(&toml::Value::Table(table));
        for expected in [
            "mean stress 1e5 Pa",
            "zz rate 0.5 1/s",
            "velocity (0, 0, 0.1) m/s",
            "origin (0 m, 1 mm, 2 m)",
            "share 0.3",
        ] {
            assert!(said.contains(expected), "expected {expected} in {said}");
        }
    }

    #[test]
    fn parameters_have_the_unit_that_their_law_declares() {
        let given = [("normal_stiffness", toml::Value::Float(2e5)), ("friction", toml::Value::Float(0.5))];
        assert_eq!(parameters("kuhn", given.into_iter()), ["normal stiffness = 2e5 N/m", "friction = 0.5"]);
        let text = [("normal_stiffness", toml::Value::String("200 kN/m".into()))];
        assert_eq!(parameters("kuhn", text.into_iter()), ["normal stiffness = 200 kN/m"]);
    }
}
