//! Flags and environment variables that win over the file.

use std::net::SocketAddr;

use clap::Args;

use crate::config::{CeilingOverrides, Overrides};

/// Each is named like its key in the file. Only what is given overrides.
#[derive(Debug, Args)]
pub(super) struct OverrideArgs {
    /// Units that may be held at one time
    #[arg(long, value_name = "UNITS", env = "FAIRGATE_CEILING", help_heading = "Ceiling")]
    ceiling: Option<f64>,
    /// What a unit is: cost, or requests
    #[arg(long, value_name = "UNIT", env = "FAIRGATE_FAIRNESS_UNIT", help_heading = "Ceiling")]
    fairness_unit: Option<String>,
    /// A tenant and its weight; once for each (in the environment: separated by commas)
    #[arg(
        long,
        value_name = "ID=WEIGHT",
        value_parser = parse_tenant,
        value_delimiter = ',',
        env = "FAIRGATE_TENANTS",
        help_heading = "Ceiling"
    )]
    tenant: Vec<(String, f64)>,
    /// The longest time units are lent for, in milliseconds
    #[arg(long, value_name = "MS", env = "FAIRGATE_RECLAIM_HORIZON_MS", help_heading = "Ceiling")]
    reclaim_horizon_ms: Option<i64>,
    /// How long a tenant must be quiet before it lends, in milliseconds
    #[arg(long, value_name = "MS", env = "FAIRGATE_IDLE_AFTER_MS", help_heading = "Ceiling")]
    idle_after_ms: Option<i64>,

    /// Where to listen; port 0 takes a free one [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR:PORT", env = "FAIRGATE_LISTEN", help_heading = "Server")]
    listen: Option<SocketAddr>,
    /// The largest request body, in bytes
    #[arg(long, value_name = "BYTES", env = "FAIRGATE_MAX_BODY_BYTES", help_heading = "Server")]
    max_body_bytes: Option<i64>,
    /// How long a connection may be silent or take to send a request's head, in milliseconds
    #[arg(
        long,
        value_name = "MS",
        env = "FAIRGATE_HEADER_READ_TIMEOUT_MS",
        help_heading = "Server"
    )]
    header_read_timeout_ms: Option<i64>,
    /// How long a request may take, in milliseconds
    #[arg(long, value_name = "MS", env = "FAIRGATE_REQUEST_TIMEOUT_MS", help_heading = "Server")]
    request_timeout_ms: Option<i64>,
    /// The most leases on one page
    #[arg(long, value_name = "COUNT", env = "FAIRGATE_MAX_PAGE_SIZE", help_heading = "Server")]
    max_page_size: Option<i64>,
    /// For how long to go on serving releases after being told to stop, in milliseconds
    #[arg(long, value_name = "MS", env = "FAIRGATE_DRAIN_DELAY_MS", help_heading = "Server")]
    drain_delay_ms: Option<i64>,
    /// How long requests in flight may take to finish after that, in milliseconds
    #[arg(long, value_name = "MS", env = "FAIRGATE_DRAIN_TIMEOUT_MS", help_heading = "Server")]
    drain_timeout_ms: Option<i64>,
    /// The form of the log: auto, human or json
    #[arg(long, value_name = "FORMAT", env = "FAIRGATE_LOG_FORMAT", help_heading = "Server")]
    log_format: Option<String>,
    /// What is logged, such as info or fairgate=debug
    #[arg(long, value_name = "FILTER", env = "FAIRGATE_LOG_FILTER", help_heading = "Server")]
    log_filter: Option<String>,
    /// The folder of the journal; leases live in memory without one
    #[arg(long, value_name = "FOLDER", env = "FAIRGATE_JOURNAL_DIR", help_heading = "Journal")]
    journal_dir: Option<String>,
    /// What survives before anybody is answered: always (the machine's end), or os (the process's)
    #[arg(long, value_name = "WHEN", env = "FAIRGATE_JOURNAL_SYNC", help_heading = "Journal")]
    journal_sync: Option<String>,
    /// After how many commands a snapshot is taken
    #[arg(
        long,
        value_name = "COUNT",
        env = "FAIRGATE_SNAPSHOT_EVERY_COMMANDS",
        help_heading = "Journal"
    )]
    snapshot_every_commands: Option<i64>,
    /// After how many bytes a snapshot is taken
    #[arg(
        long,
        value_name = "BYTES",
        env = "FAIRGATE_SNAPSHOT_EVERY_BYTES",
        help_heading = "Journal"
    )]
    snapshot_every_bytes: Option<i64>,
    /// Go on from the journal's time although the wall clock is far behind it
    #[arg(long, env = "FAIRGATE_ACCEPT_CLOCK_SKEW", help_heading = "Journal")]
    accept_clock_skew: bool,
    /// The most tenants per ceiling with metrics of their own
    #[arg(long, value_name = "COUNT", env = "FAIRGATE_MAX_TENANTS", help_heading = "Server")]
    max_tenants: Option<i64>,
}

fn parse_tenant(text: &str) -> Result<(String, f64), String> {
    let mistake = "write ID=WEIGHT, such as acme=3";
    let (id, weight) = text.rsplit_once('=').ok_or(mistake)?;
    let weight = weight.parse().map_err(|_| format!("{weight:?} is no weight: {mistake}"))?;
    Ok((id.to_owned(), weight))
}

impl From<OverrideArgs> for Overrides {
    fn from(args: OverrideArgs) -> Self {
        fn value<T: Into<toml::Value>>(given: Option<T>) -> Option<toml::Value> {
            given.map(Into::into)
        }
        let listen = args.listen.map(|address| address.to_string());
        let keys = [
            ("http", "listen", value(listen)),
            ("http", "maxBodyBytes", value(args.max_body_bytes)),
            ("http", "headerReadTimeoutMs", value(args.header_read_timeout_ms)),
            ("http", "requestTimeoutMs", value(args.request_timeout_ms)),
            ("http", "maxPageSize", value(args.max_page_size)),
            ("shutdown", "drainDelayMs", value(args.drain_delay_ms)),
            ("shutdown", "drainTimeoutMs", value(args.drain_timeout_ms)),
            ("log", "format", value(args.log_format)),
            ("log", "filter", value(args.log_filter)),
            ("metrics", "maxTenants", value(args.max_tenants)),
            ("journal", "dir", value(args.journal_dir)),
            ("journal", "sync", value(args.journal_sync)),
            ("journal", "snapshotEveryCommands", value(args.snapshot_every_commands)),
            ("journal", "snapshotEveryBytes", value(args.snapshot_every_bytes)),
            ("journal", "acceptClockSkew", value(args.accept_clock_skew.then_some(true))),
        ];
        let ceiling = [
            ("ceiling", value(args.ceiling)),
            ("fairnessUnit", value(args.fairness_unit)),
            ("reclaimHorizonMs", value(args.reclaim_horizon_ms)),
            ("idleAfterMs", value(args.idle_after_ms)),
        ];
        let given = |(section, key, value): (_, _, Option<_>)| Some((section, key, value?));
        Self {
            keys: keys.into_iter().filter_map(given).collect(),
            ceiling: CeilingOverrides {
                keys: ceiling.into_iter().filter_map(|(key, value)| Some((key, value?))).collect(),
                tenants: args.tenant,
            },
        }
    }
}
