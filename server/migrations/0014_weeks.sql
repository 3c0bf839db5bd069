-- 1.8: readings lie in weeks, not days: every part costs time whenever a question is planned, and a year had hundreds of them. What a
-- day alone spared reading is spared by the index of times.
create index metric_point_time on telemetry.metric_point using brin (time) with (pages_per_range = 64);
create index metric_minute_time on telemetry.metric_minute using brin (bucket) with (pages_per_range = 64);
