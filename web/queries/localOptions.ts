/** Screens 1.6: small options that the browser remembers; without storage everything works all the same. */
export function readLocal<T>(key: string, usual: T, isValid: (value: unknown) => value is T): T {
  try {
    const text = localStorage.getItem(key);
    const value: unknown = text === null ? undefined : JSON.parse(text);
    return isValid(value) ? value : usual;
  } catch {
    return usual;
  }
}

export function writeLocal(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The option is not remembered.
  }
}

export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
export const isString = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

export const localKeys = {
  liveAutocomplete: 'localOptions:liveAutocomplete',
  applyAutoLimit: 'localOptions:applyAutoLimit',
  lastDataSource: 'lastSelectedDataSourceId',
  lastDatabase: (dataSourceId: number) => `lastSelectedDatabricksDatabase_${dataSourceId}`,
  wrapsLines: 'telltale:editor:wrapsLines',
  sidePane: 'telltale:queryPanes:side',
  isSideHidden: 'telltale:queryPanes:isSideHidden',
  editorPane: 'telltale:queryPanes:editor',
};
