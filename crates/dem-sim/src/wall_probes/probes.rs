//! Probes of walls, and what they have summed.

use dem_core::exact_sum::ExactSum;
use dem_io::series::SeriesColumn;
use serde::{Deserialize, Serialize};

use super::chart::Chart;
use super::row::{self, ProbeRow};
use crate::state::instants;
use crate::state::world::World;

/// One probe: a wall, or a face of it, cut into bins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WallProbe {
    /// Number of the wall.
    pub wall: usize,
    /// Feature of the wall that it probes; all if none is given.
    pub feature: Option<u32>,
    /// The bins.
    pub chart: Chart,
}

/// Sums over the contacts of a bin, times time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Load {
    /// Number of contacts \[s\].
    contacts: f64,
    /// Normal forces, positive in compression \[N s\].
    normal: f64,
    /// Tangential forces on the wall along the coordinate \[N s\].
    along: f64,
    /// Those across it \[N s\].
    around: f64,
    /// Magnitudes of the tangential forces \[N s\].
    tangential: f64,
}

/// Sums over the contacts of a bin in one step.
#[derive(Clone, Debug, Default)]
struct LoadSum([ExactSum; 5]);

impl LoadSum {
    fn add(&mut self, numbers: [f64; 5]) {
        self.0.iter_mut().zip(numbers).for_each(|(sum, number)| sum.add(number));
    }

    /// Adds the sums of a step of some length \[s\] to those of a bin and begins anew.
    fn move_to(&mut self, load: &mut Load, length: f64) {
        // the number of contacts is never zero where there are any
        if self.0[0].is_empty() {
            return;
        }
        let Load { contacts, normal, along, around, tangential } = load;
        for (total, sum) in [contacts, normal, along, around, tangential].into_iter().zip(&mut self.0) {
            *total += sum.value() * length;
            sum.reset();
        }
    }
}

/// What the probes have summed; part of the checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ProbeState {
    probes: Vec<WallProbe>,
    /// Of all bins of one probe after the other.
    loads: Vec<Load>,
    /// Time summed over \[s\].
    duration: f64,
    /// Number of the next output, counted in `interval`.
    next: u64,
    /// Time between outputs \[s\].
    interval: f64,
}

/// The probes of a simulation.
#[derive(Clone, Debug, Default)]
pub struct WallProbes {
    state: ProbeState,
    /// Sums of a step, of all bins; hold their room from step to step.
    sums: Vec<LoadSum>,
    /// Whether a checkpoint had other probes.
    replaced: bool,
}

impl WallProbes {
    /// Probes whose averages are written every `interval` \[s\].
    pub fn new(probes: Vec<WallProbe>, interval: f64) -> Self {
        let cells = probes.iter().map(|probe| probe.chart.bins * probe.chart.sectors).sum();
        let loads = vec![Load::default(); cells];
        let state = ProbeState { probes, loads, duration: 0.0, next: 0, interval };
        Self { state, sums: vec![LoadSum::default(); cells], replaced: false }
    }

    /// Whether there is no probe.
    pub fn is_idle(&self) -> bool {
        self.state.probes.is_empty()
    }

    /// The probes.
    pub fn probes(&self) -> &[WallProbe] {
        &self.state.probes
    }

    /// Time summed over since the last output \[s\].
    pub fn duration(&self) -> f64 {
        self.state.duration
    }

