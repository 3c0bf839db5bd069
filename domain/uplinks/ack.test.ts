import { expect, test } from 'vitest';
import { ackPoints, readAck } from './ack.ts';

const read = (text: string) => readAck(new TextEncoder().encode(text), text);

test('iot-behaviour 3.3: an answer names its command and says whether it went well', () => {
  expect(read('{"id":"01JH","ok":true}')).toEqual({ answer: { id: '01JH', ok: true, error: null, data: null } });
  expect(read('{"id":"01JH","ok":false,"error":"busy","data":{"t":1}}')).toEqual({
    answer: { id: '01JH', ok: false, error: 'busy', data: { t: 1 } },
  });
});

test('iot-behaviour 3.3: the data of an answer become points under sys.ack.', () => {
  const points = ackPoints({ version: '1.2', slots: [3], ready: true, 'sys.online': 0 });
  expect(points.map(({ name, kind, value, text }) => [name, kind, value ?? text])).toEqual([
    ['sys.ack.version', 's', '1.2'],
    ['sys.ack.slots.0', 'n', 3],
    ['sys.ack.ready', 'b', 1],
    ['sys.ack.p.sys.online', 'n', 0],
  ]);
});

test.each([
  ['', 'bad_json'],
  ['yes', 'bad_json'],
  ['null', 'bad_shape'],
  ['[]', 'bad_shape'],
  ['{"id":"x"}', 'bad_shape'],
  ['{"id":7,"ok":true}', 'bad_shape'],
  ['{"id":"","ok":true}', 'bad_shape'],
  [`{"id":"${'x'.repeat(65)}","ok":true}`, 'bad_shape'],
  ['{"__proto__":{"id":"x","ok":true}}', 'bad_shape'],
  [`{"id":"x","ok":true,"data":"${'x'.repeat(65_536)}"}`, 'too_large'],
])('%.40s is %s', (text, code) => expect(read(text)).toMatchObject({ refusal: { code } }));
