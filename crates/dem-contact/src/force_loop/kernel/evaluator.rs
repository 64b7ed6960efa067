//! How the contacts of a group are passed to a law: all lanes at once, or one by one.
//!
//! Records are read and written for the contacts of a group that touched and that touch, which follow each other in
//! every column of their tables: without branches, which would be mispredicted. Those of contacts that separate go to a
//! scratch buffer, for the little that is still needed of them.

use dem_core::history::{ContactWork, FieldSpec};
use dem_core::lanes::{Lanes, MOST_LANES, Rows, SourceRows, TargetRows, Vector, Width};

use crate::force_loop::kernel::chunk_data::Ended;
use crate::force_loop::kinematics::partner::Numbers;
use crate::law::{Kinematics, LaneLaw, Record, Response};
use crate::pair_law::PairLaw;

/// How the contacts of a group are passed to a law.
pub trait Evaluator<L: ?Sized>: Send + Sync + 'static {
    /// Numbers per record, for laws that know it when they are compiled.
    const WIDTH: Option<usize>;

    /// Evaluates one group, of which the first `lanes` are contacts, the others copies. Reads the records of the
    /// contacts that touched at the start of the step.
    fn respond<R: Lanes>(
        law: &L,
        kinematics: &Kinematics<R>,
        start: &SourceRows,
        end: &mut EndRecords,
        lanes: usize,
    ) -> Response<R>;

    /// [`ContactLaw::range`](crate::law::ContactLaw::range) of contacts \[m\].
    fn range<R: Lanes>(law: &L, effective_radius: R) -> R;
}

/// Records of the end of the step that a group writes.
pub struct EndRecords<'a> {
    /// Of the contacts that touch.
    rows: TargetRows<'a>,
    /// Contacts that touched at the start but do not any more: theirs are written to the scratch.
    parted: u32,
    scratch: &'a mut Scratch,
}

impl<'a> EndRecords<'a> {
    #[inline(always)]
    pub(crate) fn new(rows: TargetRows<'a>, parted: u32, scratch: &'a mut Scratch) -> Self {
        Self { rows, parted, scratch }
    }

    /// Writes numbers of the records from a column on.
    #[inline(always)]
    pub(crate) fn store<R: Lanes, T: Record<R>>(&mut self, numbers: &T, column: usize) {
        numbers.store(&mut self.rows, column);
        if self.parted != 0 {
            let columns = column + T::WIDTH;
            numbers
                .store(&mut TargetRows::new::<R>(&mut self.scratch.parted, parted_rows(self.parted), columns), column);
        }
    }
}

/// What the evaluation of a chunk needs for itself.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Records of the contacts of a group that have separated, by columns.
    parted: Vec<f64>,
    /// Records of one contact.
    start: Vec<f64>,
    end: Vec<f64>,
    width: Option<Width>,
}

impl Scratch {
    /// For records of `stride` numbers of contacts that are computed by a width.
    pub(crate) fn fit(&mut self, stride: usize, width: Width) {
        self.width = Some(width);
        self.parted.resize(stride * MOST_LANES, 0.0);
        self.start.resize(stride, 0.0);
        self.end.resize(stride, 0.0);
    }

    /// Records the work of contacts of the last group that have separated, with their numbers in the chunk, which are
    /// given by lane.
    #[cold]
    #[inline(never)]
    pub(crate) fn separate(&mut self, fields: &[FieldSpec], parted: u32, number: &Numbers, separated: &mut Vec<Ended>) {
        let Self { parted: numbers, end: record, .. } = self;
        let rows = SourceRows::new::<f64>(numbers, parted_rows(parted), record.len());
        for lane in (0..MOST_LANES).filter(|lane| parted >> lane & 1 == 1) {
            rows.read(lane, record);
            let mut work = ContactWork::default();
            work.add_record(fields, record);
            separated.push((number[lane], work));
        }
    }
}

/// The records in the scratch of lanes that have separated.
#[inline(always)]
fn parted_rows(set: u32) -> Rows {
    Rows { first: 0, room: MOST_LANES, set }
}

