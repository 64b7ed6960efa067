//! Signals other than Ctrl-C, by which shells and batch systems tell a process that it must come to an end.
#![cfg_attr(unix, expect(unsafe_code, reason = "handlers of signals, which only store a flag"))]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[cfg(unix)]
use std::sync::OnceLock;
#[cfg(unix)]
use std::sync::atomic::Ordering;

/// Lets a write beyond the limit of file sizes fail, as on a full disk, instead of ending the process. Called before any other thread starts.
pub fn ignore_limit_of_file_size() {
    #[cfg(unix)]
    // SAFETY: a disposition of the system, no function of ours
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// What batch systems send before they kill: the limit of processor time, and the two signals that users choose a warning from.
#[cfg(unix)]
const WARNINGS: [libc::c_int; 3] = [libc::SIGXCPU, libc::SIGUSR1, libc::SIGUSR2];

#[cfg(unix)]
static WARNED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Raises a flag with each of the signals by which a batch system warns. They may come again, as that of the processor time does every second:
/// that ends nothing at once.
pub fn raise_with_warnings(flag: &Arc<AtomicBool>) {
    #[cfg(unix)]
    {
        extern "C" fn note(_: libc::c_int) {
            if let Some(flag) = WARNED.get() {
                flag.store(true, Ordering::Relaxed);
            }
        }
        // one flag for the process: a command requests it once
        let _ = WARNED.set(Arc::clone(flag));
        for signal in WARNINGS {
            // SAFETY: the structure is one of numbers and pointers, for which zero is a value; the handler only loads a
            // pointer that was set before and stores a flag, which is allowed in a handler; system calls that it
            // interrupts are restarted
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = note as extern "C" fn(libc::c_int) as libc::sighandler_t;
                action.sa_flags = libc::SA_RESTART;
                libc::sigemptyset(&raw mut action.sa_mask);
                libc::sigaction(signal, &raw const action, std::ptr::null_mut());
            }
        }
    }
    #[cfg(not(unix))]
    let _ = flag;
}

/// Whether the process was started so that the end of its terminal does not end it, as by `nohup`.
pub fn survives_terminal() -> bool {
    #[cfg(unix)]
    // SAFETY: reads the disposition into a structure of numbers and pointers, for which zero is a value
    unsafe {
        let mut present: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGHUP, std::ptr::null(), &raw mut present) == 0 && present.sa_sigaction == libc::SIG_IGN
    }
    #[cfg(not(unix))]
    false
}

/// Lets the process survive the end of its terminal.
pub fn survive_terminal() {
    #[cfg(unix)]
    // SAFETY: a disposition of the system, no function of ours
    unsafe {
        libc::signal(libc::SIGHUP, libc::SIG_IGN);
    }
}
