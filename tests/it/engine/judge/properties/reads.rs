//! Reads change nothing, at whatever instant they look.

use proptest::prelude::*;

use super::runs;
use super::steps::{rules, steps};
use super::world::{World, apply, bits, engine};

proptest! {
    #![proptest_config(runs(200))]

    #[test]
    fn reading_in_between_leaves_the_same_bits(
        rules in rules(),
        steps in steps(50),
        looks in prop::collection::vec(prop::option::of(-500..2_000_i64), 1..20),
    ) {
        let (mut read, mut unread) = (engine(&rules), engine(&rules));
        let looks = looks.iter().cycle();
        for (call, look) in World::calls(&rules, &steps).into_iter().zip(looks) {
            if let Some(away_ms) = look {
                let now = read.now() + away_ms;
                let before = bits(&read);
                let _ = (read.stats(now), read.fairness(), read.plan(now));
                let _ = (read.leases().len(), read.lease_count(), read.state());
                prop_assert_eq!(before, bits(&read), "a read at {} changed something", now);
            }
            let answers = [apply(&mut read, call), apply(&mut unread, call)];
            prop_assert_eq!(format!("{:?}", answers[0]), format!("{:?}", answers[1]));
        }
        prop_assert_eq!(bits(&read), bits(&unread));
    }

    #[test]
    fn a_request_error_leaves_the_same_bits(rules in rules(), steps in steps(50)) {
        let mut engine = engine(&rules);
        for call in World::calls(&rules, &steps) {
            let before = bits(&engine);
            if let fairgate::engine::Outcome::Invalid(_) = apply(&mut engine, call) {
                prop_assert_eq!(before, bits(&engine), "{:?}", call);
            }
        }
    }
}
