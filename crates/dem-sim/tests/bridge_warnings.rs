//! Volumes of liquid bridges that their form is not made for are warned about when a scene is built, with the number.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};

use dem_sim::builder;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::with_default;
use tracing::{Event, Level, Metadata, Subscriber};

/// Takes down warnings.
struct Notes(Arc<Mutex<String>>);

impl Visit for Notes {
    fn record_debug(&mut self, _field: &Field, value: &dyn Debug) {
        writeln!(self.0.lock().unwrap(), "{value:?}").unwrap();
    }
}

impl Subscriber for Notes {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::WARN
    }
    fn new_span(&self, _span: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _span: &Id, _values: &Record<'_>) {}
    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}
    fn event(&self, event: &Event<'_>) {
        event.record(&mut Self(self.0.clone()));
    }
    fn enter(&self, _span: &Id) {}
    fn exit(&self, _span: &Id) {}
}

const SCENE: &str = r#"
[time]
step = "1 us"
end = "1 s"
[materials.glass]
density = 2500
young_modulus = "20 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 1
near_field = "liquid-bridge"
surface_tension = "73 mN/m"
contact_angle = "20 deg"
bridge_volume = "VOLUME m^3"
[fields]
gravity = [0, 0, 0]
[[particles]]
name = "there"
material = "glass"
sizes = { type = "single", radius = "1 mm" }
region = { type = "box", min = [0, 0, 0], max = ["20 mm", "20 mm", "20 mm"] }
fill = { type = "random", count = 4 }
"#;

fn warnings(volume: &str) -> String {
    let notes = Arc::new(Mutex::new(String::new()));
    let loaded = builder::parse_scene("wet", &SCENE.replace("VOLUME", volume), &[]).unwrap();
    with_default(Notes(notes.clone()), || builder::build(&loaded).unwrap());
    notes.lock().unwrap().clone()
}

#[test]
fn volumes_beyond_validity_are_warned_about_with_the_number() {
    assert_eq!(warnings("1e-12"), "");
    // V = 0.3 R³ and 2e-6 R³, R the radius of equal spheres
    let large = warnings("3e-10");
    assert!(large.contains("between glass and glass") && large.contains("3.0e-1 R^3"), "{large}");
    let small = warnings("2e-15");
    assert!(small.contains("2.0e-6 R^3") && small.contains("willett-closed"), "{small}");
}
