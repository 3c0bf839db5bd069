-- Whether the network refused our credentials the last time that a command was to be sent: commands fail although the connection may stand.
alter table console.network_states add column are_credentials_refused boolean not null default false;
