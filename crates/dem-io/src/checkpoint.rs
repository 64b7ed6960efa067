//! Checkpoints: the complete state of a run as named, checksummed sections.
//!
//! Layout, all integers little-endian:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `DEMCKPT` and a zero |
//! | 4 | format version, [`FORMAT_VERSION`] |
//! | 4 | count of sections |
//! | 8 | length of the section table in bytes |
//! | 16 | xxh3-128 of all bytes before this field followed by the section table |
//! | ... | section table: for each section u16 length of the name, the name, u64 size of an element, u64 count of elements, u64 offset of the payload from the start of the file, 16 bytes xxh3-128 of the payload |
//! | ... | payloads back to back in the order of the table |
//!
//! Equal sections give equal bytes: there is no time stamp, no padding and no unordered container.
//! The reader checks everything before it hands out anything, and allocates nothing that the
//! length of the bytes does not justify.

use std::fmt;
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::Path;

use bytemuck::Pod;
use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::atomic;
use crate::codec;
use crate::error::{Error, Result};
use crate::regular_file;

/// Version of the layout of the container and of what its sections hold.
///
/// | version | difference from the one before |
/// |---|---|
/// | 1 | |
/// | 2 | the energy balance before the first step is part of the section `run`; there is a section `engine` |
/// | 3 | the names of materials are part of the state; the fingerprint of the scene leaves out limits and ends |
/// | 4 | the works of parted contacts have that of changes of the tangential stiffness; records of Hertz–Mindlin contacts have it, too |
/// | 5 | the header has what time is counted from; there are sections `fields` and `provenance`; histories name the fields of their records |
///
/// Whoever changes what a section holds counts it up and adds a line. A test holds a checkpoint of each version against this engine: that
/// of the present one must be read, and written again with the same bytes.
pub const FORMAT_VERSION: u32 = 6;

const MAGIC: [u8; 8] = *b"DEMCKPT\0";
/// Bytes before the section table.
const HEADER: usize = 8 + 4 + 4 + 8 + 16;
/// Bytes of the header covered by its checksum.
const CHECKED_HEADER: usize = HEADER - 16;
/// Bytes of a table entry beside the name.
const ENTRY: usize = 2 + 8 + 8 + 8 + 16;
/// Longest name of a section in bytes.
const MAX_NAME: usize = 255;

// Columns are stored as they lie in memory, which is only little-endian where the machine is.
#[cfg(target_endian = "big")]
compile_error!("checkpoints are stored as little-endian memory images");

/// One row of the section table.
#[derive(Debug, Clone)]
struct Section {
    name: String,
    element_size: u64,
    count: u64,
    /// From the start of the payloads while writing, of the file while reading.
    offset: u64,
    checksum: u128,
}

/// Writes the payload of a section.
type Payload<'a> = Box<dyn Fn(&mut dyn Write) -> io::Result<()> + 'a>;

/// Collects sections into a checkpoint. Large ones are made when they are written: all together would be the most memory that a run needs.
#[derive(Default)]
pub struct CheckpointWriter<'a> {
    /// Names, sizes of elements and payloads.
    sections: Vec<(String, usize, Payload<'a>)>,
}

impl fmt::Debug for CheckpointWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.sections.iter().map(|(name, size, _)| (name, size));
        f.debug_tuple("CheckpointWriter").field(&names.collect::<Vec<_>>()).finish()
    }
}

impl<'a> CheckpointWriter<'a> {
    /// A checkpoint without sections.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds raw bytes.
    ///
    /// # Errors
    /// [`Error::CheckpointSection`] if the name is taken, empty or longer than 255 bytes.
    pub fn section_bytes(&mut self, name: &str, bytes: &[u8]) -> Result<&mut Self> {
        self.add(name, 1, bytes.to_vec())
    }

    /// Adds bytes that are written when the checkpoint is.
    ///
    /// # Errors
    /// As [`Self::section_bytes`].
    pub fn section_written(
        &mut self,
        name: &str,
        write: impl Fn(&mut dyn Write) -> io::Result<()> + 'a,
    ) -> Result<&mut Self> {
        self.push(name, 1, Box::new(write))
    }

