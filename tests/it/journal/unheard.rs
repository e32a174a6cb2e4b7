//! Callers that go away between the command and the answer.

use std::io;
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Waker};

use fairgate::engine::{Acquire, Outcome};
use fairgate::journal::{Append, Store};

use super::store::Disk;
use super::world::{NEVER, START, leases, open, run, two};

/// A disk whose syncs wait at a gate.
#[derive(Clone, Default)]
struct Gated {
    disk: Disk,
    gate: Arc<(Mutex<bool>, Condvar)>,
}

impl Gated {
    fn set(&self, closed: bool) {
        *self.gate.0.lock().unwrap() = closed;
        self.gate.1.notify_all();
    }
}

struct GatedAppend {
    file: Box<dyn Append>,
    gate: Arc<(Mutex<bool>, Condvar)>,
}

impl Append for GatedAppend {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.append(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        let (closed, opened) = &*self.gate;
        drop(opened.wait_while(closed.lock().unwrap(), |closed| *closed).unwrap());
        self.file.sync()
    }
}

impl Store for Gated {
    fn names(&self) -> io::Result<Vec<String>> {
        self.disk.names()
    }
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        self.disk.read(name)
    }
    fn create(&self, name: &str) -> io::Result<Box<dyn Append>> {
        let file = self.disk.create(name)?;
        Ok(Box::new(GatedAppend { file, gate: Arc::clone(&self.gate) }))
    }
    fn publish(&self, name: &str, content: &[u8]) -> io::Result<()> {
        self.disk.publish(name, content)
    }
    fn truncate(&self, name: &str, length: u64) -> io::Result<()> {
        self.disk.truncate(name, length)
    }
    fn remove(&self, name: &str) -> io::Result<()> {
        self.disk.remove(name)
    }
}

#[test]
fn a_grant_that_nobody_heard_of_is_released_in_the_log() {
    let gated = Gated::default();
    let (gateway, _) = open(gated.clone(), two(), NEVER, START).unwrap();
    let ceiling = gateway.ceiling(Some("main")).unwrap();
    let request = Acquire { tenant: "a", cost: 0.01, hold_ms: 50 };
    for round in 0..1_000 {
        gated.set(true);
        {
            let mut asked = pin!(gateway.acquire(ceiling, request));
            let mut context = Context::from_waker(Waker::noop());
            // Asked: decided and waiting for the log, because the gate is closed.
            assert!(matches!(asked.as_mut().poll(&mut context), Poll::Pending), "round {round}");
            assert_eq!(leases(&gateway).len(), 1);
            // The caller goes away.
        }
        assert_eq!(leases(&gateway).len(), 0, "round {round}");
        gated.set(false);
    }
    // Somebody who stays is answered, after all of that is in the log.
    let Ok(Outcome::Granted(granted)) = run(gateway.acquire(ceiling, request)) else {
        panic!("refused")
    };
    assert_eq!(granted.lease.id.seq, 1_001);
    drop(gateway);
    let (gateway, _) = open(gated.disk, two(), NEVER, START).unwrap();
    assert_eq!(leases(&gateway).len(), 1);
}

#[test]
fn nobody_is_answered_before_the_sync_has_returned() {
    let gated = Gated::default();
    let (gateway, _) = open(gated.clone(), two(), NEVER, START).unwrap();
    let ceiling = gateway.ceiling(Some("main")).unwrap();
    gated.set(true);
    let request = Acquire { tenant: "a", cost: 1.0, hold_ms: 50 };
    let refused = Acquire { tenant: "a", cost: 1_000.0, hold_ms: 50 };
    let mut context = Context::from_waker(Waker::noop());
    let mut granted = pin!(gateway.acquire(ceiling, request));
    let mut refusal = pin!(gateway.acquire(ceiling, refused));
    assert!(granted.as_mut().poll(&mut context).is_pending());
    assert!(refusal.as_mut().poll(&mut context).is_pending(), "a refusal is journaled too");
    gated.set(false);
    assert!(matches!(run(granted), Ok(Outcome::Granted(_))));
    assert!(matches!(run(refusal), Ok(Outcome::Refused(_))));
}
