//! Ranks that are threads of one process.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::transport::{Interrupted, Transport};

/// How often a rank looks for a message before it sleeps, where every rank has a core.
const LOOKS: u32 = 4000;

/// Messages from one rank to another, with the epochs in which they were sent.
#[derive(Debug, Default)]
struct MailBox {
    messages: Mutex<VecDeque<(u64, Vec<u8>)>>,
    /// How many there are.
    count: AtomicUsize,
    arrived: Condvar,
}

/// What all ranks share.
#[derive(Debug)]
struct Shared {
    size: usize,
    /// From rank `from` to rank `to` at `from * size + to`.
    boxes: Vec<MailBox>,
    /// Epoch, rank and reason of every interruption.
    interruptions: Mutex<Vec<(u64, usize, String)>>,
    /// One more than the last epoch that has been interrupted.
    interrupted: AtomicU64,
    /// Ranks that are gone.
    gone: Vec<AtomicBool>,
    looks: u32,
}

/// A rank in a thread.
#[derive(Debug)]
pub struct ThreadRank {
    rank: usize,
    /// Number of recoveries of this rank.
    epoch: AtomicU64,
    shared: Arc<Shared>,
}

/// What a thread that has panicked leaves behind is as good as before: queues of whole messages.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ranks for as many threads. `wakeful`: every rank has a core to itself, on which it may look for messages again and again for some
/// microseconds before it sleeps.
pub fn ranks(size: usize, wakeful: bool) -> Vec<ThreadRank> {
    let mut boxes = Vec::new();
    boxes.resize_with(size * size, MailBox::default);
    let shared = Arc::new(Shared {
        size,
        boxes,
        interruptions: Mutex::default(),
        interrupted: AtomicU64::new(0),
        gone: (0..size).map(|_| AtomicBool::new(false)).collect(),
        looks: if wakeful { LOOKS } else { 0 },
    });
    (0..size).map(|rank| ThreadRank { rank, epoch: AtomicU64::new(0), shared: shared.clone() }).collect()
}

impl ThreadRank {
    fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Relaxed)
    }

    fn is_interrupted(&self) -> bool {
        self.shared.interrupted.load(Ordering::Acquire) > self.epoch()
    }
}

impl Transport for ThreadRank {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.shared.size
    }

    fn send(&self, to: usize, message: Vec<u8>) {
        let mail = &self.shared.boxes[self.rank * self.shared.size + to];
        lock(&mail.messages).push_back((self.epoch(), message));
        mail.count.fetch_add(1, Ordering::Release);
        mail.arrived.notify_one();
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, Interrupted> {
        let mail = &self.shared.boxes[from * self.shared.size + self.rank];
        for _ in 0..self.shared.looks {
            if mail.count.load(Ordering::Acquire) > 0 || self.is_interrupted() {
                break;
            }
            std::hint::spin_loop();
        }
        let mut messages = lock(&mail.messages);
        loop {
            if let Some(interruption) = self.interruption() {
                return Err(interruption);
            }
            if let Some((epoch, message)) = messages.pop_front() {
                mail.count.fetch_sub(1, Ordering::Relaxed);
                if epoch < self.epoch() {
                    continue;
                }
                return Ok(message);
            }
            if self.shared.gone[from].load(Ordering::Acquire) {
                drop(messages);
                self.interrupt(&format!("rank {from} has ended"));
                return Err(self.interruption().unwrap_or_else(|| Interrupted(format!("rank {from} has ended"))));
            }
            messages = mail.arrived.wait(messages).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn interrupt(&self, why: &str) {
        let epoch = self.epoch();
        lock(&self.shared.interruptions).push((epoch, self.rank, why.to_owned()));
        self.shared.interrupted.fetch_max(epoch + 1, Ordering::Release);
        for mail in &self.shared.boxes {
            // whoever has looked for an interruption and is about to wait still holds this
            drop(lock(&mail.messages));
            mail.arrived.notify_all();
        }
    }

    fn interruption(&self) -> Option<Interrupted> {
        if !self.is_interrupted() {
            return None;
        }
        let all = lock(&self.shared.interruptions);
        let present = all.iter().filter(|(epoch, ..)| *epoch >= self.epoch());
        present.min_by_key(|(epoch, rank, _)| (*epoch, *rank)).map(|(.., why)| Interrupted(why.clone()))
    }

    fn recover(&self) {
        self.epoch.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for ThreadRank {
    /// Nobody waits for a rank that is gone.
    fn drop(&mut self) {
        self.shared.gone[self.rank].store(true, Ordering::Release);
        for to in (0..self.shared.size).filter(|&to| to != self.rank) {
            let mail = &self.shared.boxes[self.rank * self.shared.size + to];
            drop(lock(&mail.messages));
            mail.arrived.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What every rank comes to.
    fn together<T: Send>(size: usize, act: impl Fn(ThreadRank) -> T + Sync) -> Vec<T> {
        let act = &act;
        std::thread::scope(|scope| {
            let threads: Vec<_> = ranks(size, false).into_iter().map(|rank| scope.spawn(move || act(rank))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    #[test]
    fn messages_arrive_in_order() {
        let received = together(3, |rank| {
            for to in (0..3).filter(|&to| to != rank.rank()) {
                for k in 0..50u8 {
                    rank.send(to, vec![rank.rank() as u8, k]);
                }
            }
            let others = (0..3).filter(|&from| from != rank.rank());
            others.map(|from| (0..50).map(|_| rank.receive(from).unwrap()).collect::<Vec<_>>()).collect::<Vec<_>>()
        });
        for (rank, of_rank) in received.iter().enumerate() {
            for (from, messages) in (0..3).filter(|&from| from != rank).zip(of_rank) {
                assert!(messages.iter().enumerate().all(|(k, message)| *message == [from as u8, k as u8]));
            }
        }
    }

    #[test]
    fn an_interruption_wakes_all_and_messages_from_before_it_are_not_delivered_after_it() {
        let outcomes = together(3, |rank| {
            rank.send((rank.rank() + 1) % 3, b"old".to_vec());
            if rank.rank() == 1 {
                rank.interrupt("a sphere is lost");
            }
            let from = (rank.rank() + 1) % 3;
            let failed = rank.receive(from).unwrap_err();
            rank.recover();
            rank.send((rank.rank() + 2) % 3, b"new".to_vec());
            (failed, rank.receive(from))
        });
        for (failed, received) in outcomes {
            assert_eq!(failed.to_string(), "a sphere is lost");
            assert_eq!(received, Ok(b"new".to_vec()));
        }
    }

    #[test]
    fn nobody_waits_for_a_rank_that_is_gone() {
        let outcomes = together(2, |rank| if rank.rank() == 0 { rank.receive(1) } else { Ok(Vec::new()) });
        assert_eq!(outcomes[0], Err(Interrupted("rank 1 has ended".to_owned())));
    }
}