    /// Adds the contacts of the present state, which lasted for `length` \[s\].
    pub fn add(&mut self, world: &World, length: f64) {
        if self.is_idle() {
            return;
        }
        let (sums, ProbeState { probes, loads, duration, .. }) = (&mut self.sums, &mut self.state);
        *duration += length;
        let list = &world.list;
        for candidate in list.wall_candidates() {
            let (first, number) = (list.first[candidate] as usize, list.second[candidate] as usize);
            if first >= world.particles.owned() || !probes.iter().any(|probe| probe.wall == number) {
                continue;
            }
            let (Some(wrench), Some(segment)) = (world.forces.get(candidate), list.segment_of(candidate)) else {
                continue;
            };
            let (wall, feature) = (&world.walls[number], list.feature(segment, candidate));
            let centre = world.particles.position[first];
            let surface = wall.surface_point(&wall.pose, feature, centre);
            let point = centre - surface.normal * surface.distance;
            let force = wrench.force_on_first();
            let normal = force.dot(surface.normal);
            let tangential = surface.normal * normal - force;
            let mut first = 0;
            for probe in probes.iter() {
                let cells = &mut sums[first..first + probe.chart.bins * probe.chart.sectors];
                first += cells.len();
                if probe.wall != number || probe.feature.is_some_and(|own| own != feature) {
                    continue;
                }
                if let Some(found) = probe.chart.find(&wall.pose, point, surface.normal) {
                    let (along, around) = (tangential.dot(found.along), tangential.dot(found.around));
                    cells[found.cell].add([1.0, normal, along, around, tangential.length()]);
                }
            }
        }
        if !world.whole.is_alone() {
            let mut all: Vec<ExactSum> = sums.iter().flat_map(|sum| sum.0.iter().cloned()).collect();
            world.whole.add(&mut all);
            sums.iter_mut().flat_map(|sum| &mut sum.0).zip(all).for_each(|(own, all)| *own = all);
        }
        sums.iter_mut().zip(loads).for_each(|(sum, load)| sum.move_to(load, length));
    }

    /// Whether averages are to be written at an [instant](instants::now) \[s\]; counts the output.
    pub(crate) fn take_due(&mut self, now: f64) -> bool {
        let state = &mut self.state;
        !state.probes.is_empty() && instants::take_due(&mut state.next, now, state.interval) && state.duration > 0.0
    }

    /// Columns of [`Self::rows`].
    pub fn columns() -> Vec<SeriesColumn> {
        row::columns()
    }

    /// The averages so far: a row for each sector of each bin of each probe.
    pub fn rows(&self, world: &World) -> Vec<ProbeRow> {
        let ProbeState { probes, loads, duration, .. } = &self.state;
        let mut loads = loads.iter();
        let mut rows = Vec::new();
        for (number, probe) in probes.iter().enumerate() {
            let chart = &probe.chart;
            for bin in 0..chart.bins {
                let scale = 1.0 / (chart.area(bin) * duration);
                for (sector, load) in (0..chart.sectors).zip(&mut loads) {
                    let angle = std::f64::consts::TAU * (sector as f64 + 0.5) / chart.sectors as f64;
                    rows.push(ProbeRow {
                        step: world.step as f64,
                        time: world.time,
                        window: *duration,
                        probe: number as f64,
                        wall: probe.wall as f64,
                        bin: bin as f64,
                        sector: sector as f64,
                        position: 0.5 * (chart.edge(bin) + chart.edge(bin + 1)),
                        angle: if chart.sectors == 1 { f64::NAN } else { angle },
                        area: chart.area(bin),
                        contacts: load.contacts / duration,
                        pressure: load.normal * scale,
                        shear_along: load.along * scale,
                        shear_around: load.around * scale,
                        mobilised_friction: load.tangential / load.normal,
                    });
                }
            }
        }
        rows
    }

    /// Begins a new average.
    pub fn restart(&mut self) {
        self.state.loads.fill(Load::default());
        self.state.duration = 0.0;
    }

    /// Whether the checkpoint that they went on from had other probes, with other bins, say.
    pub(crate) fn are_others(&self) -> bool {
        self.replaced
    }

    /// What a checkpoint keeps.
    pub(crate) fn state(&self) -> &ProbeState {
        &self.state
    }

    /// Goes on from a checkpoint at an [instant](instants::now) \[s\]; averages of other probes than those of the scene begin anew.
    pub(crate) fn resume(&mut self, saved: ProbeState, now: f64) {
        let interval = self.state.interval;
        let number =
            if saved.interval == interval { saved.next } else { instants::next(now, interval).min(saved.next) };
        self.replaced = !saved.probes.is_empty() && saved.probes != self.state.probes;
        if saved.probes == self.state.probes && saved.loads.len() == self.state.loads.len() {
            self.state = saved;
        }
        (self.state.next, self.state.interval) = (number, interval);
    }
}
