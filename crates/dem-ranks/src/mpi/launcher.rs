//! Who has started this process, and which library belongs to it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Variable of the environment that names the library, or says that there is none to be used.
pub const LIBRARY: &str = "DEM_MPI";
/// Its value for a process that a rank of another program has started, and that is none itself.
pub const NONE: &str = "none";

/// A launcher of MPI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    /// The variable of the environment by which it is known.
    pub variable: &'static str,
    /// How many processes it has started, if it says so.
    pub size: Option<usize>,
    /// Whether it is that of Open MPI.
    is_open_mpi: bool,
    /// What the user names.
    named: Option<OsString>,
    /// Folders of libraries beside launchers.
    folders: Vec<PathBuf>,
}

/// Variables that say the number of a rank, those that say how many there are, and whether they are of Open MPI. What batch systems set in the
/// environment of scripts, too, such as SLURM_PROCID, is not among them.
const VARIABLES: &[(&str, Option<&str>, bool)] = &[
    ("OMPI_COMM_WORLD_RANK", Some("OMPI_COMM_WORLD_SIZE"), true),
    ("PMI_RANK", Some("PMI_SIZE"), false),
    ("MV2_COMM_WORLD_RANK", Some("MV2_COMM_WORLD_SIZE"), false),
    ("PALS_RANKID", None, false),
    ("PMIX_RANK", None, false),
];

/// The launcher that has started this process, if one has.
pub fn find() -> Option<Launcher> {
    find_in(|name| std::env::var_os(name))
}

fn find_in(variable: impl Fn(&str) -> Option<OsString>) -> Option<Launcher> {
    let named = variable(LIBRARY);
    if named.as_ref().is_some_and(|named| named == NONE) {
        return None;
    }
    let (rank, size, is_open_mpi) = VARIABLES.iter().find(|(rank, ..)| variable(rank).is_some())?;
    let size = size.and_then(&variable).and_then(|size| size.to_str()?.parse().ok());
    let folders = variable("PATH").map(|path| {
        let launchers = std::env::split_paths(&path).filter(|folder| folder.join("mpiexec").exists());
        launchers.filter_map(|folder| Some(folder.parent()?.join("lib"))).collect()
    });
    Some(Launcher { variable: rank, size, is_open_mpi: *is_open_mpi, named, folders: folders.unwrap_or_default() })
}

impl Launcher {
    /// Libraries to try, in this order.
    pub(super) fn libraries(&self) -> Vec<OsString> {
        if let Some(named) = &self.named {
            return vec![named.clone()];
        }
        let open_mpi: &[&str] = &["libmpi.so.40", "libmpi.so"];
        let others: &[&str] = &["libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi.so.12", "libmpi.so"];
        let names = if self.is_open_mpi { open_mpi } else { others };
        let beside = |folder: &PathBuf| names.iter().map(|name| folder.join(name)).collect::<Vec<PathBuf>>();
        let found = self
            .folders
            .iter()
            .flat_map(beside)
            .filter(|path: &PathBuf| Path::exists(path))
            .map(PathBuf::into_os_string);
        found.chain(names.iter().map(OsString::from)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Option<Launcher> {
        find_in(|name| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value)))
    }

    #[test]
    fn launchers_are_known_by_what_they_set() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("SLURM_PROCID", "0"), ("SLURM_NTASKS", "8")]), None, "the script of a batch job");
        let open_mpi = of(&[("PMIX_RANK", "1"), ("OMPI_COMM_WORLD_RANK", "1"), ("OMPI_COMM_WORLD_SIZE", "4")]).unwrap();
        assert_eq!((open_mpi.variable, open_mpi.size), ("OMPI_COMM_WORLD_RANK", Some(4)));
        assert_eq!(open_mpi.libraries(), ["libmpi.so.40", "libmpi.so"]);
        let mpich = of(&[("PMI_RANK", "0"), ("PMI_SIZE", "2")]).unwrap();
        assert_eq!((mpich.size, mpich.libraries()[2].as_os_str()), (Some(2), "libmpi.so.12".as_ref()));
        let named = of(&[("PMI_RANK", "0"), ("DEM_MPI", "/opt/libmpi.so")]).unwrap();
        assert_eq!(of(&[("PMI_RANK", "0"), ("DEM_MPI", "none")]), None);
        assert_eq!((named.size, named.libraries()), (None, vec![OsString::from("/opt/libmpi.so")]));
    }
}
