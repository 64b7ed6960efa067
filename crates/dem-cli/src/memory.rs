//! How memory is taken from the system and released.
//!
//! With every large block that is freed, the C library of GNU systems raises the block size from which it takes memory
//! directly from the system and releases it directly. After reading a table and a few rebuilds of the contact list it
//! so keeps about as much memory as the simulation needs.
//!
//! Blocks that come straight from the system may be backed by [huge pages](HugePages), which cause fewer TLB misses:
//! steps of a million spheres take 2 to 7 % less time.
#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "options of the C library, and an allocator that passes everything on")
)]

#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub use huge_pages::HugePages;

/// Blocks from this size on are always released to the system at once \[bytes\]. Those of a million particles do;
/// smaller ones are needed again at the next rebuild, and getting fresh pages from the system costs more than filling
/// them.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE_BLOCK: libc::c_int = 1 << 22;

/// Free memory that is kept for smaller blocks \[bytes\].
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT: libc::c_int = 1 << 26;

/// Fixes the size from which blocks are released to the system at once. Called before any other thread starts.
pub fn keep_little() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: sets options of the allocator; no pointer is involved
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE_BLOCK);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
    }
}

/// Releases the memory that was used to set a simulation up.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: releases pages that hold no block in use; no pointer is involved
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod huge_pages {
    use std::alloc::{GlobalAlloc, Layout, System};

    use super::LARGE_BLOCK;

    /// Bytes of a huge page on x86-64, and on most others.
    const PAGE: usize = 1 << 21;

    /// The allocator of the system, which is advised to back large blocks by huge pages, where it does so only on
    /// request (as most Linux distributions are set up).
    pub struct HugePages;

    // SAFETY: every call goes to the allocator of the system with the same arguments, and its result is passed on
    unsafe impl GlobalAlloc for HugePages {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller's promises
            ask(unsafe { System.alloc(layout) }, layout.size())
        }

        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller's promises
            ask(unsafe { System.alloc_zeroed(layout) }, layout.size())
        }

        unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            // SAFETY: the caller's promises
            ask(unsafe { System.realloc(block, layout, size) }, size)
        }

        unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
            // SAFETY: the caller's promises
            unsafe { System.dealloc(block, layout) }
        }
    }

    /// Requests huge pages for the whole pages of a block that is large.
    #[inline]
    fn ask(block: *mut u8, size: usize) -> *mut u8 {
        if size >= LARGE_BLOCK as usize && !block.is_null() {
            let before = block.align_offset(PAGE);
            let whole = size.saturating_sub(before) / PAGE * PAGE;
            // SAFETY: the pages are in the block; advice changes nothing in them, and a system that does not take it may say so
            unsafe {
                libc::madvise(block.wrapping_add(before).cast(), whole, libc::MADV_HUGEPAGE);
            }
        }
        block
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// Whether huge pages have been requested where a block is, by what the system reports of the process's memory;
        /// none if it does not report it.
        fn is_advised(address: usize) -> Option<bool> {
            let maps = std::fs::read_to_string("/proc/self/smaps").ok()?;
            let mut is_here = false;
            for line in maps.lines() {
                let range = line.split(' ').next().and_then(|range| range.split_once('-'));
                let ends = range.and_then(|(start, end)| {
                    Some(usize::from_str_radix(start, 16).ok()?..usize::from_str_radix(end, 16).ok()?)
                });
                if let Some(ends) = ends {
                    is_here = ends.contains(&address);
                } else if let Some(flags) = line.strip_prefix("VmFlags:").filter(|_| is_here) {
                    return Some(flags.split_whitespace().any(|flag| flag == "hg"));
                }
            }
            None
        }

        #[test]
        fn large_blocks_ask_for_huge_pages_and_small_ones_do_not() {
            let small = vec![1u8; 1 << 16];
            let mut large = vec![0u8; 5 * PAGE + 77];
            large[5 * PAGE] = 3;
            assert!(large.iter().map(|&byte| u32::from(byte)).sum::<u32>() == 3);
            let inside = large.as_ptr() as usize + PAGE;
            // systems without /proc, or without huge pages, have nothing to report
            if std::path::Path::new("/sys/kernel/mm/transparent_hugepage/enabled").exists() {
                assert_eq!(is_advised(inside), Some(true));
                assert_eq!(is_advised(small.as_ptr() as usize), Some(false));
            }
            large.resize(9 * PAGE, 7);
            assert_eq!((large[5 * PAGE], large[9 * PAGE - 1]), (3, 7));
        }
    }
}
