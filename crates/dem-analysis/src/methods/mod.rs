//! The paragraph on methods of a paper, from a run directory.

mod bodies;
mod draft;
mod words;

use dem_sim::fields::{DragLaw, Fluid};
use dem_sim::integrators;
use dem_sim::scene::{FillScene, SenseScene, SourceScene};
use dem_sim::time_step::StepControl;

use crate::bibliography;
use crate::run_record::RunRecord;
use draft::Draft;
pub(crate) use words::exact;
use words::{of_key, parameters, plain, rounded, unit, words};

/// What a paper has to say about a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Methods {
    /// The paragraph, with numbers of references in brackets.
    pub paragraph: String,
    /// The references, from 1: the engine, then those of its laws.
    pub references: Vec<String>,
    /// Version and commit of the engine.
    pub engine: String,
}

impl Methods {
    /// The methods of a run.
    pub fn of(record: &RunRecord) -> Self {
        let mut draft = Draft::default();
        provenance(record, &mut draft);
        particles(record, &mut draft);
        contact(record, &mut draft);
        integration(record, &mut draft);
        surroundings(record, &mut draft);
        course(record, &mut draft);
        quality(record, &mut draft);
        let engine = record.word("engine").to_owned();
        Self { paragraph: draft.sentences.join(" "), references: draft.references, engine }
    }

    /// The references as entries of BibTeX, the engine first.
    pub fn to_bibtex(&self) -> String {
        let mut entries: Vec<(String, String)> = Vec::new();
        for (key, entry) in self.references.iter().skip(1).flat_map(|reference| bibliography::entries(reference)) {
            if entries.iter().any(|(_, known)| *known == entry) {
                continue;
            }
            // another work of the same author and year
            let same = entries.iter().filter(|(known, _)| *known == key).count();
            let letter = if same == 0 { String::new() } else { char::from(b'a' + (same % 26) as u8).to_string() };
            entries.push((key.clone(), entry.replacen(&key, &format!("{key}{letter}"), 1)));
        }
        let rest: String = entries.iter().map(|(_, entry)| format!("\n{entry}")).collect();
        bibliography::engine_entry(&self.engine) + &rest
    }

    /// The paragraph and the references below it.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n\n", self.paragraph);
        for (k, reference) in self.references.iter().enumerate() {
            text.push_str(&format!("[{}] {reference}\n", k + 1));
        }
        text
    }
}

fn provenance(record: &RunRecord, draft: &mut Draft) {
    let engine = record.word("engine");
    let number = draft.cite(&bibliography::citation(engine));
    let fingerprint = record.word("scene_fingerprint");
    let seed = record.loaded.scene.seed;
    draft.say(format!(
        "The simulation was done with {engine} {number}, a discrete element engine for spheres; the fingerprint of its scene is \
         {fingerprint}, and its random numbers follow from the seed {seed}."
    ));
    if let Some(state) = record.beginning.as_ref().and_then(|beginning| beginning.branched.as_ref()) {
        draft.say(format!(
            "It began from the particles of a saved state (scene {}, step {}, t = {} s); {} contact histories were kept and {} dropped.",
            state.scene_fingerprint,
            state.step,
            rounded(state.time),
            state.kept,
            state.dropped
        ));
    }
}

