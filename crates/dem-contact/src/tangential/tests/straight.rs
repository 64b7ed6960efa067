//! Laws that can be written down: straight lines of arithmetic.

use super::*;
use crate::bookkeeping::Unbooked;
use crate::force_loop::kernel::lane_equality::assert_shortcuts_change_no_bit;
use crate::law::StraightLaw;
use crate::parameter::Declaration;
use crate::registry::LAWS;
use crate::resistance::Resisted;

type Conventional = Composite<laws::conventional::Conventional>;

/// Laws in lanes that are no straight lines, and what keeps them out.
const BENT: [(&str, &str); 2] = [
    ("kuhn", "Gauss' rule over as many panels as the turn of a long step needs: `slip_rotation::integrate`"),
    (
        "mindlin-deresiewicz",
        "branches of histories are taken up and given off one contact at a time: `PlaneStep::take`",
    ),
];
/// Laws that are evaluated one contact at a time.
const ONE_BY_ONE: [&str; 3] = ["mdr", "balevicius", "combination"];

fn resisted<L: ContactLaw>(given: &[(String, ParameterValue)]) -> Resisted<L> {
    let mut all: std::collections::BTreeMap<_, _> = given![friction = 0.5, restitution = 0.6].into();
    if L::parameters().iter().any(|spec| spec.name == "normal_stiffness") {
        all.extend(given![normal_stiffness = 2e5]);
    }
    all.extend(given.iter().cloned());
    let declaration = Declaration { always: Resisted::<L>::parameters(), choices: Resisted::<L>::choices() };
    Resisted::new(&declaration.resolve(all).unwrap(), &pair()).unwrap()
}

/// A law alone and with every resistance.
fn check<L: StraightLaw>(found: &mut Vec<&'static str>, given: &[(String, ParameterValue)]) {
    found.push(L::KEY);
    assert_shortcuts_change_no_bit(&law::<L>(given).unwrap());
}

fn check_with_resistance<L: StraightLaw>() {
    let rolling = ["constant-torque", "elastic-plastic"];
    for (rolling, twisting) in rolling.into_iter().zip(["spring-dashpot", "marshall"]) {
        let mut all = given![rolling = rolling, twisting = twisting, rolling_friction = 0.1].to_vec();
        if twisting == "marshall" {
            all.extend(given![twisting_radius = 0.1]);
        } else {
            all.extend(given![twisting_friction = 0.05]);
        }
        assert_shortcuts_change_no_bit(&resisted::<L>(&all));
    }
}

#[test]
fn laws_that_are_straight_lines_have_the_same_bits_without_shortcuts() {
    let mut found = Vec::new();
    let keys = &mut found;
    check::<Linear>(keys, &given![tangential_damping_ratio = 0.1]);
    for rule in ["kelvin", "lammps", "dropped", "outside"] {
        check::<Linear>(keys, &given![tangential_damping_ratio = 0.1, sliding_dashpot = rule]);
    }
    check::<LinearSliding>(keys, &given![dynamic_friction = 0.2]);
    check::<Composite<laws::linear::Linear, Unbooked>>(keys, &given![tangential_damping_ratio = 0.1]);
    check::<Conventional>(keys, &given![contact_damping = 3.0]);
    for unloading in ["none", "carried", "area", "neutral", "total", "displacement", "hyperelastic"] {
        check::<HertzMindlin>(keys, &given![restitution = 0.5, tangential_damping_share = 0.5, unloading = unloading]);
    }
    check::<HertzMindlinSliding>(keys, &given![dynamic_friction = 0.2, sliding_flag = false]);
    check::<Composite<laws::hertz_mindlin::HertzMindlin, Unbooked>>(keys, &given![restitution = 0.5]);
    for rule in ["mindlin", "kohring", "campello"] {
        check::<MindlinTotal>(keys, &given![stiffness_rule = rule, dynamic_friction = 0.3]);
    }
    for (direction, displacement) in [("force", "incremental"), ("displacement", "secant"), ("velocity", "incremental")]
    {
        check::<Mindlin>(
            keys,
            &given![
                sliding_direction = direction,
                elastic_displacement = displacement,
                stiffness_point = 0.5,
                dynamic_friction = 0.4,
                tangential_damping_ratio = 0.05,
            ],
        );
    }
    check_with_resistance::<Linear>();
    check_with_resistance::<HertzMindlin>();

    // every law is here, or it is said why not
    for law in LAWS {
        let named = found.contains(&law.key) || ONE_BY_ONE.contains(&law.key);
        let bent = BENT.iter().any(|(key, _)| *key == law.key);
        assert!(named != bent, "{}: neither a straight line nor known to be none, or both", law.key);
    }
}
