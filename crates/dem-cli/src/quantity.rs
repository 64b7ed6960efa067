//! Quantities on the command line.

use dem_report::given;

use crate::failure::Failure;

/// A number with a unit, in SI; zero needs none.
///
/// # Errors
/// A text of another form, named with its option.
pub fn quantity(option: &'static str, unit: &str, text: &str) -> Result<f64, Failure> {
    Ok(given::quantity(option, unit, text)?)
}

/// A number without a dimension for clap, plain or in percent.
///
/// # Errors
/// Another text, in words.
pub fn share(text: &str) -> Result<f64, String> {
    given::share(text)
}

/// An angle in degrees for clap: plain, as it was once asked for, or with its unit.
///
/// # Errors
/// Another text, in words.
pub fn degrees(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => match given::angles("angle", text, "finite", f64::is_finite).as_deref() {
            Ok([angle]) => Ok(*angle),
            _ => Err("expected an angle such as 30 deg or 0.5 rad, plain numbers are degrees".to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_plain_degrees_or_have_a_unit() {
        assert_eq!((degrees("-60"), degrees("20 deg")), (Ok(-60.0), Ok(20.0)));
        assert!((degrees("0.5 rad").unwrap() - 28.647_889_756_541_16).abs() < 1e-12);
        for text in ["", "5 m", "10,20 deg", "nan"] {
            assert!(degrees(text).is_err(), "{text}");
        }
    }
}