fn particles(record: &RunRecord, draft: &mut Draft) {
    let scene = &record.loaded.scene;
    let mut ways: Vec<&str> = scene
        .particles
        .iter()
        .map(|source| match source.fill {
            FillScene::Lattice { .. } => "placed on a lattice",
            FillScene::Random { .. } => "placed by random sequential addition",
            FillScene::File { .. } => "read from a table",
            FillScene::Pour { .. } => "poured",
        })
        .collect();
    ways.dedup();
    let inserted = record.number(&["inserted"]);
    let branched = record.beginning.as_ref().is_some_and(|beginning| beginning.branched.is_some());
    let how = if branched || ways.is_empty() { "simulated".to_owned() } else { ways.join(" and ") };
    let sizes = record.sizes.map_or_else(String::new, |sizes| {
        if sizes.smallest == sizes.largest {
            format!(" with a radius of {} m", rounded(sizes.mean))
        } else {
            format!(
                " with radii from {} to {} m (mean {} m, standard deviation {} m)",
                rounded(sizes.smallest),
                rounded(sizes.largest),
                rounded(sizes.mean),
                rounded(sizes.deviation)
            )
        }
    });
    let what = if bodies::are_there(record) { "spheres and rigid bodies of spheres" } else { "spheres" };
    draft.say(format!("{inserted} {what}{sizes} were {how}."));
    bodies::describe(record, draft);
    if !branched {
        let sources = tables(record, "particles");
        let of_source = |source: &toml::Value| {
            let word = |table: &toml::Value, key: &str| table.get(key)?.as_str().map(str::to_owned);
            let sizes = source.get("sizes")?;
            let rate = source.get("fill").and_then(|fill| fill.get("rate"));
            let poured = rate.map_or_else(String::new, |rate| format!(", poured with {}", of_key("rate", rate)));
            Some(format!("{} {} ({}){poured}", word(source, "name")?, word(sizes, "type")?, words(sizes)))
        };
        let sources: Vec<String> = sources.iter().filter_map(of_source).collect();
        if !sources.is_empty() {
            draft.say(format!("Distribution of sizes: {}.", sources.join("; ")));
        }
    }
    for material in &record.simulation.world.materials {
        draft.say(format!(
            "Material {}: density {} kg/m^3, Young's modulus {} Pa, Poisson's ratio {}.",
            material.name,
            exact(material.density),
            exact(material.young_modulus),
            exact(material.poisson_ratio)
        ));
    }
}

fn contact(record: &RunRecord, draft: &mut Draft) {
    let (world, scene) = (&record.simulation.world, &record.loaded.scene);
    let of_clump = |source: &SourceScene| source.clump.as_ref().and_then(|name| scene.clumps.get(name));
    let names = |source: &SourceScene, material: &String| {
        let spheres = of_clump(source).and_then(|clump| clump.spheres.as_ref()).into_iter().flatten();
        source.material.as_ref() == Some(material) || spheres.into_iter().any(|s| s.material.as_ref() == Some(material))
    };
    let of_spheres = |k: usize| scene.particles.iter().any(|source| names(source, &world.materials[k].name));
    let known = (0..world.materials.len()).any(of_spheres);
    for pair in record.simulation.contact.pairs() {
        // walls do not meet each other
        if known && !of_spheres(pair.first) && !of_spheres(pair.second) {
            continue;
        }
        let (a, b) = (pair.first as u16, pair.second as u16);
        let kernel = &world.kernels[world.laws.get(a, b) as usize];
        let description = kernel.description();
        let number = draft.cite(description.source);
        let given = parameters(pair.law, pair.parameters.iter().map(|(name, value)| (name.as_str(), plain(value))));
        let is_given = |name: &str| pair.parameters.iter().any(|(given, _)| given.replace('_', " ") == name);
        let derived = kernel.derived(a, b).into_iter().filter(|derived| !is_given(derived.name));
        let derived: Vec<String> =
            derived.map(|d| format!("{} {}{}", d.name, rounded(d.value), unit(d.unit))).collect();
        let derived =
            if derived.is_empty() { String::new() } else { format!("; from these follow {}", derived.join(", ")) };
        draft.say(format!(
            "Contacts of {} with {} follow the law {} ({}) {number} with {}{derived}.",
            world.materials[pair.first].name,
            world.materials[pair.second].name,
            pair.law,
            description.summary,
            given.join(", ")
        ));
    }
    let given = &scene.contact;
    let choice = |given: &Option<String>, default: &str| given.clone().unwrap_or_else(|| default.to_owned());
    draft.say(format!(
        "Lever of contact forces: {}; slip of a step: {}; transport of tangential histories: {}.",
        choice(&given.lever, "half"),
        choice(&given.slip, "finite"),
        choice(&given.transport, "exact")
    ));
    for stage in tables(record, "stages") {
        let name = stage.get("name").and_then(toml::Value::as_str).unwrap_or_default();
        let actions = stage.get("actions").and_then(toml::Value::as_array).map_or(&[][..], Vec::as_slice);
        let changes =
            actions.iter().filter(|action| action.get("type").and_then(toml::Value::as_str) == Some("set_contact"));
        for action in changes {
            let Some(given) = action.get("parameters").and_then(toml::Value::as_table) else { continue };
            let given = given.iter().map(|(name, value)| (name.as_str(), value.clone()));
            let pair = action.get("materials").map_or_else(String::new, |pair| format!(" of {}", words(pair)));
            draft.say(format!(
                "From the beginning of the stage {name} on, contacts{pair} had {}.",
                parameters(&scene.contact.law, given).join(", ")
            ));
        }
    }
}

