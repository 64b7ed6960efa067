//! Which programs' files are read.

/// A format of clumps in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClumpFormat {
    /// Spheres of `fix particletemplate/multisphere` of LIGGGHTS.
    Liggghts,
    /// Clumps of DEM-Engine (Project Chrono).
    DemEngine,
    /// Molecule templates of LAMMPS, of finite spheres.
    LammpsMolecule,
    /// Text of `export.textClumps` and `export.text` of Yade.
    Yade,
}

impl ClumpFormat {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Liggghts, Self::DemEngine, Self::LammpsMolecule, Self::Yade];

    /// Its name in scenes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Liggghts => "liggghts",
            Self::DemEngine => "dem-engine",
            Self::LammpsMolecule => "lammps-molecule",
            Self::Yade => "yade",
        }
    }

    /// The format of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}
