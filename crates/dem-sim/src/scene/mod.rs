//! The scene: what a user writes in TOML. Plain data with units; [`crate::builder`] turns it into a world.
//!
//! Doc comments of the fields are the descriptions in the JSON Schema that editors show.

pub(crate) mod cell;
pub(crate) mod clump;
pub(crate) mod contact;
pub(crate) mod contact_search;
pub(crate) mod document;
pub(crate) mod domain;
pub(crate) mod fields;
pub(crate) mod group;
pub(crate) mod guide;
pub(crate) mod output;
pub(crate) mod quantities;
pub(crate) mod schema;
pub(crate) mod servo;
pub(crate) mod source;
pub(crate) mod stage;
pub(crate) mod time;
pub(crate) mod wall;

pub use cell::{
    CellScene, ComponentScene, DeformScene, DisplacementScene, SenseScene, StrainScene, StressReachedScene,
};
pub use clump::{
    BodyAxis, ClumpFormatScene, ClumpScene, ClumpSphereScene, InertiaScene, MassFromScene, OrientationScene,
    OrientationWord,
};
pub use contact::{ContactScene, ContactValue, MaterialScene, PairScene};
pub use contact_search::{BroadphaseScene, ContactSearchScene};
pub use document::{LimitsScene, Scene};
pub use domain::{DomainScene, FaceScene};
pub use fields::{DragScene, FieldsScene};
pub use group::{DegreeOfFreedom, GroupScene};
pub use guide::{GuideMotionScene, GuideScene, PathScene};
pub use output::{
    BodyScene, ChosenContactScene, ContactsScene, MixingScene, OutputScene, PictureScene, WallProbeScene,
};
pub use quantities::{LengthVector, VelocityVector};
pub use schema::schema;
pub use servo::ServoScene;
pub use source::{FillScene, LatticeName, RegionScene, SizeScene, SourceScene, TableBy};
pub use stage::{ActionScene, AtRestScene, ConditionScene, MeasureScene, StageScene};
pub use time::{IntegratorScene, TimeScene};
pub use wall::{BoxFace, MotionScene, RotationScene, ShapeScene, TableEndsScene, WallScene};
