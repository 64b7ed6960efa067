//! What ranks have done, and how fast others would be: a model.
//!
//! A step takes as long as the rank that has the most to do: `w_max κ + t_L (m_max + q log₂ n) + b_max / B`. A rank's work `w` is the number of
//! its particles and of the contacts that it computes, those across borders included; κ is the processor time of the ranks that were measured,
//! over their work. `m` messages with `b` bytes about ghosts go out in a step, and all ranks answer `q` questions together, by recursive
//! doubling. The network has a latency `t_L` and a bandwidth `B`; nothing is computed while messages travel. What the
//! model leaves out: memory that several ranks share, waiting for ranks that vary from step to step, output, and the renewal of ghosts.

use dem_sim::simulation::{RankLoad, Simulation};
use serde_json::{Value, json};

/// Numbers of ranks that are predicted, powers of two.
const SIZES: [usize; 11] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
/// Time of a message \[s\], of a fast network.
const LATENCY: f64 = 2e-6;
/// Bytes per second that a rank sends, of a fast network.
const BANDWIDTH: f64 = 12.5e9;
/// Bytes of the state of a ghost in a message.
const BYTES_OF_GHOST: f64 = 96.0;

/// What a rank has had to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankFigures {
    /// Its particles.
    pub particles: usize,
    /// Ghosts that it has.
    pub ghosts: usize,
    /// Contacts that it computes.
    pub contacts: usize,
    /// Processor time of each of its threads per step \[s\].
    pub seconds_per_step: f64,
    /// Messages about its particles in a step.
    pub messages_per_step: f64,
    /// Bytes of states of its particles that it has sent in a step.
    pub bytes_per_step: f64,
    /// Questions that all ranks have answered together in a step.
    pub questions_per_step: f64,
    /// How often ghosts were renewed in the timed steps.
    pub renewals: u64,
}

/// What is predicted for a number of ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Number of ranks.
    pub ranks: usize,
    /// Particles of the rank with the most work.
    pub particles: usize,
    /// The most ghosts of a rank.
    pub ghosts: usize,
    /// The most bytes that a rank sends in a step.
    pub bytes: f64,
    /// The most messages that a rank sends in a step.
    pub messages: f64,
    /// Processor time of the rank with the most work per step \[s\].
    pub computing: f64,
    /// Time of messages per step \[s\].
    pub network: f64,
    /// Speed in proportion to one rank.
    pub speed_up: f64,
}

/// Loads of the numbers of ranks that are predicted.
pub(super) fn loads(all: &mut Simulation) -> Vec<Vec<RankLoad>> {
    // no more ranks than particles
    let sizes = SIZES.into_iter().filter(|&ranks| ranks <= all.world.particles.len());
    sizes.map(|ranks| all.rank_loads(ranks)).collect()
}

/// Predictions for ranks with some loads, from what others have done.
pub(super) fn forecast(measured: &[RankFigures], loads: &[Vec<RankLoad>]) -> Vec<Forecast> {
    let work = |particles: usize, contacts: usize| (particles + contacts) as f64;
    let spent: f64 = measured.iter().map(|rank| rank.seconds_per_step).sum();
    let done: f64 = measured.iter().map(|rank| work(rank.particles, rank.contacts)).sum();
    let questions = measured.iter().map(|rank| rank.questions_per_step).fold(0.0, f64::max);
    let mut all: Vec<Forecast> = Vec::new();
    for loads in loads {
        let of_load = |load: &RankLoad| work(load.particles, load.contacts);
        let Some(busiest) = loads.iter().max_by(|a, b| of_load(a).total_cmp(&of_load(b))) else { continue };
        let most = |of: fn(&RankLoad) -> usize| loads.iter().map(of).max().unwrap_or(0);
        let messages = most(|load| load.neighbours) as f64;
        let bytes = BYTES_OF_GHOST * most(|load| load.told) as f64;
        let computing = of_load(busiest) * spent / done;
        // messages one after the other for an answer, among a power of two of ranks
        let rounds = f64::from(loads.len().ilog2());
        let network = LATENCY * (messages + questions * rounds) + bytes / BANDWIDTH;
        let alone = all.first().map_or(computing, |one| one.computing);
        all.push(Forecast {
            ranks: loads.len(),
            particles: busiest.particles,
            ghosts: most(|load| load.ghosts),
            bytes,
            messages,
            computing,
            network,
            speed_up: alone / (computing + network),
        });
    }
    all
}

