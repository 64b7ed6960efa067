//! Stages: names are resolved and conditions checked before the run starts.

use dem_core::DVec3;
use dem_core::history::{FieldRole, FieldSpec, FurtherWork};
use dem_io::document::{KeyPath, SceneDocument, SceneError};
use dem_io::nearest;
use dem_io::units::Quantity;
use serde::Deserialize;

use super::fields::build_fields;
use super::loaded_scene::LoadedScene;
use super::values::{entry_path, positive};
use crate::builder::boundaries::domain::{largest_radius, narrowness};
use crate::builder::boundaries::{cell, motions, servos};
use crate::builder::particles::regions;
use crate::builder::particles::source_path::source_path;
use crate::deformation::control::Control;
use crate::insertion::pouring_source::PouringSource;
use crate::measure::guided::guide_columns;
use crate::measure::materials::material_columns;
use crate::measure::mixing::mixing_columns;
use crate::measure::names::wall_columns;
use crate::measure::region::region_columns;
use crate::measure::series::{COLUMNS_OF_WORKS, SERIES_NAMES};
use crate::measure::servos::servo_columns;
use crate::measure::stress::cell_columns;
use crate::measure::wetness;
use crate::scene::document::Scene;
use crate::scene::fields::FieldsScene;
use crate::scene::source::FillScene;
use crate::scene::stage::{ActionScene, ConditionScene};
use crate::scene::wall::MotionScene;
use crate::simulation::components::Simulation;
use crate::simulation::stage::{Action, Condition, Measure, Stage};
use crate::state::contact_parameters::{ContactDefinition, shares_films};
use crate::state::world::World;

/// Builds the stages of a scene; without any, one that lasts until at rest or the end of time.
pub(super) fn build(
    loaded: &LoadedScene,
    contact: &ContactDefinition,
    world: &World,
    sources: &[PouringSource],
) -> Result<Vec<Stage>, SceneError> {
    let LoadedScene { document, scene, .. } = loaded;
    if scene.stages.is_empty() && scene.fields.gravity().length() == 0.0 {
        if scene.time.end.is_none() {
            return Err(document
                .error_at(&["time"], "expected time.end or stages: without gravity no state of rest ends the run"));
        }
        let condition = Condition { time: Some(f64::INFINITY), ..Condition::default() };
        return Ok(vec![Stage { name: "run".to_owned(), actions: Vec::new(), deform: None, until: condition }]);
    }
    if scene.stages.is_empty() {
        return Ok(vec![Stage::implied()]);
    }
    let mut contact = contact.clone();
    let largest = largest_radius(world, sources);
    let mut fields = scene.fields.clone();
    let mut held: Vec<bool> = scene.walls.iter().map(|wall| holds_force(wall.motion.as_ref())).collect();
    scene
        .stages
        .iter()
        .enumerate()
        .map(|(index, given)| {
            let path = |keys: &[&str]| entry_path("stages", index, keys);
            let mut actions = Vec::with_capacity(given.actions.len());
            for (number, action) in given.actions.iter().enumerate() {
                let number = number.to_string();
                let path = path(&["actions", &number]);
                let built = build_action(loaded, document, &mut contact, &mut fields, world, largest, &path, action)?;
                actions.push(built);
                if let Some(Action::MoveWall(wall, motion)) = actions.last() {
                    held[*wall] = motion.hold.is_some();
                }
            }
            let control = |given| cell::build_control(document, scene, &path(&["deform"]), given, world.cell.periodic);
            let deform = given.deform.as_ref().map(control).transpose()?;
            let until = build_condition(
                document,
                scene,
                world,
                &contact,
                &path(&["until"]),
                &given.until,
                fields.gravity(),
                deform.as_ref(),
                held.contains(&true),
            )?;
            Ok(Stage { name: given.name.clone(), actions, deform, until })
        })
        .collect()
}

fn holds_force(motion: Option<&MotionScene>) -> bool {
    motion.is_some_and(|motion| motion.servo.is_some())
}

/// Names of the walls that press with a force in some stage.
fn pressing_walls(scene: &Scene) -> impl Iterator<Item = &str> {
    let from_start = scene.walls.iter().filter(|wall| holds_force(wall.motion.as_ref())).map(|wall| wall.name.as_str());
    let actions = scene.stages.iter().flat_map(|stage| &stage.actions);
    from_start.chain(actions.filter_map(|action| match action {
        ActionScene::MoveWall { wall, motion } if holds_force(Some(motion.as_ref())) => Some(wall.as_str()),
        _ => None,
    }))
}

