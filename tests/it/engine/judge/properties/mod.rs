//! What must hold for every sequence of commands. The seed is fixed, so a run either always
//! fails or never does; raise `PROPTEST_CASES` or set `PROPTEST_RNG_SEED` to look further.

mod bound;
mod creep;
mod estimates;
mod extremes;
mod judged;
mod reads;
mod replay;
mod steps;
mod world;

use proptest::test_runner::{Config, RngSeed};

/// `cases` random sequences, unless the environment says otherwise.
fn runs(cases: u32) -> Config {
    let from_env = Config::default();
    let told = |name: &str| std::env::var_os(name).is_some();
    Config {
        cases: if told("PROPTEST_CASES") { from_env.cases } else { cases },
        rng_seed: if told("PROPTEST_RNG_SEED") { from_env.rng_seed } else { RngSeed::Fixed(20) },
        failure_persistence: None,
        ..from_env
    }
}
