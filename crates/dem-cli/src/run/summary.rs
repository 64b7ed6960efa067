//! What the terminal shows of a run that has ended: what fits its kind.

use std::path::Path;

use dem_sim::run::{CellSummary, PistonSummary, Summary, WallSummary};

use crate::lanes;
use crate::terminal::say;

/// Prints it.
pub fn print(s: &Summary, directory: &Path) {
    say!("{}", if s.title.is_empty() { "run" } else { &s.title });
    say!("  stopped            {} after {} steps, t = {:.6} s", s.stop_reason, s.steps, s.time);
    say!("  particles          {} ({} inserted, {} removed)", s.particles, s.inserted, s.removed);
    if let Some(bodies) = &s.bodies {
        say!("  rigid bodies       {}, and {} single spheres", bodies.count, bodies.single_spheres);
    }
    say!("  contacts           {} between particles, {} with walls", s.contacts, s.wall_contacts);
    say!("  coordination       {:.3}, {:.3} without rattlers", s.coordination, s.coordination_without_rattlers);
    packing(s);
    if let Some(height) = s.bed_height {
        say!("  bed height         {height:.5} m");
    }
    s.cell.iter().for_each(cell);
    s.pistons.iter().for_each(piston);
    for source in &s.pouring {
        say!("  poured             {}", source.describe());
    }
    if let Some(flow) = &s.outflow {
        let rate = flow.rate.map_or_else(String::new, |rate| {
            let [from, to] = flow.rate_between;
            format!(", {rate:.4e} kg/s from t = {from:.4} to {to:.4} s")
        });
        say!("  outflow            {} particles, {:.4e} kg{rate}", flow.particles, flow.mass);
    }
    s.walls.iter().for_each(driven);
    say!(
        "  overlap/radius     {:.3} % now, {:.3} % at its peak",
        100.0 * s.max_overlap_ratio_final,
        100.0 * s.max_overlap_ratio_peak
    );
    if let Some((ratio, weight)) = s.wall_force_over_weight.zip(s.weight) {
        say!("  force on walls     {:.3} % of the weight {weight:.6} N, averaged over the final rest", 100.0 * ratio);
    }
    let dissipated = s.energies.dissipated_at_contacts() + s.energies.fields;
    // laws may keep no work terms
    let dissipated = if dissipated.is_nan() { "not kept".to_owned() } else { format!("{dissipated:.3e} J") };
    say!("  energy             kinetic {:.3e} J, dissipated {dissipated}", s.energies.kinetic());
    say!("  time step          {:.3e} s ({})", s.time_step, s.time_step_criterion);
    say!(
        "  wall time          {:.1} s, {:.2} million particle-steps/s on {} {}",
        s.wall_seconds,
        s.particle_steps_per_second / 1e6,
        s.threads,
        if s.threads == 1 { "thread" } else { "threads" }
    );
    if let Some([from, to]) = s.machine.lanes_speed {
        say!("  instructions       {}, {from} to {to} of the speed with {}", s.machine.lanes, lanes::WIDEST);
    }
    for gap in &s.gaps {
        say!("  missing            {}", gap.describe());
    }
    say!("  code               {}", s.engine);
    say!("  results            {}", directory.display());
}

/// Logs where the wall time has gone.
pub fn log_time_by_phase(s: &Summary) {
    tracing::debug!("wall time of this call by phase:");
    for (name, time) in s.time_by_phase.phases() {
        let each =
            time.ns_per_particle_step.map_or_else(String::new, |each| format!(", {each:.1} ns per particle-step"));
        tracing::debug!("  {name:<9} {:>10.3} s, {:>5.1} %{each}", time.seconds, 100.0 * time.share);
    }
    s.time_by_phase.notes().iter().for_each(|note| tracing::debug!("  {note}"));
}

/// Of a bed; cells and pistons tell their porosity.
fn packing(s: &Summary) {
    let has_sample = s.cell.is_some() || s.pistons.iter().any(|piston| piston.sample.is_some());
    match (s.packing_fraction, s.not_measured.get("packing_fraction")) {
        _ if has_sample => {}
        (Some(fraction), _) => {
            say!("  packing fraction   {fraction:.4} in the bulk (3 d from walls, floor and surface)");
        }
        (None, Some(why)) => say!("  packing fraction   not measured: {why}"),
        (None, None) => {}
    }
}

/// `q/p`, if there is stress.
fn ratio(q_over_p: Option<f64>) -> String {
    q_over_p.map_or_else(String::new, |ratio| format!(", q/p = {ratio:.4}"))
}

fn cell(cell: &CellSummary) {
    let CellSummary { mean_stress, deviator, positive, porosity, void_ratio, .. } = cell;
    say!("  stress             p = {mean_stress:.4e} Pa, q = {deviator:.4e} Pa{} ({positive})", ratio(cell.q_over_p));
    if let Some((strain, volume)) = cell.strain.zip(cell.volumetric_strain) {
        let percent = [strain.xx, strain.yy, strain.zz, volume].map(|strain| 100.0 * strain);
        let [x, y, z, volume] = percent;
        say!("  strain             {x:.4} % along x, {y:.4} % along y, {z:.4} % along z, {volume:.4} % of the volume");
    }
    say!("  porosity           {porosity:.4}, void ratio {void_ratio:.4}");
}

fn piston(piston: &PistonSummary) {
    let pressure = piston.pressure.map_or_else(String::new, |pressure| format!(", {pressure:.4e} Pa"));
    say!("  {:<18} {:.4e} N{pressure}, displacement {:.6} m", named("piston", &piston.name), piston.force, piston.way);
    match (&piston.sample, piston.no_sample_because) {
        (Some(sample), _) => {
            say!("  strain             {:.4} % along the direction of the piston", 100.0 * sample.axial_strain);
            say!(
                "  stress             p = {:.4e} Pa, q = {:.4e} Pa{} (compression positive)",
                sample.mean_stress,
                sample.deviator,
                ratio(sample.q_over_p)
            );
            let (porosity, void_ratio) = (sample.porosity, sample.void_ratio);
            say!("  porosity           {porosity:.4}, void ratio {void_ratio:.4}, height {:.6} m", sample.height);
        }
        (None, Some(why)) => say!("  porosity           not measured: {why}"),
        (None, None) => {}
    }
}

/// Of a wall that moves as prescribed.
fn driven(wall: &WallSummary) {
    let Some(driven) = &wall.driven else { return };
    let vector = |v: [f64; 3]| format!("({:.3e}, {:.3e}, {:.3e})", v[0], v[1], v[2]);
    say!(
        "  {:<18} force {} N, torque {} N m, power {:.3e} W, mean of t = {:.4} to {:.4} s",
        named("wall", &wall.name),
        vector(driven.force),
        vector(driven.torque),
        driven.power,
        driven.between[0],
        driven.between[1]
    );
}

fn named(what: &str, name: &str) -> String {
    // a wall that is called what it is
    if name == what { name.to_owned() } else { format!("{what} {name}") }
}
