//! At constant N every option is the same spring and slider.

use super::*;

const OVERLAP: f64 = 1e-5;

/// Forth beyond the limit, back to gross sliding the other way, and half forth again, in a direction inclined to the axes; after every step the force
/// is that of the scalar spring and slider, and elastic and sliding displacement add up to the slip.
fn follows_the_closed_form<L: ContactLaw>(law: L, displacements: bool) {
    let direction = DVec3::new(0.0, 0.6, -0.8);
    let mut drive = Drive::new(law, OVERLAP);
    let (k, limit) = (drive.stiffness(), 0.5 * drive.normal_force());
    let reach = limit / k;
    let (mut expected, mut slip) = (0.0f64, 0.0);
    for (distance, steps) in [(2.5 * reach, 40), (-4.0 * reach, 60), (1.3 * reach, 17)] {
        for _ in 0..steps {
            let step = distance / f64::from(steps);
            drive.step(OVERLAP, direction * step, 1e-5);
            slip += step;
            expected = (expected - k * step).clamp(-limit, limit);
            let error = (drive.force - direction * expected).length();
            // round-off of some hundred operations
            assert!(error < 1e-13 * limit, "{:?}: {} {expected}", drive.law.derived(), drive.force);
            if displacements {
                let (elastic, sliding) = (drive.vector("elastic_displacement"), drive.vector("sliding_displacement"));
                assert!((elastic + drive.force / k).length() < 1e-13 * reach);
                assert!((elastic + sliding - direction * slip).length() < 1e-13 * reach);
            }
        }
    }
    let [stored, friction] = ["elastic_tangential_work", "friction_work"].map(|name| drive.field(name)[0]);
    assert!((stored - 0.5 * expected * expected / k).abs() < 1e-12 * limit * reach, "the spring holds ½ T²/k_t");
    assert!((stored + friction - drive.work).abs() < 1e-12 * limit * reach, "work is stored or dissipated");
}

#[test]
fn constant_load_follows_the_closed_form_for_every_option() {
    follows_the_closed_form(law::<Linear>(&[]).unwrap(), false);
    follows_the_closed_form(law::<LinearSliding>(&[]).unwrap(), false);
    follows_the_closed_form(law::<HertzMindlin>(&[]).unwrap(), false);
    follows_the_closed_form(law::<HertzMindlinSliding>(&[]).unwrap(), false);
    for rule in ["mindlin", "kohring", "campello"] {
        follows_the_closed_form(law::<MindlinTotal>(&given![stiffness_rule = rule]).unwrap(), false);
        for point in [0.0, 0.5, 1.0] {
            for direction in ["force", "displacement", "velocity"] {
                for displacement in ["incremental", "secant"] {
                    let options = given![
                        stiffness_rule = rule,
                        stiffness_point = point,
                        sliding_direction = direction,
                        elastic_displacement = displacement,
                    ];
                    follows_the_closed_form(law::<Mindlin>(&options).unwrap(), true);
                }
            }
        }
    }
    let constant = given![stiffness_rule = "constant", tangential_stiffness = 3e5];
    follows_the_closed_form(law::<MindlinTotal>(&constant).unwrap(), false);
    follows_the_closed_form(law::<Mindlin>(&constant).unwrap(), true);
}

/// A sliding contact whose slip turns by 90°: the angle between force and slip obeys `tan(θ/2) = exp(−k_t s/μN)`, as for a point
/// dragged on a string (M. R. Kuhn et al., constant N); the direction `velocity` turns at once.
#[test]
fn the_sliding_force_turns_into_a_new_direction_of_slip_as_a_tractrix() {
    for (direction, at_once) in [("force", false), ("displacement", false), ("velocity", true)] {
        let mut errors = Vec::new();
        for steps in [200, 400] {
            let mut drive = Drive::new(law::<Mindlin>(&given![sliding_direction = direction]).unwrap(), OVERLAP);
            let (k, limit) = (drive.stiffness(), 0.5 * drive.normal_force());
            let reach = limit / k;
            drive.slip(2.0 * reach, 50);
            for _ in 0..steps {
                drive.step(OVERLAP, DVec3::Z * (1.5 * reach / f64::from(steps)), 1e-5);
            }
            let angle = drive.force.y.atan2(drive.force.z).abs();
            let found = std::f64::consts::PI - angle;
            let expected = if at_once { 0.0 } else { 2.0 * (-1.5f64).exp().atan() };
            errors.push((found - expected).abs());
        }
        println!("{direction}: error of the angle {errors:?} rad");
        if at_once {
            assert!(errors[0] < 1e-15);
        } else {
            assert!(errors[1] < 1e-3 && (errors[0] / errors[1] - 2.0).abs() < 0.1, "first order: {errors:?}");
        }
    }
}

/// The options' defaults are the fast law, bit for bit.
#[test]
fn defaults_give_the_force_of_hertz_mindlin() {
    let (mut all, mut fast) =
        (Drive::new(law::<Mindlin>(&[]).unwrap(), -1e-7), Drive::new(law::<HertzMindlin>(&[]).unwrap(), -1e-7));
    for k in 0..200 {
        let phase = f64::from(k) * 0.1;
        let overlap = OVERLAP * phase.sin().abs();
        let slip = DVec3::new(0.0, (0.7 * phase).cos(), phase.sin()) * 2e-7;
        let a = all.step(overlap, slip, 1e-5);
        let b = fast.step(overlap, slip, 1e-5);
        assert_eq!(DVec3::from(a.tangential_force), DVec3::from(b.tangential_force));
        assert_eq!(all.record[..7], fast.record[..7], "work and stored force");
    }
}

#[test]
fn a_point_of_the_step_needs_a_stiffness_that_varies() {
    let constant = given![stiffness_rule = "constant", tangential_stiffness = 3e5, stiffness_point = 0.5];
    let refused = law::<Mindlin>(&constant).unwrap_err();
    assert!(refused.parameter == "stiffness_point" && refused.message.contains("0.5"), "{refused}");
    let area = given![stiffness_rule = "constant", tangential_stiffness = 3e5, unloading = "area"];
    let refused = law::<Mindlin>(&area).unwrap_err();
    assert!(refused.parameter == "unloading" && refused.message.contains("\"area\""), "{refused}");
    assert!(law::<Mindlin>(&given![stiffness_point = 1.5]).unwrap_err().message.contains("0 <= value <= 1"));
}
