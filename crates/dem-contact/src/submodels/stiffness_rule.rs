//! Rules for the tangential stiffness.
//!
//! | rule | k_t | source |
//! |---|---|---|
//! | `mindlin` | x 8 G\* a, `1/G* = Σ(2−ν)/G`, x = `tangential_stiffness_factor`, 1 by default | R. D. Mindlin, J. Appl. Mech. 16 (1949) 259 |
//! | `kohring` | 16/3 G\* a | D. Zabulionis et al. (2012), Eqs. 22–23, after G. A. Kohring |
//! | `campello` | `8 [Gᵢ Gⱼ/(Gᵢ + Gⱼ)] a` | E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109, Eqs. 37–38 |
//! | `constant` | given, or a fraction of a constant normal stiffness | P. A. Cundall, O. D. L. Strack, Géotechnique 29 (1979) 47 |
//!
//! a = √(r\* δ) is the radius of the contact area. Mindlin's rule is the exact stiffness of a contact that does not slip. Kohring's is 2/3
//! of it: the secant from rest to gross sliding. Campello's leaves out the `2 − ν` and is that much stiffer, 1.75 times at ν = 0.25;
//! it is there to reproduce publications.

use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use crate::law::Derived;
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};

/// Choice of the rule.
pub const STIFFNESS_RULE: ParameterSpec = ParameterSpec {
    name: "stiffness_rule",
    unit: "-",
    meaning: "tangential stiffness: mindlin 8 G* a, kohring 16/3 G* a, campello 8 GG/(G + G) a, or constant",
    kind: ParameterKind::Choice(&["mindlin", "kohring", "campello", "constant"]),
};

/// Multiple of Mindlin's stiffness.
pub const TANGENTIAL_STIFFNESS_FACTOR: ParameterSpec = ParameterSpec {
    name: "tangential_stiffness_factor",
    unit: "-",
    meaning: "multiple x of Mindlin's stiffness, k_t = x 8 G* a; other codes have 2/3",
    kind: ParameterKind::Optional(Interval::POSITIVE),
};

/// Value of the rule `constant`.
pub const TANGENTIAL_STIFFNESS: ParameterSpec = ParameterSpec {
    name: "tangential_stiffness",
    unit: "N/m",
    meaning: "tangential stiffness of stiffness_rule constant",
    kind: ParameterKind::Optional(Interval::POSITIVE),
};

/// Value of the rule `constant` as a fraction of the normal stiffness.
pub const STIFFNESS_RATIO: ParameterSpec = ParameterSpec {
    name: "stiffness_ratio",
    unit: "-",
    meaning: "tangential to normal stiffness k_t/k; the default is Mindlin's 4 G*/E* of the two materials",
    kind: ParameterKind::Optional(Interval::NOT_NEGATIVE),
};

/// The tangential stiffness of a pair of materials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StiffnessRule {
    /// In proportion to the contact radius, with this factor \[Pa\].
    PerContactRadius(f64),
    /// Always the same \[N/m\].
    Constant(f64),
}

impl StiffnessRule {
    /// Parameters of [`Self::from_parameters`].
    pub const PARAMETERS: [ParameterSpec; 4] =
        [STIFFNESS_RULE, TANGENTIAL_STIFFNESS_FACTOR, TANGENTIAL_STIFFNESS, STIFFNESS_RATIO];

    /// Mindlin's stiffness of a contact that does not slip, or the multiple of it given by
    /// `tangential_stiffness_factor`.
    pub fn mindlin(parameters: &ParameterSet, pair: &PairMaterial) -> Self {
        let factor = parameters.optional(TANGENTIAL_STIFFNESS_FACTOR.name).unwrap_or(1.0);
        Self::PerContactRadius(8.0 * pair.effective_shear_modulus * factor)
    }

