//! Which candidates are evaluated: the near list, its selection, and what becomes of histories when the contact list is
//! replaced.

pub(crate) mod history_migration;
pub(crate) mod near_list;
pub(crate) mod near_selection;
