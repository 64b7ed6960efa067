//! The parameters by which the members of an ensemble are told apart.

use std::cmp::Ordering;

use dem_report::table::Value;

use super::finished::Finished;

/// By parameters, then by seed.
pub fn order(a: &Finished, b: &Finished) -> Ordering {
    let rank = |value: &Value| match value {
        Value::Number(x) => (0, *x, String::new()),
        Value::Count(x) => (0, *x as f64, String::new()),
        Value::Flag(x) => (1, f64::from(u8::from(*x)), String::new()),
        Value::Text(text) => (2, 0.0, text.clone()),
    };
    let compare = |(a, b): (&Value, &Value)| {
        let (a, b) = (rank(a), rank(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
    };
    let parameters = a.parameters.iter().zip(&b.parameters).map(compare).find(|order| order.is_ne());
    parameters.unwrap_or(a.parameters.len().cmp(&b.parameters.len())).then(a.seed.cmp(&b.seed))
}

/// Name of a set of parameters in a figure.
pub fn label(member: &Finished) -> String {
    let word =
        |(key, value): (&String, &Value)| format!("{} = {}", key.rsplit('.').next().unwrap_or(key), value.exact());
    let words: Vec<String> = member.keys.iter().zip(&member.parameters).map(word).collect();
    words.join(", ")
}
