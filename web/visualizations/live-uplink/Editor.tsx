import { Select } from 'antd';
import { use, useEffect, useState } from 'react';
import type { EditorProps } from '../define.ts';
import { Field } from '../editor/Field.tsx';
import { Fields, FormatField, NumberField } from '../editor/fields.tsx';
import { type Choice, type UplinkFeed, UplinkFeedContext } from './uplinkFeed.ts';
import type { UplinkOptions } from './uplinkOptions.ts';

/** visualizations 18: channels and devices to choose from where somebody knows them; ids can be typed in any case. */
export default function LiveUplinkEditor({ options, onOptionsChange }: EditorProps<UplinkOptions>) {
  const feed = use(UplinkFeedContext);
  const channels = useChoices(feed, '');
  const devices = useChoices(feed, options.channelid);
  return (
    <Fields>
      <Field label="Channel">
        {(id) => (
          <Select
            id={id}
            mode="tags"
            maxCount={1}
            placeholder="Choose a channel..."
            value={options.channelid ? [options.channelid] : []}
            options={withTyped(channels, [options.channelid])}
            onChange={(chosen: string[]) => onOptionsChange({ channelid: chosen.at(-1) ?? '', device_ids: [] })}
          />
        )}
      </Field>
      <Field label="Devices" note="At most 50 are followed at once.">
        {(id) => (
          <Select
            id={id}
            mode="tags"
            maxCount={50}
            tokenSeparators={[',', ' ']}
            placeholder="Choose devices..."
            disabled={!options.channelid}
            value={options.device_ids}
            options={withTyped(devices, options.device_ids)}
            onChange={(device_ids: string[]) => onOptionsChange({ device_ids })}
          />
        )}
      </Field>
      <Field label="Fields" note="Values to show, in this order; all when empty.">
        {(id) => (
          <Select
            id={id}
            mode="tags"
            tokenSeparators={[',']}
            placeholder="All"
            value={options.fields}
            onChange={(fields: string[]) => onOptionsChange({ fields })}
          />
        )}
      </Field>
      <NumberField
        label="Uplinks kept per device"
        value={options.maxItems}
        min={1}
        max={500}
        isWhole
        onChange={(maxItems) => onOptionsChange({ maxItems: maxItems ?? 50 })}
      />
      <FormatField
        label="Date/Time Format"
        kind="date"
        value={options.dateTimeFormat}
        onChange={(dateTimeFormat) => onOptionsChange({ dateTimeFormat })}
      />
    </Fields>
  );
}

const labelled = ({ id, name }: Choice) => ({ value: id, label: name && name !== id ? `${name} (${id})` : id });

/** What is stored can be seen, even where the list does not have it. */
const withTyped = (choices: readonly Choice[], ids: readonly string[]) => [
  ...choices.map(labelled),
  ...ids.filter((id) => id && choices.every((choice) => choice.id !== id)).map((id) => labelled({ id, name: id })),
];

/** Channels, or the devices of one. */
function useChoices(feed: UplinkFeed | null, channel: string): readonly Choice[] {
  const [found, setFound] = useState<{ of: string; choices: readonly Choice[] }>({ of: '', choices: [] });
  useEffect(() => {
    let isLeft = false;
    const asked = channel ? feed?.listDevices?.(channel) : feed?.listChannels?.();
    asked?.then(
      (choices) => !isLeft && setFound({ of: channel, choices }),
      () => !isLeft && setFound({ of: channel, choices: [] }),
    );
    return () => {
      isLeft = true;
    };
  }, [feed, channel]);
  return found.of === channel ? found.choices : [];
}
