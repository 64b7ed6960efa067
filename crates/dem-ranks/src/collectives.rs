//! What all ranks do together. Everybody calls the same functions in the same order.
//!
//! In a fold each of 2ᵏ ranks exchanges what it has with one, then with another at twice the distance, and so on (recursive doubling; R. Thakur, R.
//! Rabenseifner, W. Gropp, Int. J. High Perform. Comput. Appl. 19 (2005) 49): after log₂ n messages one after the other everybody has the result.
//! What is more than a power of two of ranks gives what it has to a neighbour first, and is told the result. No result depends on the order in
//! which messages come; whether it depends on the shape of this tree is up to what is folded.

use crate::transport::{Interrupted, Transport};

/// Children of a rank in the binomial tree, nearest first, and its parent.
fn tree(rank: usize, size: usize) -> (Vec<usize>, Option<usize>) {
    let mut children = Vec::new();
    let mut step = 1;
    while step < size {
        if rank & step != 0 {
            return (children, Some(rank - step));
        }
        if rank + step < size {
            children.push(rank + step);
        }
        step *= 2;
    }
    (children, None)
}

impl dyn Transport + '_ {
    /// What the messages of all ranks come to if two are merged at a time, those of lower ranks first: the same for all.
    ///
    /// # Errors
    /// A rank has interrupted all.
    pub fn fold(&self, own: Vec<u8>, mut merge: impl FnMut(Vec<u8>, &[u8]) -> Vec<u8>) -> Result<Vec<u8>, Interrupted> {
        let (rank, size) = (self.rank(), self.size());
        let halves = 1 << size.ilog2();
        // so many pairs of the first ranks take part as one
        let pairs = size - halves;
        if rank < 2 * pairs && rank % 2 == 1 {
            self.send(rank - 1, own);
            return self.receive(rank - 1);
        }
        let mut merged = own;
        let is_of_pair = rank < 2 * pairs;
        if is_of_pair {
            merged = merge(merged, &self.receive(rank + 1)?);
        }
        let place = if is_of_pair { rank / 2 } else { rank - pairs };
        let rank_at = |place: usize| if place < pairs { 2 * place } else { place + pairs };
        for distance in (0..halves.ilog2()).map(|k| 1 << k) {
            let other = place ^ distance;
            self.send(rank_at(other), merged.clone());
            let theirs = self.receive(rank_at(other))?;
            merged = if place < other { merge(merged, &theirs) } else { merge(theirs, &merged) };
        }
        if is_of_pair {
            self.send(rank + 1, merged.clone());
        }
        Ok(merged)
    }

    /// What rank 0 says.
    ///
    /// # Errors
    /// A rank has interrupted all.
    pub fn broadcast(&self, own: Vec<u8>) -> Result<Vec<u8>, Interrupted> {
        let (children, parent) = tree(self.rank(), self.size());
        let said = match parent {
            Some(parent) => self.receive(parent)?,
            None => own,
        };
        for &child in children.iter().rev() {
            self.send(child, said.clone());
        }
        Ok(said)
    }

    /// What all ranks say, in their order, at rank 0; nothing elsewhere.
    ///
    /// # Errors
    /// A rank has interrupted all.
    pub fn gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, Interrupted> {
        if self.rank() > 0 {
            self.send(0, own);
            return Ok(Vec::new());
        }
        let mut all = vec![own];
        for from in 1..self.size() {
            all.push(self.receive(from)?);
        }
        Ok(all)
    }

    /// What all ranks say, in their order.
    ///
    /// # Errors
    /// A rank has interrupted all.
    pub fn all_gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, Interrupted> {
        // of rank, length and bytes of each
        let framed = |rank: usize, bytes: &[u8]| {
            let mut framed = (rank as u64).to_le_bytes().to_vec();
            framed.extend((bytes.len() as u64).to_le_bytes());
            framed.extend_from_slice(bytes);
            framed
        };
        let joined = self.fold(framed(self.rank(), &own), |mut all, more| {
            all.extend_from_slice(more);
            all
        })?;
        let mut all = vec![Vec::new(); self.size()];
        let mut rest = joined.as_slice();
        let number = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes) as usize);
        while rest.len() >= 16 {
            let (rank, length) = (number(rest), number(&rest[8..]));
            let (bytes, others) = rest[16..].split_at(length.min(rest.len() - 16));
            if let Some(place) = all.get_mut(rank) {
                *place = bytes.to_vec();
            }
            rest = others;
        }
        Ok(all)
    }

    /// Sends a message to every rank, the one for oneself included, and returns what came from each.
    ///
    /// # Errors
    /// A rank has interrupted all.
    pub fn all_to_all(&self, mut to: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Interrupted> {
        let (rank, size) = (self.rank(), self.size());
        to.resize(size, Vec::new());
        let own = std::mem::take(&mut to[rank]);
        // everybody begins with another one
        for distance in 1..size {
            let other = (rank + distance) % size;
            self.send(other, std::mem::take(&mut to[other]));
        }
        let mut from = to;
        from[rank] = own;
        for distance in 1..size {
            let other = (rank + size - distance) % size;
            from[other] = self.receive(other)?;
        }
        Ok(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads;

    fn together<T: Send>(size: usize, act: impl Fn(&dyn Transport) -> T + Sync) -> Vec<T> {
        let act = &act;
        std::thread::scope(|scope| {
            let ranks = threads::ranks(size, false).into_iter();
            let threads: Vec<_> = ranks.map(|rank| scope.spawn(move || act(&rank))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    #[test]
    fn every_rank_is_folded_once_in_order() {
        for size in 1..18 {
            let folded = together(size, |rank| {
                let own = vec![rank.rank() as u8];
                rank.fold(own, |mut all, more| {
                    all.extend_from_slice(more);
                    all
                })
            });
            let expected: Vec<u8> = (0..size as u8).collect();
            assert!(folded.iter().all(|all| *all == Ok(expected.clone())), "{folded:?}");
        }
    }

    #[test]
    fn messages_of_all_reach_all() {
        for size in [1, 2, 3, 5, 8] {
            let message = |from: usize, to: usize| vec![from as u8; 3 * to + from % 2];
            let outcomes = together(size, |rank| {
                let own = rank.rank();
                let gathered = rank.gather(message(own, 1)).unwrap();
                let all = rank.all_gather(message(own, 2)).unwrap();
                let exchanged = rank.all_to_all((0..size).map(|to| message(own, to)).collect()).unwrap();
                let said = rank.broadcast(if own == 0 { b"go".to_vec() } else { Vec::new() }).unwrap();
                (gathered, all, exchanged, said)
            });
            for (own, (gathered, all, exchanged, said)) in outcomes.into_iter().enumerate() {
                let expected = |to: usize| (0..size).map(|from| message(from, to)).collect::<Vec<_>>();
                assert_eq!(gathered, if own == 0 { expected(1) } else { Vec::new() });
                assert_eq!((all, exchanged), (expected(2), expected(own)));
                assert_eq!(said, b"go");
            }
        }
    }

    #[test]
    fn a_rank_that_fails_ends_what_all_do() {
        let outcomes = together(5, |rank| {
            if rank.rank() == 3 {
                rank.interrupt("not finite");
                return Err(Interrupted("own".to_owned()));
            }
            rank.all_gather(vec![1])
        });
        for (rank, outcome) in outcomes.into_iter().enumerate().filter(|&(rank, _)| rank != 3) {
            assert_eq!(outcome, Err(Interrupted("not finite".to_owned())), "rank {rank}");
        }
    }
}
