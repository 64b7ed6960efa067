//! How many contacts a processor computes side by side, and with which instructions.

#[cfg(target_arch = "x86_64")]
use super::avx2;
#[cfg(target_arch = "x86_64")]
use super::avx512;
use super::task::LaneTask;

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2") && has!("fma") && has!("popcnt")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has_avx2() && has!("avx512f") && has!("avx512vl") && has!("avx512dq")
}

/// Runs a task for one number at a time, out of line: on most processors it is never called.
#[cfg_attr(target_arch = "x86_64", inline(never))]
fn run_plainly<T: LaneTask>(task: T) -> T::Output {
    task.run::<f64>()
}

/// How many contacts are computed side by side. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width(Instructions);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instructions {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Width {
    /// One at a time: the reference.
    pub const SCALAR: Self = Self(Instructions::Scalar);

    /// All widths that this machine can run, the reference first.
    pub fn available() -> Vec<Self> {
        let mut widths = vec![Self::SCALAR];
        #[cfg(target_arch = "x86_64")]
        {
            widths.extend(has_avx2().then_some(Self(Instructions::Avx2)));
            widths.extend(has_avx512().then_some(Self(Instructions::Avx512)));
        }
        widths
    }

    /// The fastest that this machine can run.
    pub fn fastest() -> Self {
        #[cfg(target_arch = "x86_64")]
        if has_avx512() {
            return Self(Instructions::Avx512);
        } else if has_avx2() {
            return Self(Instructions::Avx2);
        }
        Self::SCALAR
    }

    /// The width of a name or a key, if this machine can run it.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::available().into_iter().find(|width| width.name() == name || width.key() == name)
    }

    /// Word for it on command lines.
    pub fn key(self) -> &'static str {
        match self.0 {
            Instructions::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "avx512",
        }
    }

    /// Name of the instructions.
    pub fn name(self) -> &'static str {
        match self.0 {
            Instructions::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "AVX-512",
        }
    }

    /// Speed of steps in proportion to that with the widest instructions that contacts are compiled for, from and to \[-\], by
    /// `dem bench --lanes` on one processor. None of the widest, and where nothing was measured.
    pub fn relative_speed(self) -> Option<[f64; 2]> {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Instructions::Scalar => Some([0.08, 0.12]),
            #[cfg(not(target_arch = "x86_64"))]
            Instructions::Scalar => None,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => Some([0.73, 0.79]),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => None,
        }
    }

    /// Runs a task for one number at a time, with the instructions that the width stands for.
    #[inline]
    pub fn run_alone<T: LaneTask>(self, task: T) -> T::Output {
        self.run_alone_beside::<T, T>(task)
    }

    /// As [`Self::run_alone`], compiled beside `H` as in [`Self::run_in_lanes_beside`].
    #[inline]
    pub fn run_alone_beside<H: ?Sized, T: LaneTask>(self, task: T) -> T::Output {
        match self.0 {
            Instructions::Scalar => run_plainly(task),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 | Instructions::Avx512 => {
                #[expect(unsafe_code, reason = "calls a function compiled for AVX2")]
                // SAFETY: as below; those of AVX-512 include them
                unsafe {
                    <H as avx2::InAvx2>::run_alone_avx2(task)
                }
            }
        }
    }

    /// Runs a task, or gives it back if it would be run for one number at a time although the processor's family has lanes: without fused
    /// instructions every such product is a call, so that nothing is gained by code of its own.
    ///
    /// The code is compiled in one unit with that of the module of the type `H`, if the crate is built in small units: after an edit there, and
    /// not of another law, it is compiled again.
    ///
    /// # Errors
    /// The task.
    #[inline]
    pub fn run_in_lanes_beside<H: ?Sized, T: LaneTask>(self, task: T) -> Result<T::Output, T> {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Instructions::Scalar => Err(task),
            #[cfg(not(target_arch = "x86_64"))]
            Instructions::Scalar => Ok(task.run::<f64>()),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => {
                #[expect(unsafe_code, reason = "calls a function compiled for AVX2")]
                // SAFETY: a width with these instructions comes from `available` only, which has checked that the processor has them
                unsafe {
                    Ok(<H as avx2::InAvx2>::run_avx2(task))
                }
            }
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => {
                #[expect(unsafe_code, reason = "calls a function compiled for AVX-512")]
                // SAFETY: as above
                unsafe {
                    Ok(<H as avx512::InAvx512>::run_avx512(task))
                }
            }
        }
    }

    /// Runs a task.
    #[inline]
    pub fn run<T: LaneTask>(self, task: T) -> T::Output {
        self.run_in_lanes_beside::<T, T>(task).unwrap_or_else(run_plainly)
    }
}
