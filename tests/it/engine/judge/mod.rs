//! The engine, judged once more by somebody who had only the rules: stories told in the small
//! language of [`scene`], and random sequences that land on the edges of the state they meet,
//! decided a second time by a naive [`model`].

mod model;
mod properties;
mod scenarios;
mod scene;