fn build_condition(
    document: &SceneDocument,
    scene: &Scene,
    world: &World,
    contact: &ContactDefinition,
    path: &KeyPath,
    given: &ConditionScene,
    gravity: DVec3,
    control: Option<&Control>,
    walls_press: bool,
) -> Result<Condition, SceneError> {
    if given.at_rest && gravity.length() == 0.0 {
        return Err(document.error_at(path.child("at_rest"), "expected gravity: rest is measured against m g d"));
    }
    let time = given.time.map(|t| positive(document, path.child("time"), t.si(), "s")).transpose()?;
    let measure = match &given.measure {
        None => None,
        Some(measure) => {
            let path = path.child("measure");
            let mut known: Vec<String> = SERIES_NAMES.iter().map(|name| (*name).to_owned()).collect();
            if scene.cell.is_some() || scene.stages.iter().any(|stage| stage.deform.is_some()) {
                known.extend(cell_columns());
            }
            let kernels = contact.build_kernels(document)?;
            let fields = || kernels.iter().flat_map(|kernel| kernel.fields());
            let kept =
                FurtherWork::ALL.into_iter().filter(|&work| fields().any(|f| f.role == FieldRole::Further(work)));
            known.extend(kept.map(|work| work.column().to_owned()));
            if contact.shares_films() {
                known.extend(wetness::columns());
            }
            known.extend(scene.walls.iter().flat_map(|wall| wall_columns(&wall.name)));
            known.extend(pressing_walls(scene).flat_map(servo_columns));
            known.extend(
                scene.guides.iter().flat_map(|guide| guide_columns(&guide.name, guide.angular_velocity.is_some())),
            );
            known.extend(scene.output.regions.iter().flat_map(|region| region_columns(&region.name)));
            let materials = scene.output.materials.iter().map(String::as_str);
            let regions: Vec<&str> = scene.output.regions.iter().map(|region| region.name.as_str()).collect();
            known.extend(material_columns(materials, &regions));
            known.extend(scene.output.mixing.iter().flat_map(|grid| mixing_columns(&grid.name)));
            if !known.contains(&measure.quantity) {
                let meant = nearest(&measure.quantity, known.iter().map(String::as_str));
                let error = document
                    .error_at(path.child("quantity"), format!("expected a column of series.csv: {}", known.join(", ")));
                return Err(match meant {
                    Some(meant) => error.with_help(format!("did you mean `{meant}`?")),
                    None => error,
                });
            }
            let is_of_works = COLUMNS_OF_WORKS.contains(&measure.quantity.as_str());
            if is_of_works && kernels.iter().any(|kernel| !kernel.keeps_work()) {
                let message =
                    "expected another column, or work_bookkeeping = true: this one is not computed in the stage";
                return Err(document.error_at(path.child("quantity"), message));
            }
            if measure.below.is_some() == measure.above.is_some() {
                return Err(document.error_at(path, "expected either below or above"));
            }
            Some(Measure { quantity: measure.quantity.clone(), below: measure.below, above: measure.above })
        }
    };
    let strain = match &given.strain {
        // walls strain a sample, too
        Some(_) if control.is_none() && (scene.cell.is_none() || world.cell.periodic == [true; 3]) => {
            return Err(document.error_at(path.child("strain"), "expected a stage that deforms the cell"));
        }
        Some(strain) => cell::build_strain(document, scene, &path.child("strain"), strain)?,
        None => Vec::new(),
    };
    let stress_reached =
        |given| cell::build_stress_reached(document, &path.child("stress_reached"), given, control, walls_press);
    let stress_reached = given.stress_reached.as_ref().map(stress_reached).transpose()?;
    let (at_rest, poured) = (given.at_rest, given.poured);
    let condition = Condition { time, steps: given.steps, at_rest, poured, strain, stress_reached, measure };
    if condition == Condition::default() {
        return Err(document.error_at(
            path.clone(),
            "expected at least one condition: time, steps, at_rest, poured, strain, stress_reached, measure",
        ));
    }
    Ok(condition)
}

/// An action of a program, written as the actions of stages are: a text with the table `action`. What it leaves as it was is that of the simulation.
///
/// # Errors
/// A text that is no action, names that do not exist, values out of range.
pub(crate) fn program_action(loaded: &LoadedScene, simulation: &Simulation, text: &str) -> Result<Action, SceneError> {
    let document = SceneDocument::from_text("action", text, &[])?;
    let given: ProgramScene = document.deserialize()?;
    let Simulation { world, sources, .. } = simulation;
    let largest = largest_radius(world, sources);
    let path = KeyPath::from(&["action"]);
    let mut contact = simulation.contact.clone();
    let mut fields = loaded.scene.fields.clone();
    let stages = &loaded.scene.stages[..simulation.stages_entered().min(loaded.scene.stages.len())];
    for action in stages.iter().flat_map(|stage| &stage.actions) {
        if let ActionScene::SetFields { fields: change } = action {
            fields = fields.changed_by(change);
        }
    }
    let built = build_action(loaded, &document, &mut contact, &mut fields, world, largest, &path, &given.action)?;
    Ok(match (built, &given.action) {
        // fields may be those of an earlier action of the program, which no table of the scene has
        (Action::SetFields(built), ActionScene::SetFields { fields: change }) => {
            Action::SetFields(Box::new(change.taken_from(&built, &world.fields)))
        }
        (built, _) => built,
    })
}

