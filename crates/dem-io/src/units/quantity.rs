//! Quantities as they appear in a scene: a number in SI or a text with a unit.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use super::dimension::{Dimension, DimensionVector, NamedDimension};
use super::error::UnitError;
use super::expression::{in_range, parse_expecting};
use super::pattern::text_pattern;

/// A finite number in the SI unit of `D`.
///
/// Reads from a number (taken as SI) or from a text with a unit, and writes as a number.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Quantity<D: Dimension> {
    si: f64,
    dimension: PhantomData<D>,
}

impl<D: Dimension> Quantity<D> {
    /// The quantity of this value `[SI unit of D]`.
    ///
    /// # Errors
    /// [`UnitError::NotFinite`] for an infinity or a NaN, [`UnitError::TooLarge`] beyond [`LARGEST`](super::LARGEST).
    pub fn from_si(si: f64) -> Result<Self, UnitError> {
        let si = in_range(si, || format!("{si:?}"), &|| NamedDimension::of::<D>().expectation())?;
        Ok(Self { si, dimension: PhantomData })
    }

    /// The value `[SI unit of D]`.
    #[must_use]
    pub const fn si(self) -> f64 {
        self.si
    }

    /// Three components as a vector `[SI unit of D]`.
    #[must_use]
    pub fn vector(components: [Self; 3]) -> glam::DVec3 {
        glam::DVec3::from_array(components.map(Self::si))
    }
}

/// Zero.
impl<D: Dimension> Default for Quantity<D> {
    fn default() -> Self {
        Self { si: 0.0, dimension: PhantomData }
    }
}

impl<D: Dimension> From<Quantity<D>> for f64 {
    fn from(quantity: Quantity<D>) -> Self {
        quantity.si
    }
}

/// The value and its SI unit, `0.0025 m`.
impl<D: Dimension> fmt::Display for Quantity<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if D::VECTOR.is_none() { write!(f, "{}", self.si) } else { write!(f, "{} {}", self.si, D::UNIT) }
    }
}

impl<D: Dimension> FromStr for Quantity<D> {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let expectation = || NamedDimension::of::<D>().expectation();
        parse_expecting(text, D::VECTOR, &expectation).and_then(Self::from_si)
    }
}

impl<D: Dimension> Serialize for Quantity<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.si)
    }
}

impl<'de, D: Dimension> Deserialize<'de> for Quantity<D> {
    fn deserialize<R: Deserializer<'de>>(deserializer: R) -> Result<Self, R::Error> {
        let expectation = || NamedDimension::of::<D>().expectation();
        match deserializer.deserialize_any(NumberOrText(&expectation))? {
            UncheckedQuantity::Number(si) => Self::from_si(si),
            UncheckedQuantity::Text(text) => text.parse(),
        }
        .map_err(de::Error::custom)
    }
}

impl<D: Dimension> JsonSchema for Quantity<D> {
    fn schema_name() -> Cow<'static, str> {
        let name = std::any::type_name::<D>();
        Cow::Borrowed(name.rsplit("::").next().unwrap_or(name))
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["number", "string"],
            "pattern": text_pattern(D::VECTOR.is_none()),
            "description": NamedDimension::of::<D>().expectation(),
        })
    }
}

/// A quantity whose dimension is known only later, as for the parameters of a contact law that
/// declares its units as text.
#[derive(Debug, Clone, PartialEq)]
pub enum UncheckedQuantity {
    /// A number, taken as SI.
    Number(f64),
    /// A text with a unit.
    Text(String),
}

impl UncheckedQuantity {
    /// The value in SI `[dimension]`.
    ///
    /// # Errors
    /// As [`super::parse_quantity`], also for a number.
    pub fn in_dimension(&self, dimension: DimensionVector) -> Result<f64, UnitError> {
        self.check(dimension, &|| dimension.expectation())
    }

