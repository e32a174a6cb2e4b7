//! Every refusal explains itself with its own facts.

use std::collections::HashSet;

use fairgate::engine::{FairnessUnit, Reason};

use super::story::{Story, settings};

#[track_caller]
fn says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "should say {part:?}: {text}");
    }
    assert!(!text.contains("  ") && !text.contains('\n') && text.ends_with('.'), "{text}");
}

#[test]
fn more_than_the_ceiling_says_what_the_ceiling_is() {
    let mut story = Story::two();
    let text = story.refuse(0, "b", 150.5, 42).explanation(story.engine.config());
    says(&text, &["Tenant \"b\"", "150.5 cost units", "42 ms", "holds 100", "no wait"]);
}

#[test]
fn a_guarantee_on_loan_says_who_holds_it_and_until_when() {
    let mut story = Story::two();
    story.grant(0, "b", 80.0, 100);
    story.grant(5, "a", 15.0, 1_000);
    let text = story.refuse(10, "a", 33.0, 70).explanation(story.engine.config());
    says(
        &text,
        &[
            "Tenant \"a\"",
            "33 cost units",
            "70 ms",
            "guarantee is 50",
            "its own leases use 15",
            "30 of it went out on loan",
            "5 is free",
            "30 held by \"b\" (for another 90 ms)",
            "fits in 90 ms",
            "within 150 ms",
            "200 ms",
        ],
    );
}

#[test]
fn a_hold_beyond_the_horizon_says_what_would_have_to_be_borrowed() {
    let mut story = Story::two();
    story.grant(0, "b", 45.0, 400);
    let text = story.refuse(0, "b", 50.0, 1_000).explanation(story.engine.config());
    says(
        &text,
        &[
            "Tenant \"b\"",
            "50 cost units",
            "1000 ms",
            "Only 5 of its guarantee of 50",
            "45 would",
            "100 ms at the most",
            "Hold for 100 ms or less",
            "45 held by \"b\" (for another 400 ms)",
        ],
    );
    let text = story.refuse(0, "b", 60.0, 1_000).explanation(story.engine.config());
    says(&text, &["Waiting is no cure", "ask for 50 or less", "reclaimHorizonMs"]);
}

#[test]
fn too_little_to_lend_says_how_much_is_lacking() {
    let mut story = Story::two();
    story.grant(0, "a", 20.0, 400);
    let text = story.refuse(10, "b", 75.0, 60).explanation(story.engine.config());
    says(
        &text,
        &[
            "Tenant \"b\"",
            "75 cost units",
            "50 of its guarantee of 50 is free",
            "could lend 0",
            "25 too little",
            "quiet for 200 ms",
            "No lease holds units that it could use",
            "Nobody can say",
        ],
    );
}

#[test]
fn an_overdue_holder_is_named_as_such() {
    let mut story = Story::two();
    story.grant(0, "b", 100.0, 100);
    let text = story.refuse(130, "a", 50.0, 10).explanation(story.engine.config());
    says(&text, &["50 held by \"b\" (30 ms past the deadline)", "Nobody can say"]);
}

#[test]
fn many_holders_are_counted_not_listed() {
    let mut story = Story::two();
    for _ in 0..50 {
        story.grant(0, "a", 1.0, 100);
    }
    let text = story.refuse(0, "a", 50.0, 10_000).explanation(story.engine.config());
    says(&text, &["and 47 more leases stand before it"]);
    let text = story.refuse(0, "a", 4.0, 10_000).explanation(story.engine.config());
    says(&text, &["and 1 more lease stands before it"]);
}

#[test]
fn requests_are_called_requests_and_their_cost_is_told() {
    let mut requests = settings(&[("a", 1.0), ("b", 1.0)]);
    requests.fairness_unit = Some(FairnessUnit::Requests);
    requests.ceiling = 2.0;
    let mut story = Story::new(requests);
    story.grant(0, "a", 7.0, 1_000);
    let text = story.refuse(0, "a", 12.5, 1_000).explanation(story.engine.config());
    says(&text, &["1 request (of cost 12.5)"]);
}

#[test]
fn awkward_numbers_are_written_as_people_would() {
    let mut story = Story::new(settings(&[("a", 1.0), ("b", 1.0), ("c", 1.0)]));
    story.grant(0, "a", 100.0 / 3.0, 1_000);
    let text = story.refuse(0, "a", 1e-8, 1_000).explanation(story.engine.config());
    says(&text, &["33.333333", "1e-8"]);
    assert!(!text.contains("33.3333333"), "{text}");
}

#[test]
fn every_reason_has_its_own_code_and_its_own_text() {
    let codes: HashSet<_> = Reason::ALL.into_iter().map(Reason::code).collect();
    assert_eq!(codes.len(), Reason::COUNT);
    for (nth, reason) in Reason::ALL.into_iter().enumerate() {
        assert_eq!(reason as usize, nth, "the counts of refusals are kept in this order");
    }
}
