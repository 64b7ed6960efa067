//! Light on spheres and walls, in linear colours.

use std::sync::OnceLock;

use glam::{DVec3, Vec3};

/// Direction to the main lamp in camera axes: over the left shoulder of the viewer.
const LAMP: Vec3 = Vec3::new(-0.42, 0.62, -0.66);

/// Lamps fixed to the camera and a sky fixed to the vertical of the scene.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lighting {
    lamp: Vec3,
    sky: Vec3,
}

/// A lit surface point in camera axes; directions have unit length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SurfacePoint {
    pub normal: DVec3,
    pub to_eye: DVec3,
    /// Part of the sky that is seen, 0 to 1.
    pub brightness: f32,
}

impl Lighting {
    /// `vertical` points up in camera axes.
    pub fn new(vertical: DVec3) -> Self {
        Self { lamp: LAMP.normalize(), sky: vertical.as_vec3() }
    }

    /// Colour of the round surface of a sphere.
    pub fn shade_sphere(&self, colour: Vec3, point: &SurfacePoint) -> Vec3 {
        let (normal, to_eye) = (point.normal.as_vec3(), point.to_eye.as_vec3());
        let key = normal.dot(self.lamp).max(0.0);
        let sky = 0.5 + 0.5 * normal.dot(self.sky);
        let facing = normal.dot(to_eye).clamp(0.0, 1.0);
        // Spheres of one colour in front of each other stay apart by their dark edges.
        let edge = 0.55 + 0.45 * smooth_step(facing / 0.5);
        let light = (0.26 + 0.36 * sky) * point.brightness + 0.64 * key * (0.2 + 0.8 * point.brightness);
        let half_way = (self.lamp + to_eye).normalize_or_zero();
        // Dark colours stay dark: they mean something.
        let gloss =
            0.10 * (0.25 + 0.75 * colour.max_element()) * normal.dot(half_way).max(0.0).powi(48) * point.brightness;
        colour * (light * edge) + Vec3::splat(gloss)
    }

    /// Colour of the flat face where a sphere is cut.
    pub fn shade_cut(&self, colour: Vec3, brightness: f32) -> Vec3 {
        colour * (0.62 * (0.6 + 0.4 * brightness))
    }

    /// Colour of an opaque wall, whose both sides are alike.
    pub fn shade_solid(&self, colour: Vec3, point: &SurfacePoint) -> Vec3 {
        let (normal, to_eye) = (point.normal.as_vec3(), point.to_eye.as_vec3());
        let key = normal.dot(self.lamp).max(0.0);
        let sky = 0.5 + 0.5 * normal.dot(self.sky);
        let light =
            (0.24 + 0.34 * sky) * (0.35 + 0.65 * point.brightness) + 0.60 * key * (0.3 + 0.7 * point.brightness);
        let half_way = (self.lamp + to_eye).normalize_or_zero();
        colour * light + Vec3::splat(0.12 * normal.dot(half_way).max(0.0).powi(24) * point.brightness)
    }

    /// Colour of a translucent wall in front of `background`: a veil rather than a solid, so that it stays behind the spheres.
    pub fn shade_veil(&self, background: Vec3, point: &SurfacePoint) -> Vec3 {
        let normal = point.normal.as_vec3();
        let light = 0.68 + 0.16 * normal.dot(self.lamp).max(0.0) + 0.12 * normal.dot(self.sky);
        background * (light * (0.45 + 0.55 * point.brightness))
    }
}

fn smooth_step(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Linear light of an sRGB colour (IEC 61966-2-1).
pub(crate) fn decode(colour: [u8; 3]) -> Vec3 {
    Vec3::from_array(colour.map(|channel| {
        let s = f32::from(channel) / 255.0;
        if s <= 0.04045 { s / 12.92 } else { ((s + 0.055) / 1.055).powf(2.4) }
    }))
}

/// sRGB colour of linear light, clamped.
pub(crate) fn encode(colour: Vec3) -> [u8; 3] {
    /// Entries of the table; at the dark end one entry is a fifth of an eight-bit step.
    const STEPS: usize = 16 * 1024;
    static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let encode = |linear: f32| {
            if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
        };
        (0..=STEPS).map(|k| (255.0 * encode(k as f32 / STEPS as f32)).round() as u8).collect()
    });
    // NaN converts to index 0.
    colour.to_array().map(|linear| table[(linear.clamp(0.0, 1.0) * STEPS as f32 + 0.5) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_round_trip_through_linear_light() {
        for level in 0..=255 {
            assert_eq!(encode(decode([level, 0, 255])), [level, 0, 255]);
        }
        assert_eq!(encode(Vec3::new(-1.0, 7.0, f32::NAN))[..2], [0, 255]);
    }

    #[test]
    fn surface_towards_the_lamp_is_brighter_and_occlusion_darkens() {
        let lighting = Lighting::new(DVec3::Y);
        let colour = Vec3::splat(0.5);
        let at = |normal: DVec3, brightness| {
            let point = SurfacePoint { normal: normal.normalize(), to_eye: -DVec3::Z, brightness };
            lighting.shade_sphere(colour, &point).x
        };
        let (lit, averted) = (DVec3::new(-0.4, 0.6, -0.7), DVec3::new(0.4, -0.6, -0.7));
        assert!(at(lit, 1.0) > 1.5 * at(averted, 1.0));
        assert!(at(lit, 0.2) < 0.7 * at(lit, 1.0));
        assert!(at(DVec3::new(0.99, 0.1, -0.1), 1.0) < at(DVec3::new(0.5, 0.1, -0.8), 1.0), "edges are dark");
    }
}
