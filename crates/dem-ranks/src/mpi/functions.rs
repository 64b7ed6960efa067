//! The functions of an MPI library.
#![expect(unsafe_code, reason = "a C library that is opened at run time")]

use std::ffi::{c_int, c_void};
use std::ptr;

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW, Symbol};

use super::error::MpiError;
use super::family::{Family, Handle, MPICH, OPEN_MPI, STANDARD};
use super::launcher::Launcher;

/// Room for an `MPI_Status` of any implementation: 20 to 32 bytes.
type Status = [u64; 8];

type Init = unsafe extern "C" fn(*mut c_void, *mut c_void, c_int, *mut c_int) -> c_int;
type Ask = unsafe extern "C" fn(usize, *mut c_int) -> c_int;
type Isend = unsafe extern "C" fn(*const c_void, c_int, usize, c_int, c_int, usize, *mut u64) -> c_int;
type Test = unsafe extern "C" fn(*mut u64, *mut c_int, *mut c_void) -> c_int;
type Iprobe = unsafe extern "C" fn(c_int, c_int, usize, *mut c_int, *mut Status) -> c_int;
type GetCount = unsafe extern "C" fn(*const Status, usize, *mut c_int) -> c_int;
type Recv = unsafe extern "C" fn(*mut c_void, c_int, usize, c_int, c_int, usize, *mut c_void) -> c_int;
type Finalize = unsafe extern "C" fn() -> c_int;
type Abort = unsafe extern "C" fn(usize, c_int) -> c_int;

/// What is called, and the handles that it is called with.
#[derive(Debug)]
pub(super) struct Functions {
    family: Family,
    world: usize,
    byte: usize,
    init: Symbol<Init>,
    comm_rank: Symbol<Ask>,
    comm_size: Symbol<Ask>,
    isend: Symbol<Isend>,
    test: Symbol<Test>,
    iprobe: Symbol<Iprobe>,
    get_count: Symbol<GetCount>,
    recv: Symbol<Recv>,
    finalize: Symbol<Finalize>,
    abort: Symbol<Abort>,
    /// Never closed: libraries leave threads and handlers behind.
    _library: std::mem::ManuallyDrop<Library>,
}

/// A message on its way: its bytes stay where they are until it has left.
#[derive(Debug)]
pub(super) struct Sent {
    bytes: Vec<u8>,
    /// The request, of 4 or 8 bytes.
    request: Box<u64>,
}

/// A function by its name.
fn find<T>(library: &Library, path: &str, name: &'static str) -> Result<Symbol<T>, MpiError> {
    // SAFETY: the types are those of the standard's C interface, with handles as words
    let found = unsafe { library.get::<T>(name.as_bytes()) };
    found.map_err(|_| MpiError::NoFunction { library: path.to_owned(), function: name.trim_end_matches('\0') })
}

