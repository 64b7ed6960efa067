//! The contact laws, one file each, and the table that registers them.

/// One line per law: its module, which is a file beside this one, its type and how it is evaluated. The laws stand in the order of the pages.
///
/// The type may be followed by two variants, after bars: the law whose record has room for the memory of sliding, and the law that keeps no
/// work terms. How a law is evaluated is one of
///
/// - `Straight`: in SIMD lanes, and in straight-line code ([`StraightLaw`](crate::law::StraightLaw)): the tangential model is a
///   [`StraightTangential`](crate::tangential::StraightTangential), and a test holds the law to it,
/// - `StraightShared`: likewise, in the loop over contacts that all laws share: it costs less to compile, and every group of contacts a call more,
/// - `InLanes`: in SIMD lanes; the tangential model is a [`LaneTangential`](crate::tangential::LaneTangential),
/// - `InLanesOrOneByOne`: likewise, unless the records are longer than those that the law was compiled for,
/// - `OneByOne`: one contact at a time.
///
/// The macro hands its lines to the macro `then`: the modules, the registry and the tests are all made from them.
macro_rules! contact_laws {
    ($then:ident) => {
        $then! {
            pub mod linear: Composite<linear::Linear>
                | Composite<linear::Linear<StaticDynamic>>
                | Composite<linear::Linear, Unbooked> => Straight;
            pub mod hertz_mindlin: Composite<hertz_mindlin::HertzMindlin, StiffnessBooked>
                | Composite<hertz_mindlin::HertzMindlin<StaticDynamic>, StiffnessBooked>
                | Composite<hertz_mindlin::HertzMindlin, Unbooked> => Straight;
            pub mod mindlin: Composite<mindlin::Mindlin, StiffnessBooked> => Straight;
            pub mod mindlin_total: Composite<mindlin_total::MindlinTotal, StiffnessBooked> => Straight;
            // not straight: Gauss' rule over as many panels as the turn of a long step needs
            pub mod kuhn: Composite<kuhn::Kuhn> => InLanes;
            pub mod conventional: Composite<conventional::Conventional> => Straight;
            // not straight: branches of histories are taken up and given off one contact at a time
            pub mod mindlin_deresiewicz: Composite<mindlin_deresiewicz::MindlinDeresiewicz> => InLanesOrOneByOne;
            pub mod mdr: Composite<mdr::Mdr> => OneByOne;
            pub mod balevicius: Composite<balevicius::Balevicius> => OneByOne;
            pub mod jkr: Composite<jkr::Jkr, StiffnessBooked> => StraightShared;
            pub mod dmt: Composite<dmt::Dmt, StiffnessBooked> => StraightShared;
            pub mod thornton_ning: Composite<thornton_ning::ThorntonNing, StiffnessBooked> => StraightShared;
            pub mod walton_braun: Composite<walton_braun::WaltonBraun> => StraightShared;
            pub mod luding: Composite<luding::Luding> => StraightShared;
            pub mod edinburgh: Composite<edinburgh::Edinburgh, StiffnessBooked> => OneByOne;
            pub mod combination: Composite<combination::Combination, StiffnessBooked> => OneByOne;
        }
    };
}
pub(crate) use contact_laws;

macro_rules! modules {
    ($(pub mod $module:ident: $law:ty $(| $sliding:ty | $unbooked:ty)? => $evaluation:ident;)*) => {
        $(pub mod $module;)*
    };
}

contact_laws!(modules);
