//! The section `[log]`.

use super::reader::Reader;

/// The form of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// Human on a terminal, JSON otherwise.
    #[default]
    Auto,
    /// Lines for people.
    Human,
    /// One JSON object per line.
    Json,
}

impl LogFormat {
    /// The format called `auto`, `human` or `json`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "auto" => Some(Self::Auto),
            "human" => Some(Self::Human),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// The log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogOptions {
    /// Its form.
    pub format: LogFormat,
    /// What is logged, as a `tracing` filter such as `info` or `fairgate=debug,warn`.
    pub filter: String,
}

impl Default for LogOptions {
    fn default() -> Self {
        Self { format: LogFormat::Auto, filter: "info".to_owned() }
    }
}

pub(super) fn read(reader: &mut Reader<'_>) -> LogOptions {
    let default = LogOptions::default();
    let format = "\"auto\", \"human\" or \"json\"";
    let filter = "a filter such as \"info\" or \"fairgate=debug,warn\"";
    let is_filter = |text: &str| text.parse::<tracing_subscriber::filter::Targets>().is_ok();
    LogOptions {
        format: reader.parsed("format", format, LogFormat::from_name, default.format),
        filter: reader.parsed(
            "filter",
            filter,
            |text| is_filter(text).then(|| text.to_owned()),
            default.filter,
        ),
    }
}
