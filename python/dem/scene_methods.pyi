# Generated from the schema of scenes by tools/stubs.py: change it there.

import os
from collections.abc import Sequence
from typing import Any, Literal

from dem.builders import (
    _Action,
    _Archard,
    _Bool,
    _ClumpSphere,
    _Condition,
    _Deform,
    _FilePath,
    _Fill,
    _Finnie,
    _GuideMotion,
    _Integer,
    _MeasuredRegion,
    _Mixing,
    _Motion,
    _ParticlesOrientation,
    _Path,
    _Picture,
    _Quantities,
    _Quantity,
    _Region,
    _Shape,
    _Size,
    _TimeIntegrator,
    _WallFacets,
    _WallProbe,
)

class SceneMethods:
    """The table of a scene, with a method for each kind of thing in it."""

    _table: dict[str, Any]
    _folder: str

    def __init__(
        self,
        *,
        seed: _Integer | None = None,
        title: str | None = None,
        folder: str | os.PathLike[str] = ".",
    ) -> None: ...

    def at_rest(
        self,
        *,
        duration: _Quantity | None = None,
        kinetic_energy: _Quantity | None = None,
        unbalanced_force: _Quantity | None = None,
    ) -> None:
        """When the assembly counts as at rest.

        Args:
            duration: Time for which both bounds must hold. Default: 0.05 s. Takes a time such as "10 us" or
                a number in s.
            kinetic_energy: Kinetic energy per particle in proportion to m g d with the mean mass and
                diameter. Default: 1e-7. Takes a ratio such as "3 %" or a plain number.
            unbalanced_force: Mean net force in proportion to the mean contact force. Default: 1e-3. Takes a
                ratio such as "3 %" or a plain number.
        """

    def cell(
        self,
        *,
        displacement: Literal["affine", "boundary"] | None = None,
        positive: Literal["tension", "compression"] | None = None,
        response: _Quantity | None = None,
    ) -> None:
        """Measures the stress of the periodic cell, and lets stages deform it.

        Args:
            displacement: How the deformation of the cell moves the particles. Default: affine, all
                particles. Takes "affine", "boundary".
            positive: What counts as positive in stresses, strains and rates of this scene and in
                series.csv. With compression the sign of all components is reversed, that of shear included.
                Default: tension. Takes "tension", "compression".
            response: Response time of the stress servo, as a multiple of the travel time of an elastic wave
                across a grain, or across the cell with displacement = "boundary". Default: 5. Takes a ratio
                such as "3 %" or a plain number.
        """

    def clump(
        self,
        name: str,
        *,
        centre: _Quantities | None = None,
        file: _FilePath | None = None,
        format: Literal["liggghts", "dem-engine", "lammps-molecule", "yade"] | None = None,
        inertia: _Quantities | None = None,
        mass: _Quantity | None = None,
        mass_from: Literal["union", "spheres", "given"] | None = None,
        mass_unit: _Quantity | None = None,
        number: _Integer | None = None,
        scale: _Quantity | None = None,
        spheres: Sequence[_ClumpSphere | dict[str, Any]] | None = None,
        unit: _Quantity | None = None,
    ) -> None:
        """A kind of rigid bodies made of spheres. An entry that has the name already is replaced.

        Args:
            name: Name, by which others refer to it. Takes a text.
            centre: Centre of mass in the frame of the spheres, with `mass_from = "given"`. Default: that of
                the union. Takes a list of 3, each a length such as "2.5 mm" or a number in m.
            file: File of spheres, relative to the scene. Takes a text.
            format: Program that the file is of. Takes "liggghts", "dem-engine", "lammps-molecule", "yade".
            inertia: Inertia at scale 1 about the centre of mass, with `mass_from = "given"`: the components
                xx, yy, zz, xy, xz, yz of the tensor (products with the sign that they have there, xy = -∫xy
                dm), or three moments about the axes of the spheres' frame. Default: that of the union.
                Takes a list of 3, each a moment of inertia such as "3e-9 kg m^2" or a number in kg m^2 or a
                list of 6, each a moment of inertia such as "3e-9 kg m^2" or a number in kg m^2.
            mass: Mass at scale 1, with `mass_from = "given"`. Takes a mass such as "5 g" or a number in kg.
            mass_from: Where mass, centre and inertia come from. Default: union. Takes "union", "spheres",
                "given".
            mass_unit: Mass of one unit of the file. Default: 1 kg. Takes a mass such as "5 g" or a number
                in kg.
            number: Number of the clump, in a file that has several. Takes a whole number.
            scale: Factor on all lengths; masses go with its third power, inertia with its fifth. Default:
                1. Takes a ratio such as "3 %" or a plain number.
            spheres: The spheres, which may overlap; alternative to file. Takes a list, each a table of
                material, position, radius.
            unit: Length of one unit of the file, which does not say it. Takes a length such as "2.5 mm" or
                a number in m.
        """

    def contact(
        self,
        law: Literal[
            "linear", "hertz-mindlin", "mindlin", "mindlin-total", "kuhn", "conventional", "mindlin-deresiewicz",
            "mdr", "balevicius", "jkr", "dmt", "thornton-ning", "walton-braun", "luding", "edinburgh", "combination",
        ] | None = None,
        *,
        adhesion: Literal["none", "sjkr", "sjkr2", "constant"] | None = None,
        bridge_form: Literal["willett", "willett-closed", "lambert", "rabinovich", "soulie"] | None = None,
        bridge_liquid: Literal["fixed", "films"] | None = None,
        bridge_rupture: Literal["willett", "lian"] | None = None,
        bridge_volume: _Quantity | None = None,
        cohesion_energy_density: _Quantity | None = None,
        cohesive_stiffness: _Quantity | None = None,
        constant_pull: _Quantity | None = None,
        contact_angle: _Quantity | None = None,
        contact_damping: _Quantity | None = None,
        damping_rate: _Quantity | None = None,
        damping_ratio: _Quantity | None = None,
        decay_speed: _Quantity | None = None,
        dissipation_time: _Quantity | None = None,
        dynamic_friction: _Quantity | None = None,
        effective_mass: Literal["contact", "body", "sphere"] | None = None,
        elastic_displacement: Literal["incremental", "secant"] | None = None,
        exponent: Literal["hertz", "linear"] | None = None,
        fast_growth: Literal["exact", "fitted"] | None = None,
        film_share: _Quantity | None = None,
        fresh_contact_split: _Bool | None = None,
        friction: _Quantity | None = None,
        friction_law: Literal["coulomb", "exponential"] | None = None,
        friction_limit: Literal["hertz", "hertz-plus-twice-pull"] | None = None,
        hamaker_constant: _Quantity | None = None,
        hysteresis_branch: Literal["incremental", "non-incremental"] | None = None,
        hysteresis_length_factor: _Quantity | None = None,
        hysteresis_power: _Quantity | None = None,
        lever: Literal["half", "radius", "plane"] | None = None,
        liquid_viscosity: _Quantity | None = None,
        loading_stiffness: _Quantity | None = None,
        memory: Literal["consistent", "literal"] | None = None,
        mie_attraction: _Quantity | None = None,
        mie_attraction_exponent: _Quantity | None = None,
        mie_cutoff: _Quantity | None = None,
        mie_repulsion: _Quantity | None = None,
        mie_repulsion_exponent: _Quantity | None = None,
        near_field: Literal["none", "mie", "van-der-waals", "liquid-bridge"] | None = None,
        no_tension: _Bool | None = None,
        normal: Literal[
            "linear", "hertz", "jkr", "dmt", "thornton-ning", "walton-braun", "luding", "edinburgh",
        ] | None = None,
        normal_stiffness: _Quantity | None = None,
        plasticity_depth: _Quantity | None = None,
        plasticity_ratio: _Quantity | None = None,
        pull: _Quantity | None = None,
        restitution: _Quantity | None = None,
        restitution_speed: _Quantity | None = None,
        rolling: Literal["none", "constant-torque", "elastic-plastic"] | None = None,
        rolling_damping_ratio: _Quantity | None = None,
        rolling_friction: _Quantity | None = None,
        rolling_stiffness: _Quantity | None = None,
        separation: Literal["fold", "peak"] | None = None,
        separation_minimum: _Quantity | None = None,
        separation_split: _Bool | None = None,
        sliding_dashpot: Literal["kelvin", "lammps", "dropped", "outside"] | None = None,
        sliding_direction: Literal["force", "displacement", "velocity"] | None = None,
        sliding_flag: _Bool | None = None,
        sliding_work: Literal["exact", "trapezoid"] | None = None,
        slip: Literal["finite", "first-order", "start-points"] | None = None,
        slip_rotation: _Bool | None = None,
        springs: _Quantity | None = None,
        stick_slip_split: _Bool | None = None,
        stiffening: _Quantity | None = None,
        stiffness_point: _Quantity | None = None,
        stiffness_ratio: _Quantity | None = None,
        stiffness_rule: Literal["mindlin", "kohring", "campello", "constant"] | None = None,
        surface_energy: _Quantity | None = None,
        surface_tension: _Quantity | None = None,
        tangential: Literal[
            "none", "spring-slider", "mindlin-no-slip", "mindlin", "total-form", "kuhn", "conventional",
            "mindlin-deresiewicz", "mdr", "balevicius",
        ] | None = None,
        tangential_damping_rate: _Quantity | None = None,
        tangential_damping_ratio: _Quantity | None = None,
        tangential_damping_share: _Quantity | None = None,
        tangential_stiffness: _Quantity | None = None,
        tangential_stiffness_factor: _Quantity | None = None,
        transport: Literal[
            "exact", "averaged-spin", "projection-twirl", "projection", "scaled-projection", "none",
        ] | None = None,
        travel: Literal["exact", "tangent"] | None = None,
        turning_points: _Quantity | None = None,
        twisting: Literal["none", "spring-dashpot", "marshall"] | None = None,
        twisting_damping_ratio: _Quantity | None = None,
        twisting_friction: _Quantity | None = None,
        twisting_radius: _Quantity | None = None,
        twisting_stiffness: _Quantity | None = None,
        unloading: Literal["carried", "none", "area", "neutral", "total", "displacement", "hyperelastic"] | None = None,
        unloading_stiffness: _Quantity | None = None,
        unloading_stiffness_limit: _Quantity | None = None,
        van_der_waals_cutoff: _Quantity | None = None,
        work_bookkeeping: _Bool | None = None,
        work_of_adhesion: _Quantity | None = None,
        yield_pressure: _Quantity | None = None,
    ) -> None:
        """Contact law and its parameters for all pairs of materials.

        Args:
            law: Name of the law; `dem laws` lists them. Takes "linear", "hertz-mindlin", "mindlin",
                "mindlin-total", "kuhn", "conventional", "mindlin-deresiewicz", "mdr", "balevicius", "jkr",
                "dmt", "thornton-ning", "walton-braun", "luding", "edinburgh", "combination".
            adhesion: pull between bodies that touch, beside the normal force of the law. Takes "none",
                "sjkr", "sjkr2", "constant".
            bridge_form: capillary force over the distance of the surfaces. Takes "willett", "willett-
                closed", "lambert", "rabinovich", "soulie".
            bridge_liquid: where the liquid of bridges comes from: the same volume for each from nowhere, or
                the films of the spheres, which get it back. Takes "fixed", "films".
            bridge_rupture: distance of the surfaces at which a bridge breaks. Takes "willett", "lian".
            bridge_volume: volume V of each liquid bridge; with bridge_liquid = "films" that of the largest
                [m^3]. Takes a number in SI units or a text with a unit.
            cohesion_energy_density: pull per area of the circle in which two spheres intersect [J/m^3].
                Takes a number in SI units or a text with a unit.
            cohesive_stiffness: kc of the strongest pull, which is kc times the overlap [N/m]. Takes a
                number in SI units or a text with a unit.
            constant_pull: pull wherever the surfaces touch, a positive number [N]. Takes a number in SI
                units or a text with a unit.
            contact_angle: contact angle θ of the liquid on the surfaces; at most 50 deg with bridge_form =
                "willett" [rad]. Takes a number in SI units or a text with a unit.
            contact_damping: viscosity ν of a force −ν v on the relative velocity at the contact, outside
                the friction limit; may pull [N s/m]. Takes a number in SI units or a text with a unit.
            damping_rate: viscosity of the dashpot over the effective mass, c = g m*, as in LAMMPS's
                gran/hooke; alternative to restitution [1/s]. Takes a number in SI units or a text with a
                unit.
            damping_ratio: damping as a fraction of critical, as printed in papers; alternative to
                restitution. Takes a number in SI units or a text with a unit.
            decay_speed: speed v_c in μ_d + (μ_s − μ_d) exp(−v/v_c), with friction_law = "exponential"
                [m/s]. Takes a number in SI units or a text with a unit.
            dissipation_time: time A of viscoelastic spheres, N = k_H (δ^(3/2) + 3/2 A √δ δ'), whose
                restitution falls with the speed; alternative to restitution [s]. Takes a number in SI units
                or a text with a unit.
            dynamic_friction: friction coefficient μ_d of a sliding contact, at most `friction`, which it
                equals if left out. Takes a number in SI units or a text with a unit.
            effective_mass: What of a rigid body a contact has to move, for dashpots and the duration of a
                contact: what a force at the "contact" meets (default), so that the asked restitution is
                reached wherever a body is hit, or for comparison with published codes the mass of the whole
                "body", or that which the touching "sphere" would have by itself. Spheres have no choice.
                Takes "contact", "body", "sphere".
            elastic_displacement: elastic displacement of a sliding contact: by increments of force (method
                II), or -T/k_t (method I). Takes "incremental", "secant".
            exponent: power of the overlap in the force: hertz for 1.5, with the stiffness of the materials,
                or linear for 1. Takes "hertz", "linear".
            fast_growth: a contact that grows faster than it slips: exact, or on straight lines a simple
                history fitted to its force, as published. Takes "exact", "fitted".
            film_share: share of the film of each sphere that a bridge takes, with bridge_liquid = "films";
                without it that of the part of the sphere that faces the other one. Takes a number in SI
                units or a text with a unit.
            fresh_contact_split: a contact that forms within a step slips only from then on. Takes true or
                false.
            friction: Coulomb friction coefficient μ; the static one μ_s if dynamic_friction is given. Takes
                a number in SI units or a text with a unit.
            friction_law: coulomb: a sliding contact has dynamic_friction, whatever its speed; exponential:
                friction falls from `friction` at rest to dynamic_friction at high speed, over decay_speed.
                Takes "coulomb", "exponential".
            friction_limit: force that limits friction: that of Hertz without the pull, or that plus twice
                the pull, as in LAMMPS. Takes "hertz", "hertz-plus-twice-pull".
            hamaker_constant: Hamaker constant A of the two materials in the medium between them [J]. Takes
                a number in SI units or a text with a unit.
            hysteresis_branch: whether a reversal within a transition continues from the present force or
                jumps. Takes "incremental", "non-incremental".
            hysteresis_length_factor: length of a transition in units of Mindlin's displacement at full
                slip. Takes a number in SI units or a text with a unit.
            hysteresis_power: power p of the transition after a reversal. Takes a number in SI units or a
                text with a unit.
            lever: Where contact forces act: "half" the overlap inside each surface (default), at the full
                "radius", for reproduction of published results only, or on the "plane" of walls and at half
                the overlap between particles. Takes "half", "radius", "plane".
            liquid_viscosity: dynamic viscosity η of the liquid; needs separation_minimum [Pa s]. Takes a
                number in SI units or a text with a unit.
            loading_stiffness: stiffness k1 of first loading, which the tangential stiffness and the dashpot
                are in proportion to [N/m]. Takes a number in SI units or a text with a unit.
            memory: how the largest overlap shrinks under a pull: consistent leaves no jump where the motion
                turns, literal is the published rule with the stiffness of the step before. Takes
                "consistent", "literal".
            mie_attraction: κ₁ of the attraction κ₁ d^(−λ₁) at the distance d of the centres, a plain number
                in N m^λ₁. Takes a number in SI units or a text with a unit.
            mie_attraction_exponent: λ₁ of the attraction. Takes a number in SI units or a text with a unit.
            mie_cutoff: distance between the surfaces beyond which the force is zero [m]. Takes a number in
                SI units or a text with a unit.
            mie_repulsion: κ₂ of the repulsion κ₂ d^(−λ₂), a plain number in N m^λ₂. Takes a number in SI
                units or a text with a unit.
            mie_repulsion_exponent: λ₂ of the repulsion. Takes a number in SI units or a text with a unit.
            near_field: force between spheres at a distance, and with walls that have near_field = true.
                Takes "none", "mie", "van-der-waals", "liquid-bridge".
            no_tension: clip the normal force at zero, so that damping never pulls bodies together. Takes
                true or false.
            normal: normal model in place of that of the law, with the parameters of that model; contacts
                are then evaluated one at a time. Takes "linear", "hertz", "jkr", "dmt", "thornton-ning",
                "walton-braun", "luding", "edinburgh".
            normal_stiffness: normal stiffness k of the pair [N/m]. Takes a number in SI units or a text
                with a unit.
            plasticity_depth: overlap up to which the contact deforms plastically, in effective diameters 2
                r* (as the published depth, before the factor kp/(kp - k1)). Takes a number in SI units or a
                text with a unit.
            plasticity_ratio: 1 - k1/k2 with the stiffness k2 of unloading. Takes a number in SI units or a
                text with a unit.
            pull: pull while two bodies touch [N]. Takes a number in SI units or a text with a unit.
            restitution: normal restitution coefficient of a head-on impact, achieved exactly; alternative
                to damping_ratio. Takes a number in SI units or a text with a unit.
            restitution_speed: speed of the impact with the given restitution, which then falls with the
                speed as that of viscoelastic spheres; only with restitution [m/s]. Takes a number in SI
                units or a text with a unit.
            rolling: resistance against rolling. Takes "none", "constant-torque", "elastic-plastic".
            rolling_damping_ratio: damping of the rolling spring as a fraction of critical, with the inertia
                7/5 m* r*². Takes a number in SI units or a text with a unit.
            rolling_friction: rolling friction μ_r: the couple is at most μ_r N r*. Takes a number in SI
                units or a text with a unit.
            rolling_stiffness: stiffness k_r of the rolling spring; the default is 2.25 k_n μ_r² r*² [N
                m/rad]. Takes a number in SI units or a text with a unit.
            separation: where a contact ends: at the fold, where no equilibrium is left, or at the peak of
                the pull, as in LAMMPS. Takes "fold", "peak".
            separation_minimum: distance of the surfaces below which the force at a distance, or the
                lubrication of a liquid bridge, does not grow any more; closer surfaces and those in contact
                count as that far apart [m]. Takes a number in SI units or a text with a unit.
            separation_split: a contact that ends within a step works until then. Takes true or false.
            sliding_dashpot: tangential dashpot of a sliding contact: kelvin is parallel to the spring, both
                in series with the slider; lammps acts on the whole velocity, and its force is kept in the
                spring; dropped has none while the contact slides; outside is parallel to spring and slider.
                Takes "kelvin", "lammps", "dropped", "outside".
            sliding_direction: direction of the sliding force: of the trial force, against the elastic
                displacement, or against the slip velocity. Takes "force", "displacement", "velocity".
            sliding_flag: with dynamic_friction: true keeps the dynamic limit until the trial force falls
                below it; false tests the static limit in every step, as published, which makes the force of
                a sliding contact oscillate between both limits. Takes true or false.
            sliding_work: work of a sliding step: that of its path, or the trapezoidal rule of its ends.
                Takes "exact", "trapezoid".
            slip: How the slip of a step is taken: from "finite" rotations (default), or for comparison with
                published codes from the velocities, "first-order", or from the material points in contact
                at the start of the step, "start-points". Takes "finite", "first-order", "start-points".
            slip_rotation: the friction force rotates within the step as the contact slides. Takes true or
                false.
            springs: springs across half the contact, a whole number, 24 bytes each. Takes a number in SI
                units or a text with a unit.
            stick_slip_split: a contact that begins to slide within a step sticks until then. Takes true or
                false.
            stiffening: S of an unloading stiffness k1 (1 + S D) that grows with the largest overlap D;
                alternative to unloading_stiffness [1/m]. Takes a number in SI units or a text with a unit.
            stiffness_point: where in the step the stiffness is taken: 0 start, 0.5 mean (second order), 1
                end; the default is 1. Takes a number in SI units or a text with a unit.
            stiffness_ratio: tangential to normal stiffness k_t/k; the default is Mindlin's 4 G*/E* of the
                two materials. Takes a number in SI units or a text with a unit.
            stiffness_rule: tangential stiffness: mindlin 8 G* a, kohring 16/3 G* a, campello 8 GG/(G + G)
                a, or constant. Takes "mindlin", "kohring", "campello", "constant".
            surface_energy: surface energy of one face, half the work of adhesion; alternative to
                work_of_adhesion [J/m^2]. Takes a number in SI units or a text with a unit.
            surface_tension: surface tension σ of the liquid [N/m]. Takes a number in SI units or a text
                with a unit.
            tangential: tangential model, the same for all pairs of materials that the law governs. Takes
                "none", "spring-slider", "mindlin-no-slip", "mindlin", "total-form", "kuhn", "conventional",
                "mindlin-deresiewicz", "mdr", "balevicius".
            tangential_damping_rate: viscosity of the tangential dashpot over the effective mass, c_t = g_t
                m*; alternative to tangential_damping_ratio [1/s]. Takes a number in SI units or a text with
                a unit.
            tangential_damping_ratio: damping of the tangential spring as a fraction of critical, with the
                effective mass. Takes a number in SI units or a text with a unit.
            tangential_damping_share: viscosity of the tangential dashpot over that of the normal one, c_t =
                x c_n, as in LAMMPS; alternative to tangential_damping_ratio. Takes a number in SI units or
                a text with a unit.
            tangential_stiffness: tangential stiffness of stiffness_rule constant [N/m]. Takes a number in
                SI units or a text with a unit.
            tangential_stiffness_factor: multiple x of Mindlin's stiffness, k_t = x 8 G* a; other codes have
                2/3. Takes a number in SI units or a text with a unit.
            transport: How tangential histories are rotated with a contact: "exact" (default), or for
                comparison with published codes "averaged-spin", "projection-twirl", "projection", "scaled-
                projection" or "none". Takes "exact", "averaged-spin", "projection-twirl", "projection",
                "scaled-projection", "none".
            travel: how the force follows the slip: along the closed curve, or along its tangent at the
                start of the step as published. Takes "exact", "tangent".
            turning_points: number of turning points stored per contact, a whole number, 8 bytes each;
                beyond it the smallest loop is dropped and counted in the history. Takes a number in SI
                units or a text with a unit.
            twisting: resistance against twisting. Takes "none", "spring-dashpot", "marshall".
            twisting_damping_ratio: damping of the twisting spring as a fraction of critical, with the
                inertia 2/5 m* r*². Takes a number in SI units or a text with a unit.
            twisting_friction: twisting friction μ_t: with spring-dashpot the couple is at most μ_t N r*,
                with marshall at most 2/3 a μ_t N; the default for marshall is the friction of the law.
                Takes a number in SI units or a text with a unit.
            twisting_radius: radius of the area of contact as a share of r*; the default is √(r* δ), for a
                normal model with an area. Takes a number in SI units or a text with a unit.
            twisting_stiffness: stiffness of the twisting spring; the default is 2.25 k_n μ_t² r*² [N
                m/rad]. Takes a number in SI units or a text with a unit.
            unloading: tangential force while the area of contact changes: carried drops the force on the
                rim that the area has lost; none keeps the force; area and neutral reduce it with the area
                or its root; total keeps the slip; displacement reduces the slip; hyperelastic conserves
                energy, and is refused with normal = "jkr" or "thornton-ning". Takes "carried", "none",
                "area", "neutral", "total", "displacement", "hyperelastic".
            unloading_stiffness: stiffness k2 of unloading, more than that of loading; alternative to
                stiffening [N/m]. Takes a number in SI units or a text with a unit.
            unloading_stiffness_limit: stiffness kp of unloading after the deepest load, more than that of
                loading [N/m]. Takes a number in SI units or a text with a unit.
            van_der_waals_cutoff: distance between the surfaces beyond which the force is zero [m]. Takes a
                number in SI units or a text with a unit.
            work_bookkeeping: keep the work terms of each contact for the energy ledger; false saves memory
                and time, but these energies are then unknown. Takes true or false.
            work_of_adhesion: work that parts the two faces per area, twice the surface energy; alternative
                to surface_energy [J/m^2]. Takes a number in SI units or a text with a unit.
            yield_pressure: largest pressure that the contact bears, 1.6 times the yield stress in a metal
                [Pa]. Takes a number in SI units or a text with a unit.
        """

    def contact_search(
        self,
        *,
        broadphase: Literal["automatic", "cell_list", "hierarchical_grid", "kd_tree"] | None = None,
        skin: _Quantity | None = None,
    ) -> None:
        """How pairs that may touch are found.

        Args:
            broadphase: Broadphase. Default: automatic. Takes "automatic", "cell_list", "hierarchical_grid",
                "kd_tree".
            skin: Skin of the Verlet list: gap between surfaces up to which it holds pairs, at most the
                largest diameter. Default: adapted to the motion. Takes a length such as "2.5 mm" or a
                number in m.
        """

    def domain(
        self,
        min: _Quantities | None = None,
        max: _Quantities | None = None,
        *,
        x: Literal["open", "reflect", "error", "periodic"] | None = None,
        x_max: Literal["open", "reflect", "error", "periodic"] | None = None,
        x_min: Literal["open", "reflect", "error", "periodic"] | None = None,
        y: Literal["open", "reflect", "error", "periodic"] | None = None,
        y_max: Literal["open", "reflect", "error", "periodic"] | None = None,
        y_min: Literal["open", "reflect", "error", "periodic"] | None = None,
        z: Literal["open", "reflect", "error", "periodic"] | None = None,
        z_max: Literal["open", "reflect", "error", "periodic"] | None = None,
        z_min: Literal["open", "reflect", "error", "periodic"] | None = None,
    ) -> None:
        """Box in which particles may be. Default: around everything in the scene, open on all sides.

        Args:
            min: Lower corner. Takes a list of 3, each a length such as "2.5 mm" or a number in m.
            max: Upper corner. Takes a list of 3, each a length such as "2.5 mm" or a number in m.
            x: Both faces perpendicular to x. Takes "open", "reflect", "error", "periodic".
            x_max: One face; takes precedence over `x`. Takes "open", "reflect", "error", "periodic".
            x_min: One face; takes precedence over `x`. Takes "open", "reflect", "error", "periodic".
            y: Both faces perpendicular to y. Takes "open", "reflect", "error", "periodic".
            y_max: One face; takes precedence over `y`. Takes "open", "reflect", "error", "periodic".
            y_min: One face; takes precedence over `y`. Takes "open", "reflect", "error", "periodic".
            z: Both faces perpendicular to z. Takes "open", "reflect", "error", "periodic".
            z_max: One face; takes precedence over `z`. Takes "open", "reflect", "error", "periodic".
            z_min: One face; takes precedence over `z`. Takes "open", "reflect", "error", "periodic".
        """

    def fields(
        self,
        *,
        drag: Literal["none", "linear", "stokes", "schiller-naumann", "wen-yu"] | None = None,
        drag_coefficient: _Quantity | None = None,
        fluid_density: _Quantity | None = None,
        fluid_velocity: _Quantities | None = None,
        fluid_viscosity: _Quantity | None = None,
        gravity: _Quantities | None = None,
        gravity_rotation: _Quantities | None = None,
        local_damping: _Quantity | None = None,
        magnus_coefficient: _Quantity | None = None,
        mass_damping: _Quantity | None = None,
        porosity_cell: _Quantity | None = None,
    ) -> None:
        """Gravity, drag, damping.

        Args:
            drag: Law of drag. Default: linear with a `drag_coefficient`, otherwise none. Takes "none",
                "linear", "stokes", "schiller-naumann", "wen-yu".
            drag_coefficient: Coefficient c of linear drag, f = −c (v − fluid_velocity). Takes a drag
                coefficient such as "1e-3 N s/m" or a number in N s/m.
            fluid_density: Density of the fluid, for drag by Schiller-Naumann and Wen-Yu. Buoyancy is not
                part of drag. Takes a density such as "2500 kg/m^3" or a number in kg/m^3.
            fluid_velocity: Velocity of the fluid, for drag and the Magnus force. Takes a list of 3, each a
                velocity such as "0.5 m/s" or a number in m/s.
            fluid_viscosity: Dynamic viscosity of the fluid, for the other laws of drag. Takes a dynamic
                viscosity such as "1 mPa s" or a number in Pa s.
            gravity: Acceleration of gravity. Default: (0, 0, −9.81) m/s². Takes a list of 3, each an
                acceleration such as "9.81 m/s^2" or a number in m/s^2.
            gravity_rotation: Angular velocity with which gravity turns in space, as seen from a slowly
                turning drum; `gravity` is its value at time zero, or when a stage that sets fields begins.
                Centrifugal and Coriolis forces are not part of it. Takes a list of 3, each an angular
                velocity such as "30 rpm" or a number in rad/s.
            local_damping: Local non-viscous damping, 0 ≤ value < 1. It slows free fall: use it for quasi-
                static simulations only. Takes a ratio such as "3 %" or a plain number.
            magnus_coefficient: Coefficient S of the Magnus force f = S ω × (v − fluid_velocity). Takes a
                mass such as "5 g" or a number in kg.
            mass_damping: Global mass damping c of f = −c m v. Takes a frequency such as "50 Hz" or a number
                in Hz.
            porosity_cell: Edge of the cubic cells in which Wen-Yu takes the local porosity, at least two of
                the largest diameters. Takes a length such as "2.5 mm" or a number in m.
        """

    def group(
        self,
        name: str,
        *,
        force: _Quantities | None = None,
        frozen: Sequence[Literal[
            "x", "y", "z", "rotation_x", "rotation_y", "rotation_z", "rotation", "translation",
        ]] | None = None,
        torque: _Quantities | None = None,
    ) -> None:
        """A group of particles: degrees of freedom that are frozen, loads, or both. An entry that has the name
        already is replaced.

        Args:
            name: Name, by which others refer to it. Takes a text.
            force: Constant force on each particle, on a rigid body at its centre of mass. Takes a list of
                3, each a force such as "10 N" or a number in N.
            frozen: Degrees of freedom that do not move. A slice in the x-y plane freezes z, rotation_x and
                rotation_y. Takes a list, each "x", "y", "z", "rotation_x", "rotation_y", "rotation_z",
                "rotation", "translation".
            torque: Constant torque on each particle. Takes a list of 3, each a torque such as "2 N m" or a
                number in N m.
        """

    def guide(
        self,
        name: str,
        path: _Path | dict[str, Any],
        *,
        particles: str,
        angular_velocity: _Quantities | None = None,
        friction: _Quantity | None = None,
        motion: _GuideMotion | dict[str, Any] | None = None,
        one_sided: _Bool | None = None,
    ) -> None:
        """A path that the particles of a source follow.

        Args:
            name: Name, unique among the guides. Takes a text.
            path: The path. Takes one of line, circle.
            particles: Source whose particles follow the path, one that acts at the start; their centres, of
                bodies those of mass, are on the path to a millionth of their radius. Takes a text.
            angular_velocity: Angular velocity that its particles keep, whatever resists: with a prescribed
                motion a body is a moving wall. Default: they turn freely. Takes a list of 3, each an
                angular velocity such as "30 rpm" or a number in rad/s.
            friction: Coefficient of friction between guide and particles, only with a free motion. Default:
                0. Takes a ratio such as "3 %" or a plain number.
            motion: What moves the particles along it. Default: the forces that act on them, from rest.
                Takes one of free, prescribed.
            one_sided: Whether a circle only pushes outwards, and releases a particle that it would have to
                pull. Only with a free motion. Default: no. Takes true or false.
        """

    def limits(self, *, created_energy: _Quantity | None = None, overlap: _Quantity | None = None) -> None:
        """Limits that stop a run.

        Args:
            created_energy: Largest growth of the energy balance, as a share of the energy that particles
                hold and have dissipated; beyond it the run stops. 1 disables the check. Default: 0.5. Takes
                a ratio such as "3 %" or a plain number.
            overlap: Largest overlap in proportion to the smaller radius; beyond it the run stops. Default:
                0.1. Takes a ratio such as "3 %" or a plain number.
        """

    def material(
        self,
        name: str,
        *,
        density: _Quantity,
        poisson_ratio: _Quantity,
        young_modulus: _Quantity,
        friction: _Quantity | None = None,
        real_young_modulus: _Quantity | None = None,
        restitution: _Quantity | None = None,
    ) -> None:
        """A material. An entry that has the name already is replaced.

        Args:
            name: Name, by which others refer to it. Takes a text.
            density: Density. Takes a density such as "2500 kg/m^3" or a number in kg/m^3.
            poisson_ratio: Poisson's ratio, 0 ≤ value < 0.5. Takes a ratio such as "3 %" or a plain number.
            young_modulus: Young's modulus. Takes a pressure such as "70 GPa" or a number in Pa.
            friction: Friction coefficient; a pair of materials that both give one takes the smaller. Takes
                a ratio such as "3 %" or a plain number.
            real_young_modulus: Young's modulus of the real material, where `young_modulus` is a softer one
                that saves steps. No run depends on it: `dem check` shows what the softening does to
                adhesion. Takes a pressure such as "70 GPa" or a number in Pa.
            restitution: Restitution coefficient; a pair of materials that both give one takes the geometric
                mean. Takes a ratio such as "3 %" or a plain number.
        """

    def output(
        self,
        *,
        checkpoints: _Quantity | None = None,
        contacts: _Bool | Sequence[Sequence[_Integer | str]] | None = None,
        materials: Sequence[str] | None = None,
        mixing: Sequence[_Mixing | dict[str, Any]] | None = None,
        orientations: _Bool | None = None,
        picture: _Picture | dict[str, Any] | None = None,
        pictures: _Bool | None = None,
        profiles: _Quantity | None = None,
        regions: Sequence[_MeasuredRegion | dict[str, Any]] | None = None,
        series: _Quantity | None = None,
        snapshots: _Quantity | None = None,
        total_rotation: _Bool | None = None,
        wall_facets: Sequence[_WallFacets | dict[str, Any]] | None = None,
        wall_probes: Sequence[_WallProbe | dict[str, Any]] | None = None,
    ) -> None:
        """What is written, and when.

        Args:
            checkpoints: Time between checkpoints. Default: 0.5 s. Takes a time such as "10 us" or a number
                in s.
            contacts: Whether contacts are written to the snapshots, or a list of contacts that contacts.csv
                follows, with a row at every instant of the series: `[[3, 17], [3, "floor"]]` are those of
                the particles with the ids 3 and 17, and of particle 3 with the wall floor. Default: yes;
                with a list all contacts are written to the snapshots, too. Takes true or false or a list,
                each a list.
            materials: Materials that series.csv follows: particles and mass of each that left through open
                faces of the domain, and its share of the mass in every region. A rigid body counts for the
                material of its first sphere. Takes a list, each a text.
            mixing: Grids of sample cells that tell how well a material is mixed with all others: index of
                Lacey, and what it follows from, in series.csv. Takes a list, each a table of cells, name,
                reference, region.
            orientations: Whether the orientation of every particle follows its rotation and is written to
                the snapshots. Nothing else depends on it; without it steps are a little faster and frames
                smaller. Default: yes. Takes true or false.
            picture: The picture at the end. Takes a table of azimuth, colour, cut, elevation, look_at,
                orthographic, zoom.
            pictures: Whether the picture and the plots are drawn at the end; `dem render` and `dem plot`
                draw them later. Default: yes. Takes true or false.
            profiles: Time between outputs to profiles.csv, over which wall probes average. Default: 0.1 s.
                Takes a time such as "10 us" or a number in s.
            regions: Parts of space whose particles, coordination and stress are written to series.csv.
                Takes a list, each a table of name, region.
            series: Time between rows of series.csv. Default: 0.01 s. Takes a time such as "10 us" or a
                number in s.
            snapshots: Time between frames of snapshots.vtkhdf. Default: 0.1 s. Takes a time such as "10 us"
                or a number in s.
            total_rotation: Whether the total rotation of every particle, the sum of the rotation vectors of
                all steps, is kept and written to the snapshots. Default: no. Takes true or false.
            wall_facets: Meshes whose pressure, shear and wear are written to the snapshots, facet by facet.
                Takes a list, each a table of archard, finnie, wall.
            wall_probes: Walls whose pressure and shear are written to profiles.csv. Takes a list, each a
                table of bins, face, from, sectors, to, wall.
        """

    def output_mixing_entry(
        self,
        name: str,
        cells: Sequence[_Integer],
        *,
        reference: str,
        region: _Region | dict[str, Any] | None = None,
    ) -> None:
        """Sample cells for the mixing of a material with all others.

        Args:
            name: Name, unique among the grids; part of the names of its columns. Takes a text.
            cells: Cells along x, y and z. The index depends on their size: some 10 to 50 particles a cell
                are usual. Takes a list of 3, each a whole number.
            reference: Material whose share by number is taken in every cell. Takes a text.
            region: Where particles count; the grid spans the box around it. Default: the whole domain.
                Takes one of box, cylinder, sphere, frustum.
        """

    def output_region(self, name: str, region: _Region | dict[str, Any]) -> None:
        """A part of space that is measured.

        Args:
            name: Name, unique among the regions; part of the names of its columns. Takes a text.
            region: Where it is. Along periodic axes it lies in the domain. Takes one of box, cylinder,
                sphere, frustum.
        """

    def output_wall_facet(
        self,
        wall: str,
        *,
        archard: _Archard | dict[str, Any] | None = None,
        finnie: _Finnie | dict[str, Any] | None = None,
    ) -> None:
        """Pressure, shear and wear of the facets of a mesh.

        Args:
            wall: Name of the wall, which is a mesh. Takes a text.
            archard: Wear by particles that slide. Default: none. Takes a table of coefficient, hardness.
            finnie: Wear by impacts. Default: none. Takes a table of coefficient.
        """

    def output_wall_probe(
        self,
        wall: str,
        bins: _Integer,
        *,
        face: Literal["x_min", "x_max", "y_min", "y_max", "z_min", "z_max"] | None = None,
        from_: _Quantity | None = None,
        sectors: _Integer | None = None,
        to: _Quantity | None = None,
    ) -> None:
        """Pressure, shear and mobilised friction of a wall in bins, averaged over time.

        Args:
            wall: Name of the wall. Takes a text.
            bins: Bins of equal width: along the axis of a cylinder, frustum or sphere, from the axis of a
                disc or plane outwards, along `edge_u` of a rectangle, upwards on the side of a box, along x
                on its floor. Takes a whole number.
            face: Face of a box. Takes "x_min", "x_max", "y_min", "y_max", "z_min", "z_max".
            from_: Where the bins begin. Default: at the lower end of the wall, at the axis of a plane.
                Takes a length such as "2.5 mm" or a number in m.
            sectors: Equal angles about the axis, from x, or from y about an axis along x. Default: 1. Takes
                a whole number.
            to: Where they end. Default: at the other end of the wall. Takes a length such as "2.5 mm" or a
                number in m.
        """

    def pair(
        self,
        materials: Sequence[str],
        *,
        adhesion: Literal["none", "sjkr", "sjkr2", "constant"] | None = None,
        bridge_form: Literal["willett", "willett-closed", "lambert", "rabinovich", "soulie"] | None = None,
        bridge_liquid: Literal["fixed", "films"] | None = None,
        bridge_rupture: Literal["willett", "lian"] | None = None,
        bridge_volume: _Quantity | None = None,
        cohesion_energy_density: _Quantity | None = None,
        cohesive_stiffness: _Quantity | None = None,
        constant_pull: _Quantity | None = None,
        contact_angle: _Quantity | None = None,
        contact_damping: _Quantity | None = None,
        damping_rate: _Quantity | None = None,
        damping_ratio: _Quantity | None = None,
        decay_speed: _Quantity | None = None,
        dissipation_time: _Quantity | None = None,
        dynamic_friction: _Quantity | None = None,
        elastic_displacement: Literal["incremental", "secant"] | None = None,
        exponent: Literal["hertz", "linear"] | None = None,
        fast_growth: Literal["exact", "fitted"] | None = None,
        film_share: _Quantity | None = None,
        fresh_contact_split: _Bool | None = None,
        friction: _Quantity | None = None,
        friction_law: Literal["coulomb", "exponential"] | None = None,
        friction_limit: Literal["hertz", "hertz-plus-twice-pull"] | None = None,
        hamaker_constant: _Quantity | None = None,
        hysteresis_branch: Literal["incremental", "non-incremental"] | None = None,
        hysteresis_length_factor: _Quantity | None = None,
        hysteresis_power: _Quantity | None = None,
        law: Literal[
            "linear", "hertz-mindlin", "mindlin", "mindlin-total", "kuhn", "conventional", "mindlin-deresiewicz",
            "mdr", "balevicius", "jkr", "dmt", "thornton-ning", "walton-braun", "luding", "edinburgh", "combination",
        ] | None = None,
        liquid_viscosity: _Quantity | None = None,
        loading_stiffness: _Quantity | None = None,
        memory: Literal["consistent", "literal"] | None = None,
        mie_attraction: _Quantity | None = None,
        mie_attraction_exponent: _Quantity | None = None,
        mie_cutoff: _Quantity | None = None,
        mie_repulsion: _Quantity | None = None,
        mie_repulsion_exponent: _Quantity | None = None,
        near_field: Literal["none", "mie", "van-der-waals", "liquid-bridge"] | None = None,
        no_tension: _Bool | None = None,
        normal: Literal[
            "linear", "hertz", "jkr", "dmt", "thornton-ning", "walton-braun", "luding", "edinburgh",
        ] | None = None,
        normal_stiffness: _Quantity | None = None,
        plasticity_depth: _Quantity | None = None,
        plasticity_ratio: _Quantity | None = None,
        pull: _Quantity | None = None,
        restitution: _Quantity | None = None,
        restitution_speed: _Quantity | None = None,
        rolling: Literal["none", "constant-torque", "elastic-plastic"] | None = None,
        rolling_damping_ratio: _Quantity | None = None,
        rolling_friction: _Quantity | None = None,
        rolling_stiffness: _Quantity | None = None,
        separation: Literal["fold", "peak"] | None = None,
        separation_minimum: _Quantity | None = None,
        separation_split: _Bool | None = None,
        sliding_dashpot: Literal["kelvin", "lammps", "dropped", "outside"] | None = None,
        sliding_direction: Literal["force", "displacement", "velocity"] | None = None,
        sliding_flag: _Bool | None = None,
        sliding_work: Literal["exact", "trapezoid"] | None = None,
        slip_rotation: _Bool | None = None,
        springs: _Quantity | None = None,
        stick_slip_split: _Bool | None = None,
        stiffening: _Quantity | None = None,
        stiffness_point: _Quantity | None = None,
        stiffness_ratio: _Quantity | None = None,
        stiffness_rule: Literal["mindlin", "kohring", "campello", "constant"] | None = None,
        surface_energy: _Quantity | None = None,
        surface_tension: _Quantity | None = None,
        tangential: Literal[
            "none", "spring-slider", "mindlin-no-slip", "mindlin", "total-form", "kuhn", "conventional",
            "mindlin-deresiewicz", "mdr", "balevicius",
        ] | None = None,
        tangential_damping_rate: _Quantity | None = None,
        tangential_damping_ratio: _Quantity | None = None,
        tangential_damping_share: _Quantity | None = None,
        tangential_stiffness: _Quantity | None = None,
        tangential_stiffness_factor: _Quantity | None = None,
        travel: Literal["exact", "tangent"] | None = None,
        turning_points: _Quantity | None = None,
        twisting: Literal["none", "spring-dashpot", "marshall"] | None = None,
        twisting_damping_ratio: _Quantity | None = None,
        twisting_friction: _Quantity | None = None,
        twisting_radius: _Quantity | None = None,
        twisting_stiffness: _Quantity | None = None,
        unloading: Literal["carried", "none", "area", "neutral", "total", "displacement", "hyperelastic"] | None = None,
        unloading_stiffness: _Quantity | None = None,
        unloading_stiffness_limit: _Quantity | None = None,
        van_der_waals_cutoff: _Quantity | None = None,
        work_bookkeeping: _Bool | None = None,
        work_of_adhesion: _Quantity | None = None,
        yield_pressure: _Quantity | None = None,
    ) -> None:
        """Other parameters, or another law, for a pair of materials.

        Args:
            materials: The two materials. Takes a list of 2, each a text.
            adhesion: pull between bodies that touch, beside the normal force of the law. Takes "none",
                "sjkr", "sjkr2", "constant".
            bridge_form: capillary force over the distance of the surfaces. Takes "willett", "willett-
                closed", "lambert", "rabinovich", "soulie".
            bridge_liquid: where the liquid of bridges comes from: the same volume for each from nowhere, or
                the films of the spheres, which get it back. Takes "fixed", "films".
            bridge_rupture: distance of the surfaces at which a bridge breaks. Takes "willett", "lian".
            bridge_volume: volume V of each liquid bridge; with bridge_liquid = "films" that of the largest
                [m^3]. Takes a number in SI units or a text with a unit.
            cohesion_energy_density: pull per area of the circle in which two spheres intersect [J/m^3].
                Takes a number in SI units or a text with a unit.
            cohesive_stiffness: kc of the strongest pull, which is kc times the overlap [N/m]. Takes a
                number in SI units or a text with a unit.
            constant_pull: pull wherever the surfaces touch, a positive number [N]. Takes a number in SI
                units or a text with a unit.
            contact_angle: contact angle θ of the liquid on the surfaces; at most 50 deg with bridge_form =
                "willett" [rad]. Takes a number in SI units or a text with a unit.
            contact_damping: viscosity ν of a force −ν v on the relative velocity at the contact, outside
                the friction limit; may pull [N s/m]. Takes a number in SI units or a text with a unit.
            damping_rate: viscosity of the dashpot over the effective mass, c = g m*, as in LAMMPS's
                gran/hooke; alternative to restitution [1/s]. Takes a number in SI units or a text with a
                unit.
            damping_ratio: damping as a fraction of critical, as printed in papers; alternative to
                restitution. Takes a number in SI units or a text with a unit.
            decay_speed: speed v_c in μ_d + (μ_s − μ_d) exp(−v/v_c), with friction_law = "exponential"
                [m/s]. Takes a number in SI units or a text with a unit.
            dissipation_time: time A of viscoelastic spheres, N = k_H (δ^(3/2) + 3/2 A √δ δ'), whose
                restitution falls with the speed; alternative to restitution [s]. Takes a number in SI units
                or a text with a unit.
            dynamic_friction: friction coefficient μ_d of a sliding contact, at most `friction`, which it
                equals if left out. Takes a number in SI units or a text with a unit.
            elastic_displacement: elastic displacement of a sliding contact: by increments of force (method
                II), or -T/k_t (method I). Takes "incremental", "secant".
            exponent: power of the overlap in the force: hertz for 1.5, with the stiffness of the materials,
                or linear for 1. Takes "hertz", "linear".
            fast_growth: a contact that grows faster than it slips: exact, or on straight lines a simple
                history fitted to its force, as published. Takes "exact", "fitted".
            film_share: share of the film of each sphere that a bridge takes, with bridge_liquid = "films";
                without it that of the part of the sphere that faces the other one. Takes a number in SI
                units or a text with a unit.
            fresh_contact_split: a contact that forms within a step slips only from then on. Takes true or
                false.
            friction: Coulomb friction coefficient μ; the static one μ_s if dynamic_friction is given. Takes
                a number in SI units or a text with a unit.
            friction_law: coulomb: a sliding contact has dynamic_friction, whatever its speed; exponential:
                friction falls from `friction` at rest to dynamic_friction at high speed, over decay_speed.
                Takes "coulomb", "exponential".
            friction_limit: force that limits friction: that of Hertz without the pull, or that plus twice
                the pull, as in LAMMPS. Takes "hertz", "hertz-plus-twice-pull".
            hamaker_constant: Hamaker constant A of the two materials in the medium between them [J]. Takes
                a number in SI units or a text with a unit.
            hysteresis_branch: whether a reversal within a transition continues from the present force or
                jumps. Takes "incremental", "non-incremental".
            hysteresis_length_factor: length of a transition in units of Mindlin's displacement at full
                slip. Takes a number in SI units or a text with a unit.
            hysteresis_power: power p of the transition after a reversal. Takes a number in SI units or a
                text with a unit.
            law: Name of the law, if it is another one. Takes "linear", "hertz-mindlin", "mindlin",
                "mindlin-total", "kuhn", "conventional", "mindlin-deresiewicz", "mdr", "balevicius", "jkr",
                "dmt", "thornton-ning", "walton-braun", "luding", "edinburgh", "combination".
            liquid_viscosity: dynamic viscosity η of the liquid; needs separation_minimum [Pa s]. Takes a
                number in SI units or a text with a unit.
            loading_stiffness: stiffness k1 of first loading, which the tangential stiffness and the dashpot
                are in proportion to [N/m]. Takes a number in SI units or a text with a unit.
            memory: how the largest overlap shrinks under a pull: consistent leaves no jump where the motion
                turns, literal is the published rule with the stiffness of the step before. Takes
                "consistent", "literal".
            mie_attraction: κ₁ of the attraction κ₁ d^(−λ₁) at the distance d of the centres, a plain number
                in N m^λ₁. Takes a number in SI units or a text with a unit.
            mie_attraction_exponent: λ₁ of the attraction. Takes a number in SI units or a text with a unit.
            mie_cutoff: distance between the surfaces beyond which the force is zero [m]. Takes a number in
                SI units or a text with a unit.
            mie_repulsion: κ₂ of the repulsion κ₂ d^(−λ₂), a plain number in N m^λ₂. Takes a number in SI
                units or a text with a unit.
            mie_repulsion_exponent: λ₂ of the repulsion. Takes a number in SI units or a text with a unit.
            near_field: force between spheres at a distance, and with walls that have near_field = true.
                Takes "none", "mie", "van-der-waals", "liquid-bridge".
            no_tension: clip the normal force at zero, so that damping never pulls bodies together. Takes
                true or false.
            normal: normal model in place of that of the law, with the parameters of that model; contacts
                are then evaluated one at a time. Takes "linear", "hertz", "jkr", "dmt", "thornton-ning",
                "walton-braun", "luding", "edinburgh".
            normal_stiffness: normal stiffness k of the pair [N/m]. Takes a number in SI units or a text
                with a unit.
            plasticity_depth: overlap up to which the contact deforms plastically, in effective diameters 2
                r* (as the published depth, before the factor kp/(kp - k1)). Takes a number in SI units or a
                text with a unit.
            plasticity_ratio: 1 - k1/k2 with the stiffness k2 of unloading. Takes a number in SI units or a
                text with a unit.
            pull: pull while two bodies touch [N]. Takes a number in SI units or a text with a unit.
            restitution: normal restitution coefficient of a head-on impact, achieved exactly; alternative
                to damping_ratio. Takes a number in SI units or a text with a unit.
            restitution_speed: speed of the impact with the given restitution, which then falls with the
                speed as that of viscoelastic spheres; only with restitution [m/s]. Takes a number in SI
                units or a text with a unit.
            rolling: resistance against rolling. Takes "none", "constant-torque", "elastic-plastic".
            rolling_damping_ratio: damping of the rolling spring as a fraction of critical, with the inertia
                7/5 m* r*². Takes a number in SI units or a text with a unit.
            rolling_friction: rolling friction μ_r: the couple is at most μ_r N r*. Takes a number in SI
                units or a text with a unit.
            rolling_stiffness: stiffness k_r of the rolling spring; the default is 2.25 k_n μ_r² r*² [N
                m/rad]. Takes a number in SI units or a text with a unit.
            separation: where a contact ends: at the fold, where no equilibrium is left, or at the peak of
                the pull, as in LAMMPS. Takes "fold", "peak".
            separation_minimum: distance of the surfaces below which the force at a distance, or the
                lubrication of a liquid bridge, does not grow any more; closer surfaces and those in contact
                count as that far apart [m]. Takes a number in SI units or a text with a unit.
            separation_split: a contact that ends within a step works until then. Takes true or false.
            sliding_dashpot: tangential dashpot of a sliding contact: kelvin is parallel to the spring, both
                in series with the slider; lammps acts on the whole velocity, and its force is kept in the
                spring; dropped has none while the contact slides; outside is parallel to spring and slider.
                Takes "kelvin", "lammps", "dropped", "outside".
            sliding_direction: direction of the sliding force: of the trial force, against the elastic
                displacement, or against the slip velocity. Takes "force", "displacement", "velocity".
            sliding_flag: with dynamic_friction: true keeps the dynamic limit until the trial force falls
                below it; false tests the static limit in every step, as published, which makes the force of
                a sliding contact oscillate between both limits. Takes true or false.
            sliding_work: work of a sliding step: that of its path, or the trapezoidal rule of its ends.
                Takes "exact", "trapezoid".
            slip_rotation: the friction force rotates within the step as the contact slides. Takes true or
                false.
            springs: springs across half the contact, a whole number, 24 bytes each. Takes a number in SI
                units or a text with a unit.
            stick_slip_split: a contact that begins to slide within a step sticks until then. Takes true or
                false.
            stiffening: S of an unloading stiffness k1 (1 + S D) that grows with the largest overlap D;
                alternative to unloading_stiffness [1/m]. Takes a number in SI units or a text with a unit.
            stiffness_point: where in the step the stiffness is taken: 0 start, 0.5 mean (second order), 1
                end; the default is 1. Takes a number in SI units or a text with a unit.
            stiffness_ratio: tangential to normal stiffness k_t/k; the default is Mindlin's 4 G*/E* of the
                two materials. Takes a number in SI units or a text with a unit.
            stiffness_rule: tangential stiffness: mindlin 8 G* a, kohring 16/3 G* a, campello 8 GG/(G + G)
                a, or constant. Takes "mindlin", "kohring", "campello", "constant".
            surface_energy: surface energy of one face, half the work of adhesion; alternative to
                work_of_adhesion [J/m^2]. Takes a number in SI units or a text with a unit.
            surface_tension: surface tension σ of the liquid [N/m]. Takes a number in SI units or a text
                with a unit.
            tangential: tangential model, the same for all pairs of materials that the law governs. Takes
                "none", "spring-slider", "mindlin-no-slip", "mindlin", "total-form", "kuhn", "conventional",
                "mindlin-deresiewicz", "mdr", "balevicius".
            tangential_damping_rate: viscosity of the tangential dashpot over the effective mass, c_t = g_t
                m*; alternative to tangential_damping_ratio [1/s]. Takes a number in SI units or a text with
                a unit.
            tangential_damping_ratio: damping of the tangential spring as a fraction of critical, with the
                effective mass. Takes a number in SI units or a text with a unit.
            tangential_damping_share: viscosity of the tangential dashpot over that of the normal one, c_t =
                x c_n, as in LAMMPS; alternative to tangential_damping_ratio. Takes a number in SI units or
                a text with a unit.
            tangential_stiffness: tangential stiffness of stiffness_rule constant [N/m]. Takes a number in
                SI units or a text with a unit.
            tangential_stiffness_factor: multiple x of Mindlin's stiffness, k_t = x 8 G* a; other codes have
                2/3. Takes a number in SI units or a text with a unit.
            travel: how the force follows the slip: along the closed curve, or along its tangent at the
                start of the step as published. Takes "exact", "tangent".
            turning_points: number of turning points stored per contact, a whole number, 8 bytes each;
                beyond it the smallest loop is dropped and counted in the history. Takes a number in SI
                units or a text with a unit.
            twisting: resistance against twisting. Takes "none", "spring-dashpot", "marshall".
            twisting_damping_ratio: damping of the twisting spring as a fraction of critical, with the
                inertia 2/5 m* r*². Takes a number in SI units or a text with a unit.
            twisting_friction: twisting friction μ_t: with spring-dashpot the couple is at most μ_t N r*,
                with marshall at most 2/3 a μ_t N; the default for marshall is the friction of the law.
                Takes a number in SI units or a text with a unit.
            twisting_radius: radius of the area of contact as a share of r*; the default is √(r* δ), for a
                normal model with an area. Takes a number in SI units or a text with a unit.
            twisting_stiffness: stiffness of the twisting spring; the default is 2.25 k_n μ_t² r*² [N
                m/rad]. Takes a number in SI units or a text with a unit.
            unloading: tangential force while the area of contact changes: carried drops the force on the
                rim that the area has lost; none keeps the force; area and neutral reduce it with the area
                or its root; total keeps the slip; displacement reduces the slip; hyperelastic conserves
                energy, and is refused with normal = "jkr" or "thornton-ning". Takes "carried", "none",
                "area", "neutral", "total", "displacement", "hyperelastic".
            unloading_stiffness: stiffness k2 of unloading, more than that of loading; alternative to
                stiffening [N/m]. Takes a number in SI units or a text with a unit.
            unloading_stiffness_limit: stiffness kp of unloading after the deepest load, more than that of
                loading [N/m]. Takes a number in SI units or a text with a unit.
            van_der_waals_cutoff: distance between the surfaces beyond which the force is zero [m]. Takes a
                number in SI units or a text with a unit.
            work_bookkeeping: keep the work terms of each contact for the energy ledger; false saves memory
                and time, but these energies are then unknown. Takes true or false.
            work_of_adhesion: work that parts the two faces per area, twice the surface energy; alternative
                to surface_energy [J/m^2]. Takes a number in SI units or a text with a unit.
            yield_pressure: largest pressure that the contact bears, 1.6 times the yield stress in a metal
                [Pa]. Takes a number in SI units or a text with a unit.
        """

    def particles(
        self,
        name: str,
        fill: _Fill | dict[str, Any],
        *,
        angular_velocity: _Quantities | None = None,
        clump: str | None = None,
        group: str | None = None,
        liquid_content: _Quantity | None = None,
        liquid_film: _Quantity | None = None,
        material: str | None = None,
        orientation: Literal["random", "fixed"] | _ParticlesOrientation | dict[str, Any] | None = None,
        region: _Region | dict[str, Any] | None = None,
        scale: _Quantity | None = None,
        sizes: _Size | dict[str, Any] | None = None,
        velocity: _Quantities | None = None,
    ) -> None:
        """A source of particles.

        Args:
            name: Name, unique among the sources. Takes a text.
            fill: How they are placed. Takes one of lattice, random, file, pour.
            angular_velocity: Initial angular velocity. Default: none. Takes a list of 3, each an angular
                velocity such as "30 rpm" or a number in rad/s.
            clump: Name of a clump: the particles are rigid bodies of this shape. Default: spheres. Takes a
                text.
            group: Group of its particles. Takes a text.
            liquid_content: Volume of the liquid on each sphere in proportion to that of the sphere;
                alternative to liquid_film. Default: dry. Takes a ratio such as "3 %" or a plain number.
            liquid_film: Thickness of the film of liquid on each sphere; alternative to liquid_content.
                Films fill liquid bridges with `bridge_liquid = "films"`. Default: dry. Takes a length such
                as "2.5 mm" or a number in m.
            material: Material of its particles; none beside a clump whose spheres have materials. Takes a
                text.
            orientation: How bodies are turned. Default: random. Takes "random", "fixed" or a table of fixed
                or a table of axis, of, spread.
            region: Where particles appear; they lie fully inside. Not with a file. Takes one of box,
                cylinder, sphere, frustum.
            scale: Size of all bodies in proportion to the clump, in place of sizes. Default: 1. Takes a
                ratio such as "3 %" or a plain number.
            sizes: Sizes, of bodies the radius of the sphere of equal volume; not with a file, which has its
                own. Bodies have that of the clump without. Takes one of single, uniform, normal, lognormal,
                table.
            velocity: Initial velocity. Default: at rest. Takes a list of 3, each a velocity such as "0.5
                m/s" or a number in m/s.
        """

    def stage(
        self,
        name: str,
        *actions: _Action | dict[str, Any],
        until: _Condition | dict[str, Any],
        deform: _Deform | dict[str, Any] | None = None,
    ) -> None:
        """A stage: actions at its start, then the run until one of its conditions holds.

        Args:
            name: Name, shown in logs and the summary. Takes a text.
            actions: What is done when the stage begins. Takes a list, each one of remove_wall, add_wall,
                move_wall, set_contact, set_fields, remove_particles, drive_guide, start_pouring,
                stop_pouring.
            until: When it ends: as soon as any of the conditions holds. Takes a table of at_rest, measure,
                poured, steps, strain, stress_reached, time.
            deform: How the periodic cell deforms during the stage. Default: it keeps its shape. Takes a
                table of constant_volume, max_rate, mean_stress, xx, xy, xz, yx, yy, yz, zx, zy, zz.
        """

    def time(
        self,
        *,
        end: _Quantity | None = None,
        expected_speed: _Quantity | None = None,
        half_turn: Literal["pass", "stop"] | None = None,
        integrator: Literal[
            "velocity-verlet", "semi-implicit-euler", "newmark", "gear", "generalized-trapezoidal",
        ] | _TimeIntegrator | dict[str, Any] | None = None,
        largest_step: _Quantity | None = None,
        rotation: Literal["quaternion", "rodrigues", "rotation-vector", "matrix"] | None = None,
        rotation_increment: Literal["exact", "literal"] | None = None,
        smallest_step: _Quantity | None = None,
        step: Literal["auto", "adaptive"] | _Quantity | None = None,
    ) -> None:
        """Time step, end and integrator.

        Args:
            end: The run ends at this time at the latest. Default: no limit. Takes a time such as "10 us" or
                a number in s.
            expected_speed: Largest relative speed of impacts that `auto` assumes. Default: from velocities
                and the height of fall. Takes a velocity such as "0.5 m/s" or a number in m/s.
            half_turn: What becomes of a rotation by half a turn that is carried as a Rodrigues vector,
                which has none there: "pass" goes on on the other side, "stop" ends the run. Default: pass.
                Takes "pass", "stop".
            integrator: Integrator: its name, or a table of its name and options. Default: velocity-verlet.
                Takes "velocity-verlet", "semi-implicit-euler", "newmark", "gear", "generalized-trapezoidal"
                or a table of coefficient, corrected, mode, most_iterations, name, phi, sweep, tolerance.
            largest_step: Longest adaptive step. Default: ten times the automatic one. Takes a time such as
                "10 us" or a number in s.
            rotation: Numbers in which the run carries orientations. Spheres move in the same way under
                every choice; snapshots have quaternions in any case. Default: quaternion. Takes
                "quaternion", "rodrigues", "rotation-vector", "matrix".
            rotation_increment: How the increment of a step follows from the spin ω: "exact", a turn by |ω|
                Δt, or "literal", the rescaled Rodrigues vector ω Δt itself, a smaller turn, in orientations
                and in the slip of contacts, as published; for spheres only. Default: exact. Takes "exact",
                "literal".
            smallest_step: Shortest adaptive step. Default: a thousandth of the automatic one. Takes a time
                such as "10 us" or a number in s.
            step: Time step, or "auto" (default) for the largest that all criteria admit, reduced during the
                run if the packing stiffens, or "adaptive" for one that follows the state and becomes longer
                again, too. Takes "auto", "adaptive" or a time such as "10 us" or a number in s.
        """

    def wall(
        self,
        name: str,
        shape: _Shape | dict[str, Any],
        *,
        material: str,
        active: _Bool | None = None,
        curved_contact: _Bool | None = None,
        max_overlap: _Quantity | None = None,
        motion: _Motion | dict[str, Any] | None = None,
        near_field: _Bool | None = None,
    ) -> None:
        """A wall.

        Args:
            name: Name, unique among the walls. Takes a text.
            shape: Shape. Takes one of plane, rectangle, box, cylinder, frustum, disc, sphere, mesh.
            material: Material. Takes a text.
            active: Whether the wall is there from the start; otherwise an action `add_wall` of a stage adds
                it. Takes true or false.
            curved_contact: Whether the curvature of a cylinder, cone or sphere enters the effective radius.
                Default: no. Takes true or false.
            max_overlap: Largest overlap of the wall with spheres when it is added, relative to their
                radius: with spheres of a table, by `add_wall`, and by `--from` beyond the overlap in the
                saved state. The elastic energy of these overlaps is booked as exchanged energy, with a
                warning. Default: 1e-6. Takes a ratio such as "3 %" or a plain number.
            motion: Prescribed motion. Default: at rest. Takes a table of amplitude, angular_velocity, axis,
                frequency, origin, phase, servo, surface_velocity, table, table_ends, velocity.
            near_field: Whether the force at a distance of `contact.near_field` acts between particles and
                the wall, over the distance of a centre from the nearest point of the wall. Default: no.
                Takes true or false.
        """