fn integration(record: &RunRecord, draft: &mut Draft) {
    let key = record.simulation.pipeline.integrator.key();
    let summary = integrators::find(key).map_or("", |entry| entry.summary);
    let [last, shortest, longest] =
        ["time_step", "shortest_time_step", "longest_time_step"].map(|name| rounded(record.number(&[name])));
    let criterion = record.word("time_step_criterion");
    let steps = if shortest == longest {
        format!("{last} s")
    } else {
        format!("between {shortest} and {longest} s, in the end {last} s")
    };
    let how = match record.simulation.time_step.control {
        StepControl::Given => format!("The time step was given: {steps}."),
        StepControl::Automatic => format!(
            "The time step was {steps}, the largest that the bounds of stiffness, duration of impacts, Rayleigh waves and displacement \
             admit; the tightest was that of {criterion}."
        ),
        StepControl::Adaptive => {
            format!(
                "The time step was adapted to the state of the assembly, {steps}; the last bound was that of {criterion}."
            )
        }
    };
    draft.say(format!(
        "The equations of motion were integrated with {key} ({summary}), orientations as unit quaternions. {how}"
    ));
}

fn surroundings(record: &RunRecord, draft: &mut Draft) {
    let fields = &record.simulation.world.fields;
    let vector = |v: dem_core::DVec3| format!("({}, {}, {})", exact(v.x), exact(v.y), exact(v.z));
    if fields.gravity == dem_core::DVec3::ZERO {
        draft.say("There was no gravity.");
    } else {
        draft.say(format!("Gravity was {} m/s^2.", vector(fields.gravity)));
    }
    if fields.gravity_turns() {
        draft.say(format!("It turned with {} rad/s.", vector(fields.gravity_rotation)));
    }
    let mut damping = Vec::new();
    if fields.local_damping > 0.0 {
        damping.push(format!("local non-viscous damping {}", exact(fields.local_damping)));
    }
    if fields.mass_damping > 0.0 {
        damping.push(format!("global mass damping {} 1/s", exact(fields.mass_damping)));
    }
    if let Some(drag) = &fields.drag {
        damping.push(describe_drag(&drag.law));
    }
    if let Some(magnus) = &fields.magnus {
        damping.push(format!("a Magnus force with the coefficient {} kg", exact(magnus.coefficient)));
    }
    if damping.is_empty() {
        draft.say("There was no damping but that of the contacts.");
    } else {
        draft.say(format!("Beside the damping of the contacts there was {}.", damping.join(", ")));
    }
    let given = tables(record, "walls");
    let shape = |k: usize| given.get(k)?.get("shape")?.get("type")?.as_str();
    let motion = |k: usize| given.get(k)?.get("motion").map(words);
    let walls: Vec<String> = record
        .simulation
        .world
        .walls
        .iter()
        .enumerate()
        .map(|(k, wall)| {
            let doing = record.simulation.world.describe_motion(k);
            // a stage may have begun another motion than that of the scene
            let moving = motion(k)
                .filter(|_| !doing.is_empty())
                .map_or_else(|| doing.to_owned(), |how| format!("{doing} with {how}"));
            let material = &record.simulation.world.materials[wall.material as usize].name;
            format!("{} ({} of {material}{moving})", wall.name, shape(k).unwrap_or("wall"))
        })
        .collect();
    if !walls.is_empty() {
        draft.say(format!("Walls: {}.", walls.join(", ")));
    }
    let cell = &record.simulation.world.cell;
    let periodic: Vec<&str> = (0..3).filter(|&k| cell.periodic[k]).map(|k| ["x", "y", "z"][k]).collect();
    if !periodic.is_empty() {
        draft.say(format!("The domain was periodic along {}.", periodic.join(", ")));
    }
}

