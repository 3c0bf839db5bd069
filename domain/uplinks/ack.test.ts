import { expect, test } from 'vitest';
import { readAck } from './ack.ts';

const read = (text: string) => readAck(new TextEncoder().encode(text), text);

test('iot-behaviour 3.3: an answer names its command and says whether it went well', () => {
  expect(read('{"id":"01JH","ok":true}')).toEqual({ answer: { id: '01JH', ok: true } });
  expect(read('{"id":"01JH","ok":false,"error":"busy","data":{"t":1}}')).toEqual({ answer: { id: '01JH', ok: false } });
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
