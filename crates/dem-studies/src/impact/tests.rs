use super::solutions::{ANNULI, SPRINGS};
use super::*;
use crate::named_choice::NamedChoice;
use crate::sphere_and_partner::Partner;

fn few() -> Options {
    Options { angles: vec![5.0, 40.0], annuli: 60, steps: vec![400.0], ..Options::default() }
}

fn value(report: &Report, table: usize, law: &str, angle: f64, column: &str) -> f64 {
    let table = &report.tables[table];
    let angles = table.numbers("angle_deg");
    let row = table.rows().iter().zip(&angles).position(|(row, &a)| row[0] == law.into() && a == angle);
    table.numbers(column)[row.unwrap()]
}

#[test]
fn the_foundation_of_springs_follows_the_annuli_and_all_laws_agree_when_they_slide() {
    let report = run(&few()).unwrap();
    let annuli = value(&report, 1, ANNULI, 5.0, "e_t");
    assert!((value(&report, 1, SPRINGS, 5.0, "e_t") - annuli).abs() < 3e-4);
    assert!((value(&report, 0, "mdr", 5.0, "e_t") - annuli).abs() < 1e-3);
    assert!((value(&report, 0, "mindlin-total", 5.0, "e_t") - annuli).abs() > 0.05);
    for law in options::PUBLISHED_LAWS {
        let sliding = 1.0 - 2.0 * 0.092 / 40.0_f64.to_radians().tan();
        assert!((value(&report, 0, law, 40.0, "e_t") - sliding).abs() < 1e-3, "{law}");
        assert!((value(&report, 0, law, 40.0, "e_n") - 1.0).abs() < 1e-3, "{law}");
    }
    let time = value(&report, 1, ANNULI, 5.0, "contact_time_s");
    assert!((value(&report, 0, "mdr", 5.0, "contact_time_s") / time - 1.0).abs() < 1e-4);
    let force = value(&report, 1, ANNULI, 5.0, "max_normal_force_N");
    assert!((value(&report, 0, "mdr", 5.0, "max_normal_force_N") / force - 1.0).abs() < 1e-4);
    assert_eq!(report.figures.len(), 5);
}

#[test]
fn two_equal_spheres_rebound_as_one_of_half_radius_and_mass_from_a_wall() {
    let laws = vec![NamedChoice::law("mdr").unwrap()];
    let spheres = Options { partner: Partner::Sphere, laws: laws.clone(), angles: vec![12.0], ..few() };
    let report = run(&spheres).unwrap();
    // the normal of the contact turns during the impact, by 2e-3
    assert!((value(&report, 0, "mdr", 12.0, "e_t") - value(&report, 1, ANNULI, 12.0, "e_t")).abs() < 4e-3);
    let spin = value(&report, 1, ANNULI, 12.0, "omega_rad_s");
    assert!((value(&report, 0, "mdr", 12.0, "omega_rad_s") / spin - 1.0).abs() < 1e-2);
    let imbalance = value(&report, 0, "mdr", 12.0, "imbalance_J");
    assert!(imbalance.abs() < 1e-3 * value(&report, 0, "mdr", 12.0, "kinetic_loss_J"), "{imbalance}");
}

#[test]
fn spin_that_cancels_the_slip_takes_the_tangential_force_away() {
    let options = Options { angles: vec![20.0], laws: vec![NamedChoice::law("mdr").unwrap()], ..few() };
    let tangential = 3.9 * 20.0_f64.to_radians().sin();
    let report = run(&Options { spins: vec![-tangential / 2.5e-3], ..options }).unwrap();
    assert!((value(&report, 0, "mdr", 20.0, "e_t") - 1.0).abs() < 1e-9);
}

#[test]
fn every_combination_is_run_with_what_it_says() {
    let options = Options {
        laws: vec![NamedChoice::law("hertz-mindlin").unwrap()],
        speed: Speed::Normal(2.0),
        angles: vec![45.0],
        frictions: vec![0.0, 0.3],
        restitutions: vec![0.5, 1.0],
        steps: vec![100.0, 200.0],
        ..few()
    };
    let report = run(&options).unwrap();
    let column = |name| report.tables[0].numbers(name);
    assert_eq!(column("friction"), [0.0, 0.0, 0.3, 0.3, 0.0, 0.0, 0.3, 0.3]);
    assert_eq!(column("steps_per_contact"), [100.0, 200.0].repeat(4));
    let asked = [0.5, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0];
    for (achieved, asked) in column("e_n").into_iter().zip(asked) {
        assert!((achieved - asked).abs() < 5e-3, "{achieved} {asked}");
    }
    assert!(column("normal_speed_m_s").iter().all(|&v| v == 2.0));
    assert!((column("e_t")[0] - 1.0).abs() < 1e-12, "without friction nothing changes along the wall");
    // the first friction is zero: no scales, no solutions, one figure
    assert_eq!((report.tables[1].rows().len(), report.figures.len()), (0, 1));
}

#[test]
fn options_out_of_range_are_named() {
    let refused = |change: fn(&mut Options)| {
        let mut options = few();
        change(&mut options);
        options.cases().unwrap_err().to_string()
    };
    assert!(refused(|o| o.angles = vec![]).starts_with("--angle = no values"));
    assert!(refused(|o| o.angles = vec![90.0]).starts_with("--angle = 90, expected in (0, 90)"));
    assert!(refused(|o| o.steps = vec![1.0]).starts_with("--steps = 1"));
    assert!(refused(|o| o.restitutions = vec![0.0]).starts_with("--restitution"));
    assert!(refused(|o| o.frictions = vec![f64::NAN]).starts_with("--friction"));
    assert!(refused(|o| o.laws = vec![]).starts_with("impacts = 0"));
    assert!(refused(|o| o.spins = vec![0.0; 10_000]).starts_with("impacts = 100000"));
    assert!(refused(|o| o.steps = vec![1e6; 200]).starts_with("steps of all impacts"));
    assert!(refused(|o| o.gravity = -1.0).starts_with("--gravity"));
}

#[test]
fn an_adhesive_impact_lasts_until_the_surfaces_let_go() {
    // twice the speed at which this sphere sticks
    let speed = 2.0 * 2.415_865e-3;
    let material = crate::material::Material::parse("--sphere", "2500 kg/m^3, 3.75 GPa, 0.25").unwrap();
    let options = Options {
        laws: vec![NamedChoice::law("jkr:surface_energy=0.05").unwrap()],
        sphere: material,
        partner_material: material,
        radius: 0.5e-3,
        speed: Speed::Normal(speed),
        angles: vec![1.0],
        annuli: 20,
        steps: vec![4000.0],
        ..Options::default()
    };
    let found = value(&run(&options).unwrap(), 0, "jkr:surface_energy=0.05", 1.0, "e_n");
    assert!((found - 0.75_f64.sqrt()).abs() < 3e-3, "{found}");
}