    /// Adds a structure that is encoded when the checkpoint is written.
    ///
    /// # Errors
    /// As [`Self::section_bytes`].
    pub fn section_encoded<T: Serialize + 'a>(&mut self, name: &str, value: T) -> Result<&mut Self> {
        self.section_written(name, move |out| codec::encode_into(&value, out))
    }

    /// Adds a column as it lies in memory; every bit survives, NaN payloads included.
    ///
    /// # Errors
    /// As [`Self::section_bytes`], and for elements of size 0.
    pub fn section_columns<T: Pod>(&mut self, name: &str, values: &[T]) -> Result<&mut Self> {
        if size_of::<T>() == 0 {
            return Err(refuse(name, "elements of size 0 cannot be stored"));
        }
        self.add(name, size_of::<T>(), bytemuck::cast_slice(values).to_vec())
    }

    /// Adds a structure through serde.
    ///
    /// # Errors
    /// As [`Self::section_bytes`], and [`Error::Codec`] if the value cannot be encoded.
    pub fn section_struct<T: Serialize>(&mut self, name: &str, value: &T) -> Result<&mut Self> {
        let bytes = codec::encode(value).map_err(|reason| Error::Codec { section: name.to_owned(), reason })?;
        self.add(name, 1, bytes)
    }

    fn add(&mut self, name: &str, element_size: usize, bytes: Vec<u8>) -> Result<&mut Self> {
        self.push(name, element_size, Box::new(move |out| out.write_all(&bytes)))
    }

    fn push(&mut self, name: &str, element_size: usize, payload: Payload<'a>) -> Result<&mut Self> {
        if name.is_empty() || name.len() > MAX_NAME {
            return Err(refuse(name, "a name has 1 to 255 bytes"));
        }
        if self.sections.iter().any(|(other, ..)| other == name) {
            return Err(refuse(name, "the name is taken"));
        }
        self.sections.push((name.to_owned(), element_size, payload));
        Ok(self)
    }

    /// The bytes of the checkpoint.
    ///
    /// # Errors
    /// [`Error::Codec`] if a value cannot be encoded.
    pub fn finish(&self) -> Result<Vec<u8>> {
        let mut bytes = io::Cursor::new(Vec::new());
        self.write_to(&mut bytes, Path::new("memory"))?;
        Ok(bytes.into_inner())
    }

    /// Writes the checkpoint to an empty file, whose path errors name; little of it is in memory at any time.
    ///
    /// # Errors
    /// [`Error::System`] if the file cannot be written, [`Error::Codec`] if a value cannot be encoded.
    pub fn write_to(&self, out: &mut (impl Write + Seek), path: &Path) -> Result<()> {
        let write = || Error::system("write", path);
        let table_length: usize = self.sections.iter().map(|(name, ..)| ENTRY + name.len()).sum();
        // the header describes everything behind it and comes last
        let mut offset = (HEADER + table_length) as u64;
        out.seek(SeekFrom::Start(offset)).map_err(write())?;
        let mut table = Vec::with_capacity(table_length);
        for (name, element_size, payload) in &self.sections {
            let mut checked = Checked::new(&mut *out);
            let written = payload(&mut checked).and_then(|()| checked.finish());
            let (length, checksum) = written.map_err(|error| match error.kind() {
                ErrorKind::InvalidData => Error::Codec { section: name.clone(), reason: error.to_string() },
                _ => Error::system("write", path)(error),
            })?;
            // Names are at most 255 bytes long.
            table.extend_from_slice(&(name.len() as u16).to_le_bytes());
            table.extend_from_slice(name.as_bytes());
            table.extend_from_slice(&(*element_size as u64).to_le_bytes());
            table.extend_from_slice(&(length / *element_size as u64).to_le_bytes());
            table.extend_from_slice(&offset.to_le_bytes());
            table.extend_from_slice(&checksum.to_le_bytes());
            offset += length;
        }
        let mut bytes = Vec::with_capacity(HEADER + table_length);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        bytes.extend_from_slice(&(self.sections.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&(table_length as u64).to_le_bytes());
        bytes.extend_from_slice(&header_checksum(&bytes, &table).to_le_bytes());
        bytes.extend_from_slice(&table);
        out.seek(SeekFrom::Start(0)).and_then(|_| out.write_all(&bytes)).map_err(write())
    }

    /// Writes the checkpoint so that `path` holds either what it held before or all of it.
    ///
    /// # Errors
    /// [`Error::System`] if the file cannot be written.
    pub fn write_atomically(&self, path: &Path) -> Result<()> {
        atomic::write_atomically(path, &self.finish()?)
    }
}

