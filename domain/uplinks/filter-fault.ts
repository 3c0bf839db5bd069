import { limits } from './limits.ts';

/** MQTT 4.7.1: why a topic filter can match nothing here; undefined when it is well formed. Who may use it is another question. */
export function filterFault(filter: string): string | undefined {
  if (filter === '') return 'it is empty';
  if (filter.includes('\u0000')) return 'it contains the character U+0000';
  const levels = filter.split('/');
  if (levels.length > limits.topicLevels) return `it has more than ${limits.topicLevels} levels`;
  if (levels.some((level) => level.includes('+') && level !== '+')) return '"+" has to stand alone between two slashes';
  const isLastAlone = (level: string, place: number) => level === '#' && place === levels.length - 1;
  if (levels.some((level, place) => level.includes('#') && !isLastAlone(level, place))) return '"#" has to stand alone at the end';
  if (/^\d+$/.test(filter)) return 'no topic is only a number';
  return undefined;
}
