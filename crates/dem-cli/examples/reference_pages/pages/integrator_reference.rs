//! The time integrators as they describe themselves.

use std::fmt::Write as _;

use dem_contact::Declaration;
use dem_sim::integrators::INTEGRATORS;

use super::{NOTICE, law_reference};

/// The page.
pub fn page() -> String {
    let mut text = format!(
        "{NOTICE}\n# Integrators, option by option\n\nThe first is the default. How they compare is described in \
         [Time step](time_step.md#integrators).\n"
    );
    for integrator in INTEGRATORS {
        _ = write!(text, "\n## `{}`\n\n{}.\n", integrator.key, integrator.summary);
        if integrator.options.is_empty() {
            text.push_str("\nIt has no options.\n");
        } else {
            law_reference::parameters(&mut text, &Declaration::default(), integrator.options);
        }
    }
    text
}