/// All lanes at once, for laws written in lanes.
pub struct InLanes;

impl<L: LaneLaw> Evaluator<L> for InLanes {
    const WIDTH: Option<usize> = Some(L::Record::<f64>::WIDTH);

    #[inline(always)]
    fn respond<R: Lanes>(
        law: &L,
        kinematics: &Kinematics<R>,
        start: &SourceRows,
        end: &mut EndRecords,
        _lanes: usize,
    ) -> Response<R> {
        let before = L::Record::<R>::load(start, 0);
        let (response, after) = law.respond_in_lanes(kinematics, &before);
        end.store::<R, _>(&after, 0);
        response
    }

    #[inline(always)]
    fn range<R: Lanes>(law: &L, effective_radius: R) -> R {
        law.range_in_lanes(effective_radius)
    }
}

/// As [`InLanes`], in the loop that all laws share: a law costs less to compile, and every group of contacts a call more.
pub struct InSharedLoop;

/// One contact after the other, for laws that need more than `+ − × ÷ √`; the geometry is still computed in lanes.
pub struct OneByOne;

impl<L: PairLaw + ?Sized> Evaluator<L> for OneByOne {
    const WIDTH: Option<usize> = None;

    #[inline(always)]
    fn respond<R: Lanes>(
        law: &L,
        kinematics: &Kinematics<R>,
        start: &SourceRows,
        end: &mut EndRecords,
        lanes: usize,
    ) -> Response<R> {
        let mut answers = [Response::default(); MOST_LANES];
        let contacts = kinematics.split();
        for (lane, answer) in answers.iter_mut().enumerate().take(lanes) {
            *answer = respond_alone(law, &contacts[lane], start, end, lane);
        }
        let answer = |lane: usize| answers[lane];
        let truth = |flag: fn(&Response) -> bool| {
            R::zero().less(R::from_lanes(|lane| if flag(&answer(lane)) { 1.0 } else { 0.0 }))
        };
        Response {
            normal_force: R::from_lanes(|lane| answer(lane).normal_force),
            limiting_force: R::from_lanes(|lane| answer(lane).limiting_force),
            tangential_force: Vector::from_lanes(|lane| answer(lane).tangential_force.into()),
            couple: Vector::from_lanes(|lane| answer(lane).couple.into()),
            loaded: truth(|answer| answer.loaded),
            slides: truth(|answer| answer.slides),
        }
    }

    #[inline(always)]
    fn range<R: Lanes>(law: &L, effective_radius: R) -> R {
        R::from_lanes(|lane| law.range(effective_radius.lane(lane)))
    }
}

/// Out of line: compiled once for a law, not once for every width.
#[inline(never)]
fn respond_alone<L: PairLaw + ?Sized>(
    law: &L,
    contact: &Kinematics,
    start: &SourceRows,
    end: &mut EndRecords,
    lane: usize,
) -> Response {
    let Scratch { parted, start: before, end: after, width } = &mut *end.scratch;
    start.read(lane, before);
    let response = law.respond_alone(width.unwrap_or(Width::SCALAR), contact, before, after);
    if !end.rows.write(lane, after) {
        TargetRows::new::<f64>(parted, parted_rows(end.parted), start.columns()).write(lane, after);
    }
    response
}

/// In lanes where the records are as long as those that the law was compiled for, else one by one.
pub struct InLanesOrOneByOne;

impl<L: LaneLaw> Evaluator<L> for InLanesOrOneByOne {
    const WIDTH: Option<usize> = None;

    #[inline(always)]
    fn respond<R: Lanes>(
        law: &L,
        kinematics: &Kinematics<R>,
        start: &SourceRows,
        end: &mut EndRecords,
        lanes: usize,
    ) -> Response<R> {
        if start.columns() == L::Record::<f64>::WIDTH {
            InLanes::respond(law, kinematics, start, end, lanes)
        } else {
            OneByOne::respond(law, kinematics, start, end, lanes)
        }
    }

    #[inline(always)]
    fn range<R: Lanes>(law: &L, effective_radius: R) -> R {
        law.range_in_lanes(effective_radius)
    }
}
