//! Rigid bodies in a checkpoint: a section of every column, in order of ids, and one of what bodies have in common.
//!
//! What follows from the state of a body is not saved: where it was before the step that is over, the tensor of inertia in space, where its
//! members lie among the slots.

use std::sync::Arc;

use bytemuck::Zeroable;
use dem_core::DVec3;
use dem_core::bodies::body::Body;
use dem_core::bodies::table::Bodies;
use dem_core::bodies::template::Template;
use dem_io::checkpoint::{CheckpointReader, CheckpointWriter};

use super::format::{BODIES, SavedBodies, SavedStateError, contents};

macro_rules! body_columns {
    ($($name:ident: $type:ty,)*) => {
        fn write_columns(writer: &mut CheckpointWriter, bodies: &[&Body]) -> Result<(), SavedStateError> {
            $({
                let column: Vec<$type> = bodies.iter().map(|body| body.$name).collect();
                writer.section_columns(concat!("body.", stringify!($name)), &column)?;
            })*
            Ok(())
        }

        fn read_columns(reader: &CheckpointReader, bodies: &mut [Body]) -> Result<(), SavedStateError> {
            $({
                let column: Vec<$type> = reader.columns(concat!("body.", stringify!($name)))?;
                if column.len() != bodies.len() {
                    return Err(contents(concat!("the column of ", stringify!($name), " of bodies has the wrong length")));
                }
                bodies.iter_mut().zip(column).for_each(|(body, value)| body.$name = value);
            })*
            Ok(())
        }
    };
}

body_columns! {
    id: u32,
    template: u32,
    scale: f64,
    position: DVec3,
    image: [i32; 3],
    velocity: DVec3,
    angular_momentum: DVec3,
    orientation: [f64; 4],
    force: DVec3,
    torque: DVec3,
    mass: f64,
    moments: DVec3,
    equivalent_radius: f64,
    field_dissipation: f64,
    frozen: u32,
}

/// Adds the sections of bodies, if there have been any: the checkpoint of spheres has none.
pub(crate) fn write(writer: &mut CheckpointWriter, bodies: &Bodies) -> Result<(), SavedStateError> {
    if bodies.next_id == 0 {
        return Ok(());
    }
    writer.section_struct(BODIES, &SavedBodies { next_id: bodies.next_id, templates: bodies.templates.to_vec() })?;
    write_columns(writer, &bodies.by_id())
}

/// Bodies as they were saved; `body` names the body of every particle. None if the state knows no bodies.
pub(crate) fn read(reader: &CheckpointReader, body: &[u32]) -> Result<Bodies, SavedStateError> {
    if !reader.has(BODIES) {
        return Bodies::restored(Vec::new(), Arc::default(), 0, body).map_err(contents);
    }
    let SavedBodies { next_id, templates } = reader.structure(BODIES)?;
    let mut saved = vec![Body::zeroed(); reader.bytes("body.id")?.len() / size_of::<u32>()];
    read_columns(reader, &mut saved)?;
    for body in &mut saved {
        body.previous_position = body.position;
    }
    Bodies::restored(saved, Arc::new(templates), next_id, body).map_err(contents)
}

/// Goes on with the templates of a saved state, which begin with those of the scene; without bodies with those of the scene.
pub(crate) fn keep_templates(own: &Arc<Vec<Template>>, saved: &mut Bodies) -> Result<(), SavedStateError> {
    if saved.next_id == 0 {
        saved.templates = own.clone();
        return Ok(());
    }
    let names = |templates: &[Template]| templates.iter().map(|template| template.name.clone()).collect::<Vec<_>>();
    if names(&saved.templates).starts_with(&names(own)) {
        Ok(())
    } else {
        Err(contents("its bodies are of other templates than those of the scene"))
    }
}

/// Puts the templates of a saved state behind those of the scene of a new branch, but for those that are the same. A name that the scene gives to
/// another template gets a number.
pub(crate) fn join_templates(own: &Arc<Vec<Template>>, saved: &mut Bodies) {
    let mut joined = own.to_vec();
    let mut number = Vec::with_capacity(saved.templates.len());
    for template in saved.templates.iter() {
        let same = joined.iter().position(|other| other == template);
        number.push(same.unwrap_or(joined.len()) as u32);
        if same.is_none() {
            let is_taken = |name: &str| joined.iter().any(|other| other.name == name);
            let numbered = (2..).map(|k| format!("{} {k}", template.name));
            let name = std::iter::once(template.name.clone()).chain(numbered).find(|name| !is_taken(name));
            joined.push(Template { name: name.unwrap_or_default(), ..template.clone() });
        }
    }
    for body in &mut saved.all {
        body.template = number[body.template as usize];
    }
    saved.templates = Arc::new(joined);
}
