-- A device that connects is asked for matches that another process has not handled.
create index uplink_matches_device on console.uplink_matches (device_pk);
