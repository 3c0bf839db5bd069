import { CsvFault, CsvReader } from '../csv/csv-reader.ts';
import { type ImportedDevice, mostImported } from './import-contract.ts';

/** A device of a CSV text, and the line in which it begins. */
export interface DeviceLine {
  line: number;
  device: ImportedDevice;
}

export interface LineFault {
  line: number;
  message: string;
}

export interface DeviceCsv {
  devices: DeviceLine[];
  faults: LineFault[];
  /** Names of columns that mean nothing here. */
  ignored: string[];
}

type Column = 'device_id' | 'device_name' | 'dev_eui' | 'tags';
const columnNames: ReadonlyMap<string, Column> = new Map([
  ['device_id', 'device_id'],
  ['id', 'device_id'],
  ['device_name', 'device_name'],
  ['name', 'device_name'],
  ['dev_eui', 'dev_eui'],
  ['deveui', 'dev_eui'],
  ['tags', 'tags'],
]);
/** None of these can be an id of a device, so a line with one of them is a header. */
const headerNames = new Set(['device_id', 'id', 'device_name', 'dev_eui']);
const withoutHeader: readonly Column[] = ['device_id', 'device_name'];

const normalized = (cell: string) => cell.trim().toLowerCase().replace(/\s+/g, '_');

/** Reads the devices of a CSV text: by the names of its columns, or device_id and device_name without a header. */
export function readDeviceCsv(text: string): DeviceCsv {
  const plain = text.replace(/^\uFEFF/, '');
  const reader = new CsvReader({ separator: separatorOf(plain), quote: '"' });
  const faults: LineFault[] = [];
  const lines: { line: number; cells: string[] }[] = [];
  const take = (read: () => string[][]) => {
    try {
      const rows = read();
      lines.push(...rows.map((cells, at) => ({ cells, line: reader.rowLines[at] ?? 0 })));
    } catch (error) {
      if (!(error instanceof CsvFault)) throw error;
      faults.push({ line: error.line, message: 'A quote is never closed.' });
    }
  };
  take(() => reader.push(plain));
  if (faults.length === 0) take(() => reader.end());

  // Spreadsheets write rows of separators where cells were emptied.
  const filled = lines.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const [first] = filled;
  const header = first?.cells.some((cell) => headerNames.has(normalized(cell))) ? first : undefined;
  const columns = header ? header.cells.map((cell) => columnNames.get(normalized(cell))) : withoutHeader;
  const ignored = header ? header.cells.filter((cell, at) => cell.trim() !== '' && !columns[at]).map((cell) => cell.trim()) : [];
  if (header) faults.push(...headerFaults(header.line, columns));
  if (faults.length > 0) return { devices: [], faults, ignored };

  const devices: DeviceLine[] = [];
  for (const { line, cells } of header ? filled.slice(1) : filled) {
    if (cells.slice(columns.length).some((cell) => cell.trim() !== ''))
      faults.push({ line, message: surplusMessage(cells, columns, !header) });
    else devices.push({ line, device: deviceOf(cells, columns) });
  }
  const surplus = devices[mostImported];
  if (surplus) {
    const message = `At most ${mostImported.toLocaleString('en')} devices are imported at once; these are ${devices.length.toLocaleString('en')}.`;
    faults.push({ line: surplus.line, message });
  }
  return { devices, faults: faults.sort((a, b) => a.line - b.line), ignored };
}

/** The first cell is an id or the name of a column, which contain no separator: the first one outside of quotes separates. */
function separatorOf(text: string): string {
  return /^(?:"[^"]*"|[^",;\t\r\n])*([,;\t])/.exec(text.trimStart())?.[1] ?? ',';
}

function headerFaults(line: number, columns: readonly (Column | undefined)[]): LineFault[] {
  const twice = columns.find((column, at) => column && columns.indexOf(column) !== at);
  if (twice) return [{ line, message: `The column ${twice} is named twice.` }];
  return columns.includes('device_id') ? [] : [{ line, message: 'No column is named device_id.' }];
}

const surplusMessage = (cells: readonly string[], columns: readonly unknown[], isWithoutHeader: boolean) =>
  `There are ${cells.length} values for ${columns.length} columns.${
    isWithoutHeader ? ' Name the columns in the first line: device_id, device_name, dev_eui, tags.' : ''
  }`;

function deviceOf(cells: readonly string[], columns: readonly (Column | undefined)[]): ImportedDevice {
  const cell = (column: Column) => cells[columns.indexOf(column)]?.trim() ?? '';
  const [device_name, dev_eui, tags] = [cell('device_name'), cell('dev_eui'), cell('tags')];
  return {
    device_id: cell('device_id'),
    ...(device_name && { device_name }),
    ...(dev_eui && { dev_eui }),
    ...(tags && { tags: tagsOf(tags) }),
  };
}

/** Tags with blanks in them are separated by bars. */
const tagsOf = (cell: string) =>
  cell
    .split(cell.includes('|') ? '|' : /\s+/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