fn course(record: &RunRecord, draft: &mut Draft) {
    let stages: Vec<&str> = record.simulation.stages.iter().map(|stage| stage.name.as_str()).collect();
    if stages.len() > 1 {
        draft.say(format!("The run had the stages {}.", stages.join(", ")));
    }
    for stage in tables(record, "stages") {
        if let Some((name, deform)) = stage.get("name").and_then(toml::Value::as_str).zip(stage.get("deform")) {
            let sense = record.loaded.scene.cell.as_ref().map(|cell| cell.positive).unwrap_or_default();
            let sense = match sense {
                SenseScene::Tension => "tension",
                SenseScene::Compression => "compression",
            };
            draft.say(format!("The stage {name} deformed the cell with {}, {sense} positive.", words(deform)));
        }
    }
    if record.simulation.stages.iter().any(|stage| stage.until.at_rest) {
        let rest = &record.simulation.rest;
        draft.say(format!(
            "The assembly counts as at rest when the kinetic energy per particle stays below {} m g d and the mean net force below {} of \
             the mean contact force for {} s.",
            exact(rest.kinetic_energy),
            exact(rest.unbalanced_force),
            exact(rest.duration)
        ));
    }
    draft.say(format!(
        "The run ended ({}) after {} steps at t = {} s with {} spheres.",
        record.word("stop_reason"),
        record.number(&["steps"]),
        rounded(record.number(&["time"])),
        record.number(&["particles"])
    ));
}

fn quality(record: &RunRecord, draft: &mut Draft) {
    let percent = |key: &str| rounded(100.0 * record.number(&[key]));
    draft.say(format!(
        "The largest overlap was {} % of the smaller radius in the end and {} % at any step.",
        percent("max_overlap_ratio_final"),
        percent("max_overlap_ratio_peak")
    ));
    let (imbalance, dissipated) = (record.imbalance(), record.dissipated());
    if imbalance.is_nan() {
        draft.say("Works of contacts were not kept, so that the sum of all energies is not known.".to_owned());
        return;
    }
    let share = if dissipated > 0.0 {
        format!(", {} % of the energy that was dissipated", rounded(100.0 * imbalance / dissipated))
    } else {
        String::new()
    };
    draft.say(format!("The sum of all energies changed by at most {} J{share}.", rounded(imbalance)));
}

/// Tables of a list of the scene as it was given, with its defaults.
fn tables<'a>(record: &'a RunRecord, key: &str) -> &'a [toml::Value] {
    record.loaded.document.resolved().get(key).and_then(toml::Value::as_array).map_or(&[], Vec::as_slice)
}

fn describe_drag(law: &DragLaw) -> String {
    let of_fluid = |fluid: &Fluid| {
        format!("in a fluid of density {} kg/m^3 and viscosity {} Pa s", exact(fluid.density), exact(fluid.viscosity))
    };
    match law {
        DragLaw::Linear { coefficient } => format!("drag with the coefficient {} N s/m", exact(*coefficient)),
        DragLaw::Stokes { viscosity } => format!("drag by Stokes in a fluid of viscosity {} Pa s", exact(*viscosity)),
        DragLaw::SchillerNaumann { fluid } => format!("drag by Schiller and Naumann {}", of_fluid(fluid)),
        DragLaw::WenYu { fluid, cell } => {
            format!("drag by Wen and Yu {}, porosities taken in cells of {} m", of_fluid(fluid), exact(*cell))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_is_cited_as_its_file_says() {
        assert_eq!(
            bibliography::citation("dem 0.1.0"),
            "The dem developers, dem: a discrete element engine for spheres (dem 0.1.0)"
        );
    }
}
