//! Finding the place of an error that serde reports only for a whole table.
//!
//! For an internally tagged enum (`type = "plane"`) serde first copies the table aside, and errors
//! in the copy no longer know their place. The place is found by experiment: the document is read
//! again with one key hidden at a time, and the key without which the error changes is the one at
//! fault. This needs nothing from the scene types and costs time only when there is an error.

use serde::de::DeserializeOwned;

use super::deserializer::{NodeDeserializer, Pretence, Reading};
use super::problem::{NodeError, Place, Problem};
use super::tree::{NodeId, Tree};

/// The key that tells the variants of an enum apart. Hiding it always changes the error, so it is
/// blamed only when nothing else is.
const TAG: &str = "type";
/// Values read over all experiments together, which bounds the time to about a second.
const WORK: usize = 20_000_000;

/// Reads the whole document.
pub(super) fn read<T: DeserializeOwned>(tree: &Tree, pretence: &Pretence<'_>) -> Result<T, NodeError> {
    let reading = Reading::new(tree, pretence);
    T::deserialize(NodeDeserializer::root(&reading))
}

/// The most precise node for an error of reading `T`.
pub(super) fn locate<T: DeserializeOwned>(tree: &Tree, error: &NodeError) -> NodeId {
    let Some(Place { node, is_coarse }) = error.place else {
        return Tree::ROOT;
    };
    if !is_coarse {
        return node;
    }
    let mut experiments = Experiments { tree, problem: &error.problem, left: WORK / tree.len().max(1) };
    match error.problem {
        Problem::MissingField(key) => experiments.table_that_lacks::<T>(node, key),
        _ => experiments.culprit::<T>(node),
    }
}

struct Experiments<'a> {
    tree: &'a Tree,
    problem: &'a Problem,
    left: usize,
}

impl Experiments<'_> {
    /// The problem under a pretence; `None` when the document is then in order.
    ///
    /// The original problem once the allowance is spent, so that every search ends.
    fn problem_under<T: DeserializeOwned>(&mut self, pretence: &Pretence<'_>) -> Option<Problem> {
        if self.left == 0 {
            return Some(self.problem.clone());
        }
        self.left -= 1;
        read::<T>(self.tree, pretence).err().map(|error| error.problem)
    }

    /// Descends as long as hiding one child makes the error go away or change.
    fn culprit<T: DeserializeOwned>(&mut self, from: NodeId) -> NodeId {
        let tree = self.tree;
        let mut node = from;
        let mut of_stated_length = from;
        loop {
            if let Problem::Length { found, .. } = self.problem
                && tree.children(node).len() == *found
            {
                of_stated_length = node;
            }
            let blamed: Vec<NodeId> =
                tree.children(node).iter().copied().filter(|&child| self.is_blamed::<T>(child)).collect();
            let is_tag = |&&child: &&NodeId| tree.key(child) == Some(TAG);
            let Some(&child) = blamed.iter().find(|child| !is_tag(child)).or(blamed.first()) else {
                return match self.problem {
                    // Hiding any element mends an array that is too long; blame the array.
                    Problem::Length { .. } => of_stated_length,
                    _ => node,
                };
            };
            node = child;
        }
    }

    fn is_blamed<T: DeserializeOwned>(&mut self, child: NodeId) -> bool {
        let length = |problem: &Problem| matches!(problem, Problem::Length { .. });
        match self.problem_under::<T>(&Pretence::Hidden(child)) {
            None => true,
            // Hiding an element of a too short array only makes it shorter.
            Some(other) if length(self.problem) && length(&other) => false,
            Some(other) => other != *self.problem,
        }
    }

    /// The table, at or below `from`, in which adding `key` changes the error.
    fn table_that_lacks<T: DeserializeOwned>(&mut self, from: NodeId, key: &str) -> NodeId {
        let tree = self.tree;
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            if tree.is_table(node) && tree.child(node, key).is_none() {
                let problem = self.problem_under::<T>(&Pretence::Inserted(node, key));
                let is_foreign =
                    |problem: &Problem| matches!(problem, Problem::UnknownField { field, .. } if field == key);
                if problem.is_none_or(|other| other != *self.problem && !is_foreign(&other)) {
                    return node;
                }
            }
            queue.extend(tree.children(node));
        }
        from
    }
}
