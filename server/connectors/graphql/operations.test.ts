import { expect, test } from 'vitest';
import { operationsOf } from './operations.ts';

test.each([
  ['{ a }', ['query']],
  ['query { a }', ['query']],
  ['query mutation($a: [X!] = {b: "}"}) @d(x: {y: 1}) { mutation }', ['query']],
  ['fragment mutation on X { a } { ...mutation }', ['fragment', 'query']],
  ['mutation { a }', ['mutation']],
  ['{ a } mutation { b }', ['query', 'mutation']],
  ['# mutation { b }\n{ a }', ['query']],
  ['# x\rmutation { b }', ['mutation']],
  ['{ a(x: "} mutation { b }") }', ['query']],
  ['{ a(x: """} mutation { """) }', ['query']],
  ['{ a(x: """ \\""" } mutation { b } """) }', ['query']],
  ['{ a(x: "\\"} mutation {") }', ['query']],
  ['{ a(x: "") } mutation { b }', ['query', 'mutation']],
  [',,\ufeff subscription { a }', ['subscription']],
])('%j has the operations %j', (document, operations) => {
  expect(operationsOf(document)).toEqual(operations);
});