/// What a program writes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramScene {
    action: ActionScene,
}

fn build_action(
    loaded: &LoadedScene,
    document: &SceneDocument,
    contact: &mut ContactDefinition,
    fields: &mut FieldsScene,
    world: &World,
    largest: f64,
    path: &KeyPath,
    given: &ActionScene,
) -> Result<Action, SceneError> {
    let LoadedScene { scene, motion_tables, .. } = loaded;
    let wall = |name: &String| {
        scene.walls.iter().position(|wall| wall.name == *name).ok_or_else(|| {
            let known: Vec<&str> = scene.walls.iter().map(|wall| wall.name.as_str()).collect();
            document.error_at(path.child("wall"), format!("expected the name of a wall: {}", known.join(", ")))
        })
    };
    let source = |name: &String| {
        let pours = scene.particles.iter().any(|s| s.name == *name && matches!(s.fill, FillScene::Pour { .. }));
        if pours && source_path(scene, name).is_some() {
            Ok(name.clone())
        } else {
            Err(document.error_at(path.child("source"), "expected the name of a source that pours"))
        }
    };
    Ok(match given {
        ActionScene::RemoveWall { wall: name } => Action::RemoveWall(wall(name)?),
        ActionScene::AddWall { wall: name } => Action::AddWall(wall(name)?),
        ActionScene::MoveWall { wall: name, motion } => {
            if motion.origin.is_some() {
                return Err(document.error_at(
                    path.child("motion").child("origin"),
                    "expected no origin: a wall keeps the reference point it was defined with",
                ));
            }
            let (wall, path) = (wall(name)?, path.child("motion"));
            let prescribed = motions::build(document, motion_tables, &path, motion)?;
            motions::check_surface_velocity(document, &path, &world.walls[wall].shape, &prescribed)?;
            Action::MoveWall(wall, Box::new(servos::build_motion(document, &path, motion, prescribed, wall, world)?))
        }
        ActionScene::SetContact { materials, parameters } => {
            let before = contact.build_kernels(document)?;
            let shared: Vec<bool> = contact.pairs.iter().map(shares_films).collect();
            contact.change(document, path, materials.as_ref(), parameters)?;
            // what the law says about the new values is known now, not in the middle of a run
            let mut after = contact.build_kernels(document)?;
            after.iter_mut().for_each(|kernel| kernel.fit_range(largest));
            let range = after.iter().map(|kernel| kernel.range()).fold(0.0, f64::max);
            if let Some(message) = narrowness(&world.cell, largest, range) {
                return Err(document.error_at(path.child("parameters"), message));
            }
            let resized = |before: &[FieldSpec], after: &[FieldSpec]| {
                before.iter().any(|b| after.iter().any(|a| a.name == b.name && a.width != b.width))
            };
            // fields may come and go, and keep what they hold; one of another size could not
            if before.iter().zip(&after).any(|(before, after)| resized(before.fields(), after.fields())) {
                return Err(document.error_at(
                    path.child("parameters"),
                    "expected parameters that do not change the size of the contact histories, which are kept",
                ));
            }
            if !contact.pairs.iter().map(shares_films).eq(shared) {
                let message = "expected bridges that share films, or do not, as before: the liquid would come from nowhere or be lost";
                return Err(document.error_at(path.child("parameters"), message));
            }
            Action::SetContact(Box::new(contact.clone()))
        }
        ActionScene::SetFields { fields: change } => {
            let path = path.child("fields");
            if change.is_empty() {
                return Err(document.error_at(path, "expected at least one key of the table fields"));
            }
            *fields = fields.changed_by(change);
            let built = build_fields(document, &path, fields)?;
            if let Some(hindrance) = cell::hindrance_of_fields(scene, &built, world.cell.periodic) {
                return Err(document.error_at(path, format!("expected {hindrance}")));
            }
            Action::SetFields(Box::new(built))
        }
        ActionScene::RemoveParticles { region } => {
            let region = regions::checked(document, &path.child("region"), region, world)?;
            Action::RemoveParticles(Box::new(region))
        }
        ActionScene::DriveGuide { guide, velocity, angular_velocity } => {
            let Some(driven) = scene.guides.iter().find(|known| known.name == *guide) else {
                let known: Vec<&str> = scene.guides.iter().map(|guide| guide.name.as_str()).collect();
                let message = format!("expected the name of a guide: {}", known.join(", "));
                return Err(document.error_at(path.child("guide"), message));
            };
            if angular_velocity.is_some() && driven.angular_velocity.is_none() {
                let message = format!("expected none: the guide \"{guide}\" has no angular_velocity");
                return Err(document.error_at(path.child("angular_velocity"), message));
            }
            Action::DriveGuide(guide.clone(), velocity.si(), angular_velocity.map(Quantity::vector))
        }
        ActionScene::StartPouring { source: name } => Action::StartPouring(source(name)?),
        ActionScene::StopPouring { source: name } => Action::StopPouring(source(name)?),
    })
}