/// Lines for the terminal, none without ranks.
pub(super) fn to_text(ranks: &[RankFigures], forecast: &[Forecast]) -> String {
    let Some(first) = ranks.first() else { return String::new() };
    let range = |of: fn(&RankFigures) -> f64| {
        let figures = ranks.iter().map(of);
        let (least, most) = figures.fold((f64::INFINITY, 0.0), |(a, b), x| (f64::min(a, x), f64::max(b, x)));
        (least, most)
    };
    let (fewest, most) = range(|rank| rank.particles as f64);
    let (shortest, longest) = range(|rank| 1e3 * rank.seconds_per_step);
    let mean = 1e3 * ranks.iter().map(|rank| rank.seconds_per_step).sum::<f64>() / ranks.len() as f64;
    let (_, ghosts) = range(|rank| rank.ghosts as f64);
    let (_, messages) = range(|rank| rank.messages_per_step);
    let (_, bytes) = range(|rank| rank.bytes_per_step);
    let mut text = format!(
        "  ranks         {} of {fewest:.0} to {most:.0} particles, up to {ghosts:.0} ghosts, renewed {} times\n                \
         computing {shortest:.3} to {longest:.3} ms a step each, balance {:.2}; a rank sends up to {messages:.1} messages and {bytes:.0} bytes, \
         and answers {:.1} questions with all others\n",
        ranks.len(),
        first.renewals,
        mean / longest,
        first.questions_per_step,
    );
    if !forecast.is_empty() {
        text += &format!(
            "  forecast      a model: {:.0} µs a message, {:.1} GB/s, messages not hidden behind work\n                \
             ranks  particles  ghosts  messages  kbyte  computing ms  network ms  speed-up  efficiency\n",
            1e6 * LATENCY,
            BANDWIDTH / 1e9
        );
        for f in forecast {
            text += &format!(
                "                {:>5} {:>10} {:>7} {:>9.0} {:>6.0} {:>13.3} {:>11.3} {:>9.1} {:>11.2}\n",
                f.ranks,
                f.particles,
                f.ghosts,
                f.messages,
                f.bytes / 1e3,
                1e3 * f.computing,
                1e3 * f.network,
                f.speed_up,
                f.speed_up / f.ranks as f64
            );
        }
    }
    text
}

/// Figures of a rank as an object.
pub(super) fn rank_to_json(rank: &RankFigures) -> Value {
    json!({
        "particles": rank.particles,
        "ghosts": rank.ghosts,
        "contacts": rank.contacts,
        "seconds_per_step": rank.seconds_per_step,
        "messages_per_step": rank.messages_per_step,
        "bytes_per_step": rank.bytes_per_step,
        "questions_per_step": rank.questions_per_step,
        "renewals": rank.renewals,
    })
}

/// A prediction as an object.
pub(super) fn forecast_to_json(forecast: &Forecast) -> Value {
    json!({
        "ranks": forecast.ranks,
        "particles": forecast.particles,
        "ghosts": forecast.ghosts,
        "messages_per_step": forecast.messages,
        "bytes_per_step": forecast.bytes,
        "computing_seconds_per_step": forecast.computing,
        "network_seconds_per_step": forecast.network,
        "speed_up": forecast.speed_up,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice the work takes twice as long, and messages come on top.
    #[test]
    fn a_step_takes_as_long_as_the_busiest_rank_and_its_messages() {
        let measured = RankFigures {
            particles: 600,
            ghosts: 100,
            contacts: 1400,
            seconds_per_step: 2e-3,
            messages_per_step: 1.0,
            bytes_per_step: 9600.0,
            questions_per_step: 5.0,
            renewals: 1,
        };
        let load =
            |particles, contacts, told, neighbours| RankLoad { particles, contacts, ghosts: told, told, neighbours };
        let of_four = vec![load(250, 650, 125, 2), load(250, 750, 100, 3), load(250, 700, 0, 1), load(250, 700, 0, 1)];
        let forecasts = forecast(&[measured, measured], &[vec![load(1000, 2000, 0, 0)], of_four]);
        assert!((forecasts[0].computing - 3e-3).abs() < 1e-15 && forecasts[0].network == 0.0);
        assert!((forecasts[1].computing - 1e-3).abs() < 1e-15);
        // three messages, five questions of two rounds, 125 ghosts
        let network = 2e-6 * (3.0 + 10.0) + 125.0 * 96.0 / 12.5e9;
        assert!((forecasts[1].network - network).abs() < 1e-15);
        assert!((forecasts[1].speed_up - 3e-3 / (1e-3 + network)).abs() < 1e-12);
    }
}
