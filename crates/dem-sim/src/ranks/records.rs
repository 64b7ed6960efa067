//! Histories of contacts as messages.

use dem_core::contact_list::{ContactKey, PartnerKind};
use dem_core::history::SavedRecord;

/// Histories of all laws as bytes.
pub(crate) fn to_bytes(laws: &[Vec<SavedRecord>]) -> Vec<u8> {
    let mut words: Vec<u64> = vec![laws.len() as u64];
    for records in laws {
        words.push(records.len() as u64);
        for SavedRecord { key, record } in records {
            let kind = u64::from(key.kind == PartnerKind::Wall);
            words.extend([key.first, key.second, u64::from(key.feature) << 1 | kind, record.len() as u64]);
            words.extend(record.iter().map(|number| number.to_bits()));
        }
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Takes the histories off the beginning of bytes.
pub(crate) fn take_from_bytes(bytes: &mut &[u8]) -> Option<Vec<Vec<SavedRecord>>> {
    let mut word = || {
        let (word, rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        Some(u64::from_le_bytes(*word))
    };
    let mut laws = Vec::new();
    for _ in 0..word()? {
        let mut records = Vec::new();
        for _ in 0..word()? {
            let (first, second, feature, length) = (word()?, word()?, word()?, word()?);
            let kind = if feature & 1 == 1 { PartnerKind::Wall } else { PartnerKind::Particle };
            let key = ContactKey { first, kind, second, feature: (feature >> 1) as u32 };
            let record = (0..length).map(|_| word().map(f64::from_bits)).collect::<Option<Vec<f64>>>()?;
            records.push(SavedRecord { key, record });
        }
        laws.push(records);
    }
    Some(laws)
}

/// Adds the histories of some laws to those of others.
pub(crate) fn join(all: &mut Vec<Vec<SavedRecord>>, more: Vec<Vec<SavedRecord>>) {
    all.resize_with(all.len().max(more.len()), Vec::new);
    for (records, more) in all.iter_mut().zip(more) {
        records.extend(more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_are_the_same_elsewhere() {
        let key = |first, kind| ContactKey { first, kind, second: 9, feature: u32::MAX };
        let laws = vec![
            vec![
                SavedRecord { key: key(1, PartnerKind::Particle), record: vec![1.5, -0.0] },
                SavedRecord { key: key(2, PartnerKind::Wall), record: vec![f64::INFINITY] },
            ],
            Vec::new(),
        ];
        let mut bytes = to_bytes(&laws);
        let all = bytes.len();
        bytes.push(7);
        let mut rest = bytes.as_slice();
        assert_eq!(take_from_bytes(&mut rest), Some(laws));
        assert_eq!(rest, [7]);
        assert!((0..all).all(|length| take_from_bytes(&mut &bytes[..length]).is_none()));
    }
}
