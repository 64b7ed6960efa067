//! Which files of other codes are read, and how they are told apart.

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

/// How many numbers a line is made of, nothing if it holds anything else.
fn numbers_in(line: &[u8]) -> Option<usize> {
    let mut count = 0;
    for field in line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()) {
        std::str::from_utf8(field).ok()?.parse::<f64>().ok()?;
        count += 1;
    }
    Some(count)
}

/// The format of a text by its first lines, `None` if no format fits or several do.
pub(super) fn detect(head: &[Vec<u8>]) -> Option<ForeignFormat> {
    let line = |number: usize| head.get(number).map_or(&b""[..], |line| line.trim_ascii());
    let filled: Vec<&[u8]> = head.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty()).collect();
    let first = filled.first()?;
    if first.starts_with(b"ITEM:") {
        return Some(ForeignFormat::LammpsDump);
    }
    if filled.iter().any(|line| line.starts_with(b"#format")) {
        return Some(ForeignFormat::Yade);
    }
    let holds = |text: &[u8], word: &[u8]| text.windows(word.len()).any(|window| window == word);
    if numbers_in(line(0)) == Some(1) && holds(line(1), b"Properties=") {
        return Some(ForeignFormat::ExtendedXyz);
    }
    let ends = |words: &[u8]| filled.iter().any(|line| line.ends_with(words) && line.len() > words.len());
    if ends(b" atoms") && ends(b" xlo xhi") {
        return Some(ForeignFormat::LammpsData);
    }
    // a header of count, time and six bounds, or of four bounds in two dimensions, which is refused by name
    if matches!(numbers_in(first), Some(8 | 6))
        && filled.get(1).is_some_and(|row| matches!(numbers_in(row), Some(14 | 8)))
    {
        return Some(ForeignFormat::Mercury);
    }
    super::pfc::is_likely(&filled).then_some(ForeignFormat::Pfc)
}
