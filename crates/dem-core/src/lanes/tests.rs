use super::*;

/// Every operation on a grid of awkward numbers, as bits.
struct Everything;

const NUMBERS: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    1e-310,
    -3e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    2.0 / 3.0,
    1e17,
    -1e-17,
    7.0,
    0.5,
    3e-8,
];

impl LaneTask for Everything {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<R: Real>(self) -> Vec<u64> {
        let mut found = Vec::new();
        for at in (0..NUMBERS.len()).step_by(R::LANES) {
            for shift in 0..NUMBERS.len() {
                let a = R::from_lanes(|lane| NUMBERS[at + lane]);
                let b = R::from_lanes(|lane| NUMBERS[(at + lane + shift) % NUMBERS.len()]);
                let v = Vector::new(a, b, R::splat(0.3));
                let w = Vector::new(b, a * b, a - b);
                let values = [
                    a + b,
                    a - b,
                    a * b,
                    a / b,
                    -a,
                    a.sqrt(),
                    a.abs(),
                    a.maximum(b),
                    a.minimum(b),
                    R::select(a.less(b), a, b),
                    R::select(a.at_most(b) & !b.greater(a) | b.less(R::zero()), a, b),
                    v.dot(w),
                    v.cross(w).x,
                    v.cross(w).z,
                ];
                R::rows(&values, |lane, row| {
                    let nan = f64::NAN.to_bits();
                    let bits = row.map(|x| if x.is_nan() { nan } else { x.to_bits() });
                    found.resize(found.len().max((at + lane + 1) * NUMBERS.len() * bits.len()), 0);
                    found[((at + lane) * NUMBERS.len() + shift) * bits.len()..][..bits.len()].copy_from_slice(&bits);
                });
                let table: Vec<[f64; 14]> = (0..R::LANES).map(|lane| values.map(|x| x.lane(lane))).collect();
                let back = R::columns(|lane| &table[lane]);
                for (value, back) in values.iter().zip(back) {
                    for lane in 0..R::LANES {
                        assert!(value.lane(lane).to_bits() == back.lane(lane).to_bits());
                    }
                }
            }
        }
        found
    }
}

#[test]
fn every_width_gives_the_bits_of_the_scalar() {
    let reference = Width::SCALAR.run(Everything);
    for width in Width::available() {
        assert!(width.run(Everything) == reference, "{}", width.name());
    }
}
