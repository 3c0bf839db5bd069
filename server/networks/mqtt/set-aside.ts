import { filterFault } from '@telltale/domain/uplinks/filter-fault.ts';
import { reasons } from './version5/reasons.ts';

/** The topic that stands for a filter that Aedes must not see; no key may subscribe below `$`. */
const placeholder = (place: number) => `$refused/${place}`;
export const isPlaceholder = (topic: string): boolean => topic.startsWith('$refused/');

/** MQTT 3.1.1 has one code for every refusal. */
const failure = 0x80;

export interface SetAside {
  codes: Map<number, number | { like: number }>;
  refused: { filter: string; sentence: string }[];
}

/**
 * Takes the filters out of a SUBSCRIBE for which Aedes would close the connection without a reason (malformed ones), answer codes at the wrong
 * place (numbers: it uses filters as keys of an object) or leave codes out (a filter that comes twice). Placeholders keep their places.
 */
export function setAside(subscriptions: { topic: string }[], isVersion5: boolean): SetAside {
  const codes: SetAside['codes'] = new Map();
  const refused: SetAside['refused'] = [];
  const last = new Map(subscriptions.map(({ topic }, place) => [topic, place]));
  for (const [place, subscription] of subscriptions.entries()) {
    const { topic } = subscription;
    const refusal = refusalOf(topic, isVersion5);
    const winner = last.get(topic) ?? place;
    if (refusal) {
      codes.set(place, isVersion5 ? refusal.code : failure);
      refused.push({ filter: topic, sentence: `Not subscribed to "${topic.slice(0, 256)}": ${refusal.why}.` });
    } else if (winner !== place) codes.set(place, { like: winner });
    else continue;
    subscription.topic = placeholder(place);
  }
  return { codes, refused };
}

function refusalOf(filter: string, isVersion5: boolean): { code: number; why: string } | undefined {
  const fault = filterFault(filter);
  if (fault) return { code: reasons.filterInvalid, why: fault };
  if (isVersion5 && filter.startsWith('$share/'))
    return { code: reasons.sharedNotSupported, why: 'shared subscriptions are not offered; each connection hears its own topics' };
  return undefined;
}
