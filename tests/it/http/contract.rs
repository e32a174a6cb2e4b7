//! `openapi.yaml` against the routes, and answers against `openapi.yaml`.

use std::collections::BTreeSet;

use fairgate::engine::Reason;
use fairgate::http::ROUTES;
use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

pub(super) struct Contract(Value);

impl Contract {
    pub(super) fn read() -> Self {
        let text = include_str!("../../../openapi.yaml");
        Self(serde_yaml_ng::from_str(text).unwrap())
    }

    /// The template that `path` is an instance of.
    fn template(&self, path: &str) -> Option<&str> {
        let path = path.split('?').next().unwrap();
        let fits = |template: &&String| {
            let (a, b): (Vec<_>, Vec<_>) =
                (template.split('/').collect(), path.split('/').collect());
            a.len() == b.len()
                && a.iter().zip(b).all(|(a, b)| *a == b || (a.starts_with('{') && !b.is_empty()))
        };
        self.0["paths"].as_object().unwrap().keys().find(fits).map(String::as_str)
    }

    fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value["$ref"].as_str() {
            Some(reference) => self.0.pointer(reference.strip_prefix('#').unwrap()).unwrap(),
            None => value,
        }
    }

    /// Panics unless the contract foresees this answer. Unknown paths and methods are not in it.
    #[track_caller]
    pub(super) fn check(
        &self,
        method: &Method,
        path: &str,
        status: StatusCode,
        headers: &HeaderMap,
        body: &Value,
    ) {
        assert!(headers.contains_key("x-request-id"), "{path}: no x-request-id");
        let Some(template) = self.template(path) else {
            assert_eq!(status, 404, "{path} is not in the contract");
            return;
        };
        let verb = method.as_str().to_lowercase();
        let operation = &self.0["paths"][template][&verb];
        if operation.is_null() {
            assert!(status == 405 || method == Method::HEAD, "{method} {path}");
            return;
        }
        let response = self.resolve(&operation["responses"][status.as_str()]);
        assert!(!response.is_null(), "{method} {path}: {status} is not in the contract: {body}");
        for (name, header) in response["headers"].as_object().into_iter().flatten() {
            let required = self.resolve(header)["required"] == json!(true);
            assert!(!required || headers.contains_key(name.as_str()), "{path}: no {name}");
        }
        let kind = headers["content-type"].to_str().unwrap().split(';').next().unwrap();
        let schema = &response["content"][kind]["schema"];
        assert!(!schema.is_null(), "{method} {path}: {status} as {kind} is not in the contract");
        self.validate(schema, body);
    }

    #[track_caller]
    fn validate(&self, schema: &Value, body: &Value) {
        let mut whole = schema.clone();
        whole["components"] = self.0["components"].clone();
        whole["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
        let validator = jsonschema::validator_for(&whole).unwrap();
        let errors: Vec<_> = validator.iter_errors(body).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}\n{body}");
    }
}

#[test]
fn every_route_is_in_the_contract_and_the_other_way_round() {
    let contract = Contract::read();
    let documented: BTreeSet<_> = contract.0["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, item)| {
            let verbs = item.as_object().unwrap().keys().filter(|key| *key != "parameters");
            verbs.map(move |verb| (path.clone(), verb.to_uppercase()))
        })
        .collect();
    let routed: BTreeSet<_> = ROUTES
        .iter()
        .flat_map(|route| {
            route.methods.iter().map(|method| (route.path.to_owned(), method.to_string()))
        })
        .collect();
    assert_eq!(documented, routed);
    assert!(routed.len() > 10);
}

#[test]
fn every_reason_is_in_the_contract_and_the_other_way_round() {
    let contract = Contract::read();
    let documented = contract.0["components"]["schemas"]["Reason"]["enum"].clone();
    assert_eq!(documented, json!(Reason::ALL.map(Reason::code)));
}

#[test]
fn every_field_has_a_description_and_an_example() {
    let contract = Contract::read();
    let schemas = contract.0["components"]["schemas"].as_object().unwrap();
    for (name, schema) in schemas {
        for (field, written) in schema["properties"].as_object().into_iter().flatten() {
            let field_schema = contract.resolve(written);
            assert!(field_schema["description"].is_string(), "{name}.{field} has no description");
            let has_parts =
                field_schema["items"].is_object() || field_schema["properties"].is_object();
            let has_example = !field_schema["example"].is_null() || written["type"][1] == "null";
            assert!(has_example || has_parts, "{name}.{field} has no example");
        }
    }
}

#[test]
fn the_contract_is_of_this_version() {
    assert_eq!(Contract::read().0["info"]["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
#[should_panic(expected = "is not in the contract")]
fn an_answer_that_the_contract_does_not_foresee_is_caught() {
    let headers = [("content-type", "application/json"), ("x-request-id", "1")];
    let headers = headers.map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
    let headers = HeaderMap::from_iter(headers);
    Contract::read().check(&Method::GET, "/healthz", StatusCode::IM_A_TEAPOT, &headers, &json!({}));
}

#[test]
#[should_panic(expected = "alive")]
fn a_body_that_the_contract_does_not_foresee_is_caught() {
    let headers = [("content-type", "application/json"), ("x-request-id", "1")];
    let headers = headers.map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
    let headers = HeaderMap::from_iter(headers);
    Contract::read().check(&Method::GET, "/healthz", StatusCode::OK, &headers, &json!({}));
}
