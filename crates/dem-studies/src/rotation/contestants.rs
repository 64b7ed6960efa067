//! The parameterizations as a list.

use dem_core::DQuat;
use dem_core::rotation::{Parameterization, ParameterizationVisitor, visit_parameterizations};

use super::stepping::{States, states};

/// A parameterization at run time.
#[derive(Clone, Copy, Debug)]
pub struct Contestant {
    /// Name.
    pub key: &'static str,
    /// Numbers of a state.
    pub numbers: usize,
    /// States of given orientations.
    pub states: fn(&[DQuat]) -> Box<dyn States>,
}

/// All of them, that of the engine first.
pub fn contestants() -> Vec<Contestant> {
    struct Collector(Vec<Contestant>);
    impl ParameterizationVisitor for Collector {
        fn visit<P: Parameterization<N> + Send + Sync + 'static, const N: usize>(&mut self) {
            self.0.push(Contestant { key: P::KEY, numbers: N, states: states::<P, N> });
        }
    }
    let mut collector = Collector(Vec::new());
    visit_parameterizations(&mut collector);
    collector.0
}
