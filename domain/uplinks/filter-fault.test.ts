import { expect, test } from 'vitest';
import { filterFault } from './filter-fault.ts';

test.each(['#', '+', 'v1/#', 'v1/+/devices/+/up', 'v1/a/devices/b/down', '/', '$share/x/v1', '+/+/#', 'ü/#'])(
  'MQTT 4.7.1: %s is a well formed filter',
  (filter) => expect(filterFault(filter)).toBeUndefined(),
);

test.each([
  ['', 'empty'],
  ['a#', '"#"'],
  ['#/a', '"#"'],
  ['a/#/b', '"#"'],
  ['##', '"#"'],
  ['a+', '"+"'],
  ['+a/b', '"+"'],
  ['v1/d+/up', '"+"'],
  ['a\u0000', 'U+0000'],
  ['a/'.repeat(200), 'levels'],
  ['7', 'number'],
])('MQTT 4.7.1: %j can match nothing, and the sentence says why', (filter, why) => expect(filterFault(filter)).toContain(why));