    /// The value in SI, for a parameter declared in `unit` ("N s/m"); messages repeat that text.
    ///
    /// A declared unit fixes only the dimension: numbers are SI even where `unit` is "kN/m".
    ///
    /// # Errors
    /// As [`UncheckedQuantity::in_dimension`], and when `unit` itself is no unit.
    pub fn in_unit(&self, unit: &str) -> Result<f64, UnitError> {
        let dimension = DimensionVector::from_unit_text(unit)?;
        self.check(dimension, &|| {
            if dimension.is_none() {
                "a plain number".to_owned()
            } else {
                format!("a value such as \"1 {unit}\" or a number in {unit}")
            }
        })
    }

    fn check(&self, dimension: DimensionVector, expectation: &dyn Fn() -> String) -> Result<f64, UnitError> {
        match self {
            Self::Number(si) => in_range(*si, || format!("{si:?}"), expectation),
            Self::Text(text) => parse_expecting(text, dimension, expectation),
        }
    }
}

impl Serialize for UncheckedQuantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for UncheckedQuantity {
    fn deserialize<R: Deserializer<'de>>(deserializer: R) -> Result<Self, R::Error> {
        let expectation = || "a number or a text with a unit".to_owned();
        deserializer.deserialize_any(NumberOrText(&expectation))
    }
}

impl JsonSchema for UncheckedQuantity {
    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("Quantity")
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["number", "string"],
            "description": "a number in SI units or a text with a unit",
        })
    }
}

/// Visitor of a number or a text; holds the words for what was expected.
struct NumberOrText<'a>(&'a dyn Fn() -> String);

impl Visitor<'_> for NumberOrText<'_> {
    type Value = UncheckedQuantity;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&(self.0)())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(UncheckedQuantity::Number(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(UncheckedQuantity::Number(value as f64))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(UncheckedQuantity::Number(value as f64))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Self::Value, E> {
        Ok(UncheckedQuantity::Text(value.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{Force, Length, Ratio};

    #[derive(Debug, serde::Deserialize, serde::Serialize, PartialEq)]
    struct Example {
        radius: Quantity<Length>,
        fraction: Quantity<Ratio>,
        weight: Quantity<Force>,
    }

    #[test]
    fn number_integer_and_text_give_the_same_quantity() {
        let read = |text: &str| toml::from_str::<Example>(text).unwrap();
        let numbers = read("radius = 2.0\nfraction = 0.5\nweight = 3000.0");
        let texts = read("radius = '200 cm'\nfraction = '50 %'\nweight = '3 kN'");
        let integers = read("radius = 2\nfraction = 0.5\nweight = 3000");
        assert_eq!(numbers, texts);
        assert_eq!(numbers, integers);
        assert_eq!(toml::from_str::<Example>(&toml::to_string(&texts).unwrap()).unwrap(), texts);
    }

    #[test]
    fn numbers_that_are_not_finite_are_refused() {
        for bad in ["nan", "inf", "-inf"] {
            let text = format!("radius = {bad}\nfraction = 0\nweight = 0");
            let message = toml::from_str::<Example>(&text).unwrap_err().to_string();
            assert!(message.contains("is not a finite number"), "{message}");
            assert!(message.contains("a length such as \"2.5 mm\""), "{message}");
        }
    }

    #[test]
    fn declared_unit_is_repeated_in_the_message() {
        let quantity = UncheckedQuantity::Text("5 kN/m".to_owned());
        assert_eq!(quantity.in_unit("N/m"), Ok(5000.0));
        assert_eq!(
            quantity.in_unit("N s/m").unwrap_err().to_string(),
            "\"5 kN/m\" is in kg/s^2, expected a value such as \"1 N s/m\" or a number in N s/m"
        );
        assert_eq!(UncheckedQuantity::Number(0.5).in_unit("-"), Ok(0.5));
        assert!(UncheckedQuantity::Number(f64::NAN).in_unit("-").is_err());
    }

    #[test]
    fn schema_takes_number_or_text_and_says_what() {
        let schema = schemars::schema_for!(Quantity<Length>).to_value();
        assert_eq!(schema["type"], serde_json::json!(["number", "string"]));
        assert_eq!(schema["description"], "a length such as \"2.5 mm\" or a number in m");
        assert_eq!(schema["title"], "Length");
    }
}
