//! One table of the file being read: every key is asked for by name, once.

use std::fmt::Display;
use std::ops::RangeInclusive;

use toml::{Table, Value};

/// How different two keys may be for one to be suggested for the other (Jaro-Winkler).
const SIMILAR: f64 = 0.7;

/// A table, the keys that were asked for so far, and everything found wrong.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    path: String,
    table: &'a Table,
    known: Vec<&'static str>,
    errors: &'a mut Vec<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(path: String, table: &'a Table, errors: &'a mut Vec<String>) -> Self {
        Self { path, table, known: Vec::new(), errors }
    }

    /// Reads the table `key` with `read`; an empty one where it is left out.
    pub(super) fn section<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&mut Reader<'_>) -> T,
    ) -> T {
        let empty = Table::new();
        let table = match self.get(key) {
            None => &empty,
            Some(Value::Table(table)) => table,
            Some(other) => {
                self.mistaken(key, other, "a table of keys");
                &empty
            }
        };
        let mut reader = Reader::new(self.path_of(key), table, self.errors);
        let read = read(&mut reader);
        reader.finish();
        read
    }

    /// Reads every table of the list `key` with `read`, which also gets its place.
    pub(super) fn list<T>(
        &mut self,
        key: &'static str,
        mut read: impl FnMut(&mut Reader<'_>, usize) -> T,
    ) -> Vec<T> {
        let items = match self.get(key) {
            None => return Vec::new(),
            Some(Value::Array(items)) => items,
            Some(other) => {
                self.mistaken(key, other, &format!("a list of tables, [[{}]]", self.path_of(key)));
                return Vec::new();
            }
        };
        let mut all = Vec::new();
        for (nth, item) in items.iter().enumerate() {
            let path = format!("{}[{nth}]", self.path_of(key));
            if let Value::Table(table) = item {
                let mut reader = Reader::new(path, table, self.errors);
                all.push(read(&mut reader, nth));
                reader.finish();
            } else {
                self.errors.push(format!("{path} is {}; write a table", shown(item)));
            }
        }
        all
    }

    /// An integer within `range`, or `default` where it is left out.
    pub(super) fn integer(
        &mut self,
        key: &'static str,
        range: RangeInclusive<i64>,
        default: i64,
    ) -> i64 {
        let expected = format!("an integer from {} to {}", range.start(), range.end());
        match self.get(key) {
            None => default,
            Some(Value::Integer(value)) if range.contains(value) => *value,
            Some(other) => {
                self.mistaken(key, other, &expected);
                default
            }
        }
    }

    /// An integer of any size; `None` where it is left out or something else.
    pub(super) fn any_integer(&mut self, key: &'static str) -> Option<i64> {
        match self.get(key)? {
            Value::Integer(value) => Some(*value),
            other => {
                self.mistaken(key, other, "an integer");
                None
            }
        }
    }

    /// A number; `None` where it is left out or something else.
    pub(super) fn number(&mut self, key: &'static str) -> Option<f64> {
        match self.get(key)? {
            Value::Float(value) => Some(*value),
            #[expect(clippy::cast_precision_loss, reason = "units are floats")]
            Value::Integer(value) => Some(*value as f64),
            other => {
                self.mistaken(key, other, "a number");
                None
            }
        }
    }

    /// A text; `None` where it is left out or something else.
    pub(super) fn text(&mut self, key: &'static str) -> Option<&'a str> {
        match self.get(key)? {
            Value::String(value) => Some(value),
            other => {
                self.mistaken(key, other, "a text in quotes");
                None
            }
        }
    }

    /// A text that `parse` understands, or `default` where it is left out.
    pub(super) fn parsed<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
        default: T,
    ) -> T {
        let Some(text) = self.text(key) else { return default };
        parse(text).unwrap_or_else(|| {
            self.error(key, format_args!("is {text:?}; write {expected}"));
            default
        })
    }

    /// Reports something about `key`, which follows its path.
    pub(super) fn error(&mut self, key: &str, problem: impl Display) {
        let path = self.path_of(key);
        self.errors.push(format!("{path} {problem}"));
    }

    /// Reports something as it stands, after the path of this table.
    pub(super) fn error_below(&mut self, problem: impl Display) {
        self.errors.push(format!("{}.{problem}", self.path));
    }

    /// Reports that `key` should be there.
    pub(super) fn missing(&mut self, key: &str, remedy: &str) {
        self.error(key, format_args!("is missing: {remedy}"));
    }

    /// Ends the reading: keys that nobody asked for are mistakes.
    pub(super) fn finish(self) {
        for key in self.table.keys().filter(|key| !self.known.contains(&key.as_str())) {
            let path = self.path_of(key);
            let distance =
                |known: &&&str| strsim::jaro_winkler(&key.to_lowercase(), &known.to_lowercase());
            let nearest = self.known.iter().max_by(|a, b| distance(a).total_cmp(&distance(b)));
            let remedy = match nearest.filter(|known| distance(known) >= SIMILAR) {
                Some(known) => format!("did you mean {known}?"),
                None => format!("known keys here are {}", self.known.join(", ")),
            };
            self.errors.push(format!("{path} is no known key: {remedy}"));
        }
    }

    /// Whether `key` is there at all.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        self.known.push(key);
        self.table.get(key)
    }

    fn mistaken(&mut self, key: &str, found: &Value, expected: &str) {
        self.error(key, format_args!("is {}; write {expected}", shown(found)));
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }
}

/// A value as it would be written, or what kind it is where that would be long.
fn shown(value: &Value) -> String {
    match value {
        Value::Table(_) => "a table".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        other => other.to_string(),
    }
}

/// The longest time that a setting of the server may name, in milliseconds: a day.
const MILLIS_MAX: i64 = 86_400_000;

impl Reader<'_> {
    /// A time in milliseconds, at least 1.
    pub(super) fn millis(&mut self, key: &'static str, default: u64) -> u64 {
        self.millis_from(key, 1, default)
    }

    /// A time in milliseconds, at least `least`.
    pub(super) fn millis_from(&mut self, key: &'static str, least: i64, default: u64) -> u64 {
        let written =
            self.integer(key, least..=MILLIS_MAX, i64::try_from(default).unwrap_or(least));
        u64::try_from(written).unwrap_or(default)
    }

    /// A count that only has to be above zero.
    pub(super) fn count(&mut self, key: &'static str, default: u64) -> u64 {
        let written = self.integer(key, 1..=i64::MAX, i64::try_from(default).unwrap_or(i64::MAX));
        u64::try_from(written).unwrap_or(default)
    }

    /// A switch that is off where it is left out.
    pub(super) fn flag(&mut self, key: &'static str) -> bool {
        match self.get(key) {
            None => false,
            Some(Value::Boolean(value)) => *value,
            Some(other) => {
                self.mistaken(key, other, "true or false");
                false
            }
        }
    }

    /// A count or a size.
    pub(super) fn size(
        &mut self,
        key: &'static str,
        range: RangeInclusive<i64>,
        default: usize,
    ) -> usize {
        let least = *range.start();
        let written = self.integer(key, range, i64::try_from(default).unwrap_or(least));
        usize::try_from(written).unwrap_or(default)
    }
}
