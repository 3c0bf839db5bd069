import { describe, expect, test } from 'vitest';
import { addressWithChoice, choicesIn, combinedFilters, imposedChoices, offeredFilters } from './dashboardFilters.ts';

const data = (name: string, values: unknown[]) => ({
  columns: [{ name, type: 'string' as const }],
  rows: values.map((value) => ({ [name]: value })),
});

describe('filters of a dashboard', () => {
  test('D2: the values of all widgets are offered once', () => {
    const [filter, ...others] = combinedFilters(
      [data('city::multi-filter', ['Oslo', 'Bern']), data('city::multi-filter', ['Bern', 'Rome'])],
      new Map(),
    );
    expect(others).toEqual([]);
    expect(filter).toMatchObject({ values: ['Oslo', 'Bern', 'Rome'], current: ['Oslo', 'Bern', 'Rome'], isMultiple: true });
  });

  test('columns that are no filters do not count', () => {
    expect(combinedFilters([data('city', ['Oslo'])], new Map())).toEqual([]);
  });

  test('a single choice is the same in every widget, from the first value on', () => {
    const filters = combinedFilters([data('city::filter', ['Oslo', 'Bern'])], new Map());
    expect([...imposedChoices(filters, new Map(), true)]).toEqual([['city::filter', ['Oslo']]]);
  });

  test('screens 16.12: an address chooses also where the dashboard has no filters', () => {
    const chosen = choicesIn(new URLSearchParams('city::filter=Bern&edit&p_x=1&refresh=60'));
    expect([...imposedChoices([], chosen, false)]).toEqual([['city::filter', ['Bern']]]);
  });

  test('visualizations 2.3: a filter that the address names has a control where the dashboard has none of its own', () => {
    const results = [data('city::filter', ['Oslo', 'Bern']), data('room::filter', ['A'])];
    const chosen = choicesIn(new URLSearchParams('city::filter=Bern&utm_source=mail'));
    const offered = (named: Parameters<typeof offeredFilters>[2]) => offeredFilters(results, chosen, named).map(({ name }) => name);
    expect(offered(new Set(chosen.keys()))).toEqual(['city::filter']);
    expect(offered(new Set())).toEqual([]);
    expect(offered('all')).toEqual(['city::filter', 'room::filter']);
    expect(offeredFilters(results, chosen, new Set(['city::filter']))[0]?.current).toEqual(['Bern']);
  });

  test('visualizations 2.3: an address with a value that no widget has matches nothing', () => {
    const chosen = choicesIn(new URLSearchParams('city::filter=Nowhere'));
    const filters = combinedFilters([data('city::filter', ['Oslo', 'Bern'])], chosen);
    expect([...imposedChoices(filters, chosen, true)]).toEqual([['city::filter', []]]);
  });

  test('an empty value of an address finds rows without one', () => {
    const chosen = choicesIn(addressWithChoice(new URLSearchParams(), 'city::filter', [null]));
    expect(combinedFilters([data('city::filter', ['Oslo', null])], chosen)[0]?.current).toEqual([null]);
  });

  test.each([
    [['Oslo'], 'edit=&a=Oslo'],
    [['Oslo', 'Bern & Co'], 'edit=&a=Oslo&a=Bern+%26+Co'],
    [[], 'edit=&a=%5B%5D'],
    ['all' as const, 'edit='],
  ])('%j is kept in the address', (choice, expected) => {
    const next = addressWithChoice(new URLSearchParams('edit&a=old'), 'a', choice);
    expect(next.toString()).toBe(expected);
    expect(choicesIn(next).get('a')).toEqual(choice === 'all' ? undefined : choice);
  });
});
