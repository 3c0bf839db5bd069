import type { Operator } from '@telltale/domain/commands/command.ts';

/** A2: shown as symbols. */
export const operatorSymbols: Readonly<Record<Operator, string>> = { '>': '>', '>=': '≥', '<': '<', '<=': '≤', '==': '=', '!=': '≠' };
