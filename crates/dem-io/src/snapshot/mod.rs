//! Snapshots: what a run records for analysis and pictures, in one file that VTK, ParaView and
//! any HDF5 reader open, also while the run goes on.
//!
//! # Layout
//!
//! | object | content |
//! |---|---|
//! | `/VTKHDF` | temporal VTKHDF 2.3 PolyData: the particles as points, one vertex each; or lines or triangles, which the attribute `cells` names |
//! | `/VTKHDF/Points`, `/VTKHDF/PointData/<column>` | rows of all frames |
//! | `/VTKHDF/Steps/PointOffsets`, `/VTKHDF/NumberOfPoints` | first row and count of rows of each frame in the above |
//! | `/<table>/<column>` | rows of all frames |
//! | `/<table>/frame_offsets`, `/<table>/frame_rows` | first row and count of rows of each frame in the above |
//! | `/frames/step`, `/frames/time`, `/frames/<field>` | one number for each frame |
//! | `/metadata` | the texts given at creation, as attributes |
//!
//! Every dataset has the attributes `unit` and `meaning`; groups with columns have `columns`,
//! their names in order. Columns are compressed with shuffle and gzip 1, which every HDF5
//! installation reads; planes of bytes that hardly shrink are in blocks that deflate stores. A frame begins at a chunk boundary, so **there may be zero rows between
//! frames**: take `column[offset : offset + rows]`, as in
//! `f["contacts/force"][offset : offset + rows]` with h5py.
//!
//! # What a crash leaves
//!
//! The file is open only during an append. Column data of earlier frames are never written again,
//! because every frame has chunks of its own; the structure keeps its place, because a new file is
//! rewritten until it does; and the rows that make a frame exist come last. Then whatever
//! part of an append was carried out, the earlier frames are complete. Measured on Linux, ext4,
//! with frames of 700 (killed at each write) or 5,000 particles, two tables and a field:
//!
//! | scheme | experiment | frames lost |
//! |---|---|---|
//! | append in place, structure as the library leaves it | killed at each of the 173 writes of the second append | all, at 21 of the 173 |
//! | append in place, settled structure (this one) | killed at each of the 199, 190 and 226 writes of the append after 1, 20 and 36 frames; read with this crate, h5py 3.16 and VTK 9.7.2 | none |
//! | the same | 200 kills at random instants during 3,746 appends (`examples/kill_during_output.rs`) | none |
//! | writer of the SWMR protocol | killed once | none, but h5py opens the file only in SWMR mode, during the run and after the kill |
//!
//! Since these counts every frame has the offsets of its cells, too, in chunks of its own: 100 kills at random instants during 1,965 appends
//! lost none. Since chunks are written one by one, some of their bytes stored, 150 kills during 2,163 appends of 5,000 particles lost none.
//!
//! One file a frame is as safe, and was not taken because one file can be had. Not covered: a
//! write that covers two pages of memory can be cut between them by a kill, and a loss of power
//! during an append can bring any part of its writes to the disk; the changed structure may then
//! fail its checksum. Neither happened in the kills above.
//!
//! A reader that opens the file within the milliseconds of an append can see a mixture. With
//! appends back to back, h5py gave an error in 4 of 1,624 opens and VTK an incomplete last frame
//! in 1 of 5,422; opening again helps. VTK does not check what it reads: while appends were one
//! session of the library instead of two (`placement.rs`), it ended with a damaged heap in each of
//! 5 trials of up to 15 s.
//!
//! With the feature `hdf5-c` the same files are written through the C library, on whose ways `hdf5/c_library.rs` relies: 324 kills, one at
//! each write and change of length of the append after 5, 21 and 38 frames of 700 particles, lost no earlier frame (HDF5 1.10.8, read with
//! h5py 3.16), and every file was continued.
//!
//! An append takes 10 ms for 5,000 particles and 150 ms for 100,000 (192 bytes a particle with its
//! contacts, `opt-level` 2, 2 cores), sync included.

mod claims;
#[cfg(all(test, feature = "hdf5-c"))]
mod cross_tests;
mod frame;
mod hdf5;
mod image;
mod layout;
mod placement;
mod reader;
mod schema;
mod writer;

pub use frame::{Cells, Column, ColumnData, ColumnSpec, Element, Frame, Table};
pub use image::{CellField, GridFields, write_grid_fields};
pub use reader::{FrameInfo, SnapshotReader};
pub use writer::{SnapshotWriter, truncate_after};