    /// From `stiffness_rule`; `constant` takes `tangential_stiffness`, or a fraction of the normal stiffness if that is
    /// constant too.
    ///
    /// # Errors
    /// The rule `constant` without a stiffness, a stiffness or a factor that the rule does not take.
    pub fn from_parameters(
        parameters: &ParameterSet,
        pair: &PairMaterial,
        normal_stiffness: Option<f64>,
    ) -> Result<Self, LawError> {
        let rule = parameters.choice(STIFFNESS_RULE.name);
        let given = [TANGENTIAL_STIFFNESS, STIFFNESS_RATIO].map(|spec| (spec, parameters.optional(spec.name)));
        let refuse = |(spec, value): (ParameterSpec, Option<f64>), expected: &str| match value {
            Some(x) => Err(LawError::new(spec.name, format!("= {x} [{}], expected {expected}", spec.unit))),
            None => Ok(()),
        };
        if rule != "mindlin" {
            let factor = parameters.optional(TANGENTIAL_STIFFNESS_FACTOR.name);
            let expected = format!("with stiffness_rule = \"mindlin\" only, not \"{rule}\"");
            refuse((TANGENTIAL_STIFFNESS_FACTOR, factor), &expected)?;
        }
        if rule == "constant" {
            if let [(_, Some(stiffness)), ratio] = given {
                refuse(ratio, "without tangential_stiffness: give one of the two")?;
                return Ok(Self::Constant(stiffness));
            }
            if let Some(normal_stiffness) = normal_stiffness {
                return Ok(Self::in_proportion(parameters, pair, normal_stiffness));
            }
            refuse(given[1], "with a normal model of constant stiffness; give tangential_stiffness")?;
            return Err(LawError::new(
                STIFFNESS_RULE.name,
                "= \"constant\", expected together with tangential_stiffness [N/m]",
            ));
        }
        for unused in given {
            refuse(unused, &format!("with stiffness_rule = \"constant\" only, not \"{rule}\""))?;
        }
        let [gi, gj] = pair.shear_moduli;
        Ok(match rule {
            "kohring" => Self::PerContactRadius(16.0 / 3.0 * pair.effective_shear_modulus),
            "campello" => Self::PerContactRadius(8.0 * gi * gj / (gi + gj)),
            _ => Self::mindlin(parameters, pair),
        })
    }

    /// Constant stiffness, a fraction of a constant normal stiffness \[N/m\]: `stiffness_ratio`, or Mindlin's
    /// `4 G*/E*`.
    pub fn in_proportion(parameters: &ParameterSet, pair: &PairMaterial, normal_stiffness: f64) -> Self {
        let ratio = parameters.optional(STIFFNESS_RATIO.name).unwrap_or_else(|| pair.stiffness_ratio());
        Self::Constant(ratio * normal_stiffness)
    }

    /// Constant tangential stiffness \[N/m\] of the model called `model`, as a fraction of the normal one.
    ///
    /// # Errors
    /// A normal model whose stiffness depends on the load (`normal_stiffness` is `None`).
    pub fn constant_share(
        model: &str,
        parameters: &ParameterSet,
        pair: &PairMaterial,
        normal_stiffness: Option<f64>,
    ) -> Result<f64, LawError> {
        match normal_stiffness {
            Some(normal_stiffness) => Ok(Self::in_proportion(parameters, pair, normal_stiffness).at(0.0)),
            None => {
                let message = format!("= \"{model}\", expected with a normal model of constant stiffness");
                Err(LawError::new("tangential", message))
            }
        }
    }

    /// Stiffness at a contact radius \[m\].
    #[inline(always)]
    pub fn at<R: Real>(self, contact_radius: R) -> R {
        match self {
            Self::PerContactRadius(factor) => R::parameter(factor) * contact_radius,
            Self::Constant(stiffness) => R::parameter(stiffness),
        }
    }

    /// Stiffness at an overlap \[m\].
    #[inline(always)]
    pub fn at_overlap<R: Real>(self, effective_radius: R, overlap: R) -> R {
        self.at((effective_radius * overlap.maximum(R::zero())).sqrt())
    }

    /// Whether it does not depend on the contact radius.
    pub fn is_constant(self) -> bool {
        matches!(self, Self::Constant(_))
    }

