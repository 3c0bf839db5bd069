-- How the readings of an attribute are shown: unit, decimals and thresholds, as people chose them for the channel.
-- The unit that devices themselves report stays in "unit".
alter table telemetry.attribute add column display jsonb;

-- What a query over devices shows: by the name of the column what people chose for its attribute.
create function console.column_display(device_query jsonb) returns jsonb language sql stable as $$
  select coalesce(jsonb_object_agg(
    case when attribute.name in ('time', 'device_id') then 'attr_' || attribute.name else attribute.name end,
    jsonb_build_object('unit', coalesce(attribute.display->>'unit', attribute.unit), 'decimals', attribute.display->'decimals',
      'thresholds', coalesce(attribute.display->'thresholds', '[]'))), '{}')
  from telemetry.channel join telemetry.attribute on attribute.channel_pk = channel.id
  where device_query is not null and channel.channel_id = device_query->>'channel_id' and channel.deleted_at is null
    and device_query->'attributes' ? attribute.name and (attribute.display is not null or attribute.unit is not null)
$$;
