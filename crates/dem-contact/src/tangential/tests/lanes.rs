use super::*;
use crate::force_loop::kernel::lane_equality::assert_lanes_give_the_bits_of_the_scalar as check;

#[test]
fn fast_laws_have_the_same_bits_in_lanes() {
    check(&law::<Linear>(&given![tangential_damping_ratio = 0.1]).unwrap());
    check(&law::<HertzMindlin>(&given![restitution = 0.5]).unwrap());
    check(&law::<HertzMindlin>(&given![restitution = 0.5, tangential_damping_share = 0.5]).unwrap());
    check(&law::<LinearSliding>(&given![dynamic_friction = 0.2]).unwrap());
    check(&law::<HertzMindlinSliding>(&given![dynamic_friction = 0.2, sliding_flag = false]).unwrap());
}

#[test]
fn total_form_has_the_same_bits_in_lanes() {
    for rule in ["mindlin", "kohring", "campello"] {
        check(&law::<MindlinTotal>(&given![stiffness_rule = rule, dynamic_friction = 0.3]).unwrap());
    }
    check(&law::<MindlinTotal>(&given![stiffness_rule = "constant", tangential_stiffness = 1e5]).unwrap());
}

#[test]
fn incremental_mindlin_has_the_same_bits_in_lanes() {
    for direction in ["force", "displacement", "velocity"] {
        for displacement in ["incremental", "secant"] {
            let options = given![
                sliding_direction = direction,
                elastic_displacement = displacement,
                stiffness_point = 0.5,
                dynamic_friction = 0.4,
                tangential_damping_ratio = 0.05,
            ];
            check(&law::<Mindlin>(&options).unwrap());
        }
    }
}