    /// For `dem check`.
    pub fn derived(self) -> Derived {
        match self {
            Self::PerContactRadius(value) => {
                Derived { name: "tangential stiffness per contact radius", value, unit: "Pa" }
            }
            Self::Constant(value) => Derived { name: "tangential stiffness", value, unit: "N/m" },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::ParameterValue;
    use dem_core::material::Material;

    fn pair() -> PairMaterial {
        let material =
            |young_modulus, poisson_ratio| Material { name: String::new(), density: 1.0, young_modulus, poisson_ratio };
        PairMaterial::new(&material(380e9, 0.23), &material(70e9, 0.25))
    }

    fn rule(
        given: &[(&str, ParameterValue)],
        pair: &PairMaterial,
        normal: Option<f64>,
    ) -> Result<StiffnessRule, LawError> {
        let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        StiffnessRule::from_parameters(&ParameterSet::resolve(&StiffnessRule::PARAMETERS, given)?, pair, normal)
    }

    fn word(word: &str) -> ParameterValue {
        ParameterValue::Word(word.to_owned())
    }

    /// In units of dN/dδ = 2E* a: 4G*/E* = 0.859 for Mindlin (Di Renzo & Di Maio, Table 1), 2/3 of it for Kohring; 1.5 instead of 0.857
    /// for Campello with equal materials of ν = 0.25.
    #[test]
    fn rules_have_their_published_share_of_the_normal_stiffness() {
        let share = |name, pair: &PairMaterial| {
            let rule = rule(&[("stiffness_rule", word(name))], pair, None).unwrap();
            rule.at(1.0) / (2.0 * pair.effective_young_modulus)
        };
        let mindlin = share("mindlin", &pair());
        assert!((mindlin - 0.859).abs() < 5e-4, "{mindlin}");
        assert!((share("kohring", &pair()) / mindlin - 2.0 / 3.0).abs() < 1e-15);
        let two_thirds = ("tangential_stiffness_factor", ParameterValue::Number(2.0 / 3.0));
        let factor = rule(&[two_thirds], &pair(), None).unwrap().at(1.0) / (2.0 * pair().effective_young_modulus);
        assert!((factor / mindlin - 2.0 / 3.0).abs() < 1e-15);
        let equal = Material { name: String::new(), density: 1.0, young_modulus: 1.0, poisson_ratio: 0.25 };
        assert!((share("campello", &PairMaterial::new(&equal, &equal)) - 1.5).abs() < 1e-15);
    }

    #[test]
    fn constant_needs_its_stiffness_and_no_other_rule_takes_one() {
        let constant = ("stiffness_rule", word("constant"));
        let stiffness = ("tangential_stiffness", ParameterValue::Number(3e5));
        let ratio = ("stiffness_ratio", ParameterValue::Number(0.5));
        let rule = |given: &[(&str, ParameterValue)], normal| rule(given, &pair(), normal);

        let missing = rule(std::slice::from_ref(&constant), None).unwrap_err();
        assert_eq!(missing.parameter, "stiffness_rule");
        assert!(missing.message.contains("tangential_stiffness"), "{missing}");
        assert_eq!(rule(&[constant.clone(), stiffness.clone()], None), Ok(StiffnessRule::Constant(3e5)));
        assert_eq!(rule(&[constant.clone(), ratio.clone()], Some(4e5)), Ok(StiffnessRule::Constant(2e5)));
        let mindlin = StiffnessRule::Constant(4e5 * pair().stiffness_ratio());
        assert_eq!(rule(std::slice::from_ref(&constant), Some(4e5)), Ok(mindlin));

        let factor = ("tangential_stiffness_factor", ParameterValue::Number(0.5));
        let kohring = ("stiffness_rule", word("kohring"));
        for (given, key) in [
            (vec![stiffness.clone()], "tangential_stiffness"),
            (vec![kohring, factor.clone()], "tangential_stiffness_factor"),
            (vec![constant.clone(), stiffness.clone(), factor], "tangential_stiffness_factor"),
            (vec![ratio.clone()], "stiffness_ratio"),
            (vec![constant.clone(), ratio.clone()], "stiffness_ratio"),
            (vec![constant, stiffness, ratio], "stiffness_ratio"),
        ] {
            let refused = rule(&given, None).unwrap_err();
            assert!(refused.parameter == key && refused.message.contains("expected"), "{refused}");
        }
    }
}
