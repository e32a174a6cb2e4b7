//! Amounts of capacity: how they are compared and how they are summed.
//!
//! Guarantees are `ceiling × weight ÷ total weight` and almost never exactly representable, so
//! every comparison allows [`TOLERANCE`]. Running sums are kept in twice the precision of an
//! `f64`, so a million grants and releases leave no drift that could grow into that tolerance.

/// The absolute slack of every comparison of units. Where a billionth of a unit is a meaningful
/// quantity of capacity, count in larger units.
pub const TOLERANCE: f64 = 1e-9;

/// Whether `charge` fits into `room`.
pub(super) fn fits(charge: f64, room: f64) -> bool {
    charge <= room + TOLERANCE
}

/// A running sum of amounts that are each added once and taken out once.
///
/// The sum is held as an unevaluated pair `hi + lo` (Dekker's double-double, by Knuth's two-sum),
/// whose error is about 2⁻¹⁰⁴ of its size; and it counts its members, so that the sum of none is
/// exactly zero. A sum that no `f64` can hold stays at the largest one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Total {
    hi: f64,
    lo: f64,
    members: u64,
}

impl Total {
    /// The sum, rounded to the nearest `f64`.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.hi
    }

    /// How many amounts are in the sum.
    #[must_use]
    pub fn members(&self) -> u64 {
        self.members
    }

    /// The sum's exact parts: high word, low word, members. For snapshots.
    #[must_use]
    pub fn to_parts(self) -> (f64, f64, u64) {
        (self.hi, self.lo, self.members)
    }

    /// The sum that [`Total::to_parts`] took apart.
    #[must_use]
    pub fn from_parts((hi, lo, members): (f64, f64, u64)) -> Self {
        Self { hi, lo, members }
    }

    /// Takes one amount in.
    pub(super) fn add(&mut self, amount: f64) {
        self.members += 1;
        self.accumulate(amount);
    }

    /// Takes out one amount that was added before.
    pub(super) fn remove(&mut self, amount: f64) {
        debug_assert!(self.members > 0, "removed from an empty sum");
        self.members = self.members.saturating_sub(1);
        if self.members == 0 {
            (self.hi, self.lo) = (0.0, 0.0);
        } else {
            self.accumulate(-amount);
        }
    }

    fn accumulate(&mut self, amount: f64) {
        let (sum, error) = two_sum(self.hi, amount);
        if !sum.is_finite() {
            (self.hi, self.lo) = (f64::MAX.copysign(sum), 0.0);
            return;
        }
        let low = self.lo + error;
        self.hi = sum + low;
        self.lo = low - (self.hi - sum);
    }
}

/// `a + b` as the rounded sum and its exact rounding error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_rounded = sum - a;
    let a_rounded = sum - b_rounded;
    (sum, (a - a_rounded) + (b - b_rounded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_nothing_is_exactly_zero() {
        let mut total = Total::default();
        for amount in [0.1, 0.2, 0.3] {
            total.add(amount);
        }
        for amount in [0.2, 0.3, 0.1] {
            total.remove(amount);
        }
        assert_eq!(total, Total::default());
    }

    #[test]
    fn a_sum_beyond_all_numbers_stays_a_number() {
        let mut total = Total::default();
        total.add(f64::MAX);
        total.add(f64::MAX);
        total.add(1.0);
        assert_eq!(total.value().to_bits(), f64::MAX.to_bits());
    }

    #[test]
    fn a_million_changes_leave_no_drift_beside_a_standing_amount() {
        let mut total = Total::default();
        total.add(1e5 / 3.0);
        for step in 0..1_000_000_u32 {
            let amount = 0.1 + f64::from(step % 97) * 0.7;
            total.add(amount);
            total.remove(amount);
        }
        assert_eq!(total.value().to_bits(), (1e5_f64 / 3.0).to_bits());
    }

    #[test]
    fn a_charge_fits_up_to_the_tolerance_and_not_beyond() {
        assert!(fits(1.0 + 0.9e-9, 1.0));
        assert!(!fits(1.0 + 1.1e-9, 1.0));
    }
}
