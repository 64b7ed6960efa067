//! Values of the options of `dem render`.

use dem_core::DVec3;
use dem_report::given::quantities;
use dem_view::WallLook;

use crate::failure::Failure;

fn numbers<const N: usize>(option: &str, text: &str) -> Result<[f64; N], Failure> {
    let values: Vec<f64> = text
        .split(',')
        .map(|part| part.trim().parse::<f64>())
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::input(format!("{option} {text}: {error}")))?;
    <[f64; N]>::try_from(values).map_err(|_| Failure::input(format!("{option} {text}: expected {N} numbers")))
}

/// Point and normal of a cut plane.
pub fn cut(text: &str) -> Result<(DVec3, DVec3), Failure> {
    let Some((at, _)) = text.match_indices(',').nth(2) else {
        return Err(Failure::input(format!("--cut {text}: expected 6 numbers")));
    };
    Ok((point("--cut", &text[..at])?, DVec3::from_array(numbers("--cut", &text[at + 1..])?)))
}

/// Three lengths.
pub fn point(option: &'static str, text: &str) -> Result<DVec3, Failure> {
    let values = quantities(option, "m", text, "finite", f64::is_finite)?;
    let three = <[f64; 3]>::try_from(values);
    three.map(DVec3::from_array).map_err(|_| Failure::input(format!("{option} {text}: expected 3 lengths")))
}

/// Two numbers.
pub fn range(text: &str) -> Result<(f64, f64), Failure> {
    let [min, max] = numbers("--range", text)?;
    Ok((min, max))
}

/// Width and height.
pub fn size(text: &str) -> Result<(u32, u32), Failure> {
    let parsed = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    parsed.ok_or_else(|| Failure::input(format!("--size {text}: expected WIDTHxHEIGHT, for example 1600x1200")))
}

/// Name and look of a wall, none to hide it.
pub fn wall(text: &str) -> Result<(String, Option<WallLook>), Failure> {
    // a name may have the sign, a look has none
    let parts = text.rsplit_once('=').filter(|(name, _)| !name.is_empty());
    let look = match parts.map(|(_, look)| look.trim()) {
        Some("opaque") => Some(WallLook::Opaque),
        Some("cut") => Some(WallLook::OpaqueAndCut),
        Some("translucent") => Some(WallLook::Translucent),
        Some("hidden") => None,
        _ => {
            let message = "expected NAME=LOOK with a look of opaque, cut, translucent or hidden";
            return Err(Failure::input(format!("--wall {text}: {message}")));
        }
    };
    Ok((parts.map_or_else(String::new, |(name, _)| name.trim().to_owned()), look))
}
