import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { type ComponentType, createElement, lazy, type ReactElement, useCallback, useMemo, useState } from 'react';
import type { z } from 'zod';
import { commonSettings, type DisplaySettings } from './displaySettings.ts';
import type { ResultTable } from './resultTable.ts';
import { useStable } from './useStable.ts';

/** As they cross the wire: the server keeps them as they are, unknown keys included. */
export type StoredOptions = Record<string, unknown>;

/** visualizations 0.2, rule 10. */
export type DrawingContext = 'query' | 'widget';

/** What effective options depend on besides what is stored. */
export interface OptionsSource {
  columns: readonly ResultColumn[];
  settings: DisplaySettings;
}

/** visualizations 1.1, in units of a grid of six columns. */
export interface WidgetSize {
  width: number;
  height: number;
  minWidth: number;
  minHeight: number;
  autoHeight?: boolean;
}

interface Picture {
  table: ResultTable;
  settings: DisplaySettings;
  /** Of the visualization. */
  name: string;
}

/** What a kind draws from: rows and options, nothing else. */
export interface RendererProps<O> extends Picture {
  options: O;
  context: DrawingContext;
  /** Only in the editor's preview, where moving a map is setting its bounds. */
  onOptionsChange?: ((changes: Partial<O>) => void) | undefined;
}

export interface EditorProps<O> extends Picture {
  options: O;
  onOptionsChange: (changes: Partial<O>) => void;
}

interface Definition<O extends StoredOptions> {
  /** As stored. */
  type: string;
  /** Also the name of a new one. */
  name: string;
  /** Defaults, and repair of older shapes; must accept `{}`. Loose, so that keys it does not know stay (0.2, rule 3). */
  options: z.ZodType<O> | ((source: OptionsSource) => z.ZodType<O>);
  /** Keys that live only while the page does. */
  transient?: readonly string[];
  size: WidgetSize;
  /** Not offered for new ones. */
  isDeprecated?: boolean;
  /** Why it cannot be saved like this, said beside the setting as well; null when it can. */
  faultOf?: (options: O) => string | null;
  /** One sentence for those who do not see the picture. */
  summary: (table: ResultTable, options: O) => string;
  Renderer: () => Promise<{ default: ComponentType<RendererProps<O>> }>;
  Editor?: () => Promise<{ default: ComponentType<EditorProps<O>> }>;
}

/** A kind whose options nobody outside has to know: effective ones go in and out as stored ones. */
export interface VisualizationKind {
  type: string;
  name: string;
  size: WidgetSize;
  isDeprecated: boolean;
  effectiveOptions: (stored: unknown, source: OptionsSource) => StoredOptions;
  optionsToSave: (effective: StoredOptions) => StoredOptions;
  /** Why effective options cannot be saved, or null. */
  faultOf: (stored: unknown, source?: OptionsSource) => string | null;
  summary: (table: ResultTable, stored: unknown, settings: DisplaySettings) => string;
  draw: (props: RendererProps<StoredOptions>) => ReactElement;
  /** Null for a kind without settings. */
  edit: ((props: EditorProps<StoredOptions>) => ReactElement) | null;
  /** Fetches the code ahead, while a query runs; done when it is here or cannot be had. */
  preload: () => Promise<void>;
  /** The code is here: it draws at once. */
  isLoaded: () => boolean;
}

