//! What is summed of the facets of meshes.

use bytemuck::{Pod, Zeroable};
use dem_core::DVec3;
use serde::{Deserialize, Serialize};

use super::wear::Wear;

/// What is summed of a contact of a particle with a facet at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacetContact {
    /// Number of the wall among those whose facets are known.
    pub surface: u32,
    /// Facet of its mesh.
    pub facet: u32,
    /// Identity of the particle, and the feature of the wall: together they order the contacts of a facet.
    pub key: (u64, u32),
    /// Normal force, positive in compression \[N\].
    pub normal: f64,
    /// Tangential force on the wall in its body frame \[N\].
    pub tangential_in_body: DVec3,
    /// Normal force times sliding speed \[W\].
    pub sliding: f64,
    /// Energy that cuts, if the step is the first of the contact \[J\].
    pub cutting: Option<f64>,
}

/// The same as a message to the part of the assembly that sums.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Told {
    surface: u32,
    facet: u32,
    particle: u64,
    feature: u32,
    begins: u32,
    normal: f64,
    tangential_in_body: DVec3,
    sliding: f64,
    cutting: f64,
}

/// Words of such a message.
const WORDS: usize = size_of::<Told>() / size_of::<u64>();

impl FacetContact {
    /// What orders contacts: sums over them depend on no other order.
    pub(crate) fn order(&self) -> (u32, u32, (u64, u32)) {
        (self.surface, self.facet, self.key)
    }

    /// As a message.
    pub(crate) fn to_words(self) -> [u64; WORDS] {
        let Self { surface, facet, key: (particle, feature), normal, tangential_in_body, sliding, cutting } = self;
        let (begins, cutting) = (u32::from(cutting.is_some()), cutting.unwrap_or(0.0));
        let told = Told { surface, facet, particle, feature, begins, normal, tangential_in_body, sliding, cutting };
        bytemuck::cast(told)
    }

    /// From messages, one after the other.
    pub(crate) fn all_of(words: &[u64]) -> impl Iterator<Item = Self> {
        words.as_chunks::<WORDS>().0.iter().map(|words| {
            let told: Told = bytemuck::cast(*words);
            let Told { surface, facet, normal, tangential_in_body, sliding, .. } = told;
            let key = (told.particle, told.feature);
            let cutting = (told.begins != 0).then_some(told.cutting);
            Self { surface, facet, key, normal, tangential_in_body, sliding, cutting }
        })
    }
}

/// What is summed of a facet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FacetRecord {
    /// Normal forces times time since the last frame \[N s\].
    pub normal: f64,
    /// Tangential forces on it times time since the last frame, in the body frame of the wall \[N s\].
    pub tangential: DVec3,
    /// Volume that sliding has worn so far \[m³\].
    pub archard: f64,
    /// Volume that impacts have worn so far \[m³\].
    pub finnie: f64,
    /// Impacts so far.
    pub impacts: u64,
}

/// What is summed of the facets of a wall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WallRecords {
    /// Number of the wall.
    pub wall: usize,
    /// What wears it.
    pub wear: Wear,
    /// Its facets, in the order of the mesh.
    pub facets: Vec<FacetRecord>,
}

/// What a checkpoint keeps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedFacets {
    walls: Vec<WallRecords>,
    /// Time since the last frame \[s\].
    window: f64,
}

impl SavedFacets {
    /// Whether all numbers can be gone on with.
    pub(crate) fn is_sound(&self) -> bool {
        let numbers = |record: &FacetRecord| {
            let [x, y, z] = record.tangential.to_array();
            [record.normal, x, y, z, record.archard, record.finnie].iter().all(|number| number.is_finite())
                && record.impacts < 1 << 53
        };
        self.window >= 0.0 && self.window.is_finite() && self.walls.iter().flat_map(|wall| &wall.facets).all(numbers)
    }
}

/// The meshes of a world whose facets are known. Of several parts of an assembly the first one sums; what others have is never looked at.
#[derive(Clone, Debug, Default)]
pub struct WallFacets {
    state: SavedFacets,
}

impl WallFacets {
    /// Records of some walls, given the number of facets of each.
    pub fn new(walls: impl IntoIterator<Item = (usize, Wear, usize)>) -> Self {
        let records = |(wall, wear, facets)| WallRecords { wall, wear, facets: vec![FacetRecord::default(); facets] };
        Self { state: SavedFacets { walls: walls.into_iter().map(records).collect(), window: 0.0 } }
    }

    /// Whether there are none.
    pub fn is_idle(&self) -> bool {
        self.state.walls.is_empty()
    }

    /// Those of each wall.
    pub fn walls(&self) -> &[WallRecords] {
        &self.state.walls
    }

    /// Time since the last frame \[s\].
    pub fn window(&self) -> f64 {
        self.state.window
    }

