//! Which files of other codes are read.

/// A format of particles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForeignFormat {
    /// Data file of LAMMPS (`write_data`) with particles of finite size.
    LammpsData,
    /// Text dump of LAMMPS and LIGGGHTS.
    LammpsDump,
    /// Extended XYZ.
    ExtendedXyz,
    /// Text of `export.text` and `export.textExt` of Yade.
    Yade,
    /// `.data` of MercuryDPM in three dimensions.
    Mercury,
    /// Balls of PFC: commands `ball create`, or a table with a header.
    Pfc,
}

impl ForeignFormat {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::LammpsData, Self::LammpsDump, Self::ExtendedXyz, Self::Yade, Self::Mercury, Self::Pfc];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LammpsData => "lammps-data",
            Self::LammpsDump => "lammps-dump",
            Self::ExtendedXyz => "xyz",
            Self::Yade => "yade",
            Self::Mercury => "mercury",
            Self::Pfc => "pfc",
        }
    }

    /// The format of a name; dumps of LIGGGHTS are those of LAMMPS.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "liggghts-dump" {
            return Some(Self::LammpsDump);
        }
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// All names, for messages.
    #[must_use]
    pub fn names() -> String {
        let names: Vec<&str> = Self::ALL.into_iter().map(Self::name).collect();
        names.join(", ")
    }
}
