//! Sums that do not depend on the order of their terms, nor on how they are split: the sum of the real numbers, rounded once.
//!
//! A finite `f64` is a whole multiple of 2⁻¹⁰⁷⁴, the smallest of them, and less than 2²⁰⁹⁸ times it. [`ExactSum`] holds such multiples with
//! digits of 32 bits in signed words of 64 bits: a number is added to three words, carries wait until a word might overflow or the sum is
//! read. This is the long accumulator of U. Kulisch, with the lazy carries of R. M. Neal, "Fast exact summation using small and large
//! superaccumulators", arXiv:1505.05571 (2015). Sums of parts are joined by adding words.
//!
//! [`BlockSum`] takes most of the work off it. The terms of a block are split at three fixed places beneath the largest of them by adding
//! and subtracting a number, without error (S. M. Rump, T. Ogita and S. Oishi, SIAM Journal on Scientific Computing 31 (2008) 189, section
//! 3). The parts of one place are whole multiples of one unit and so few that their sum has 53 bits: plain additions in lanes are exact.
//! Only these three sums, and what of tiny terms is left below the last place, go to the long accumulator.

mod block;
mod many;
#[cfg(test)]
mod tests;

pub use block::{BLOCK, BlockSum};
pub use many::{Terms, exact_of_terms, exact_sums_of, in_blocks, of_terms, sum_of, sums_of};

/// Digits of 32 bits: from 2⁻¹⁰⁷⁴ to 2¹⁰²⁴, and room for the carries of 2⁶⁴ terms.
const DIGITS: usize = 68;
/// Bits of a digit.
const DIGIT: u32 = 32;
/// What a digit may hold after carries.
const DIGIT_MASK: i64 = 0xffff_ffff;
/// Every term changes a word by less than 2³²: after so many the words are less than 2⁶³.
const MOST_PENDING: u64 = 1 << 30;

/// The exact sum of any numbers added so far.
///
/// ```
/// use dem_core::exact_sum::ExactSum;
///
/// let mut sum = ExactSum::ZERO;
/// [1e300, 1.0, -1e300, 5e-324].into_iter().for_each(|x| sum.add(x));
/// assert_eq!(sum.value(), 1.0);
/// ```
#[derive(Clone, Debug)]
pub struct ExactSum {
    digits: [i64; DIGITS],
    /// The first word that may not be zero, and one past the last.
    used: [usize; 2],
    /// At least the number of terms since the last carry.
    pending: u64,
    /// Whether a term was NaN, +∞, −∞.
    special: [bool; 3],
}

impl Default for ExactSum {
    fn default() -> Self {
        Self::ZERO
    }
}

impl ExactSum {
    /// The sum of nothing.
    pub const ZERO: Self = Self { digits: [0; DIGITS], used: [DIGITS, 0], pending: 0, special: [false; 3] };

    /// Adds a number.
    #[inline]
    pub fn add(&mut self, term: f64) {
        let bits = term.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as usize;
        if exponent == 0x7ff {
            self.add_special(term);
            return;
        }
        if self.pending >= MOST_PENDING {
            self.carry();
        }
        self.pending += 1;
        // the last bit of the significand counts 2^place times the smallest number; those below 2^-1022 have no leading one
        let place = exponent.max(1) - 1;
        let significand = bits & ((1 << 52) - 1) | u64::from(exponent > 0) << 52;
        let (digit, shift) = (place / DIGIT as usize, place % DIGIT as usize);
        let wide = u128::from(significand) << shift;
        let parts = [wide as i64 & DIGIT_MASK, (wide >> DIGIT) as i64 & DIGIT_MASK, (wide >> (2 * DIGIT)) as i64];
        // all ones of a negative number, to complement and add one
        let sign = bits as i64 >> 63;
        self.used = [self.used[0].min(digit), self.used[1].max(digit + 3)];
        for (word, part) in self.digits[digit..digit + 3].iter_mut().zip(parts) {
            *word += (part ^ sign) - sign;
        }
    }

    /// Whether nothing was added since the beginning.
    pub fn is_empty(&self) -> bool {
        self.pending == 0 && self.special == [false; 3]
    }

    /// Forgets all terms.
    pub fn reset(&mut self) {
        let [start, end] = self.used;
        if start < end {
            self.digits[start..end].fill(0);
        }
        (self.used, self.pending, self.special) = ([DIGITS, 0], 0, [false; 3]);
    }

    #[cold]
    fn add_special(&mut self, term: f64) {
        self.special[0] |= term.is_nan();
        self.special[1] |= term == f64::INFINITY;
        self.special[2] |= term == f64::NEG_INFINITY;
    }

    /// Adds all numbers.
    pub fn add_all(&mut self, terms: impl IntoIterator<Item = f64>) {
        terms.into_iter().for_each(|term| self.add(term));
    }

