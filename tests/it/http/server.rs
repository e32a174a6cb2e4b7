//! A server on a free port, and a client that believes nothing that the contract does not say.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use fairgate::engine::{Config, FairnessUnit, Settings, TenantSettings};
use fairgate::gateway::{CeilingOptions, Clock, Gateway, ManualClock};
use fairgate::http::{self, App, Options, Running};
use reqwest::header::HeaderMap;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use super::contract::Contract;

/// When every test's clock begins.
pub(super) const START: i64 = 1_000_000;

pub(super) struct Server {
    pub clock: Arc<ManualClock>,
    pub gateway: Arc<Gateway>,
    running: Running,
    client: Client,
    contract: Contract,
}

pub(super) struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
}

pub(super) fn ceiling(name: &str, tenants: &[(&str, f64)]) -> CeilingOptions {
    let tenant = |&(id, weight): &(&str, f64)| TenantSettings { id: id.to_owned(), weight };
    let config = Config::new(Settings {
        ceiling: 100.0,
        fairness_unit: Some(FairnessUnit::Cost),
        tenants: tenants.iter().map(tenant).collect(),
        reclaim_horizon_ms: 1_000,
        idle_after_ms: 4_000,
        started_at: 0,
    });
    CeilingOptions { name: name.to_owned(), config: config.unwrap() }
}

impl Server {
    /// One ceiling of 100 shared evenly by `a` and `b`, both idle.
    pub(super) async fn two() -> Self {
        let server = Self::start(vec![ceiling("main", &[("a", 1.0), ("b", 1.0)])]).await;
        server.clock.advance(4_000);
        server
    }

    pub(super) async fn start(ceilings: Vec<CeilingOptions>) -> Self {
        Self::with_options(ceilings, Options::default()).await
    }

    pub(super) async fn with_options(ceilings: Vec<CeilingOptions>, options: Options) -> Self {
        let clock = Arc::new(ManualClock::at(START));
        let shared: Arc<dyn Clock> = clock.clone();
        let metrics = fairgate::metrics::Options::default();
        let gateway = Gateway::start(ceilings, metrics, &shared).unwrap();
        Self::serve(gateway, clock, options).await
    }

    /// A gateway that has not read its journal yet.
    pub(super) async fn closed(ceiling: &str) -> Self {
        let metrics = fairgate::metrics::Options::default();
        let gateway = Gateway::new(&[ceiling], metrics).unwrap();
        Self::serve(gateway, Arc::default(), Options::default()).await
    }

    async fn serve(gateway: Arc<Gateway>, clock: Arc<ManualClock>, options: Options) -> Self {
        let listen = SocketAddr::from(([127, 0, 0, 1], 0));
        let options = Options { listen, ..options };
        let app = App { gateway: Arc::clone(&gateway), options };
        let running = http::bind(app).await.unwrap();
        let client = Client::builder().timeout(Duration::from_secs(20)).build().unwrap();
        Self { clock, gateway, running, client, contract: Contract::read() }
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.running.address()
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address())
    }

    /// Sends a request and holds the answer against the contract.
    pub(super) async fn send(
        &self,
        method: Method,
        path: &str,
        kind: Option<&str>,
        body: impl Into<reqwest::Body>,
    ) -> Answer {
        let mut request = self.client.request(method.clone(), self.url(path)).body(body);
        if let Some(kind) = kind {
            request = request.header("content-type", kind);
        }
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let text = response.text().await.unwrap();
        let kind = headers.get("content-type").map(|kind| kind.to_str().unwrap());
        let is_json = kind.is_some_and(|kind| kind.contains("json")) && method != Method::HEAD;
        let is_yaml = kind.is_some_and(|kind| kind.contains("yaml"));
        let body = if is_json { serde_json::from_str(&text).unwrap() } else { json!(text) };
        let meant = if is_yaml { serde_yaml_ng::from_str(&text).unwrap() } else { body.clone() };
        self.contract.check(&method, path, status, &headers, &meant);
        Answer { status, headers, body }
    }

    pub(super) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None, "").await
    }

    pub(super) async fn post(&self, body: impl ToString) -> Answer {
        self.send(Method::POST, "/acquire", Some("application/json"), body.to_string()).await
    }

    pub(super) async fn acquire(&self, tenant: &str, cost: f64, hold_ms: i64) -> Answer {
        self.post(json!({"tenant": tenant, "cost": cost, "holdMs": hold_ms})).await
    }

    pub(super) async fn grant(&self, tenant: &str, cost: f64, hold_ms: i64) -> String {
        let answer = self.acquire(tenant, cost, hold_ms).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        answer.body["lease"]["id"].as_str().unwrap().to_owned()
    }

    pub(super) async fn delete(&self, id: &str) -> Answer {
        self.send(Method::DELETE, &format!("/leases/{id}"), None, "").await
    }

    pub(super) async fn stop(self) {
        self.running.stop(Duration::from_secs(5)).await.unwrap();
    }
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// That this is a problem with this status and code, about this field.
    #[track_caller]
    pub(super) fn is_problem(&self, status: u16, code: &str, field: Option<&str>) {
        assert_eq!(self.status, status, "{}", self.body);
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        assert_eq!(
            (&self.body["code"], &self.body["field"]),
            (&json!(code), &json!(field)),
            "{}",
            self.body
        );
    }
}
