//! The interface between a contact law and the rest of the engine.

mod conformance;
mod contact_law;
mod description;
mod films;
mod kinematics;
mod record;
mod response;

pub use conformance::{Conformance, Sample};
pub use contact_law::{ContactLaw, LaneLaw, StraightLaw};
pub use description::{Derived, LawDescription};
pub use films::Films;
pub use kinematics::{Kinematics, Needs};
pub use record::Record;
pub use response::{Dashpots, ElasticEnergy, Mode, Response, Stiffness};
