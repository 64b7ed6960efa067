//! Memory that the allocator would keep for itself.
//!
//! The C library of GNU systems raises the size from which it takes memory straight from the system, and gives it straight back, with
//! every large block that is freed. After reading a table and a few rebuilds of the contact list it so keeps about as much memory as
//! the simulation needs.
#![cfg_attr(all(target_os = "linux", target_env = "gnu"), expect(unsafe_code, reason = "options of the C library"))]

/// Blocks from this size on always go straight back to the system \[bytes\]. Those of a million particles do; smaller ones are needed again
/// at the next rebuild, and to ask the system for fresh pages costs more than to fill them.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE_BLOCK: libc::c_int = 1 << 22;

/// Free memory that is kept for smaller blocks \[bytes\].
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT: libc::c_int = 1 << 26;

/// Fixes the size from which blocks go straight back to the system. Called before any other thread starts.
pub fn keep_little() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: sets options of the allocator; no pointer is involved
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE_BLOCK);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
    }
}

/// Gives back what was used to set a simulation up.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: releases pages that hold no block in use; no pointer is involved
    unsafe {
        libc::malloc_trim(0);
    }
}
