//! Contact laws and the loop over contacts that evaluates them.