impl Functions {
    /// Opens the first library of a launcher that there is; returns its path, too.
    pub fn open(launcher: &Launcher) -> Result<(String, Self), MpiError> {
        let mut tried = Vec::new();
        for path in launcher.libraries() {
            // SAFETY: what libraries of MPI do when they are opened is to be trusted: the user has chosen the launcher
            match unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_GLOBAL) } {
                Ok(library) => {
                    let path = path.to_string_lossy().into_owned();
                    let functions = Self::of(library, &path)?;
                    return Ok((path, functions));
                }
                Err(_) => tried.push(path.to_string_lossy().into_owned()),
            }
        }
        Err(MpiError::NoLibrary { launcher: launcher.variable, tried: tried.join(", ") })
    }

    fn of(library: Library, path: &str) -> Result<Self, MpiError> {
        let has = |name: &[u8]| {
            // SAFETY: only the address is asked for
            unsafe { library.get::<*mut c_void>(name) }.is_ok()
        };
        let is_standard = has(b"MPI_Abi_get_version\0") && path.contains("mpi_abi");
        let family = match (has(b"ompi_mpi_comm_world\0"), is_standard) {
            (true, _) => OPEN_MPI,
            (_, true) => STANDARD,
            _ => MPICH,
        };
        let handle = |handle: Handle| match handle {
            Handle::Word(word) => Ok(word),
            Handle::Symbol(name) => {
                // SAFETY: only the address is used
                let found = unsafe { library.get::<*mut c_void>(name) };
                let address = found.map(|symbol| symbol.into_raw() as usize);
                address.map_err(|_| MpiError::NoFunction { library: path.to_owned(), function: "ompi_mpi_comm_world" })
            }
        };
        Ok(Self {
            family,
            world: handle(family.world)?,
            byte: handle(family.byte)?,
            init: find(&library, path, "MPI_Init_thread\0")?,
            comm_rank: find(&library, path, "MPI_Comm_rank\0")?,
            comm_size: find(&library, path, "MPI_Comm_size\0")?,
            isend: find(&library, path, "MPI_Isend\0")?,
            test: find(&library, path, "MPI_Test\0")?,
            iprobe: find(&library, path, "MPI_Iprobe\0")?,
            get_count: find(&library, path, "MPI_Get_count\0")?,
            recv: find(&library, path, "MPI_Recv\0")?,
            finalize: find(&library, path, "MPI_Finalize\0")?,
            abort: find(&library, path, "MPI_Abort\0")?,
            _library: std::mem::ManuallyDrop::new(library),
        })
    }

    /// Name of the implementation.
    pub fn family(&self) -> &'static str {
        self.family.name
    }

    /// Begins; returns the number of this rank and how many there are.
    pub fn begin(&self, library: &str) -> Result<(usize, usize), MpiError> {
        let failed = |function, code| MpiError::Failed { library: library.to_owned(), function, code };
        let (mut provided, mut rank, mut size) = (0, -1, -1);
        // SAFETY: the standard allows no arguments; all others are out parameters
        let code = unsafe { (self.init)(ptr::null_mut(), ptr::null_mut(), self.family.serialized, &mut provided) };
        if code != 0 {
            return Err(failed("MPI_Init_thread", code));
        }
        // SAFETY: out parameters
        let codes = unsafe { [(self.comm_rank)(self.world, &mut rank), (self.comm_size)(self.world, &mut size)] };
        if let Some(&code) = codes.iter().find(|&&code| code != 0) {
            return Err(failed("MPI_Comm_rank", code));
        }
        Ok((rank as usize, size as usize))
    }

    /// Sends bytes; does not wait.
    pub fn send(&self, to: usize, tag: c_int, bytes: Vec<u8>) -> Sent {
        let mut sent = Sent { bytes, request: Box::new(0) };
        // SAFETY: bytes and request are on the heap and stay there until the message has left, see `has_left` and `end`; errors are fatal, the
        // default of the standard
        unsafe {
            let start = sent.bytes.as_ptr().cast();
            (self.isend)(start, sent.bytes.len() as c_int, self.byte, to as c_int, tag, self.world, &mut *sent.request);
        }
        sent
    }

    /// Whether a message has left, so that its bytes may go.
    pub fn has_left(&self, sent: &mut Sent) -> bool {
        let mut done = 0;
        // SAFETY: the request is that of `send`
        unsafe { (self.test)(&mut *sent.request, &mut done, self.no_status()) };
        done != 0
    }

    /// A message of a rank, if one has come.
    pub fn receive(&self, from: usize, tag: c_int) -> Option<Vec<u8>> {
        let (mut is_there, mut status, mut count): (c_int, Status, c_int) = (0, [0; 8], 0);
        // SAFETY: out parameters with room for any implementation's status
        unsafe { (self.iprobe)(from as c_int, tag, self.world, &mut is_there, &mut status) };
        if is_there == 0 {
            return None;
        }
        // SAFETY: the status is that of the probe
        unsafe { (self.get_count)(&status, self.byte, &mut count) };
        let mut bytes = vec![0u8; count.max(0) as usize];
        // SAFETY: as many bytes as the message has; no other thread receives in between
        unsafe {
            let start = bytes.as_mut_ptr().cast();
            (self.recv)(start, count, self.byte, from as c_int, tag, self.world, self.no_status());
        }
        Some(bytes)
    }

    /// Waits until all messages have left, and leaves.
    pub fn end(&self, mut sent: Vec<Sent>) {
        let begun = std::time::Instant::now();
        // who has been interrupted receives no more
        while !sent.is_empty() && begun.elapsed().as_secs() < 2 {
            sent.retain_mut(|sent| !self.has_left(sent));
        }
        if sent.is_empty() {
            // SAFETY: nothing is called afterwards
            unsafe { (self.finalize)() };
        } else {
            std::mem::forget(sent);
        }
    }

    /// Ends all processes.
    pub fn abort(&self, code: c_int) {
        // SAFETY: does not return
        unsafe { (self.abort)(self.world, code) };
    }

    fn no_status(&self) -> *mut c_void {
        ptr::without_provenance_mut(self.family.no_status)
    }
}
