//! The constants in which implementations differ.

use std::ffi::c_int;

/// An implementation of MPI, or the binary interface that several share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Family {
    /// Name for people.
    pub name: &'static str,
    /// `MPI_COMM_WORLD`.
    pub world: Handle,
    /// `MPI_BYTE`.
    pub byte: Handle,
    /// `MPI_STATUS_IGNORE`.
    pub no_status: usize,
    /// `MPI_THREAD_SERIALIZED`.
    pub serialized: c_int,
}

/// A handle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Handle {
    /// A number.
    Word(usize),
    /// Address of an object of the library, by its name.
    Symbol(&'static [u8]),
}

/// Open MPI since 1.7: handles are addresses.
pub(super) const OPEN_MPI: Family = Family {
    name: "Open MPI",
    world: Handle::Symbol(b"ompi_mpi_comm_world\0"),
    byte: Handle::Symbol(b"ompi_mpi_byte\0"),
    no_status: 0,
    serialized: 2,
};

/// MPICH, Intel MPI, MVAPICH, Cray MPICH: the MPICH ABI Compatibility Initiative of 2013.
pub(super) const MPICH: Family = Family {
    name: "MPICH",
    world: Handle::Word(0x4400_0000),
    byte: Handle::Word(0x4c00_010d),
    no_status: 1,
    serialized: 2,
};

/// The standard ABI of MPI 5.0, chapter 20.
pub(super) const STANDARD: Family = Family {
    name: "standard ABI of MPI 5",
    world: Handle::Word(0x101),
    byte: Handle::Word(0x247),
    no_status: 0,
    serialized: 2048,
};
