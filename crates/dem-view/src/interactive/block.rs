//! Columns of numbers as a browser gets them.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Type of the numbers of a block; its value is the first byte of the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Element {
    /// 32-bit float.
    F32 = 0,
    /// 32-bit whole number.
    U32 = 1,
    /// 64-bit float.
    F64 = 2,
}

impl Element {
    /// Bytes of a number.
    pub fn size(self) -> usize {
        match self {
            Self::F32 | Self::U32 => 4,
            Self::F64 => 8,
        }
    }
}

/// A column of numbers.
///
/// # Form
/// Deflated with the header of zlib: the code of the element, 1 if each number is the difference to the one before, two bytes 0, the count as a 32-bit number; then
/// the bytes of the numbers by planes, the lowest first. Little-endian throughout.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    element: Element,
    is_difference: bool,
    /// Numbers as they are, little-endian.
    bytes: Vec<u8>,
}

/// Bits of the mantissa of an `f32` that [`Block::rounded`] gives up.
const GIVEN_UP: u32 = 10;

impl Block {
    /// Numbers to 7 digits.
    pub fn single(values: impl IntoIterator<Item = f64>) -> Self {
        let bytes = values.into_iter().flat_map(|value| (value as f32).to_le_bytes()).collect();
        Self { element: Element::F32, is_difference: false, bytes }
    }

    /// Numbers to 4 digits: 13 bits of the mantissa of an `f32`, which take half the room.
    pub fn rounded(values: impl IntoIterator<Item = f64>) -> Self {
        let bytes = values.into_iter().flat_map(|value| rounded(value as f32).to_le_bytes()).collect();
        Self { element: Element::F32, is_difference: false, bytes }
    }

    /// Whole numbers in any order.
    pub fn whole(values: impl IntoIterator<Item = u32>) -> Self {
        let bytes = values.into_iter().flat_map(u32::to_le_bytes).collect();
        Self { element: Element::U32, is_difference: false, bytes }
    }

    /// Whole numbers that grow, mostly by little.
    pub fn ascending(values: impl IntoIterator<Item = u32>) -> Self {
        Self { is_difference: true, ..Self::whole(values) }
    }

    /// Numbers as they are.
    pub fn double(values: impl IntoIterator<Item = f64>) -> Self {
        let bytes = values.into_iter().flat_map(f64::to_le_bytes).collect();
        Self { element: Element::F64, is_difference: false, bytes }
    }

    /// Count of numbers.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.element.size()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether the numbers begin with those of another block of the same form.
    pub fn begins_with(&self, other: &Self) -> bool {
        (self.element, self.is_difference) == (other.element, other.is_difference)
            && self.bytes.starts_with(&other.bytes)
    }

    /// The block as it is sent.
    pub fn encoded(&self) -> Vec<u8> {
        let (size, count) = (self.element.size(), self.len());
        let mut plain = Vec::with_capacity(8 + self.bytes.len());
        plain.extend([self.element as u8, u8::from(self.is_difference), 0, 0]);
        plain.extend((count as u32).to_le_bytes());
        let differences;
        let bytes = if self.is_difference {
            differences = differences_of(&self.bytes);
            &differences
        } else {
            &self.bytes
        };
        for plane in 0..size {
            plain.extend(bytes.iter().skip(plane).step_by(size));
        }
        deflated(&plain)
    }
}

fn differences_of(bytes: &[u8]) -> Vec<u8> {
    let numbers =
        bytes.chunks_exact(4).map(|word| word.iter().rev().fold(0u32, |sum, &byte| sum << 8 | u32::from(byte)));
    let differences = numbers.scan(0u32, |before, number| Some(number.wrapping_sub(std::mem::replace(before, number))));
    differences.flat_map(u32::to_le_bytes).collect()
}

/// The nearest number whose last bits are zero.
fn rounded(value: f32) -> f32 {
    if !value.is_finite() {
        return value;
    }
    let near = f32::from_bits((value.to_bits() + (1 << (GIVEN_UP - 1))) & !((1 << GIVEN_UP) - 1));
    // the largest ones would become infinite
    if near.is_finite() { near } else { value }
}

/// Bytes deflated, with the header of zlib.
fn deflated(plain: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(plain.len() / 2 + 64), Compression::default());
    // a vector takes all that is written to it
    let _ = encoder.write_all(plain);
    encoder.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::ZlibDecoder;

    use super::*;

    /// Numbers of a block as the page reads them, written from the description of the form alone.
    fn decoded(sent: &[u8]) -> Vec<f64> {
        let mut plain = Vec::new();
        ZlibDecoder::new(sent).read_to_end(&mut plain).unwrap();
        let (head, planes) = plain.split_at(8);
        let count = u32::from_le_bytes(head[4..8].try_into().unwrap()) as usize;
        let size = planes.len() / count.max(1);
        let word = |k: usize| -> Vec<u8> { (0..size).map(|plane| planes[plane * count + k]).collect() };
        let mut sum = 0u32;
        (0..count)
            .map(|k| match head[0] {
                0 => f64::from(f32::from_le_bytes(word(k).try_into().unwrap())),
                1 => {
                    let number = u32::from_le_bytes(word(k).try_into().unwrap());
                    sum = if head[1] == 1 { sum.wrapping_add(number) } else { number };
                    f64::from(sum)
                }
                _ => f64::from_le_bytes(word(k).try_into().unwrap()),
            })
            .collect()
    }

    #[test]
    fn blocks_come_back_as_they_were() {
        let whole = [3, 4, 9, 9, 2, u32::MAX, 0];
        let as_numbers = whole.map(f64::from);
        assert_eq!(decoded(&Block::whole(whole).encoded()), as_numbers);
        assert_eq!(decoded(&Block::ascending(whole).encoded()), as_numbers);
        let values = [0.0, -1.5, 1e-300, 0.1, f64::MAX];
        assert_eq!(decoded(&Block::double(values).encoded()), values);
        assert_eq!(decoded(&Block::single(values).encoded()), values.map(|value| f64::from(value as f32)));
        assert_eq!(decoded(&Block::single([]).encoded()), [0.0; 0]);
    }

    #[test]
    fn rounded_values_keep_four_digits() {
        let values: Vec<f64> = (0..2000)
            .map(|k| (f64::from(k) * 0.37).exp() * 1e-20 * if k % 2 == 0 { 1.0 } else { -1.0 })
            .take(250)
            .collect();
        let back = decoded(&Block::rounded(values.iter().copied()).encoded());
        assert!(values.iter().zip(&back).all(|(value, back)| (back / value - 1.0).abs() < 6.2e-5));
        let special = decoded(&Block::rounded([0.0, f64::INFINITY, f64::NAN, f64::from(f32::MAX)]).encoded());
        assert!(special[0] == 0.0 && special[1] == f64::INFINITY && special[2].is_nan() && special[3].is_finite());
    }

    #[test]
    fn rounding_makes_blocks_smaller() {
        let values: Vec<f64> = (0..5000).map(|k| (f64::from(k) * 0.7).sin().abs()).collect();
        let (rounded, single) = (Block::rounded(values.iter().copied()), Block::single(values.iter().copied()));
        assert!(rounded.encoded().len() * 10 < single.encoded().len() * 8);
    }
}
