-- The kinds of networks and channels are listed in domain/lorawan/networks.ts alone, so that a new one needs no migration.
alter table console.networks drop constraint networks_type_check;
alter table telemetry.channel drop constraint channel_kind_check;
