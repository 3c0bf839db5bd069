/**
 * The design tokens: Ant Design uses these values, and the build prints them as CSS variables of the same names. Text has a contrast of at
 * least 4.5 and marks of at least 3 on all their backgrounds; tokens.test.ts measures it.
 */
export type ThemeName = 'light' | 'dark';

export const colors = {
  ink: { light: '#12212F', dark: '#E6EDF3' },
  muted: { light: '#52616F', dark: '#9AABBC' },
  paper: { light: '#FFFFFF', dark: '#0E1620' },
  surface: { light: '#F6F8FA', dark: '#152130' },
  /** The ground of floating parts: menus, dialogs. */
  raised: { light: '#FFFFFF', dark: '#1A2838' },
  hover: { light: '#EDF1F5', dark: '#1E2E41' },
  line: { light: '#E1E7ED', dark: '#24344A' },
  /** The border of inputs and check boxes. */
  edge: { light: '#82909D', dark: '#5F7690' },
  primary: { light: '#0B7285', dark: '#3BC9DB' },
  /** The hover colour of primary. */
  'primary-strong': { light: '#095C6B', dark: '#66D9E8' },
  'primary-soft': { light: '#E3F3F5', dark: '#12323D' },
  /** Text on primary, danger and the other strong colours. */
  'on-strong': { light: '#FFFFFF', dark: '#0E1620' },
  ok: { light: '#2B8A3E', dark: '#69DB7C' },
  warning: { light: '#B86E00', dark: '#FFC078' },
  danger: { light: '#C92A2A', dark: '#FF8787' },
  'danger-strong': { light: '#A61E1E', dark: '#FFA8A8' },
  info: { light: '#1864AB', dark: '#74C0FC' },
  /** Texts and numbers in code: small and on tinted lines, so darker than the similar state colours. */
  'code-text': { light: '#1F6F31', dark: '#69DB7C' },
  'code-figure': { light: '#8A5200', dark: '#FFC078' },
} as const satisfies Record<string, Record<ThemeName, string>>;

/** Colours of charts, distinguishable for people with red-green blindness; 12 % lighter in the dark. */
export const series: Record<ThemeName, readonly string[]> = {
  light: ['#1971C2', '#E8590C', '#2F9E44', '#9C36B5', '#0C8599', '#F08C00', '#C2255C', '#5C940D', '#6741D9', '#868E96'],
  dark: ['#3390E5', '#F57D3C', '#43C75C', '#B75ACE', '#10B6D2', '#FFA82E', '#DC487C', '#7FCC12', '#9074E3', '#A7ADB2'],
};

export const fontFamily = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
export const fontFamilyCode = "'JetBrains Mono Variable', ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";
export const radius = 6;
const barHeight = 48;
/** Durations in seconds; only opacity and transform are animated. */
export const motion = { fast: 0.12, middle: 0.15, slow: 0.18 };

export const shadow: Record<ThemeName, string> = {
  light: '0 8px 24px rgba(18, 33, 47, 0.14), 0 1px 3px rgba(18, 33, 47, 0.10)',
  dark: '0 8px 24px rgba(0, 0, 0, 0.5), 0 0 0 1px #24344A',
};

const variablesOf = (theme: ThemeName): string =>
  [
    `color-scheme: ${theme}`,
    ...Object.entries(colors).map(([name, value]) => `--${name}: ${value[theme]}`),
    ...series[theme].map((color, index) => `--series-${index + 1}: ${color}`),
    `--shadow: ${shadow[theme]}`,
  ].join('; ');

const shared = `--font: ${fontFamily}; --font-code: ${fontFamilyCode}; --radius: ${radius}px; --bar: ${barHeight}px; --fast: ${motion.fast}s`;

/** `data-theme` is set before the first paint; pages without our script follow the system. */
export const themeCss = `:root { ${shared}; ${variablesOf('light')} }
:root[data-theme='dark'] { ${variablesOf('dark')} }
@media (prefers-color-scheme: dark) { :root:not([data-theme]) { ${variablesOf('dark')} } }
`;
