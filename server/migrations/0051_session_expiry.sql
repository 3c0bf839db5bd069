-- MQTT 5: a client says how long its session is kept once it is gone. Null while it is connected, and for sessions of 3.1.1.
alter table console.mqtt_sessions add column expires_at timestamptz;