    /// Adds the contacts of a state that lasted for `length` \[s\], in the order of facets and keys.
    pub(crate) fn add(&mut self, contacts: impl IntoIterator<Item = FacetContact>, length: f64) {
        self.state.window += length;
        for contact in contacts {
            let Some(wall) = self.state.walls.get_mut(contact.surface as usize) else { continue };
            let Some(record) = wall.facets.get_mut(contact.facet as usize) else { continue };
            record.normal += contact.normal * length;
            record.tangential += contact.tangential_in_body * length;
            record.archard += wall.wear.archard.map_or(0.0, |share| share * contact.sliding * length);
            if let (Some(energy), Some(coefficient)) = (contact.cutting, wall.wear.finnie) {
                record.finnie += coefficient * energy;
                record.impacts += 1;
            }
        }
    }

    /// Begins new means, after a frame.
    pub(crate) fn begin_window(&mut self) {
        self.state.window = 0.0;
        for record in self.state.walls.iter_mut().flat_map(|wall| &mut wall.facets) {
            (record.normal, record.tangential) = (0.0, DVec3::ZERO);
        }
    }

    /// What a checkpoint keeps.
    pub(crate) fn state(&self) -> &SavedFacets {
        &self.state
    }

    /// Goes on from a checkpoint. Returns the numbers of the walls that begin anew, because the checkpoint has others or other wear of them; if any does,
    /// so do all means.
    pub(crate) fn resume(&mut self, saved: SavedFacets) -> Vec<usize> {
        let mut anew = Vec::new();
        let window = saved.window;
        let mut saved = saved.walls;
        for own in &mut self.state.walls {
            let same = |other: &&mut WallRecords| {
                other.wall == own.wall && other.wear == own.wear && other.facets.len() == own.facets.len()
            };
            match saved.iter_mut().find(same) {
                Some(other) => std::mem::swap(own, other),
                None => anew.push(own.wall),
            }
        }
        self.state.window = window;
        if !anew.is_empty() {
            self.begin_window();
        }
        anew
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(facet: u32, normal: f64) -> FacetContact {
        FacetContact {
            surface: 0,
            facet,
            key: (0, 0),
            normal,
            tangential_in_body: DVec3::X,
            sliding: normal,
            cutting: Some(2.0),
        }
    }

    #[test]
    fn contacts_are_the_same_elsewhere() {
        let begins =
            FacetContact { key: (u64::MAX, 7), surface: 3, tangential_in_body: DVec3::NEG_Z, ..contact(9, -0.0) };
        let contacts = [begins, FacetContact { cutting: None, ..contact(u32::MAX, 1.5) }];
        let words: Vec<u64> = contacts.into_iter().flat_map(FacetContact::to_words).collect();
        assert_eq!(FacetContact::all_of(&words).collect::<Vec<_>>(), contacts);
    }

    #[test]
    fn means_begin_anew_with_a_frame_and_wear_goes_on() {
        let wear = Wear { archard: Some(0.5), finnie: Some(3.0) };
        let mut facets = WallFacets::new([(4, wear, 2)]);
        facets.add([contact(1, 10.0)], 0.25);
        facets.add([contact(1, 2.0)], 0.5);
        let expected =
            FacetRecord { normal: 3.5, tangential: DVec3::X * 0.75, archard: 1.75, finnie: 12.0, impacts: 2 };
        assert_eq!((facets.window(), facets.walls()[0].facets[1]), (0.75, expected));
        assert_eq!(facets.walls()[0].facets[0], FacetRecord::default());
        facets.begin_window();
        let expected = FacetRecord { normal: 0.0, tangential: DVec3::ZERO, ..expected };
        assert_eq!((facets.window(), facets.walls()[0].facets[1]), (0.0, expected));
    }

    #[test]
    fn records_go_on_under_the_wear_that_they_had() {
        let wear = Wear { archard: Some(0.5), finnie: None };
        let mut old = WallFacets::new([(1, wear, 2), (2, wear, 3)]);
        old.add([contact(1, 10.0)], 0.25);
        let resumed = |walls: &[(usize, Wear, usize)]| {
            let mut new = WallFacets::new(walls.iter().copied());
            let anew = new.resume(old.state().clone());
            (new, anew)
        };
        let (same, anew) = resumed(&[(1, wear, 2), (2, wear, 3)]);
        assert_eq!((same.state(), anew.as_slice()), (old.state(), [].as_slice()));
        // in another order, without the second
        let (fewer, anew) = resumed(&[(1, wear, 2)]);
        assert_eq!((fewer.walls(), anew.as_slice()), (&old.walls()[..1], [].as_slice()));
        let (other, anew) = resumed(&[(2, wear, 3), (1, Wear::default(), 2)]);
        assert_eq!(anew, [1]);
        assert_eq!((other.window(), other.walls()[1].facets[1]), (0.0, FacetRecord::default()));
    }

    #[test]
    fn states_with_impossible_numbers_are_known() {
        let mut facets = WallFacets::new([(0, Wear::default(), 1)]);
        assert!(facets.state().is_sound());
        facets.state.walls[0].facets[0].archard = f64::NAN;
        assert!(!facets.state().is_sound());
        facets.state.walls[0].facets[0] = FacetRecord { impacts: u64::MAX, ..FacetRecord::default() };
        assert!(!facets.state().is_sound());
    }
}
