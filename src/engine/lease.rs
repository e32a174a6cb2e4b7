//! A lease: granted units, whose they are, and until when they are declared to be held.

use std::fmt;
use std::str::FromStr;

use super::TenantIx;

/// The name of a lease, never given twice.
///
/// `epoch` names the ceiling's log (its shell picks a fresh one for each), `seq` counts the
/// grants in it. Clients see 32 hexadecimal digits and should read nothing into them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeaseId {
    /// Which engine granted it.
    pub epoch: u64,
    /// The grant's place in that engine's history, from 1.
    pub seq: u64,
}

impl fmt::Display for LeaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.epoch, self.seq)
    }
}

/// A text that is not a lease id: those are 32 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a lease id is 32 lower-case hexadecimal digits")]
pub struct ParseLeaseIdError;

impl FromStr for LeaseId {
    type Err = ParseLeaseIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = |text: &str| text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if text.len() != 32 || !digits(text) {
            return Err(ParseLeaseIdError);
        }
        let (epoch, seq) = text.split_at(16);
        let parse = |part| u64::from_str_radix(part, 16).map_err(|_| ParseLeaseIdError);
        Ok(Self { epoch: parse(epoch)?, seq: parse(seq)? })
    }
}

/// Units of one named lender inside a lease.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loan {
    /// Whose guarantee the units belong to.
    pub lender: TenantIx,
    /// How many.
    pub units: f64,
    /// The lender's last activity when it lent; at least `idle_after_ms` before the grant.
    pub lender_active_at: i64,
}

/// A granted charge.
#[derive(Clone, Debug, PartialEq)]
pub struct Lease {
    /// Its name.
    pub id: LeaseId,
    /// Who holds it.
    pub tenant: TenantIx,
    /// The cost that was declared, in cost units.
    pub cost: f64,
    /// Units held: the cost, or 1 where the ceiling counts requests. `own` plus all loans.
    pub units: f64,
    /// When it was granted.
    pub granted_at: i64,
    /// Until when it is declared to be held.
    pub deadline: i64,
    /// Units drawn from the tenant's own guarantee.
    pub own: f64,
    /// Units drawn from others, in the order in which they were taken; one entry per lender.
    pub borrowed: Vec<Loan>,
}

impl Lease {
    /// How long it was declared to be held, in milliseconds.
    #[must_use]
    pub fn hold_ms(&self) -> i64 {
        self.deadline.saturating_sub(self.granted_at)
    }

    /// Whether it is still held after its deadline at `now`.
    #[must_use]
    pub fn is_overrun(&self, now: i64) -> bool {
        now > self.deadline
    }

    /// Units that are not the tenant's own.
    #[must_use]
    pub fn borrowed_units(&self) -> f64 {
        self.borrowed.iter().map(|loan| loan.units).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_survives_its_text() {
        let id = LeaseId { epoch: 0x00ab_cdef, seq: 42 };
        assert_eq!(id.to_string(), "0000000000abcdef000000000000002a");
        assert_eq!(id.to_string().parse(), Ok(id));
    }

    #[test]
    fn texts_that_no_grant_was_ever_named_by_are_refused() {
        let long = "0".repeat(33);
        let upper = "A".repeat(32);
        let signed = format!("+{}", "0".repeat(31));
        for text in ["", "0", &long, &upper, &signed, "żółw"] {
            assert_eq!(text.parse::<LeaseId>(), Err(ParseLeaseIdError), "{text:?}");
        }
    }
}
