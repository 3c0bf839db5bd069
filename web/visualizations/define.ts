import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { type ComponentType, createElement, lazy, type ReactElement, useCallback, useMemo, useState } from 'react';
import type { z } from 'zod';
import { commonSettings, type DisplaySettings } from './displaySettings.ts';
import type { ResultTable } from './resultTable.ts';
import { useStable } from './useStable.ts';

/** Options as stored: the server keeps them as they are, unknown keys included. */
export type StoredOptions = Record<string, unknown>;

/** visualizations 0.2, rule 10. */
export type DrawingContext = 'query' | 'widget';

/** The inputs of effective options beside the stored ones. */
export interface OptionsSource {
  columns: readonly ResultColumn[];
  settings: DisplaySettings;
}

/** visualizations 1.1, in units of a grid of six columns. */
interface WidgetSize {
  width: number;
  height: number;
  minWidth: number;
  minHeight: number;
  autoHeight?: boolean;
}

interface Picture {
  table: ResultTable;
  settings: DisplaySettings;
  /** The name of the visualization. */
  name: string;
}

/** The input of a renderer: rows and options, nothing else. */
export interface RendererProps<O> extends Picture {
  options: O;
  context: DrawingContext;
  /** Set only in the editor's preview, where moving a map sets its bounds. */
  onOptionsChange?: ((changes: Partial<O>) => void) | undefined;
  /** Keeps what the viewer has changed as the default; undefined where they may not. */
  onSaveView?: ((changes: StoredOptions) => Promise<unknown>) | undefined;
}

export interface EditorProps<O> extends Picture {
  options: O;
  onOptionsChange: (changes: Partial<O>) => void;
}

interface Definition<O extends StoredOptions> {
  /** The stored type. */
  type: string;
  /** The name of the kind, and of a new visualization. */
  name: string;
  /** Defaults, and repair of older shapes; must accept `{}`. Loose, so that unknown keys stay (0.2, rule 3). */
  options: z.ZodType<O> | ((source: OptionsSource) => z.ZodType<O>);
  /** The first options of a new visualization for these columns; stored ones keep the meaning of their own options. */
  firstOptions?: (columns: readonly ResultColumn[]) => StoredOptions;
  /** Keys that are not stored. */
  transient?: readonly string[];
  size: WidgetSize;
  /** The kind is not offered for new visualizations. */
  isDeprecated?: boolean;
  /** The reason why the options cannot be saved, also shown beside the setting; null when they can. */
  faultOf?: (options: O) => string | null;
  /** One sentence for screen readers. */
  summary: (table: ResultTable, options: O, settings: DisplaySettings) => string;
  Renderer: () => Promise<{ default: ComponentType<RendererProps<O>> }>;
  Editor?: () => Promise<{ default: ComponentType<EditorProps<O>> }>;
}

/** A kind with its options type hidden: effective options go in and out as stored ones. */
export interface VisualizationKind {
  type: string;
  name: string;
  size: WidgetSize;
  isDeprecated: boolean;
  firstOptions: (columns: readonly ResultColumn[]) => StoredOptions;
  effectiveOptions: (stored: unknown, source: OptionsSource) => StoredOptions;
  optionsToSave: (effective: StoredOptions) => StoredOptions;
  /** The reason why effective options cannot be saved, or null. */
  faultOf: (stored: unknown, source?: OptionsSource) => string | null;
  summary: (table: ResultTable, stored: unknown, settings: DisplaySettings) => string;
  draw: (props: RendererProps<StoredOptions>) => ReactElement;
  /** Null for a kind without settings. */
  edit: ((props: EditorProps<StoredOptions>) => ReactElement) | null;
  /** Loads the code in advance, while a query runs; resolves when it is loaded or has failed. */
  preload: () => Promise<void>;
  /** The code is loaded: the picture is drawn at once. */
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
    firstOptions: definition.firstOptions ?? (() => ({})),
    effectiveOptions: effective,
    optionsToSave: (options) => Object.fromEntries(Object.entries(options).filter(([key]) => !transient.includes(key))),
    faultOf: (stored, source = nothingKnown) => definition.faultOf?.(effective(stored, source)) ?? null,
    summary: (table, stored, settings) => definition.summary(table, effective(stored, { columns: table.columns, settings }), settings),
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

/** Loaded code is drawn at once: a lazy component shows its skeleton first, and React keeps that for 300 ms. */
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

/** A picture, its summary and its editor parse the same options: with 500 columns that is expensive. */
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

/** The same object until the options change: the picture keeps its page, its zoom, its sorting (0.2, rule 8). */
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
