import { liveLimits } from '@telltale/domain/uplinks/live-record.ts';
import { Select } from 'antd';
import { use, useEffect, useState } from 'react';
import { Field } from '../editor/Field.tsx';
import { type Choice, type UplinkFeed, UplinkFeedContext } from './uplinkFeed.ts';
import type { UplinkOptions } from './uplinkOptions.ts';

type Followed = Pick<UplinkOptions, 'channelid' | 'device_ids'>;

interface FollowedFieldsProps extends Followed {
  onChange: (followed: Followed) => void;
  /** Offers existing ids only; otherwise ids can be typed as well. */
  isStrict?: boolean;
}

/** A channel, then some of its devices. */
export function FollowedFields({ channelid, device_ids, onChange, isStrict = false }: FollowedFieldsProps) {
  const feed = use(UplinkFeedContext);
  const channels = useChoices(feed, '');
  const devices = useChoices(feed, channelid);
  // Where the channels cannot be listed, the id is typed.
  const isChosen = isStrict || channels.isPending || channels.choices.length > 0;
  return (
    <>
      <Field label="Channel">
        {(id) =>
          isChosen ? (
            <Select
              id={id}
              showSearch={{ optionFilterProp: 'label' }}
              placeholder="Choose a channel..."
              value={channelid || null}
              loading={channels.isPending}
              options={withTyped(channels.choices, [channelid])}
              notFoundContent={channels.isPending ? 'Loading...' : 'There are no channels yet.'}
              onChange={(chosen: string) => onChange({ channelid: chosen, device_ids: [] })}
            />
          ) : (
            <Select
              id={id}
              mode="tags"
              maxCount={1}
              placeholder="Choose a channel..."
              value={channelid ? [channelid] : []}
              options={withTyped([], [channelid])}
              onChange={(chosen: string[]) => onChange({ channelid: chosen.at(-1) ?? '', device_ids: [] })}
            />
          )
        }
      </Field>
      <Field label="Devices" note={`At most ${liveLimits.devices} are followed at once.`}>
        {(id) => (
          <Select
            id={id}
            mode={isStrict ? 'multiple' : 'tags'}
            maxCount={liveLimits.devices}
            tokenSeparators={[',', ' ']}
            placeholder="Choose devices..."
            disabled={!channelid}
            value={[...device_ids]}
            loading={channelid !== '' && devices.isPending}
            showSearch={{ optionFilterProp: 'label' }}
            options={withTyped(devices.choices, device_ids)}
            notFoundContent={devices.isPending ? 'Loading...' : 'There are no devices in this channel yet.'}
            onChange={(chosen: string[]) => onChange({ channelid, device_ids: chosen })}
          />
        )}
      </Field>
    </>
  );
}

const labelled = ({ id, name }: Choice) => ({ value: id, label: name && name !== id ? `${name} (${id})` : id });

/** Stored ids are shown, even where the list lacks them. */
const withTyped = (choices: readonly Choice[], ids: readonly string[]) => [
  ...choices.map(labelled),
  ...ids.filter((id) => id && choices.every((choice) => choice.id !== id)).map((id) => labelled({ id, name: id })),
];

interface Choices {
  choices: readonly Choice[];
  isPending: boolean;
}

/** Channels, or the devices of one. */
function useChoices(feed: UplinkFeed | null, channel: string): Choices {
  const [found, setFound] = useState<{ of: string | null; choices: readonly Choice[] }>({ of: null, choices: [] });
  useEffect(() => {
    let isLeft = false;
    const asked = (channel ? feed?.listDevices?.(channel) : feed?.listChannels?.()) ?? Promise.resolve([]);
    asked.then(
      (choices) => !isLeft && setFound({ of: channel, choices }),
      () => !isLeft && setFound({ of: channel, choices: [] }),
    );
    return () => {
      isLeft = true;
    };
  }, [feed, channel]);
  return found.of === channel ? { choices: found.choices, isPending: false } : { choices: [], isPending: true };
}
