//! A refusal explains itself from its own facts.

use fairgate::engine::{FairnessUnit, Settings};

use crate::engine::judge::scene::{Scene, even_split, settings, shared_by};

/// Asserts that `text` is prose that carries each fact.
fn carries(text: &str, facts: &[&str]) {
    for fact in facts {
        assert!(text.contains(fact), "{fact:?} is missing in: {text}");
    }
    let ends_well = text.ends_with('.') && !text.contains("..") && !text.contains("  ");
    let no_debris = ["NaN", "inf", "None", "Some", "{", "}", "e-"];
    assert!(ends_well && no_debris.iter().all(|debris| !text.contains(debris)), "{text}");
    let sentences: Vec<_> = text.split(". ").collect();
    assert!(sentences.len() >= 3, "{text}");
    let begins =
        |sentence: &&str| sentence.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
    assert!(sentences.iter().all(begins), "{text}");
}

#[test]
fn more_than_the_ceiling_names_the_ceiling_and_the_remedy() {
    let text = even_split().explained(0, "a1", 123.5, 77);
    carries(&text, &["\"a\"", "123.5", "77 ms", "100", "no wait", "raise the ceiling"]);
}

#[test]
fn a_guarantee_on_loan_names_who_holds_it_until_when_and_why_it_waits() {
    let mut gate = shared_by(90.0, "abc");
    gate.ask(0, "a1", 5.0, 9_000);
    gate.release(0, "a1");
    gate.ask(1_500, "b1", 91.0, 1);
    gate.ask(2_000, "c1", 43.0, 88);
    gate.ask(2_000, "a1", 4.0, 9_000);
    let text = gate.explained(2_010, "a2", 25.0, 60);
    let facts = ["\"a\"", "25", "60 ms", "30", "4", "13", "\"c\"", "78 ms", "1000 ms"];
    carries(&text, &facts);
}

#[test]
fn a_guarantee_on_loan_that_nobody_else_could_bridge_says_so() {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    let short = gate.explained(10, "a1", 50.0, 60);
    let long = gate.explained(10, "a1", 50.0, 6_000);
    carries(&short, &["60 ms", "could lend"]);
    carries(&long, &["6000 ms", "100 ms"]);
    assert_ne!(short, long.replace("6000", "60"));
}

#[test]
fn a_hold_beyond_the_horizon_names_the_horizon_the_lack_and_the_remedies() {
    let mut gate = even_split();
    gate.ask(0, "b1", 30.0, 9_000);
    let text = gate.explained(0, "b2", 51.0, 555);
    carries(&text, &["\"b\"", "51", "555 ms", "20", "100 ms", "31", "reclaimHorizonMs"]);
}

#[test]
fn a_hold_beyond_the_horizon_that_time_can_cure_says_when() {
    let mut gate = even_split();
    gate.ask(0, "b1", 30.0, 9_000);
    let text = gate.explained(0, "b2", 40.0, 555);
    carries(&text, &["\"b\"", "40", "555 ms", "100 ms", "9000 ms", "30 held by"]);
}

#[test]
fn too_little_to_borrow_names_what_is_free_what_is_lendable_and_what_lacks() {
    let mut gate = shared_by(90.0, "abc");
    gate.ask(0, "a1", 91.0, 100);
    gate.ask(0, "c1", 7.0, 42);
    let text = gate.explained(0, "c2", 88.0, 66);
    let facts = ["\"c\"", "88", "66 ms", "23", "30", "35", "1000 ms", "7 held by", "42 ms"];
    carries(&text, &facts);
}

#[test]
fn an_overrun_blocker_is_called_one_and_no_time_is_promised() {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    let text = gate.explained(130, "a1", 50.0, 60);
    carries(&text, &["30 ms past", "\"b\"", "Nobody can say"]);
    assert!(!text.contains("fits in"), "{text}");
}

#[test]
fn a_lack_that_no_lease_stands_before_is_explained_without_one() {
    let mut gate = even_split();
    gate.ask(0, "a1", 50.0, 100);
    let text = gate.explained(0, "b1", 60.0, 100);
    carries(&text, &["\"b\"", "60", "No lease"]);
}

#[test]
fn many_blockers_are_summed_up_by_their_number() {
    let mut gate = even_split();
    gate.ask(0, "b1", 50.0, 9_000);
    for name in ["b2", "b3", "b4", "b5", "b6"] {
        gate.ask(0, name, 10.0, 100);
    }
    carries(&gate.explained(0, "a1", 40.0, 10), &["and 1 more lease stands"]);
    carries(&gate.explained(0, "a1", 50.0, 10), &["and 2 more leases stand"]);
}

#[test]
fn requests_are_called_requests_and_their_cost_is_told() {
    let split = settings(2.0, &[("a", 1.0), ("b", 1.0)]);
    let unit = Some(FairnessUnit::Requests);
    let mut gate = Scene::of(Settings { fairness_unit: unit, ..split });
    gate.ask(0, "b1", 9.0, 100);
    gate.ask(0, "b2", 9.0, 100);
    carries(&gate.explained(0, "a1", 17.25, 60), &["1 request", "17.25", "\"b\""]);
}

#[test]
fn other_facts_make_another_text() {
    let told = |lent: f64, now: i64, cost: f64| {
        let mut gate = even_split();
        gate.ask(0, "b1", 50.0 + lent, 100);
        gate.explained(now, "a1", cost, 60)
    };
    let texts = [told(50.0, 10, 50.0), told(40.0, 10, 50.0), told(50.0, 11, 50.0)];
    assert_ne!(texts[0], texts[1]);
    assert_ne!(texts[0], texts[2]);
    assert_ne!(texts[0], told(50.0, 10, 49.0));
    assert_eq!(texts[0], told(50.0, 10, 50.0));
}

#[test]
fn a_text_can_be_made_after_the_engine_has_moved_on() {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    let refusal = gate.refusal(10, "a1", 50.0, 60);
    let config = gate.engine.config().clone();
    let at_once = refusal.explanation(&config);
    gate.release(50, "b1");
    drop(gate);
    assert_eq!(refusal.explanation(&config), at_once);
}

#[test]
fn amounts_that_are_no_round_numbers_are_told_in_six_decimals() {
    let mut gate = shared_by(100.0, "abc");
    gate.ask(0, "b1", 100.0, 100);
    carries(&gate.explained(0, "a1", 100.0 / 3.0, 60), &["33.333333 cost units"]);
}
