import { z } from 'zod';
import { type QueryParameter, savedValueOf, titleOf, typeOf } from '../parameters/contract.ts';

/** D3: the source of the value of a parameter in a widget's query. */
const mappingTypes = ['dashboard-level', 'widget-level', 'static-value'] as const;
export type MappingType = (typeof mappingTypes)[number];

/** D3: the four choices of the dialog; the first two differ only in whether the dashboard already has that parameter. */
const mappingSources = ['dashboard-add-new', 'dashboard-map-to-existing', 'widget-level', 'static-value'] as const;
export type MappingSource = (typeof mappingSources)[number];

export const longestMappingTitle = 100;

export const ParameterMapping = z.object({
  name: z.string().min(1).max(255),
  type: z.enum(mappingTypes, 'Unknown source of a parameter value.'),
  mapTo: z.string().max(255, 'The keyword is too long (at most 255 characters).').nullish(),
  /** The constant value of a static parameter. */
  value: z.unknown(),
  title: z.string().max(longestMappingTitle, 'The title is too long (at most 100 characters).').nullish(),
});
export type ParameterMapping = z.infer<typeof ParameterMapping>;

/** Mappings by the name of the query's parameter. */
export const ParameterMappings = z.record(z.string().max(255), ParameterMapping);
export type ParameterMappings = z.infer<typeof ParameterMappings>;

/** The facts about a widget that the rules need. */
export interface MappedWidget {
  id?: number;
  options: { parameterMappings?: ParameterMappings | undefined; paramOrder?: string[] | undefined };
  /** Parameters of its query. */
  parameters: readonly QueryParameter[];
}

/** The facts of a widget as its dashboard has it. */
export const mappedOf = <W extends Omit<MappedWidget, 'parameters'>>(
  widget: W & { visualization?: { query: { options: { parameters: readonly QueryParameter[] } } } | undefined },
): MappedWidget => ({
  id: widget.id,
  options: widget.options,
  parameters: widget.visualization?.query.options.parameters ?? [],
});

/** The stored mapping, or the default for one that was never made (screens 9.5). */
export function mappingOf(parameter: QueryParameter, mappings: ParameterMappings | undefined): ParameterMapping {
  const kept = mappings && Object.hasOwn(mappings, parameter.name) ? mappings[parameter.name] : undefined;
  const { name } = parameter;
  if (kept) return { ...kept, name, mapTo: kept.mapTo || name };
  return { name, type: parameter.global ? 'dashboard-level' : 'widget-level', mapTo: name, value: null, title: '' };
}

/** The mappings of the query's current parameters; those of deleted ones are dropped (screens 9.5). */
export const mappingsOf = ({ parameters, options }: MappedWidget): ParameterMapping[] =>
  parameters.map((parameter) => mappingOf(parameter, options.parameterMappings));

/** The same mappings by name, as they are stored. */
export const keptMappings = (mappings: readonly ParameterMapping[]): ParameterMappings =>
  Object.fromEntries(mappings.map((mapping) => [mapping.name, mapping]));

export interface DashboardParameter {
  /** The keyword, as in `mapTo` and in the address. */
  name: string;
  title: string;
  /** The first definition found, under the dashboard's name for it. */
  definition: QueryParameter;
  /** The widgets that get the value, with the name of their parameter. */
  widgets: { widget: MappedWidget; parameter: string }[];
}

const shownTitle = (mapping: ParameterMapping, parameter: QueryParameter, name: string): string =>
  mapping.title?.trim() || titleOf({ title: parameter.title, name });

