//! Shuffle and deflate of a chunk, as HDF5's filters of that name, without the work that gains nothing.
//!
//! Shuffle puts the first bytes of all numbers before the second ones, and so on. Of measured numbers the planes of the last bytes are noise,
//! which deflate searches for what repeats, in vain and for most of the time. Here every plane of a column is tried on a piece of it, and one that
//! hardly shrinks is stored as it is, which deflate allows for (RFC 1951, 3.2.4): any zlib reads the result. A plane does not refer to those before.

use flate2::{Compress, Compression, FlushCompress};

/// Bytes from the middle of a plane that are tried.
const PIECE: usize = 2048;
/// A plane is stored if more than this of the piece is left.
const STORED_FROM: f64 = 0.85;
/// Most bytes of a stored block.
const BLOCK: usize = u16::MAX as usize;
/// Bytes of a chunk up to which all of it is deflated at once: to begin a plane costs as much as to deflate some thousand bytes.
const SMALL: usize = 8192;
/// Marks a stream of deflate with a window of 32 kB, compressed fast (RFC 1950).
const HEADER: [u8; 2] = [0x78, 0x01];
/// An empty stored block, the last one.
const END: [u8; 5] = [1, 0, 0, 0xff, 0xff];

/// Shuffles and deflates the chunks of a column.
pub(super) struct Deflation {
    compress: Compress,
    shuffled: Vec<u8>,
    tried: Vec<u8>,
    /// Planes that are stored, if they have been tried.
    is_stored: Vec<bool>,
}

impl Deflation {
    pub fn new() -> Self {
        Self {
            compress: Compress::new(Compression::fast(), false),
            shuffled: Vec::new(),
            tried: Vec::new(),
            is_stored: Vec::new(),
        }
    }

    /// The next chunk is not like the last one.
    pub fn try_anew(&mut self) {
        self.is_stored.clear();
    }

    /// What HDF5 stores of a chunk of numbers of `size` bytes each.
    pub fn of(&mut self, chunk: &[u8], size: usize) -> Result<Vec<u8>, flate2::CompressError> {
        let Self { compress, shuffled, tried, is_stored } = self;
        shuffle(chunk, size, shuffled);
        let mut stream = Vec::with_capacity(chunk.len() + chunk.len() / 64 + 1024);
        stream.extend(HEADER);
        if shuffled.len() <= SMALL {
            deflate(compress, shuffled, &mut stream)?;
            stream.extend(END);
            stream.extend(simd_adler32::adler32(&shuffled.as_slice()).to_be_bytes());
            return Ok(stream);
        }
        let planes = shuffled.chunks(chunk.len() / size);
        if is_stored.is_empty() {
            for plane in planes.clone() {
                let piece = &plane[(plane.len() - plane.len().min(PIECE)) / 2..][..plane.len().min(PIECE)];
                tried.clear();
                deflate(compress, piece, tried)?;
                is_stored.push(tried.len() as f64 > STORED_FROM * piece.len() as f64);
            }
        }
        for (plane, &is_stored) in planes.zip(&*is_stored) {
            if is_stored {
                store(plane, &mut stream);
            } else {
                deflate(compress, plane, &mut stream)?;
            }
        }
        stream.extend(END);
        stream.extend(simd_adler32::adler32(&shuffled.as_slice()).to_be_bytes());
        Ok(stream)
    }
}

/// The planes of the bytes of numbers of some size.
fn shuffle(chunk: &[u8], size: usize, planes: &mut Vec<u8>) {
    planes.clear();
    planes.resize(chunk.len(), 0);
    let count = chunk.len() / size;
    // eight numbers at a time stay in the caches for all planes
    for (k, numbers) in chunk.chunks(64 * size).enumerate() {
        for byte in 0..size {
            let plane = &mut planes[byte * count + 64 * k..][..numbers.len() / size];
            for (to, number) in plane.iter_mut().zip(numbers.chunks_exact(size)) {
                *to = number[byte];
            }
        }
    }
}

/// Adds blocks that hold some bytes and refer to nothing before; they end with a byte.
fn deflate(compress: &mut Compress, bytes: &[u8], stream: &mut Vec<u8>) -> Result<(), flate2::CompressError> {
    compress.reset();
    let mut rest = bytes;
    loop {
        // what does not shrink grows by some bytes for every block
        stream.reserve(rest.len() + rest.len() / 64 + 256);
        let before = compress.total_in();
        compress.compress_vec(rest, stream, FlushCompress::Sync)?;
        rest = &rest[(compress.total_in() - before) as usize..];
        if rest.is_empty() && stream.len() < stream.capacity() {
            return Ok(());
        }
    }
}

/// Adds some bytes as they are.
fn store(bytes: &[u8], stream: &mut Vec<u8>) {
    for block in bytes.chunks(BLOCK) {
        let length = block.len() as u16;
        stream.push(0);
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use flate2::read::ZlibDecoder;

    /// What a reader makes of it.
    fn read(stream: &[u8], size: usize) -> Vec<u8> {
        let mut planes = Vec::new();
        let mut decoder = ZlibDecoder::new(stream);
        decoder.read_to_end(&mut planes).unwrap();
        assert_eq!(decoder.total_in() as usize, stream.len(), "something behind the end");
        let count = planes.len() / size;
        (0..count)
            .flat_map(|k| (0..size).map(move |byte| (k, byte)))
            .map(|(k, byte)| planes[byte * count + k])
            .collect()
    }

    #[test]
    fn every_reader_of_zlib_gets_back_what_was_written() {
        // splitmix64
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        };
        let mut deflation = Deflation::new();
        let mut check = |bytes: &[u8], size: usize, most: f64| {
            deflation.try_anew();
            let stream = deflation.of(bytes, size).unwrap();
            assert!(read(&stream, size) == bytes, "{} bytes of numbers of {size}", bytes.len());
            let share = stream.len() as f64 / bytes.len() as f64;
            assert!(share < most, "{share} is left of {} bytes of numbers of {size}", bytes.len());
        };
        for count in [1, 7, 64, 100, 2048, 49_152, 100_000] {
            let noise: Vec<u8> = (0..count).flat_map(|_| random().to_le_bytes()).collect();
            // a header, a block in 64 kB, and their ends
            let least = 1.001 + 60.0 / (8.0 * count as f64);
            check(&noise, 8, least);
            check(&noise, 1, least);
            check(&noise, 4, least);
            let many = count > 2000;
            let lengths: Vec<f64> = (0..count).map(|_| 1e-3 * (1.0 + random() as f64 / u64::MAX as f64)).collect();
            check(bytemuck::cast_slice(&lengths), 8, if many { 0.87 } else { 30.0 });
            let ids: Vec<u64> = (0..count as u64).collect();
            check(bytemuck::cast_slice(&ids), 8, if many { 0.05 } else { 30.0 });
            check(&vec![0; 8 * count], 8, if many { 0.02 } else { 30.0 });
        }
    }
}
