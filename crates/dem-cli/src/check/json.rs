//! What a check found, for programs.

use dem_contact::ParameterValue;
use dem_contact::law::Derived;
use dem_contact::time_step::Bound;
use dem_sim::builder::AllErrors;
use dem_sim::measure;
use dem_sim::scene_check::{contact_facts, real_contact_facts};
use dem_sim::time_step::StepControl;
use dem_sim::time_step::TimeScale;
use serde_json::{Map, Value, json};

use super::checked::{Checked, count_of};
use super::pace::Estimate;

/// The errors of a scene.
pub fn errors(scene: &str, all: &AllErrors) -> Value {
    let errors: Vec<Value> = all
        .errors
        .iter()
        .map(|error| {
            json!({
                "file": error.file(),
                "set": error.written_override(),
                "line": error.line(),
                "column": error.column(),
                "key": error.key_path().to_string(),
                "message": error.message(),
                "help": error.help(),
            })
        })
        .collect();
    json!({ "scene": scene, "sound": false, "errors": errors, "more_errors": all.are_more })
}

fn listed(facts: &[Derived]) -> Vec<Value> {
    facts.iter().map(|fact| json!({ "name": fact.name, "value": fact.value, "unit": fact.unit })).collect()
}

/// Everything but the estimate.
pub fn facts(checked: &Checked<'_>) -> Value {
    let simulation = checked.simulation;
    let world = &simulation.world;
    let materials: Vec<Value> = world
        .materials
        .iter()
        .map(|m| {
            json!({
                "name": m.name,
                "density": m.density,
                "young_modulus": m.young_modulus,
                "poisson_ratio": m.poisson_ratio,
                "shear_modulus": m.shear_modulus(),
            })
        })
        .collect();
    let contact: Vec<Value> = simulation
        .contact
        .pairs()
        .iter()
        .map(|pair| {
            let (a, b) = (pair.first as u16, pair.second as u16);
            let kernel = &world.kernels[world.laws.get(a, b) as usize];
            let given: Map<String, Value> =
                pair.parameters.iter().map(|(name, value)| (name.clone(), parameter(value))).collect();
            let derived = listed(&kernel.derived(a, b));
            json!({
                "materials": [world.materials[pair.first].name, world.materials[pair.second].name],
                "law": pair.law,
                "parameters": given,
                "derived": derived,
                "of_mean_spheres": listed(&contact_facts(simulation, a, b)),
                "of_mean_spheres_with_real_moduli": listed(&real_contact_facts(simulation, a, b)),
            })
        })
        .collect();
    let walls: Vec<Value> = world
        .walls
        .iter()
        .map(|wall| {
            let bounds = wall.shape.bounds().map(|(low, high)| {
                [low + wall.pose.position, high + wall.pose.position].map(|corner| corner.to_array())
            });
            json!({
                "name": wall.name,
                "material": world.materials[wall.material as usize].name,
                "active": wall.active,
                "bounds": bounds,
            })
        })
        .collect();
    let sources: Vec<Value> = simulation
        .sources
        .iter()
        .map(|source| {
            json!({
                "name": source.name,
                "particles": count_of(source),
                "smallest_radius": source.smallest,
                "largest_radius": source.largest,
            })
        })
        .collect();
    let clumps: Vec<Value> = checked
        .clumps
        .iter()
        .map(|clump| {
            json!({
                "name": clump.name,
                "spheres": clump.spheres,
                "pieces": clump.pieces,
                "mass": clump.density.map(|density| density * clump.volume),
                "volume": clump.volume,
                "principal_moments": clump.density.map(|density| (density * clump.moments).to_array()),
                "equivalent_radius": clump.equivalent_radius,
                "bounding_radius": clump.bounding_radius,
                "sphericity": clump.sphericity,
                "elongation": clump.elongation,
                "flatness": clump.flatness,
                "triple_overlap_share": clump.triple_overlap_share,
            })
        })
        .collect();
    let stages: Vec<Value> =
        simulation.stages.iter().map(|stage| json!({ "name": stage.name, "actions": stage.actions.len() })).collect();
    json!({
        "scene": checked.scene,
        "sound": true,
        "warnings": checked.doubts,
        "materials": materials,
        "contact": contact,
        "domain": {
            "description": world.cell.describe_box(),
            "given": simulation.is_domain_given,
            "periodic": world.cell.periodic,
        },
        "walls": walls,
        "clumps": clumps,
        "particles": { "at_the_start": world.particles.len(), "bodies_at_the_start": world.particles.bodies.len(), "touching_pairs": world.contact_count().pairs, "sources": sources },
        "liquid_in_films": world.shares_films().then(|| world.liquid().films),
        "time_step": time_step(checked),
        "overlap": {
            "limit": simulation.pipeline.limits.overlap_ratio,
            "of_two_bodies": simulation.time_step.deepest.as_ref().map(|deepest| json!({ "ratio": deepest.overlap_ratio, "between": deepest.between })),
            "held_from_behind": checked.held.as_ref().map(|held| json!({ "ratio": held.overlap_ratio, "between": held.between })),
            "under_load": checked.load.as_ref().map(|load| json!({
                "at_rest": load.at_rest,
                "put_on_at_once": load.at_once,
                "force": load.force,
                "load": load.load,
            })),
        },
        "stages": stages,
        "series_columns": measure::series_columns(world).iter().map(|column| column.name.clone()).collect::<Vec<_>>(),
    })
}

/// What a run will take.
pub fn estimate(estimate: &Estimate) -> Value {
    let pace = estimate.pace.as_ref();
    json!({
        "memory": estimate.memory,
        "particles": estimate.particles,
        "steps": estimate.end.map(|_| estimate.steps),
        "steps_per_simulated_second": estimate.steps / estimate.end.unwrap_or(1.0),
        "wall_time": pace.filter(|_| estimate.end.is_some()).map(|pace| estimate.steps * pace.seconds_per_step),
        "seconds_per_step": pace.map(|pace| pace.seconds_per_step),
        "particle_steps_per_second": pace.map(|pace| pace.rate),
        "timed": pace.map(|pace| pace.timed.as_str()),
        "first_steps_fail": estimate.failure,
    })
}

fn time_step(checked: &Checked<'_>) -> Value {
    let choice = &checked.simulation.time_step;
    let bound = |bound: &Bound| {
        let scale = TimeScale::of(bound, &choice.fractions);
        json!({
            "criterion": bound.criterion,
            "time_step": bound.time_step,
            "fraction": scale.map(|scale| scale.fraction),
            "of": scale.map(|scale| scale.name),
            "time": scale.map(|scale| scale.time),
            "for": bound.detail,
        })
    };
    let of_stage = |(stage, later): &(String, Bound)| {
        let mut found = bound(later);
        found["stage"] = stage.as_str().into();
        found
    };
    json!({
        "time_step": choice.time_step,
        "control": match choice.control {
            StepControl::Given => "given",
            StepControl::Automatic => "automatic",
            StepControl::Adaptive => "adaptive",
        },
        "range": choice.range.map(|range| [range.smallest, range.largest]),
        "expected_speed": choice.expected_speed,
        "bounds": choice.bounds.iter().map(bound).collect::<Vec<_>>(),
        "bounds_of_stages": checked.stage_bounds.iter().map(of_stage).collect::<Vec<_>>(),
    })
}

fn parameter(value: &ParameterValue) -> Value {
    match value {
        ParameterValue::Number(number) => json!(number),
        ParameterValue::Flag(flag) => json!(flag),
        ParameterValue::Word(word) => json!(word),
    }
}
