//! Leases survive: crashes at every step, flipped bits, full disks, real kills.

mod changes;
mod crashes;
mod damage;
mod disk;
mod export;
mod fixture;
mod kills;
mod process;
mod snapshots;
mod store;
mod unheard;
mod world;
