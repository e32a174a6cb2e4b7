//! The HTTP face through real sockets. Every answer is held against `openapi.yaml`.

mod acquire;
mod connections;
mod contract;
mod leases;
mod load;
mod mistakes;
mod process;
mod reports;
mod server;
