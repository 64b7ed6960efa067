//! How the instruction set of a processor affects the speed of a run.

use dem_core::lanes::Width;

use crate::terminal::tell;

/// The widest instructions that contacts are compiled for.
pub const WIDEST: &str = "AVX-512";

/// The report about a processor.
#[derive(Debug, PartialEq, Eq)]
enum Note {
    Line(String),
    Warning(String),
}

/// Says what it costs that the processor lacks the widest instructions, if it does.
pub fn tell(width: Width) {
    match note(width) {
        Some(Note::Line(line)) => tell!("{line}"),
        Some(Note::Warning(warning)) => tracing::warn!("{warning}"),
        None => {}
    }
}

fn note(width: Width) -> Option<Note> {
    let Some([from, to]) = width.relative_speed() else {
        let line = "contacts are computed one at a time: the engine has no SIMD code for this kind of processor";
        return (width == Width::SCALAR).then(|| Note::Line(line.to_owned()));
    };
    Some(if width == Width::SCALAR {
        Note::Warning(format!(
            "this processor offers neither {WIDEST} nor AVX2: contacts are computed one at a time, with fused multiply-adds in \
             software, at {from} to {to} of the speed with {WIDEST}; the results are the same"
        ))
    } else {
        Note::Line(format!(
            "contacts are computed with {}, at {from} to {to} of the speed with {WIDEST}, which this processor lacks",
            width.name()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_widest_instructions_need_no_word_and_none_at_all_are_a_warning() {
        for width in Width::available() {
            match note(width) {
                None => assert_eq!(width.name(), WIDEST),
                Some(Note::Line(line)) if width == Width::SCALAR => assert!(line.contains("no lanes"), "{line}"),
                Some(Note::Line(line)) => assert!(line.contains("AVX2, at 0.73 to 0.79 of"), "{line}"),
                Some(Note::Warning(warning)) => {
                    assert!(width == Width::SCALAR && warning.contains("0.08 to 0.12"), "{warning}");
                    assert!(warning.contains("AVX2") && warning.contains(WIDEST), "{warning}");
                }
            }
        }
        assert!(note(Width::SCALAR).is_some());
    }
}