    /// Adds what another sum holds.
    pub fn merge(&mut self, other: &Self) {
        if self.pending + other.pending > MOST_PENDING {
            self.carry();
        }
        let [start, end] = other.used;
        if start < end {
            for (word, more) in self.digits[start..end].iter_mut().zip(&other.digits[start..end]) {
                *word += more;
            }
            self.used = [self.used[0].min(start), self.used[1].max(end)];
        }
        self.pending += other.pending;
        for (met, also) in self.special.iter_mut().zip(other.special) {
            *met |= also;
        }
    }

    /// The sum as bytes, on its way to another process.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut sum = self.clone();
        sum.carry();
        let [start, end] = sum.used;
        let special = self.special.iter().enumerate().fold(0, |bits, (k, &met)| bits | u8::from(met) << k);
        let mut bytes = vec![special, u8::from(self.is_empty()), start as u8, end.saturating_sub(start) as u8];
        bytes.extend(sum.digits.get(start..end).unwrap_or_default().iter().flat_map(|digit| digit.to_le_bytes()));
        bytes
    }

    /// Takes a sum off the beginning of bytes.
    pub fn take_from_bytes(bytes: &mut &[u8]) -> Option<Self> {
        let (&[special, is_empty, start, length], mut rest) = bytes.split_first_chunk()?;
        let mut sum = Self::ZERO;
        sum.special = [0, 1, 2].map(|k| special >> k & 1 == 1);
        let (start, length) = (usize::from(start), usize::from(length));
        for digit in sum.digits.get_mut(start..start + length)? {
            let (word, others) = rest.split_first_chunk()?;
            *digit = i64::from_le_bytes(*word);
            rest = others;
        }
        if length > 0 {
            sum.used = [start, start + length];
        }
        sum.pending = u64::from(is_empty == 0);
        *bytes = rest;
        Some(sum)
    }

    /// Moves what words hold beyond a digit to the next; the last one in use keeps the sign of the sum, which it returns.
    fn carry(&mut self) -> i64 {
        // every word is that of one term at most
        self.pending = 1;
        let [start, end] = self.used;
        if start >= end {
            return 0;
        }
        let last = end.min(DIGITS - 1);
        let mut carry = 0;
        for digit in &mut self.digits[start..last] {
            let all = *digit + carry;
            *digit = all & DIGIT_MASK;
            carry = all >> DIGIT;
        }
        self.digits[last] += carry;
        self.used[1] = last + 1;
        self.digits[last].signum()
    }

    /// The sum, rounded once to the nearest number, to an even one between two: ±∞ if it is not less than 2¹⁰²⁴ after that, +0 if it is
    /// zero. NaN if a term was NaN, or if there were both infinities; else an infinity, if there was one.
    pub fn value(&self) -> f64 {
        match self.special {
            [false, false, false] => {}
            [false, true, false] => return f64::INFINITY,
            [false, false, true] => return f64::NEG_INFINITY,
            _ => return f64::NAN,
        }
        let mut sum = self.clone();
        let is_negative = sum.carry() < 0;
        if is_negative {
            sum.digits.iter_mut().for_each(|digit| *digit = -*digit);
            sum.carry();
        }
        let magnitude = sum.magnitude();
        if is_negative { -magnitude } else { magnitude }
    }

    /// The number of which digits without carries are the multiple of 2⁻¹⁰⁷⁴, rounded.
    fn magnitude(&self) -> f64 {
        let (digits, [start, end]) = (&self.digits, self.used);
        let Some(top) = digits[..end].iter().rposition(|&digit| digit != 0) else { return 0.0 };
        let digit = |at: Option<usize>| at.map_or(0, |at| digits[at] as u128);
        // the highest three digits: at least 65 bits, of which the lowest tells whether anything is below
        let mut bits = digit(Some(top)) << (2 * DIGIT) | digit(top.checked_sub(1)) << DIGIT | digit(top.checked_sub(2));
        let below = top.saturating_sub(2);
        bits |= u128::from(digits[start.min(below)..below].iter().any(|&digit| digit != 0));
        // place of the lowest of these bits, negative where there are fewer digits than three
        let place = DIGIT as i64 * (top as i64 - 2);
        let length = i64::from(u128::BITS - bits.leading_zeros());
        // 53 bits, or all down to 2^-1074; some are dropped in any case, and the mark of what is below is one of them
        let dropped = (length - 53).max(-place).max(0);
        let kept = (bits >> dropped) as u64;
        let rest = bits & ((1 << dropped) - 1);
        let half = (1_u128 << dropped) >> 1;
        let is_up = rest > half || rest == half && kept & 1 == 1;
        let significand = kept + u64::from(is_up);
        // the lowest bit of the significand counts 2^exponent times the smallest number
        let exponent = place + dropped;
        if exponent > 2045 {
            return f64::INFINITY;
        }
        // a leading one adds one to the field of the exponent: numbers without any and those that rounding has made longer come out right
        let field = (exponent as u64) << 52;
        f64::from_bits(field + significand)
    }
}
