//! The same commands lead to the same bits, also where a snapshot was restored on the way.

use fairgate::engine::Engine;
use proptest::prelude::*;

use super::super::model::Rules;
use super::runs;
use super::steps::{rules, steps};
use super::world::{Call, World, apply, bits, config, engine};

/// Every answer and every state on the way, as text that tells every bit.
fn history(engine: &mut Engine, calls: &[Call]) -> Vec<String> {
    let tell = |&call| format!("{:?} -> {}", apply(engine, call), bits(engine));
    calls.iter().map(tell).collect()
}

fn restored(rules: &Rules, engine: &Engine) -> Engine {
    let restored = Engine::restore(config(rules), engine.state());
    restored.expect("an engine accepts its own state").listing_blocking(usize::MAX)
}

proptest! {
    #![proptest_config(runs(150))]

    #[test]
    fn the_same_commands_lead_to_the_same_bits(rules in rules(), steps in steps(60)) {
        let calls = World::calls(&rules, &steps);
        let histories = [(); 2].map(|()| history(&mut engine(&rules), &calls));
        prop_assert_eq!(&histories[0], &histories[1]);
    }

    #[test]
    fn a_restored_engine_goes_on_to_the_same_bits(
        rules in rules(),
        steps in steps(60),
        cut in any::<prop::sample::Index>(),
    ) {
        let calls = World::calls(&rules, &steps);
        let (before, after) = calls.split_at(cut.index(calls.len()));
        let mut original = engine(&rules);
        history(&mut original, before);
        let mut restored = restored(&rules, &original);
        prop_assert_eq!(bits(&restored), bits(&original));
        for away_ms in [0, 1_000] {
            let now = original.now() + away_ms;
            prop_assert_eq!(original.stats(now), restored.stats(now));
            prop_assert_eq!(original.plan(now), restored.plan(now));
        }
        prop_assert_eq!(history(&mut restored, after), history(&mut original, after));
    }
}