export function defineVisualization<O extends StoredOptions>(definition: Definition<O>): VisualizationKind {
  const { type, name, size, isDeprecated = false, transient = [] } = definition;
  const renderer = codeOf(definition.Renderer);
  const Editor = definition.Editor && lazy(definition.Editor);
  const parse: Effective<O> = (stored, source) => {
    const schema = typeof definition.options === 'function' ? definition.options(source) : definition.options;
    const parsed = schema.safeParse(stored);
    return parsed.success ? parsed.data : schema.parse({});
  };
  const effective = remembered(parse);
  return {
    type,
    name,
    size,
    isDeprecated,
    effectiveOptions: effective,
    optionsToSave: (options) => Object.fromEntries(Object.entries(options).filter(([key]) => !transient.includes(key))),
    faultOf: (stored, source = nothingKnown) => definition.faultOf?.(effective(stored, source)) ?? null,
    summary: (table, stored, settings) => definition.summary(table, effective(stored, { columns: table.columns, settings })),
    draw: (props) => createElement(EffectiveRenderer<O>, { ...props, key: type, effective, renderer }),
    edit: Editor ? (props) => createElement(EffectiveEditor<O>, { ...props, key: type, effective, Editor }) : null,
    preload: renderer.preload,
    isLoaded: renderer.isLoaded,
  };
}

interface Code<P> {
  component: () => ComponentType<P>;
  preload: () => Promise<void>;
  isLoaded: () => boolean;
}

/** What is here already is drawn at once: a lazy component shows its skeleton first, and React lets that stand for 300 ms. */
function codeOf<P>(load: () => Promise<{ default: ComponentType<P> }>): Code<P> {
  let loaded: ComponentType<P> | null = null;
  const fetchCode = async () => {
    const code = await load();
    loaded = code.default;
    return code;
  };
  const Lazy = lazy(fetchCode) as ComponentType<P>;
  return {
    component: () => loaded ?? Lazy,
    preload: () =>
      fetchCode().then(
        () => {},
        () => {},
      ),
    isLoaded: () => loaded !== null,
  };
}

const nothingKnown: OptionsSource = { columns: [], settings: commonSettings };

type Effective<O> = (stored: unknown, source: OptionsSource) => O;

/** A picture, its summary and its editor ask for the same: of 500 columns that is work. */
function remembered<O>(parse: Effective<O>): Effective<O> {
  const known = new WeakMap<StoredOptions, OptionsSource & { options: O }>();
  return (stored, { columns, settings }) => {
    const given = isRecord(stored) ? stored : {};
    const last = known.get(given);
    if (last?.columns === columns && last.settings === settings) return last.options;
    const options = parse(given, { columns, settings });
    known.set(given, { columns, settings, options });
    return options;
  };
}

const isRecord = (value: unknown): value is StoredOptions => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same object as long as it says the same: the picture keeps its page, its zoom, its sorting (0.2, rule 8). */
function useEffective<O>(effective: Effective<O>, stored: unknown, { columns }: ResultTable, settings: DisplaySettings): O {
  return useStable(useMemo(() => effective(stored, { columns, settings }), [effective, stored, columns, settings]));
}

interface EffectiveRendererProps<O> extends RendererProps<StoredOptions> {
  effective: Effective<O>;
  renderer: Code<RendererProps<O>>;
}

function EffectiveRenderer<O extends StoredOptions>(props: EffectiveRendererProps<O>) {
  const { effective, renderer, options: stored, onOptionsChange, ...picture } = props;
  const [Renderer] = useState(renderer.component);
  const options = useEffective(effective, stored, picture.table, picture.settings);
  const change = useCallback((changes: Partial<O>) => onOptionsChange?.({ ...options, ...changes }), [options, onOptionsChange]);
  return createElement(Renderer, { ...picture, options, onOptionsChange: onOptionsChange ? change : undefined });
}

interface EffectiveEditorProps<O> extends EditorProps<StoredOptions> {
  effective: Effective<O>;
  Editor: ComponentType<EditorProps<O>>;
}

function EffectiveEditor<O extends StoredOptions>(props: EffectiveEditorProps<O>) {
  const { effective, Editor, options: stored, onOptionsChange, ...picture } = props;
  const options = useEffective(effective, stored, picture.table, picture.settings);
  const change = useCallback((changes: Partial<O>) => onOptionsChange({ ...options, ...changes }), [options, onOptionsChange]);
  return createElement(Editor, { ...picture, options, onOptionsChange: change });
}
