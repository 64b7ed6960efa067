//! Size of a figure on paper.

use crate::error::ViewError;

/// Millimetres of a point, the unit of type sizes.
pub const POINT: f64 = 25.4 / 72.0;
/// Dots per inch of a PNG unless others are asked for.
pub const DEFAULT_RESOLUTION: f64 = 200.0;
/// Most panels in one figure.
pub(crate) const MOST_PANELS: usize = 16;
/// Shortest and longest side of a figure \[mm\].
const SIDES: [f64; 2] = [10.0, 2000.0];
/// Least height of a panel \[mm\].
const LOWEST_PANEL: f64 = 10.0;
/// Smallest and largest type \[mm\].
const TYPE: [f64; 2] = [1.0 * POINT, 48.0 * POINT];
/// Height of a panel that leaves room for axes and legend, in type sizes.
const LEAST_LINES: f64 = 8.0;

/// Size of a whole figure and of its type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FigureSize {
    /// Width \[mm\].
    pub width: f64,
    /// Height of all panels together \[mm\].
    pub height: f64,
    /// Type size \[mm\].
    pub text: f64,
}

impl FigureSize {
    /// A size that suits a column of `panels` panels: six inches wide, 1200 pixels of a PNG.
    pub fn for_panels(panels: usize) -> Self {
        let panels = panels.clamp(1, MOST_PANELS) as f64;
        Self { width: 152.4, height: 15.24 + 50.8 * panels, text: 6.5 * POINT }
    }

    /// A size for `panels` panels, with the type of a journal, 8 pt, or less where the panels are low.
    pub fn with_sides(width: f64, height: f64, panels: usize) -> Self {
        let panel = height / panels.max(1) as f64;
        Self { width, height, text: (8.0 * POINT).min(panel / 16.0).min(width / 24.0) }
    }

    /// Refuses sizes that cannot be drawn.
    pub(crate) fn check(&self, panels: usize) -> Result<(), ViewError> {
        let refused = |what, value: String, allowed| Err(ViewError::Option { what, value, allowed });
        for (what, side) in [("figure width", self.width), ("figure height", self.height)] {
            if !(SIDES[0]..=SIDES[1]).contains(&side) {
                return refused(what, format!("{side} mm"), "10 mm to 2000 mm");
            }
        }
        if !(1..=MOST_PANELS).contains(&panels) {
            return Err(ViewError::PanelCount { found: panels, largest: MOST_PANELS });
        }
        let panel = self.height / panels as f64;
        if panel < LOWEST_PANEL {
            let value = format!("{} mm for {panels} panels", self.height);
            return refused("figure height", value, "at least 10 mm a panel");
        }
        if !(TYPE[0]..=TYPE[1]).contains(&self.text) {
            return refused("type size", format!("{:.1} pt", self.text / POINT), "1 pt to 48 pt");
        }
        if LEAST_LINES * self.text > panel.min(self.width) {
            let value = format!("{:.1} pt in a panel of {:.0} x {panel:.0} mm", self.text / POINT, self.width);
            return refused("type size", value, "an eighth of the height and width of a panel at most");
        }
        Ok(())
    }
}