/// Bytes on their way to where they are written, some at a time, with their number and checksum.
struct Checked<'a> {
    out: &'a mut dyn Write,
    waiting: Vec<u8>,
    length: u64,
    hasher: Xxh3,
}

impl<'a> Checked<'a> {
    /// Bytes that wait until they are written together.
    const WAITING: usize = 1 << 16;

    fn new(out: &'a mut dyn Write) -> Self {
        Self { out, waiting: Vec::with_capacity(Self::WAITING), length: 0, hasher: Xxh3::new() }
    }

    /// Number and checksum of all bytes, once they are written.
    fn finish(mut self) -> io::Result<(u64, u128)> {
        self.flush()?;
        Ok((self.length, self.hasher.digest128()))
    }

    fn pass_on(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.length += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

impl Write for Checked<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.waiting.len() + bytes.len() > Self::WAITING {
            self.flush()?;
        }
        if bytes.len() < Self::WAITING {
            self.waiting.extend_from_slice(bytes);
        } else {
            self.pass_on(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut waiting = std::mem::take(&mut self.waiting);
        let passed = self.pass_on(&waiting);
        waiting.clear();
        self.waiting = waiting;
        passed
    }
}

/// A checkpoint that passed every check.
#[derive(Debug)]
pub struct CheckpointReader {
    bytes: Vec<u8>,
    sections: Vec<Section>,
}

impl CheckpointReader {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// [`Error::System`] if it cannot be read, else as [`Self::from_bytes`].
    pub fn open(path: &Path) -> Result<Self> {
        Self::from_bytes(regular_file::read(path).map_err(Error::system("read", path))?)
    }

    /// Checks the mark, the version, the section table and the checksum of every section.
    ///
    /// # Errors
    /// [`Error::NotACheckpoint`], [`Error::CheckpointVersion`], [`Error::CheckpointTruncated`],
    /// [`Error::CheckpointHeader`] or [`Error::CheckpointChecksum`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        let sections = read_table(&bytes)?;
        for section in &sections {
            if xxh3_128(payload(&bytes, section)) != section.checksum {
                return Err(Error::CheckpointChecksum { section: section.name.clone() });
            }
        }
        Ok(Self { bytes, sections })
    }

    /// Whether there is a section of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.sections.iter().any(|section| section.name == name)
    }

    /// Names of the sections in the order they were added.
    pub fn section_names(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(|section| section.name.as_str())
    }

    /// Payload of a section of any kind.
    ///
    /// # Errors
    /// [`Error::CheckpointSectionMissing`].
    pub fn bytes(&self, name: &str) -> Result<&[u8]> {
        Ok(payload(&self.bytes, self.section(name)?))
    }

    /// Column of a section added with [`CheckpointWriter::section_columns`].
    ///
    /// # Errors
    /// [`Error::CheckpointSectionMissing`]; [`Error::CheckpointSection`] if the elements in the
    /// file have another size than `T`.
    pub fn columns<T: Pod>(&self, name: &str) -> Result<Vec<T>> {
        let section = self.section(name)?;
        let wanted = size_of::<T>();
        if wanted == 0 || section.element_size != wanted as u64 {
            let found = section.element_size;
            return Err(refuse(name, &format!("elements have {found} bytes, {wanted} are needed")));
        }
        // Copied as bytes, because the payload may lie at any address.
        let mut values = vec![T::zeroed(); section.count as usize];
        bytemuck::cast_slice_mut(&mut values).copy_from_slice(payload(&self.bytes, section));
        Ok(values)
    }

