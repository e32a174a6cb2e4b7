//! `fairgate serve`: builds everything from the options, then serves until told to stop.