const inOrder = <T extends { name: string }>(items: T[], order: readonly string[] | undefined): T[] => {
  const place = ({ name }: T) => (order?.includes(name) ? order.indexOf(name) : Number.POSITIVE_INFINITY);
  return items.toSorted((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
};

/** screens 9.5: for each `mapTo` the first widget's definition, in the order chosen by dragging. */
export function dashboardParameters(widgets: readonly MappedWidget[], order?: readonly string[]): DashboardParameter[] {
  const found = new Map<string, DashboardParameter>();
  for (const widget of widgets) {
    for (const parameter of widget.parameters) {
      const mapping = mappingOf(parameter, widget.options.parameterMappings);
      if (mapping.type !== 'dashboard-level') continue;
      const name = mapping.mapTo || parameter.name;
      const known = found.get(name);
      if (known) known.widgets.push({ widget, parameter: parameter.name });
      else {
        const title = shownTitle(mapping, parameter, name);
        found.set(name, { name, title, definition: { ...parameter, name, title }, widgets: [{ widget, parameter: parameter.name }] });
      }
    }
  }
  return inOrder([...found.values()], order);
}

/** The parameters that the widget itself shows. */
export function widgetParameters(widget: MappedWidget): QueryParameter[] {
  const own = widget.parameters.flatMap((parameter) => {
    const mapping = mappingOf(parameter, widget.options.parameterMappings);
    return mapping.type === 'widget-level' ? [{ ...parameter, title: shownTitle(mapping, parameter, parameter.name) }] : [];
  });
  return inOrder(own, widget.options.paramOrder);
}

/** The values for a run of the widget's query; `dashboard` by the dashboard's names, `own` by the query's. */
export function widgetValues(
  widget: MappedWidget,
  dashboard: ReadonlyMap<string, unknown>,
  own: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    widget.parameters.map((parameter) => {
      const mapping = mappingOf(parameter, widget.options.parameterMappings);
      if (mapping.type === 'static-value') return [parameter.name, mapping.value ?? savedValueOf(parameter)];
      const given = mapping.type === 'dashboard-level' ? dashboard.get(mapping.mapTo || parameter.name) : own.get(parameter.name);
      return [parameter.name, given === undefined ? savedValueOf(parameter) : given];
    }),
  );
}

/** screens 9.5: a new widget joins the parameter of the same name, or adds it; one of another type stays with the widget. */
export function firstMapping(parameter: QueryParameter, existing: readonly DashboardParameter[]): ParameterMapping {
  const twin = existing.find(({ name }) => name === parameter.name);
  const isOther = twin !== undefined && typeOf(twin.definition) !== typeOf(parameter);
  return { name: parameter.name, type: isOther ? 'widget-level' : 'dashboard-level', mapTo: parameter.name, value: null, title: '' };
}

/** Only parameters of the same type can take each other's values. */
export const joinable = (parameter: QueryParameter, existing: readonly DashboardParameter[]): DashboardParameter[] =>
  existing.filter(({ definition }) => typeOf(definition) === typeOf(parameter));

export function sourceOf(mapping: ParameterMapping, existing: readonly DashboardParameter[]): MappingSource {
  if (mapping.type !== 'dashboard-level') return mapping.type;
  return existing.some(({ name }) => name === mapping.mapTo) ? 'dashboard-map-to-existing' : 'dashboard-add-new';
}

/** D5: the reason why a mapping to a new dashboard parameter cannot be saved. */
export function newKeywordFault(keyword: string, existing: readonly Pick<DashboardParameter, 'name'>[]): string | null {
  if (keyword.trim() === '') return 'Keyword must have a value';
  return existing.some(({ name }) => name === keyword.trim()) ? 'A parameter with this name already exists' : null;
}

/** screens 9.5: a title belongs to the dashboard's parameter, so every widget mapped to it gets the title. */
export function withTitle(mappings: ParameterMappings, mapTo: string, title: string): ParameterMappings {
  const entries = Object.entries(mappings).map(([name, mapping]) => {
    const isMeant = mapping.type === 'dashboard-level' && (mapping.mapTo || name) === mapTo;
    return [name, isMeant ? { ...mapping, title: title.trim().slice(0, longestMappingTitle) } : mapping] as const;
  });
  return Object.fromEntries(entries);
}
