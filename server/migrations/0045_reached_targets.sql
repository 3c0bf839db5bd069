-- A notice to several numbers is sent again only to those that it has not reached.
alter table console.notice_deliveries add column reached text[] not null default '{}';
-- An alert lists the commands it has fired.
create index command_execution_alert on console.command_executions (alert_id) where alert_id is not null;
