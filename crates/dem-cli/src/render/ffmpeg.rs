//! A film as MP4, which the program ffmpeg encodes.

use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

use dem_io::atomic::Unfinished;
use dem_view::Image;

use crate::failure::Failure;

/// Quality: visually lossless on pictures of spheres.
const RATE_FACTOR: &str = "18";
/// Pictures a second that players take.
const RATES: std::ops::RangeInclusive<f64> = 0.01..=120.0;

/// An MP4 that is being written.
pub struct Mp4 {
    child: Child,
    /// Collects what ffmpeg complains about.
    complaints: Option<JoinHandle<String>>,
    file: Option<Unfinished>,
}

impl Mp4 {
    /// Starts ffmpeg for pictures of a size, so many a second.
    pub fn begin(path: &Path, (width, height): (u32, u32), rate: f64) -> Result<Self, Failure> {
        if !RATES.contains(&rate) {
            return Err(Failure::input(format!(
                "--fps {rate}: expected {} to {} in an MP4",
                RATES.start(),
                RATES.end()
            )));
        }
        if width % 2 != 0 || height % 2 != 0 {
            let even = |side: u32| (side & !1).max(2);
            let (w, h) = (even(width), even(height));
            return Err(Failure::input(format!(
                "--size {width}x{height}: expected even numbers in an MP4, as in {w}x{h}"
            )));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = Unfinished::begin(folder)?;
        let mut command = Command::new("ffmpeg");
        command.args(["-hide_banner", "-loglevel", "error", "-nostats", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"]);
        command.args(["-s", &format!("{width}x{height}"), "-framerate", &rate.to_string(), "-i", "-"]);
        // what players everywhere show, in the colours of televisions, said in the file
        command.args(["-vf", "scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p", "-c:v", "libx264"]);
        command.args(["-crf", RATE_FACTOR, "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]);
        command.args(["-movflags", "+faststart", "-f", "mp4"]).arg(file.path());
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            Failure::input(match error.kind() {
                ErrorKind::NotFound => format!(
                    "--out {}: MP4 needs the program ffmpeg, which is not on the path; install it, or write a .gif, an .apng or a folder of pictures",
                    path.display()
                ),
                _ => format!("cannot start ffmpeg: {error}"),
            })
        })?;
        let complaints = child.stderr.take().map(|mut pipe| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                // as much as anybody reads; the rest must go as well
                let _ = pipe.by_ref().take(1 << 16).read_to_end(&mut bytes);
                let _ = std::io::copy(&mut pipe, &mut std::io::sink());
                String::from_utf8_lossy(&bytes).trim().to_owned()
            })
        });
        Ok(Self { child, complaints, file: Some(file) })
    }

    /// Adds a picture.
    pub fn add(&mut self, image: &Image) -> Result<(), Failure> {
        let written = self.child.stdin.as_mut().map_or(Ok(()), |pipe| pipe.write_all(image.bytes()));
        // it has ended, and says why
        written.map_err(|_| self.end().err().unwrap_or_else(|| Failure::input("ffmpeg ended early")))
    }

    /// Waits for the end of the film, and gives it its name.
    pub fn finish(mut self, path: &Path) -> Result<(), Failure> {
        self.end()?;
        self.file.take().map_or(Ok(()), |file| file.finish_as(path)).map_err(Failure::from)
    }

    fn end(&mut self) -> Result<(), Failure> {
        drop(self.child.stdin.take());
        let status = self.child.wait().map_err(|error| Failure::input(format!("ffmpeg: {error}")))?;
        let complaints = self.complaints.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        if status.success() { Ok(()) } else { Err(Failure::input(format!("ffmpeg failed ({status}): {complaints}"))) }
    }
}

impl Drop for Mp4 {
    fn drop(&mut self) {
        // of a film that is given up; it has ended otherwise
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
