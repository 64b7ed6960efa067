//! Bytes of structured checkpoint sections. The codec crate is named nowhere else, so replacing
//! it touches this file only.
//!
//! Layout: bincode 2 with fixed-size little-endian integers; every float keeps its bits.

use std::io::{self, ErrorKind, Write};

use bincode::config::{Configuration, Fixint, LittleEndian};
use bincode::error::EncodeError;
use serde::Serialize;
use serde::de::DeserializeOwned;

const LAYOUT: Configuration<LittleEndian, Fixint> =
    bincode::config::standard().with_little_endian().with_fixed_int_encoding();

/// Encodes a value.
///
/// # Errors
/// Text of the codec, for types that know their length only at the end.
pub(crate) fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, String> {
    bincode::serde::encode_to_vec(value, LAYOUT).map_err(|error| error.to_string())
}

/// Encodes a value to where it is written; what the codec refuses is [`ErrorKind::InvalidData`].
///
/// # Errors
/// What the writer returns, or text of the codec as [`encode`].
pub(crate) fn encode_into<T: Serialize>(value: &T, out: &mut dyn Write) -> io::Result<()> {
    let mut out = out;
    bincode::serde::encode_into_std_write(value, &mut out, LAYOUT).map(|_| ()).map_err(|error| match error {
        EncodeError::Io { inner, .. } => inner,
        error => io::Error::new(ErrorKind::InvalidData, error.to_string()),
    })
}

/// Decodes a value that fills `bytes` exactly.
///
/// A length inside the bytes cannot make it allocate more than 16 times `bytes`, or 64 KiB if
/// that is more: the codec takes its limit at compile time, so the next power of 16 is used.
/// `T` must not contain a collection of a type without size, whose length nothing bounds.
///
/// # Errors
/// Text of the codec, or that bytes are left over.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match bytes.len() as u64 {
        0..=0x1_0000 => decode_within::<T, 0x1_0000>(bytes),
        0x1_0001..=0x10_0000 => decode_within::<T, 0x10_0000>(bytes),
        0x10_0001..=0x100_0000 => decode_within::<T, 0x100_0000>(bytes),
        0x100_0001..=0x1000_0000 => decode_within::<T, 0x1000_0000>(bytes),
        0x1000_0001..=0x1_0000_0000 => decode_within::<T, 0x1_0000_0000>(bytes),
        length => Err(format!("structure of {length} bytes is larger than 4 GiB")),
    }
}

fn decode_within<T: DeserializeOwned, const LIMIT: usize>(bytes: &[u8]) -> Result<T, String> {
    let (value, used) =
        bincode::serde::decode_from_slice(bytes, LAYOUT.with_limit::<LIMIT>()).map_err(|error| error.to_string())?;
    if used != bytes.len() {
        return Err(format!("{} bytes are left after the structure", bytes.len() - used));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_fixed_size_little_endian() {
        let bytes = encode(&(1u32, 2u64, -1i64, "ab")).unwrap();
        let mut expected = vec![1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0];
        expected.extend([0xff; 8]);
        expected.extend([2, 0, 0, 0, 0, 0, 0, 0, b'a', b'b']);
        assert_eq!(bytes, expected);
    }

    #[test]
    fn announced_length_without_data_is_refused() {
        let mut bytes = (1u64 << 60).to_le_bytes().to_vec();
        bytes.extend([0; 16]);
        assert!(decode::<String>(&bytes).is_err());
        assert!(decode::<Vec<f64>>(&bytes).is_err());
        assert!(decode::<Vec<Vec<u8>>>(&bytes).is_err());
    }

    #[test]
    fn bytes_left_over_are_refused() {
        let mut bytes = encode(&7u64).unwrap();
        bytes.push(0);
        assert!(decode::<u64>(&bytes).is_err());
    }
}
