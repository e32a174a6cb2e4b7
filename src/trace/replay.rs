//! One replay: lines in, lines out.

use super::answer::{
    Answer, Body, FairnessAnswer, LeaseAnswer, PlanAnswer, RefusalAnswer, ReleaseAnswer,
    StatsAnswer,
};
use super::names::Names;
use super::wire::{Head, Op, OpLine, StateLine};
use crate::engine::{Acquire, Config, Decision, Engine, LeaseId, RequestError};

/// The longest line of a trace, in bytes. Longer ones are an error, so that no input can fill
/// the memory.
pub const LINE_BYTES_MAX: usize = 16 << 20;

/// A line that cannot be replayed; the replay ends with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct TraceError {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// A replay in progress.
#[derive(Debug, Default)]
pub struct Replay {
    line: usize,
    engine: Option<Engine>,
    names: Names,
    /// Whether the configuration was the line before, so that a state may follow.
    may_begin_later: bool,
}

impl Replay {
    /// Takes the next line. The answer is one line of JSON without its end; `None` for the
    /// configuration, blank lines and comments (which start with `//`).
    ///
    /// # Errors
    ///
    /// The line is malformed. Requests that the engine cannot be asked are answers, not errors.
    pub fn line(&mut self, text: &str) -> Result<Option<String>, TraceError> {
        self.line += 1;
        let text = text.trim();
        if text.is_empty() || text.starts_with("//") {
            return Ok(None);
        }
        if !text.starts_with('{') {
            let problem = "write a JSON object, as in {\"op\": ...}".to_owned();
            return Err(TraceError { line: self.line, problem });
        }
        let answer = match self.engine {
            None => self.begin(text).map(|()| None),
            Some(_) if self.may_begin_later && text.starts_with("{\"state\"") => {
                self.restore(text).map(|()| None)
            }
            Some(_) => self.run(text).map(Some),
        };
        answer.map_err(|problem| TraceError { line: self.line, problem })
    }

    /// The replayed ceiling, once its configuration has been read.
    #[must_use]
    pub fn engine(&self) -> Option<&Engine> {
        self.engine.as_ref()
    }

    fn begin(&mut self, text: &str) -> Result<(), String> {
        let head: Head = serde_json::from_str(text)
            .map_err(|error| format!("the configuration should come first: {}", said(&error)))?;
        let config = Config::new(head.config.settings()?).map_err(|errors| {
            let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
            errors.join("; ")
        })?;
        self.engine = Some(Engine::new(config, 0).listing_blocking(usize::MAX));
        self.may_begin_later = true;
        Ok(())
    }

    /// Goes on from a recorded state; its leases are named by their ids.
    fn restore(&mut self, text: &str) -> Result<(), String> {
        let line: StateLine = serde_json::from_str(text).map_err(|error| said(&error))?;
        let Some(engine) = &mut self.engine else { return Ok(()) };
        let config = Config::clone(engine.config());
        let state = line.state.state(&config).map_err(|error| error.to_string())?;
        for lease in &state.leases {
            self.names.insert(lease.id, Some(lease.id.to_string()), self.line);
        }
        let restored = Engine::restore(config, state).map_err(|error| error.to_string())?;
        *engine = restored.listing_blocking(usize::MAX);
        self.may_begin_later = false;
        Ok(())
    }

    fn run(&mut self, text: &str) -> Result<String, String> {
        self.may_begin_later = false;
        let line: OpLine<'_> = serde_json::from_str(text).map_err(|error| said(&error))?;
        let Some(engine) = &mut self.engine else {
            return Err("the configuration should come first".to_owned());
        };
        let now = line.now()?;
        let name = line.op.clone();
        let config = engine.config().clone();
        let fairness;
        let body = match line.op()? {
            Op::Acquire { tenant, cost, hold_ms, name } => {
                let hold_ms = hold_ms.unwrap_or(0);
                match engine.acquire(now, Acquire { tenant: &tenant, cost, hold_ms }) {
                    Ok(Decision::Granted(granted)) => {
                        self.names.insert(granted.lease.id, name, self.line);
                        let lease = LeaseAnswer::of(&granted.lease, &self.names, &config);
                        Body::Granted { ok: true, lease }
                    }
                    Ok(Decision::Refused(refusal)) => {
                        Body::Refused(RefusalAnswer::of(&refusal, &self.names, &config))
                    }
                    Err(error) => Body::Invalid { error: RequestError::code(&error) },
                }
            }
            Op::Release { lease } => {
                // No lease has number 0: a name that was never given is released in vain.
                let unknown = LeaseId { epoch: engine.epoch(), seq: 0 };
                let lease = self.names.lease(&lease).unwrap_or(unknown);
                let released = engine.release(now, lease);
                self.names.forget(lease);
                Body::Released(ReleaseAnswer::of(released))
            }
            Op::Stats => Body::Stats(StatsAnswer::of(&engine.stats(now), &self.names, &config)),
            Op::Fairness => {
                fairness = engine.fairness();
                Body::Fairness(FairnessAnswer::of(&fairness, &config))
            }
            Op::Plan => Body::Plan(PlanAnswer::of(&engine.plan(now), &config)),
        };
        let answer = Answer { line: self.line, op: &name, now, body };
        serde_json::to_string(&answer).map_err(|error| error.to_string())
    }
}

/// A parser's complaint without its own line number, which is always 1 here.
fn said(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.replace(" at line 1 column ", " at column ")
}
