import { z } from 'zod';

const most = { count: 50, name: 100, value: 1000 };

const countFault = `A device has at most ${most.count} variables.`;
const nameFault = (name: string) =>
  `The name “${name.slice(0, 40)}” is not allowed: use letters, digits, “_”, “-” and “.”, at most ${most.name} characters.`;
const valueFault = (name: string) => `The value of “${name}” is too long (at most ${most.value} characters).`;
const isName = (name: string) => name.length <= most.name && /^[\w.-]+$/.test(name) && name !== '__proto__';

function faultOf(variables: Record<string, string>): string | undefined {
  const entries = Object.entries(variables);
  if (entries.length > most.count) return countFault;
  for (const [name, value] of entries) {
    if (!isName(name)) return nameFault(name);
    if (value.length > most.value) return valueFault(name);
  }
  return undefined;
}

/** iot-behaviour 4.1: texts by name that the decoder gets as `input.variables`. */
export const DeviceVariables = z
  .record(
    z.string(),
    z.string().refine((value) => !value.includes('\0'), 'Values are texts without U+0000.'),
  )
  .superRefine((variables, check) => {
    const message = faultOf(variables);
    if (message) check.addIssue({ code: 'custom', message });
  });
export type DeviceVariables = z.output<typeof DeviceVariables>;

/** Variables as people write them: a line `name = value` for each. */
export const variablesText = (variables: DeviceVariables): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n');

export function readVariables(text: string): { variables: DeviceVariables } | { fault: string } {
  const variables: DeviceVariables = {};
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const at = line.indexOf('=');
    if (at === -1) return { fault: `“${line.trim().slice(0, 40)}” is not of the form name = value.` };
    const [name, value] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    if (!isName(name)) return { fault: nameFault(name) };
    if (Object.hasOwn(variables, name)) return { fault: `“${name}” is there twice.` };
    variables[name] = value;
  }
  const fault = faultOf(variables);
  return fault ? { fault } : { variables };
}
