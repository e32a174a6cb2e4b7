//! Every route, on one page. The router, the `Allow` header and the contract test are built from
//! this table. To add a route: a row here, a handler, a path in `openapi.yaml`.

use std::any::Any;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::Method;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, delete, get, post};
use tower_http::catch_panic::CatchPanicLayer;

use super::{App, acquire, leases, observe, problem, reports, status};

/// One path.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The path; parts in braces are parameters.
    pub path: &'static str,
    /// What it takes, beside `HEAD` where it takes `GET`.
    pub methods: &'static [Method],
    service: fn() -> MethodRouter<App>,
}

const DELETE_GET: &[Method] = &[Method::DELETE, Method::GET];
const GET: &[Method] = &[Method::GET];
const POST: &[Method] = &[Method::POST];

/// Every path.
pub const ROUTES: &[Route] = &[
    // Callers.
    Route { path: "/acquire", methods: POST, service: || post(acquire::acquire) },
    Route {
        path: "/leases/{id}",
        methods: DELETE_GET,
        service: || delete(leases::release).get(leases::one),
    },
    // People and dashboards.
    Route { path: "/leases", methods: GET, service: || get(leases::page) },
    Route { path: "/stats", methods: GET, service: || get(reports::stats) },
    Route { path: "/fairness", methods: GET, service: || get(reports::fairness) },
    Route { path: "/plan", methods: GET, service: || get(reports::plan) },
    Route { path: "/metrics", methods: GET, service: || get(status::metrics) },
    Route { path: "/openapi.yaml", methods: GET, service: || get(status::openapi) },
    // Supervisors and load balancers.
    Route { path: "/healthz", methods: GET, service: || get(status::alive) },
    Route { path: "/readyz", methods: GET, service: || get(status::ready) },
];

impl Route {
    /// The value of the `Allow` header.
    fn allow(&self) -> String {
        let mut names: Vec<_> = self.methods.iter().map(Method::as_str).collect();
        if self.methods.contains(&Method::GET) {
            names.push("HEAD");
        }
        names.join(", ")
    }
}

/// A handler that panics fails its own request and no other.
fn panicked(_cause: Box<dyn Any + Send>) -> Response {
    tracing::error!("a handler panicked");
    problem::defect().into_response()
}

/// The whole service.
pub fn router(app: App) -> Router {
    let mut router = Router::new();
    for route in ROUTES {
        let allow = route.allow();
        let service = (route.service)().fallback(async move || problem::method_not_allowed(&allow));
        router = router.route(route.path, service);
    }
    router
        .fallback(async || problem::no_such_path())
        .layer(DefaultBodyLimit::max(app.options.max_body_bytes))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(app.clone(), observe::observe))
        .with_state(app)
}
