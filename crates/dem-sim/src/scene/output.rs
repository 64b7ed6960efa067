//! Output as a user asks for it.

use dem_io::units::{Angle, Length, Pressure, Quantity, Ratio, Time, WearCoefficient};
use schemars::JsonSchema;
use serde::Deserialize;

use super::quantities::LengthVector;
use super::source::RegionScene;
use super::wall::BoxFace;

/// What is written, and when.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutputScene {
    /// Time between frames of snapshots.vtkhdf. Default: 0.1 s.
    pub snapshots: Option<Quantity<Time>>,
    /// Time between rows of series.csv. Default: 0.01 s.
    pub series: Option<Quantity<Time>>,
    /// Time between checkpoints. Default: 0.5 s.
    pub checkpoints: Option<Quantity<Time>>,
    /// Whether contacts are written to the snapshots, or a list of contacts that contacts.csv follows, with a row at every instant of the series:
    /// `[[3, 17], [3, "floor"]]` are those of the particles with the ids 3 and 17, and of particle 3 with the wall floor. Default: yes; with a list
    /// all contacts are written to the snapshots, too.
    pub contacts: Option<ContactsScene>,
    /// Whether the orientation of every particle follows its rotation and is written to the snapshots. Nothing else depends on it; without it
    /// steps are a little faster and frames smaller. Default: yes.
    pub orientations: Option<bool>,
    /// Whether the total rotation of every particle, the sum of the rotation vectors of all steps, is kept and written to the snapshots.
    /// Default: no.
    #[serde(default)]
    pub total_rotation: bool,
    /// Time between outputs to profiles.csv, over which wall probes average. Default: 0.1 s.
    pub profiles: Option<Quantity<Time>>,
    /// Walls whose pressure and shear are written to profiles.csv.
    #[serde(default)]
    pub wall_probes: Vec<WallProbeScene>,
    /// Meshes whose pressure, shear and wear are written to the snapshots, facet by facet.
    #[serde(default)]
    pub wall_facets: Vec<WallFacetsScene>,
    /// Parts of space whose particles, coordination and stress are written to series.csv.
    #[serde(default)]
    pub regions: Vec<MeasuredRegionScene>,
    /// Materials that series.csv follows: particles and mass of each that left through open faces of the domain, and its share of the mass in
    /// every region. A rigid body counts for the material of its first sphere.
    #[serde(default)]
    pub materials: Vec<String>,
    /// Grids of sample cells that tell how well a material is mixed with all others: index of Lacey, and what it follows from, in series.csv.
    #[serde(default)]
    pub mixing: Vec<MixingScene>,
    /// Whether the picture and the plots are drawn at the end; `dem render` and `dem plot` draw them later. Default: yes.
    pub pictures: Option<bool>,
    /// The picture at the end.
    #[serde(default)]
    pub picture: PictureScene,
}

/// What is written of contacts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected true, false or a list of contacts such as [[3, 17], [3, \"floor\"]]")]
pub enum ContactsScene {
    /// Whether they are written to the snapshots.
    Snapshots(bool),
    /// Those that are followed, too.
    Chosen(Vec<ChosenContactScene>),
}

impl OutputScene {
    /// Whether contacts are written to the snapshots.
    pub fn contacts_in_snapshots(&self) -> bool {
        !matches!(self.contacts, Some(ContactsScene::Snapshots(false)))
    }
}

/// A contact: id of a particle, and id of another or name of a wall.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ChosenContactScene(pub u64, pub BodyScene);

/// Particle or wall.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum BodyScene {
    /// Id of a particle.
    Particle(u64),
    /// Name of a wall.
    Wall(String),
}

/// A part of space that is measured.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasuredRegionScene {
    /// Name, unique among the regions; part of the names of its columns.
    pub name: String,
    /// Where it is. Along periodic axes it lies in the domain.
    pub region: RegionScene,
}

/// Sample cells for the mixing of a material with all others.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MixingScene {
    /// Name, unique among the grids; part of the names of its columns.
    pub name: String,
    /// Material whose share by number is taken in every cell.
    pub reference: String,
    /// Cells along x, y and z. The index depends on their size: some 10 to 50 particles a cell are usual.
    pub cells: [u64; 3],
    /// Where particles count; the grid spans the box around it. Default: the whole domain.
    pub region: Option<RegionScene>,
}

/// Pressure, shear and mobilised friction of a wall in bins, averaged over time.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WallProbeScene {
    /// Name of the wall.
    pub wall: String,
    /// Face of a box.
    pub face: Option<BoxFace>,
    /// Bins of equal width: along the axis of a cylinder, frustum or sphere, from the axis of a disc or plane outwards, along `edge_u` of a
    /// rectangle, upwards on the side of a box, along x on its floor.
    pub bins: u64,
    /// Equal angles about the axis, from x, or from y about an axis along x. Default: 1.
    pub sectors: Option<u64>,
    /// Where the bins begin. Default: at the lower end of the wall, at the axis of a plane.
    pub from: Option<Quantity<Length>>,
    /// Where they end. Default: at the other end of the wall.
    pub to: Option<Quantity<Length>>,
}

/// Pressure, shear and wear of the facets of a mesh.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WallFacetsScene {
    /// Name of the wall, which is a mesh.
    pub wall: String,
    /// Wear by particles that slide. Default: none.
    pub archard: Option<ArchardScene>,
    /// Wear by impacts. Default: none.
    pub finnie: Option<FinnieScene>,
}

/// Wear by sliding after Archard: the volume k F s/H under the normal force F over the sliding distance s.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArchardScene {
    /// Wear coefficient k.
    pub coefficient: Quantity<Ratio>,
    /// Hardness H of the wall.
    pub hardness: Quantity<Pressure>,
}

/// Wear by impacts after Finnie: the volume c m v² f(α) of a particle of the mass m that comes with the speed v at the angle α to the surface.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FinnieScene {
    /// Volume c that is worn per energy m v² f(α): the inverse of four times the flow stress of the wall, as an order of magnitude.
    pub coefficient: Quantity<WearCoefficient>,
}

/// The picture at the end of a run; `dem render` makes others.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PictureScene {
    /// Field that colours the spheres: height, speed, or a column of the snapshots. Default: height.
    #[serde(alias = "color")]
    pub colour: Option<String>,
    /// Angle of the eye about the vertical; 0 looks from the +x side. Default: -60 deg.
    pub azimuth: Option<Quantity<Angle>>,
    /// Angle of the eye above the horizontal. Default: 20 deg.
    pub elevation: Option<Quantity<Angle>>,
    /// Magnification. Default: 1.
    pub zoom: Option<Quantity<Ratio>>,
    /// Point in the middle of the picture. Default: the middle of everything.
    pub look_at: Option<LengthVector>,
    /// Parallel projection. Default: no.
    #[serde(default)]
    pub orthographic: bool,
    /// Show only what lies behind this plane (point and normal).
    pub cut: Option<CutScene>,
}

/// A cut plane.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CutScene {
    /// A point of the plane.
    pub point: LengthVector,
    /// Normal towards the side that is taken away.
    pub normal: [f64; 3],
}