    /// Structure of a section added with [`CheckpointWriter::section_struct`].
    ///
    /// # Errors
    /// [`Error::CheckpointSectionMissing`]; [`Error::Codec`] if the payload is no `T`.
    pub fn structure<T: DeserializeOwned>(&self, name: &str) -> Result<T> {
        codec::decode(self.bytes(name)?).map_err(|reason| Error::Codec { section: name.to_owned(), reason })
    }

    fn section(&self, name: &str) -> Result<&Section> {
        self.sections
            .iter()
            .find(|section| section.name == name)
            .ok_or_else(|| Error::CheckpointSectionMissing { section: name.to_owned() })
    }
}

/// Checksum over the header before its checksum field and the table.
fn header_checksum(header: &[u8], table: &[u8]) -> u128 {
    let mut hasher = Xxh3::new();
    hasher.update(header);
    hasher.update(table);
    hasher.digest128()
}

/// Payload of a section whose place was checked by [`read_table`].
fn payload<'a>(bytes: &'a [u8], section: &Section) -> &'a [u8] {
    let start = section.offset as usize;
    &bytes[start..start + (section.element_size * section.count) as usize]
}

/// Decodes and checks everything but the payloads.
fn read_table(bytes: &[u8]) -> Result<Vec<Section>> {
    if bytes.len() < MAGIC.len() || bytes[..MAGIC.len()] != MAGIC {
        return Err(Error::NotACheckpoint);
    }
    let truncated = |expected: u64| Error::CheckpointTruncated { expected, found: bytes.len() as u64 };
    let mut header = Cursor(&bytes[MAGIC.len()..]);
    let found = header.u32().ok_or_else(|| truncated(HEADER as u64))?;
    if found != FORMAT_VERSION {
        return Err(Error::CheckpointVersion { found, supported: FORMAT_VERSION });
    }
    let (Some(count), Some(table_length), Some(checksum)) = (header.u32(), header.u64(), header.u128()) else {
        return Err(truncated(HEADER as u64));
    };
    let start = table_length.saturating_add(HEADER as u64);
    if start > bytes.len() as u64 {
        return Err(truncated(start));
    }
    let table = &bytes[HEADER..start as usize];
    if header_checksum(&bytes[..CHECKED_HEADER], table) != checksum {
        return Err(damaged("its checksum differs"));
    }
    let mut cursor = Cursor(table);
    let mut sections: Vec<Section> = Vec::new();
    let mut end = start;
    for index in 0..count {
        let section = cursor.section().ok_or_else(|| damaged(&format!("entry {index} of the table cannot be read")))?;
        let length = section.element_size.checked_mul(section.count);
        let (true, Some(next)) =
            (section.offset == end && section.element_size > 0, length.and_then(|length| end.checked_add(length)))
        else {
            return Err(damaged(&format!("section `{}` is not where the one before it ends", section.name)));
        };
        if sections.iter().any(|other| other.name == section.name) {
            return Err(damaged(&format!("section `{}` occurs twice", section.name)));
        }
        end = next;
        sections.push(section);
    }
    if !cursor.0.is_empty() {
        return Err(damaged("bytes are left after the table"));
    }
    match end.cmp(&(bytes.len() as u64)) {
        std::cmp::Ordering::Equal => Ok(sections),
        std::cmp::Ordering::Greater => Err(truncated(end)),
        std::cmp::Ordering::Less => Err(damaged("bytes are left after the last section")),
    }
}

fn damaged(reason: &str) -> Error {
    Error::CheckpointHeader { reason: reason.to_owned() }
}

fn refuse(section: &str, reason: &str) -> Error {
    Error::CheckpointSection { section: section.to_owned(), reason: reason.to_owned() }
}

/// Takes little-endian values off the front of bytes; `None` when they run out.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(front)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn u128(&mut self) -> Option<u128> {
        self.array().map(u128::from_le_bytes)
    }

    fn section(&mut self) -> Option<Section> {
        let length = u16::from_le_bytes(self.array()?) as usize;
        let name = std::str::from_utf8(self.take(length)?).ok()?;
        if name.is_empty() || name.len() > MAX_NAME {
            return None;
        }
        Some(Section {
            name: name.to_owned(),
            element_size: self.u64()?,
            count: self.u64()?,
            offset: self.u64()?,
            checksum: self.u128()?,
        })
    }
}
